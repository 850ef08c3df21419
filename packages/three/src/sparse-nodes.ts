/**
 * The sparse form for a WebGPURenderer: a `positionNode`, which its shadow and override passes take over. It starts at the file's own vertex, morphs, pushes, turns
 * and skins it; a `positionNode` of the user comes after it, as always.
 */
import type { Material, SkinnedMesh } from 'three';
import {
  attribute,
  Break,
  cross,
  Fn,
  float,
  If,
  int,
  ivec2,
  Loop,
  morphReference,
  normalGeometry,
  normalLocal,
  positionGeometry,
  positionLocal,
  select,
  skinning,
  textureLoad,
  uniformArray,
  vec2,
  vec3,
} from 'three/tsl';
import type { Node } from 'three/webgpu';
import type { SparseData, SparsePatch } from './sparse-drawing.js';

/** For `preserveVolume(gltf, { nodes: sparseNodes })`. */
export const sparseNodes: SparsePatch = { kind: 'nodes', patch: patchNodes };

function patchNodes(original: Material, { uniforms, most, vectors }: SparseData): object {
  const pairs = uniforms.isoskinPairs.value;
  const { width } = pairs.image;
  const list = uniformArray<'vec4'>(vectors, 'vec4');
  const { positionNode } = original as { positionNode?: Node<'vec3'> | null };

  const place = Fn((builder: { object: SkinnedMesh }) => {
    const { geometry } = builder.object;
    const own = attribute<'vec4'>('isoskin', 'vec4');
    const first = int(own.w.add(0.5)).toVar();
    const push = float(0).toVar();
    const turn = vec2(0).toVar();
    Loop({ start: first, end: first.add(most), type: 'int', condition: '<' }, ({ i }) => {
      const p = int(i);
      const pair = textureLoad(pairs, ivec2(p.mod(width), p.div(width))).toVar() as unknown as Node<'ivec2'>;
      const shape = pair.x.bitAnd(int(0x7fff)).toVar();
      const two = list.element(shape.shiftRight(int(1))).toVar();
      const amount = select(shape.bitAnd(int(1)).equal(int(0)), two.xy, two.zw).toVar();
      push.addAssign(float(pair.x.shiftRight(int(16))).mul(amount.x));
      const u = float(pair.y.shiftLeft(int(16)).shiftRight(int(16)));
      turn.addAssign(vec2(u, float(pair.y.shiftRight(int(16)))).mul(amount.y));
      If(pair.x.bitAnd(int(0x8000)).notEqual(int(0)), () => {
        Break();
      });
    });
    positionLocal.assign(positionGeometry);
    if (geometry.hasAttribute('normal')) normalLocal.assign(normalGeometry);
    if (Object.keys(geometry.morphAttributes).length > 0) morphReference(builder.object);
    positionLocal.addAssign(own.xyz.mul(push));
    if (geometry.hasAttribute('normal')) {
      const d = own.xyz.div(own.xyz.length().max(1e-15)).toVar();
      const side = select(d.z.lessThan(0), float(-1), float(1)).toVar();
      const a = float(-1).div(side.add(d.z)).toVar();
      const b = d.x.mul(d.y).mul(a).toVar();
      const t = vec3(side.mul(d.x).mul(d.x).mul(a).add(1), side.mul(b), side.mul(d.x).negate());
      const s = vec3(b, side.add(d.y.mul(d.y).mul(a)), d.y.negate());
      normalLocal.addAssign(cross(t.mul(turn.x).add(s.mul(turn.y)), normalGeometry));
    }
    skinning(builder.object);
    return positionNode ?? positionLocal;
  });
  return { positionNode: (place as unknown as () => Node<'vec3'>)() };
}
