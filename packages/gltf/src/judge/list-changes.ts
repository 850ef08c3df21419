/** What is different between two JSON values, path by path: `+` added, `-` removed, `~` changed. */
export function listChanges(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after) || before === after) return [];
  const isList = Array.isArray(before) && Array.isArray(after);
  if (!isList && !(isPlain(before) && isPlain(after))) return [`~${path}`];
  const out: string[] = [];
  const keys = new Set([...Object.keys(before as object), ...Object.keys(after as object)]);
  for (const key of keys) {
    const inner = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const [a, b] = [before as Record<string, unknown>, after as Record<string, unknown>];
    if (!Object.hasOwn(a, key)) out.push(`+${inner}`);
    else if (!Object.hasOwn(b, key)) out.push(`-${inner}`);
    else out.push(...listChanges(a[key], b[key], inner));
  }
  return out;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
