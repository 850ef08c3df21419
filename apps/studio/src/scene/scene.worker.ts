/** Runs a simulation, one recorded frame for every question. */
import { IsoskinError } from '@isoskin/core';
import {
  createScene,
  createSimulation,
  SCENE_DEFAULTS,
  type SceneSpec,
  type Simulation,
  type SimulationSurface,
} from '@isoskin/soft';
import type { SceneSettings } from '../state/studio-document.js';
import type { SceneAnswer, SceneMessage } from './scene-protocol.js';

/** Steps of the simulation per recorded frame. */
const STEPS = 2;
const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<SceneMessage>) => void) | null;
  postMessage(answer: SceneAnswer, transfer: Transferable[]): void;
};
let simulation: Simulation | undefined;
let isFirst = true;
let surfaceKind: SceneSettings['surface'] = 'closed';

scope.onmessage = async ({ data }) => {
  try {
    if (data.call === 'open') await open(data.settings);
    else next();
  } catch (cause) {
    scope.postMessage({ kind: 'failed', message: cause instanceof Error ? cause.message : String(cause) }, []);
  }
};

async function open({ name, gravity, volumeControl, surface }: SceneSettings): Promise<void> {
  surfaceKind = surface;
  const scene = createScene(name);
  const [x, y, z] = scene.gravity ?? [0, -9.81, 0];
  const spec: SceneSpec = {
    ...scene,
    gravity: [x * gravity, y * gravity, z * gravity],
    ...(!volumeControl && { volumeControl: false }),
  };
  simulation = await createSimulation(spec);
  const duration = spec.duration ?? 5;
  const facts = {
    duration,
    total: Math.round((duration * (spec.fps ?? SCENE_DEFAULTS.fps)) / STEPS) + 1,
    box: spec.view?.box ?? [-1, 0, -1, 1, 1, 1],
    azimuth: spec.view?.azimuth ?? 30,
    elevation: spec.view?.elevation ?? 15,
    objects: simulation.objects.map(({ name, color, first, end }) => ({ name, color, territories: end - first })),
    obstacles: simulation.obstacles.map(({ name, color, mesh }) => ({ name, color, mesh })),
  };
  scope.postMessage({ kind: 'opened', facts }, []);
}

function next(): void {
  if (!simulation) return;
  const start = performance.now();
  if (!isFirst) for (let n = 0; n < STEPS; n++) simulation.step();
  isFirst = false;
  const { time, volume, territories, contacts, pieces } = simulation.measure();
  const { positions, normals, triangles, colors: shares } = takeSurface(simulation);
  const colors = Uint8Array.from(shares, (c) => 255 * c);
  const places = Float32Array.from(
    simulation.obstacles.flatMap(({ position, rotation }) => [...position, ...rotation]),
  );
  const worst = territories.reduce((far, v) => (Math.abs(v - 1) > Math.abs(far - 1) ? v : far), 1);
  const milliseconds = (performance.now() - start) / STEPS;
  const arrays = { positions, normals, triangles, colors, places };
  scope.postMessage(
    { kind: 'frame', frame: { time, volume, worst, contacts, pieces, milliseconds, ...arrays } },
    Object.values(arrays).map((array) => array.buffer as ArrayBuffer),
  );
}

/** The smooth surface cannot always be had (a drop thinner than its grid): then the quick one must do. */
function takeSurface(from: Simulation): SimulationSurface {
  if (surfaceKind === 'seeds') return from.surface({ kind: 'seeds' });
  try {
    return from.surface({ kind: 'closed' });
  } catch (cause) {
    if (cause instanceof IsoskinError) return from.surface({ kind: 'seeds' });
    throw cause;
  }
}
