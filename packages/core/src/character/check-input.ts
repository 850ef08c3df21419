/** The door: refuses what no one can compute with, and says where it is. Inside, data is trusted. Clips: check-clips.ts. */
import { IsoskinError } from '../error.js';
import { POSE_STRIDE } from '../skeleton/skeleton.js';
import type { CharacterInput, PartInput, SkeletonInput } from './character.js';

export function checkInput(input: CharacterInput): void {
  checkSkeleton(input.skeleton);
  let triangleCount = 0;
  for (const part of input.parts) triangleCount += checkPart(part, input);
  if (triangleCount === 0) {
    refuse('EMPTY_MESH', 'The character has no triangle; export at least one skinned triangle mesh', input.name);
  }
  for (const [i, { weight, name }] of (input.morphs ?? []).entries()) {
    if (!Number.isFinite(weight)) refuse('MORPH_WEIGHT', 'The default weight is not a number', `morph ${i} "${name}"`);
  }
  for (const [name, value] of [
    ['weldTolerance', input.weldTolerance ?? 0],
    ['borderTolerance', input.borderTolerance ?? 0],
  ] as const) {
    if (!(value >= 0 && value < 1))
      refuse('TOLERANCE', `${name} must be a share of the size from 0 to 1, not ${value}`);
  }
}

export function refuse(code: string, message: string, place = ''): never {
  throw new IsoskinError(code, message, place);
}

export function checkLength(what: string, actual: number, expected: number, place: string): void {
  if (actual === expected) return;
  refuse(
    'ARRAY_LENGTH',
    `${what} has ${actual} numbers and must have ${expected}; the file is damaged, export it again`,
    place,
  );
}

export function findNotFinite(values: ArrayLike<number>): number {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return i;
  return -1;
}

function checkPart(part: PartInput, input: CharacterInput): number {
  const { positions, triangles, influences } = part;
  const place = `part "${part.name}"`;
  const count = Math.trunc(positions.length / 3);
  checkLength('The position array', positions.length, 3 * count, place);
  const bad = findNotFinite(positions);
  if (bad >= 0) {
    refuse(
      'POSITION_NOT_FINITE',
      `A position is ${positions[bad]}; delete or repair that vertex and export again`,
      `${place}, vertex ${Math.trunc(bad / 3)}`,
    );
  }
  if (!Number.isFinite(part.scale ?? 1) || part.scale === 0) {
    refuse('SCALE', `The scale must be a number other than 0, not ${part.scale}`, place);
  }
  if (!Number.isInteger(influences) || influences < 0) {
    refuse('ARRAY_LENGTH', `The number of influences per vertex must be 0, 1, 2 …, not ${influences}`, place);
  }
  checkLength('The bone array', part.bones.length, count * influences, place);
  checkLength('The weight array', part.weights.length, count * influences, place);
  for (const [name, values] of part.paint ?? []) checkLength(`Paint "${name}"`, values.length, count, place);
  for (const [k, deltas] of (part.morphs?.deltas ?? []).entries()) {
    const target = part.morphs!.first + k;
    if (input.morphs?.[target]?.group !== part.group) {
      refuse('MORPH_OUT_OF_RANGE', `Morph target ${target} does not exist in this mesh; the file is damaged`, place);
    }
    if (deltas === null) continue;
    checkLength(`Morph target ${target}`, deltas.length, 3 * count, place);
    const at = findNotFinite(deltas);
    if (at >= 0) {
      refuse(
        'MORPH_NOT_FINITE',
        `Morph target ${target} moves a vertex by ${deltas[at]}; repair it and export again`,
        `${place}, vertex ${Math.trunc(at / 3)}`,
      );
    }
  }
  const corners = triangles?.length ?? count;
  if (corners % 3 !== 0) {
    refuse('ARRAY_LENGTH', `${corners} corners are not whole triangles; export the mesh as plain triangles`, place);
  }
  for (let i = 0; triangles && i < corners; i++) {
    const v = triangles[i]!;
    if (Number.isInteger(v) && v >= 0 && v < count) continue;
    refuse(
      'TRIANGLE_OUT_OF_RANGE',
      `A triangle uses vertex ${v} of ${count}; the file is damaged, export it again`,
      `${place}, triangle ${Math.trunc(i / 3)}`,
    );
  }
  return corners / 3;
}

function checkSkeleton(skeleton: SkeletonInput): void {
  const { names, parents, locals, boneNodes, inverseBinds, fixedMatrices } = skeleton;
  const count = names.length;
  const nodePlace = (i: number) => `node ${i} "${names[i]}"`;
  checkLength('The parent array', parents.length, count, 'skeleton');
  checkLength('The array of local transforms', locals.length, count * POSE_STRIDE, 'skeleton');
  for (let i = 0; i < count; i++) {
    const parent = parents[i]!;
    if (Number.isInteger(parent) && parent >= -1 && parent < i) continue;
    refuse(
      'PARENT_ORDER',
      `Its parent is ${parent}; a parent must come before its children, −1 for roots`,
      nodePlace(i),
    );
  }
  const bad = findNotFinite(locals);
  if (bad >= 0) {
    const place = nodePlace(Math.trunc(bad / POSE_STRIDE));
    refuse('TRANSFORM_NOT_FINITE', `Its transform holds ${locals[bad]}; reset the joint and export again`, place);
  }
  for (const [node, matrix] of fixedMatrices ?? []) {
    if (!(node >= 0 && node < count)) refuse('NODE_OUT_OF_RANGE', `A matrix belongs to node ${node} of ${count}`);
    checkLength('The matrix', matrix.length, 16, nodePlace(node));
    const at = findNotFinite(matrix);
    if (at >= 0) refuse('TRANSFORM_NOT_FINITE', `Its matrix holds ${matrix[at]}; reset the joint`, nodePlace(node));
  }
  if (boneNodes.length === 0) {
    refuse(
      'NO_BONES',
      'The character has no bone; bind an unskinned mesh to its own node as the only bone',
      'skeleton',
    );
  }
  checkLength('The array of inverse bind matrices', inverseBinds.length, boneNodes.length * 16, 'skeleton');
  for (let b = 0; b < boneNodes.length; b++) {
    const node = boneNodes[b]!;
    if (!Number.isInteger(node) || node < 0 || node >= count) {
      refuse('NODE_OUT_OF_RANGE', `The bone hangs on node ${node} of ${count}; the file is damaged`, `bone ${b}`);
    }
    const at = findNotFinite(inverseBinds.subarray(16 * b, 16 * b + 16));
    if (at >= 0) {
      const place = `bone ${b}, ${nodePlace(node)}`;
      refuse('BIND_NOT_FINITE', 'Its inverse bind matrix is not finite; rebind the skin and export again', place);
    }
  }
}
