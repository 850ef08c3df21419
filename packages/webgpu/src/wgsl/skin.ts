/**
 * C15. y_k = Σ_i ω_ki T_i (x̄_k + (Σ_s λ_s φ_sk) n̄_k): shapes before the skin, as any player does it; y.w = A_k n̄_k, packed.
 *
 * Nothing else is kept of the skin. The first influences of a slice stand at places that need no header. Where characters are few, the
 * first workgroups place the apexes, skinning their vertices once more: a dispatch less to wait for.
 */
import { placeApexes } from './apexes.js';
import { direction } from './direction.js';
import { forInstances, idle, prelude } from './prelude.js';
import { beginAlone, push, sumAlone } from './push.js';

export interface SkinOptions {
  /** Subgroups of 32 threads or more, and no slice has more columns. */
  readonly hasSubgroups: boolean;
  /** Influences of a slice at places that need no header, and the most there are. */
  readonly influences: { readonly ahead: number; readonly most: number };
  /** Threads per apex where apexes are placed here, or 0. */
  readonly apexLanes: number;
}

const weigh = (word: string) => /* wgsl */ `
    {
      let weight = f32(${word} & WEIGHT_MASK) * WEIGHT_SCALE;
      let i = matrices + 3u * (${word} >> WEIGHT_BITS);
      rows.x += weight * inputs[i];
      rows.y += weight * inputs[i + 1u];
      rows.z += weight * inputs[i + 2u];
    }`;

/** The blended matrix of a vertex as `rows`: its `words`, and what is beyond them. */
const blend = (words: readonly string[], most: number) => /* wgsl */ `
    let matrices = instance * shape.inputStride;
    var rows = Rows();
    ${words.map(weigh).join('')}
    ${
      most <= words.length
        ? ''
        : `for (var e = ${words.length}u; e < ((slice.y >> 16u) & 0xffu); e++) {
      let word = lists[slice.w + e * SLICE + inside];
      ${weigh('word')}
    }`
    }
`;

/** `amount`: λ of a shape, solved for, or given with the pose. */
const helpers = /* wgsl */ `
struct Rows { x: vec4f, y: vec4f, z: vec4f };
fn turn(rows: Rows, v: vec4f) -> vec3f { return vec3f(dot(rows.x, v), dot(rows.y, v), dot(rows.z, v)); }

fn amount(instance: u32, index: u32) -> f32 {
  if (index < shape.regionCount) {
    return state[stateAt(instance, select(STATE_lambda, STATE_start, shape.isFirst == 1u), index)];
  }
  let given = index - shape.regionCount;
  return inputs[instance * shape.inputStride + shape.givenVectors + given / 4u][given % 4u];
}
`;

export function skin({ hasSubgroups, influences, apexLanes }: SkinOptions): string {
  const { begin, each, header } = push(hasSubgroups);
  const read = (i: number) => `lists[shape.influences + (number * ${influences.ahead}u + ${i}u) * SLICE + inside]`;
  const places = Array.from({ length: influences.ahead }, (_, i) => read(i));
  const words = places.map((_, i) => `word${i}`);
  const own = /* wgsl */ `
  let own = rest[vertex];
  ${places.map((place, i) => `let word${i} = ${place};`).join('\n  ')}
  let direction = unpackRest(own.w);`;
  const rows = blend(words, influences.most);
  const move = 'turn(rows, vec4f(bitcast<vec3f>(own.xyz) + sum * direction, 1.0))';
  const again = /* wgsl */ `
fn place(vertex: u32, instance: u32) -> vec3f {
  ${beginAlone}${own}${sumAlone}${rows}
  return ${move};
}`;
  const apexes = apexLanes > 0 ? placeApexes(apexLanes, hasSubgroups) : undefined;
  return /* wgsl */ `
${hasSubgroups ? 'enable subgroups;' : ''}
${prelude({
  slices: 'read array<vec4u>',
  inputs: 'read array<vec4f>',
  rest: 'read array<vec4u>',
  state: 'read array<f32>',
  points: 'read_write array<vec4u>',
})}
${idle}
${direction}
${helpers}
${apexes ? again + apexes.functions : ''}
${header} {
${apexes ? `  if (group.x < shape.apexGroups) {${apexes.main}    return;\n  }` : ''}
${forInstances(
  `${begin}${own}`,
  `${each}${rows}
    let turned = packTurned(turn(rows, vec4f(direction, 0.0)));
    points[pointAt(instance, vertex)] = vec4u(bitcast<vec3u>(${move}), turned);`,
)}
}
`;
}
