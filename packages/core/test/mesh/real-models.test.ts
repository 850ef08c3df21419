/** The welded surface of real characters against an independent meter that lives outside the repository. */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CharacterInput, createCharacter } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { chain } from '../meshes.js';

const shared = new URL('../../../../../shared/', import.meta.url);
const models = new URL('models/', shared);
const meterFile = new URL('accept/glb.mjs', shared);
const isHere = existsSync(models) && existsSync(meterFile);
const files = isHere
  ? (readdirSync(models, { recursive: true }) as string[]).filter(
      // The meter reads no compressed files; what they unpack to is tested in packages/gltf.
      (file) => /\.(glb|gltf)$/.test(file) && !/AstronautDraco|Avatar(Business|Utility)/.test(file),
    )
  : [];

interface MeterSurface {
  node: number;
  name: string;
  rest: Float64Array;
  positions: Float64Array;
  triangles: Float64Array;
  influences: [Float64Array, Float64Array][];
}
interface MeterTopology {
  parts: number;
  caps: unknown[];
  from: unknown[];
  boundaryEdges: number;
  nonManifold: number;
}
interface Meter {
  loadGlb(path: string): { json: { skins?: { joints: number[] }[]; nodes: { skin?: number }[] } };
  surfaces(doc: unknown, clip: number, time: number, options: { bind: boolean }): MeterSurface[];
  topology(list: MeterSurface[]): MeterTopology;
  volume(list: MeterSurface[], topology: MeterTopology): number;
}

describe.skipIf(!isHere)('real models agree with the independent meter (skipped where ../shared is missing)', () => {
  for (const file of files) {
    it(file, async () => {
      const meter: Meter = await import(meterFile.href);
      const doc = meter.loadGlb(fileURLToPath(new URL(file, models)));
      const list = meter.surfaces(doc, -1, 0, { bind: true });
      const topology = meter.topology(list);
      const { surface } = createCharacter(toInput(file, doc.json, list));
      const mine = surface.components.reduce((sum, c) => sum + c.volume, 0);
      // A surface that is inside out as a whole is turned by createCharacter.
      expect(Math.abs(mine / meter.volume(list, topology))).toBeCloseTo(1, 9);
      expect([surface.components.length, surface.caps.count, surface.defects.boundaryEdges]).toEqual([
        topology.parts,
        topology.caps.length,
        topology.boundaryEdges,
      ]);
      expect(surface.vertexCount).toBe(topology.from.length);
      expect(surface.defects.nonManifoldEdges).toBe(topology.nonManifold);
      // Only sheets are no solids: fins, eyelashes, decals.
      const sheets = surface.components.filter((c) => !c.solid);
      expect(sheets.reduce((sum, c) => sum + Math.abs(c.volume), 0)).toBeLessThan(1e-3 * mine);
    });
  }
});

function toInput(name: string, json: ReturnType<Meter['loadGlb']>['json'], list: MeterSurface[]): CharacterInput {
  const firstBone: number[] = [];
  let boneCount = 0;
  for (const skin of json.skins ?? []) {
    firstBone.push(boneCount);
    boneCount += skin.joints.length;
  }
  return {
    name,
    skeleton: chain(new Array(boneCount).fill(0)),
    parts: list.map(({ name, node, rest, triangles, influences }) => {
      const count = rest.length / 3;
      const width = 4 * influences.length;
      const bones = new Uint32Array(count * width);
      const weights = new Float64Array(count * width);
      influences.forEach(([joints, values], set) => {
        for (let i = 0; i < 4 * count; i++) {
          const to = Math.trunc(i / 4) * width + 4 * set + (i % 4);
          bones[to] = joints[i]! + firstBone[json.nodes[node]!.skin!]!;
          weights[to] = values[i]!;
        }
      });
      return { name, group: node, positions: rest, triangles, bones, weights, influences: width };
    }),
  };
}
