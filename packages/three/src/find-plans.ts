/** The plans that a file carries (`isoskin bake --plan`), where the root is what GLTFLoader gives; loaded when they are first asked for. */
export type FindPlans = () => Promise<readonly Uint8Array[]>;

interface Parser {
  readonly json: { readonly extensions?: { readonly ISOSKIN_plan?: { readonly plans?: unknown } } };
  getDependency(kind: 'accessor', index: number): Promise<{ readonly array: Uint32Array }>;
}

export function findPlans(root: unknown): FindPlans | undefined {
  const parser = (root as { readonly parser?: Parser }).parser;
  const list = parser?.json?.extensions?.ISOSKIN_plan?.plans;
  if (!Array.isArray(list)) return undefined;
  let plans: Promise<readonly Uint8Array[]> | undefined;
  const load = async (index: number): Promise<Uint8Array> => {
    const { array } = await parser!.getDependency('accessor', index);
    return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  };
  return () => (plans ??= Promise.all(list.map(load)).catch(() => [])); // what cannot be read is planned
}
