import { IsoskinError } from '@isoskin/core';
import { type CacheFrame, writeVertexCache } from '@isoskin/gltf';
import {
  checkScene,
  createScene,
  createSimulation,
  SCENE_DEFAULTS,
  type SceneSpec,
  type Simulation,
  sceneNames,
} from '@isoskin/soft';
import { readText } from './read-text.js';

export interface SimulateOptions {
  /** Frames, the start included. Default: what the scene's duration says. */
  readonly frames?: number;
  /** Also the .glb. */
  readonly surface: boolean;
  readonly onFrame?: (done: number, total: number) => void;
}

export interface SimulationFacts {
  readonly scene: string;
  readonly fps: number;
  readonly volumeControl: boolean;
  /** Names, in the order of `frames[].territories`. */
  readonly territories: readonly string[];
  readonly events: readonly { readonly kind: 'fracture' | 'fusion'; readonly frame: number; readonly time: number }[];
  readonly frames: readonly FrameFacts[];
}

/** Volumes are relative to the start. */
export interface FrameFacts {
  readonly time: number;
  readonly volume: number;
  readonly territories: readonly number[];
  readonly contacts: number;
  readonly pieces: number;
  /** Share of the borders between pieces that has fused. */
  readonly fused: number;
}

/** Bounds of the file: 30 key frames per second and 150 in all, 6000 vertices each, at 40 bytes: 36 MB. */
const KEYS_PER_SECOND = 30;
const MOST_KEYS = 150;
const MOST_VERTICES = 6000;

/** A built-in scene by its name, or one from a JSON file. */
export async function readScene(name: string): Promise<SceneSpec> {
  if (sceneNames.includes(name)) return createScene(name);
  let text: string;
  try {
    text = await readText(name);
  } catch (cause) {
    if (cause instanceof IsoskinError) throw cause;
    const message = `"${name}" is neither a file that can be opened nor one of the scenes ${sceneNames.join(', ')}: check it.`;
    throw new IsoskinError('SCENE_FILE', message, '', { cause });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    const message = `The scene "${name}" is not JSON: ${(cause as Error).message}.`;
    throw new IsoskinError('SCENE_FILE', message, '', { cause });
  }
  return checkScene(json);
}

/** Runs a scene and gathers what the command tells and writes. */
export async function simulateScene(
  scene: SceneSpec,
  { frames: wanted, surface, onFrame }: SimulateOptions,
): Promise<{ facts: SimulationFacts; bytes: Uint8Array | undefined }> {
  const simulation = await createSimulation(scene);
  const fps = scene.fps ?? SCENE_DEFAULTS.fps;
  const count = wanted ?? Math.round((scene.duration ?? SCENE_DEFAULTS.duration) * fps);
  const every = Math.max(1, Math.round(fps / KEYS_PER_SECOND), Math.ceil(count / MOST_KEYS));
  const frames: FrameFacts[] = [];
  const events: SimulationFacts['events'][number][] = [];
  const recorder = createRecorder(simulation);
  let [fractures, fusions] = [0, 0];
  try {
    for (let frame = 0; frame < count; frame++) {
      if (frame > 0) simulation.step();
      const now = simulation.measure();
      for (; fractures < now.fractures; fractures++) events.push({ kind: 'fracture', frame, time: now.time });
      for (; fusions < now.fusions; fusions++) events.push({ kind: 'fusion', frame, time: now.time });
      const { time, volume, contacts, pieces, fused } = now;
      frames.push({ time, volume, territories: Array.from(now.territories), contacts, pieces, fused });
      if (surface && frame % every === 0) recorder.record();
      onFrame?.(frame + 1, count);
    }
    const name = scene.name ?? 'scene';
    const facts = {
      scene: name,
      fps,
      volumeControl: scene.volumeControl !== false,
      territories: simulation.territories,
      events,
      frames,
    };
    return { facts, bytes: surface ? await recorder.write(name, count / fps) : undefined };
  } finally {
    simulation.dispose();
  }
}

/** Collects key frames; a scene that is too fine for the bounds is drawn coarser. */
function createRecorder(simulation: Simulation) {
  const keys: CacheFrame[] = [];
  const moves = simulation.obstacles.map(() => ({ positions: [] as number[], rotations: [] as number[] }));
  let resolution: number | undefined;
  return {
    record(): void {
      let surface = simulation.surface(resolution === undefined ? {} : { resolution });
      for (let count = countVertices(surface); count > MOST_VERTICES; count = countVertices(surface)) {
        resolution = surface.resolution * 0.95 * Math.sqrt(MOST_VERTICES / count);
        surface = simulation.surface({ resolution });
      }
      keys.push({ ...surface, time: simulation.time });
      simulation.obstacles.forEach(({ position, rotation }, o) => {
        moves[o]!.positions.push(...position);
        moves[o]!.rotations.push(...rotation);
      });
    },
    write(name: string, duration: number): Promise<Uint8Array> {
      const times = Float32Array.from(keys, ({ time }) => time);
      const rigid = simulation.obstacles.map(({ name: label, color, mesh }, o) => {
        const { positions, rotations } = moves[o]!;
        const still =
          positions.every((x, i) => x === positions[i % 3]) && rotations.every((x, i) => x === rotations[i % 4]);
        return {
          name: label,
          color,
          mesh,
          times: still ? times.subarray(0, 1) : times,
          positions: Float32Array.from(still ? positions.slice(0, 3) : positions),
          rotations: Float32Array.from(still ? rotations.slice(0, 4) : rotations),
        };
      });
      return writeVertexCache({ name, frames: keys, duration, rigid });
    },
  };
}

function countVertices({ positions }: { readonly positions: Float32Array }): number {
  return positions.length / 3;
}
