/** The passes of folded frames (H1–H9) in WASM: f32 about an origin on the skin, outputs in f64, one thread, in a memory of their own. `FoldPasses` of core is the specification. */
import type { FoldPlan, FoldRunner } from '@isoskin/core/kernels';
import { decodeBase64 } from './decode-base64.js';
import { FOLD_CODE } from './generated/fold-code.js';
import * as at from './layout.js';
import { writeFolds } from './write-folds.js';

const base = at.FOLD_BASE;
const COMBINATIONS = ['add', 'max', 'smooth'];
const ATTENUATIONS = ['none', 'linear', 'wyvill'];

/** What the compiled kernels export. */
interface FoldCode {
  startFolds(fold: number): number;
  wakeFolds(fold: number): void;
  refineFolds(fold: number): void;
  liftFold(fold: number, tool: number): void;
  startLine(tool: number): void;
  measureLine(fold: number, tool: number): number;
  addLifts(fold: number, tool: number): void;
  raiseFolds(fold: number): number;
  settleFolds(fold: number, depth: number): void;
}

/** Compiles the kernels of folds. */
export async function openFolds(): Promise<(plan: FoldPlan) => FoldRunner> {
  const module = await WebAssembly.compile(decodeBase64(FOLD_CODE));
  return (plan) => createFolds(plan, module);
}

function createFolds(plan: FoldPlan, module: WebAssembly.Module): FoldRunner {
  const { members } = plan;
  const { memory, positions, normals, setTopology } = writeFolds(plan);
  const { buffer } = memory;
  const code = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as FoldCode;
  const words = new Uint32Array(buffer, base, (at.FOLD_BYTES + at.TOOL_BYTES * members.length) >> 2);
  const floats = new Float32Array(buffer, base, words.length);
  const origin = new Float64Array(buffer, base + at.FOLD_ORIGIN, 3);
  const tools = members.map((_, k) => base + at.FOLD_BYTES + at.TOOL_BYTES * k);
  const recordAt = (k: number, field: number) => (tools[k]! - base + field) >> 2;
  words[at.FOLD_COMBINE >> 2] = COMBINATIONS.indexOf(plan.combine);
  const rects = members.map(
    ({ tool }, k) => new Float32Array(buffer, words[recordAt(k, at.TOOL_RECTS)], tool.rects.length),
  );
  const curves = members.map(
    ({ tool }, k) => new Float32Array(buffer, words[recordAt(k, at.TOOL_CURVE)], tool.curve.pointCount),
  );
  const awake = new Float64Array(members.length).fill(-1);
  /** 1 for lines of this frame that are measured by now. */
  const started = new Uint8Array(members.length);
  let version = 0;

  function writeTool(k: number): void {
    const { tool } = members[k]!;
    const { unit, span, curve, curvePoints } = tool;
    const set = (field: number, value: number) => void (floats[recordAt(k, field)] = value);
    rects[k]!.set(tool.rects);
    for (let r = 0; r < tool.rects.length; r += at.RECT_NUMBERS) {
      for (let i = 0; i < 3; i++) rects[k]![r + i] = tool.rects[r + i]! - origin[i]!;
    }
    for (let i = 0; i < curve.pointCount; i++) curves[k]![i] = curvePoints[2 * i + 1]! * unit;
    set(at.TOOL_STEPS, curve.pointCount - 1);
    set(at.TOOL_STEPS_BY_LENGTH, (curve.pointCount - 1) / span);
    set(at.TOOL_SPAN, span);
    set(at.TOOL_SLOPE, tool.slope);
    set(at.TOOL_ACROSS, 2 / (tool.width * unit));
    words[recordAt(k, at.TOOL_ATTENUATION)] = ATTENUATIONS.indexOf(tool.settings.attenuation);
    words[recordAt(k, at.TOOL_SMOOTH)] = tool.settings.profile === 'smooth' ? 1 : 0;
  }

  function setScale(k: number, scale: number, depth: number): void {
    floats[recordAt(k, at.TOOL_SCALE)] = scale;
    floats[recordAt(k, at.TOOL_DEPTH)] = depth;
  }

  return {
    positions,
    normals,
    start(topology) {
      if (topology.version !== version) {
        setTopology(topology);
        awake.fill(-1);
      }
      version = topology.version;
      started.fill(0);
      for (let r = 0; r < 3; r++) origin[r] = positions[3 * plan.near[0]! + r]!;
      return code.startFolds(base);
    },
    refine(s) {
      if (s.some((fade, k) => fade !== awake[k])) {
        awake.set(s);
        for (let k = 0; k < s.length; k++) floats[recordAt(k, at.TOOL_FADE)] = s[k]!;
        code.wakeFolds(base);
      }
      code.refineFolds(base);
    },
    lift(k) {
      writeTool(k);
      code.liftFold(base, tools[k]!);
      const own = floats[recordAt(k, at.TOOL_ROOM)]!;
      members[k]!.depth = own > 0 ? floats[recordAt(k, at.TOOL_LIFTED)]! / own : 0;
      return own;
    },
    measureLine(k, scales, active) {
      for (let j = 0; j < members.length; j++) {
        const scale = active[j]! * scales[j]!;
        setScale(j, scale, members[j]!.depth * scale);
      }
      if (!started[k]) code.startLine(tools[k]!);
      started[k] = 1;
      return code.measureLine(base, tools[k]!);
    },
    add(k, scale, depth) {
      setScale(k, scale, depth);
      code.addLifts(base, tools[k]!);
    },
    raise: () => code.raiseFolds(base),
    settle: (depth) => code.settleFolds(base, depth),
  };
}
