import type { CharacterInput } from '@isoskin/core';

export function createTorusInput(around: number, along: number, boneCount: number): CharacterInput;
export function poseTorus(out: Float64Array, boneCount: number, time: number, phase?: number): void;
