/** Measures the certificate of a driven file again, from its bytes: its driver, its targets and plain skinning, on the same poses. */
import { createFrameSource, createPose, type FrameSource, POSE_STRIDE, planBody } from '@isoskin/core';
import { type Certificate, checkAmounts, createDriver, EXTENSION } from '@isoskin/drive';
import type { GltfFile } from '../patch/gltf-file.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { createPoseSampler } from './create-pose-sampler.js';
import { listDrivingInputs } from './list-driving-nodes.js';
import { planDriveJudge } from './plan-drive-judge.js';
import { summarise, TEACH_SEEDS } from './teach-amounts.js';

/**
 * @param read what was baked, @param glb the driven file, @param stack planned for `read` with the stack that it was baked with
 */
export async function certifyFile(read: ReadResult, glb: Uint8Array, stack: FrameSource): Promise<Certificate> {
  const played = await read.reopen(glb);
  const { json } = played.file;
  const amounts = checkAmounts(json.extensions?.[EXTENSION], (n) => listTargetNames(json, n));
  const { poses, range } = amounts.certificate;
  const driver = createDriver(amounts);
  const judge = planDriveJudge(stack);
  const skin = createFrameSource(planBody(played.character), { skin: {} });
  const pose = createPose(played.character);
  const positions = new Float64Array(3 * read.character.surface.vertexCount);
  const inputs = listDrivingInputs(stack);
  const sampler = createPoseSampler(read.character, { ...inputs, seed: TEACH_SEEDS.judged, range });
  const nodeOf = (n: number) => played.nodeIndices.indexOf(n);
  const morphOf = (n: number) => {
    const group = played.groupIndices.indexOf(n);
    return played.character.morphs.findIndex((morph) => morph.group === group);
  };
  const linear: number[] = [];
  const solver: number[] = [];
  const driven: number[] = [];
  for (let i = 0; i < poses; i++) {
    sampler.next();
    judge.pose(sampler.pose);
    linear.push(judge.measureLinear());
    solver.push(judge.measureSolved());
    read.nodeIndices.forEach((n, from) => {
      const local = sampler.pose.locals.subarray(POSE_STRIDE * from, POSE_STRIDE * (from + 1));
      pose.locals.set(local, POSE_STRIDE * nodeOf(n));
    });
    read.character.morphs.forEach((morph, m) => {
      const first = read.character.morphs.findIndex(({ group }) => group === morph.group);
      pose.morphWeights[morphOf(read.groupIndices[morph.group]!) + m - first] = sampler.pose.morphWeights[m]!;
    });
    amounts.inputs.forEach((input, k) => {
      const at = POSE_STRIDE * nodeOf(input.node) + 3;
      if ('weight' in input) driver.weigh(k, pose.morphWeights[morphOf(input.node) + input.weight]!);
      else driver.turn(k, pose.locals[at]!, pose.locals[at + 1]!, pose.locals[at + 2]!, pose.locals[at + 3]!);
    });
    const values = driver.measure();
    amounts.shapes.forEach(({ targets }, s) => {
      for (const [n, target, unit, bias = 0] of targets)
        pose.morphWeights[morphOf(n!) + target!] = Math.max(0, values[s]! * unit! + bias);
    });
    const placed = skin.evaluate(pose).positions;
    read.character.parts.forEach(({ welded }, p) => {
      const own = played.character.parts[p]!.welded;
      welded.forEach((v, k) => {
        for (let r = 0; r < 3; r++) positions[3 * v + r] = placed[3 * own[k]! + r]!;
      });
    });
    driven.push(judge.measureAt(positions));
  }
  return { ...amounts.certificate, ...summarise(driven), linear: summarise(linear), solver: summarise(solver) };
}

/** Names of the morph targets of a node's mesh; undefined where there is no such node. */
function listTargetNames({ nodes, meshes }: GltfFile['json'], n: number): (string | undefined)[] | undefined {
  const node = nodes?.[n];
  if (!node) return undefined;
  const extras = meshes?.[node.mesh ?? -1]?.extras as { targetNames?: string[] } | undefined;
  return extras?.targetNames ?? [];
}
