import { IsoskinError } from '@isoskin/core';
import type { Primitives } from './pack-primitives.js';
import type { SoftWorldInput } from './soft-world.js';

/** λ = 1 along the graphs of fixed objects, keyed by the lower strand × #P + the higher. */
export function readLinks(input: SoftWorldInput, primitives: Primitives): Map<number, number> {
  const links = new Map<number, number>();
  input.objects.forEach((owner, o) => {
    const members = new Map<string, number>();
    input.primitives.forEach((primitive, i) => {
      if (primitives.object[i] !== o) return;
      members.set(primitive.name, primitives.chain[i]!);
      if (primitive.chain !== undefined) members.set(primitive.chain, primitives.chain[i]!);
    });
    (owner.blends ?? []).forEach(([a, b], n) => {
      const i = members.get(a);
      const j = members.get(b);
      if (i === undefined || j === undefined || i === j) {
        const message = `A blend names two different primitives or chains of its object, not "${a}" and "${b}"; correct it.`;
        throw new IsoskinError('BLEND_UNKNOWN', message, `objects[${o}] "${owner.name}".blends[${n}]`);
      }
      links.set(Math.min(i, j) * primitives.count + Math.max(i, j), 1);
    });
  });
  return links;
}
