import { useRef } from 'preact/hooks';
import { assign } from '../controls/assign.js';
import { Menu } from '../controls/menu.js';
import type { KernelChoice, LayerTiming } from '../engine/protocol.js';
import { useStudio } from './studio-context.js';

const NAMES = { wasm: 'WASM', webgpu: 'WebGPU', typescript: 'TypeScript' } as const;
/** Share of the newest frame in the times shown: calm enough to read. */
const NEWEST = 0.1;

/** Which kernels run, and where the time of a frame goes. */
export function KernelBadge() {
  const studio = useStudio();
  const plan = studio.plan.value;
  const mean = useRef(new Map<string, number>());
  const frame = studio.frame.value;
  if (!plan || !frame) return null;
  const times = smooth(mean.current, frame.timings);
  const total = times.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const choose = (kernels: KernelChoice) => () => assign(studio.kernels, kernels);
  return (
    <div class="badge" data-kernels={plan.kernels} data-tip={plan.reason || undefined}>
      <span class={`dot ${plan.kernels === 'typescript' || plan.reason ? 'slow' : ''}`} />
      <Menu
        label="Kernels"
        icon="chevron"
        text={NAMES[plan.kernels]}
        class="plain kernel-menu"
        items={[
          { label: 'Automatic', run: choose('auto') },
          { label: 'WASM', run: choose('wasm') },
          { label: 'WebGPU', run: choose('webgpu') },
          { label: 'TypeScript', run: choose('typescript') },
        ]}
      />
      <span class="times">
        {times.map(({ name, milliseconds }) => (
          <span key={name}>
            {name} {milliseconds.toFixed(1)}
          </span>
        ))}
      </span>
      <b>{total.toFixed(1)} ms</b>
    </div>
  );
}

function smooth(mean: Map<string, number>, timings: readonly LayerTiming[]): LayerTiming[] {
  const names = new Set(timings.map(({ name }) => name));
  for (const name of mean.keys()) if (!names.has(name)) mean.delete(name);
  return timings.map(({ name, milliseconds }) => {
    const last = mean.get(name) ?? milliseconds;
    mean.set(name, last + NEWEST * (milliseconds - last));
    return { name, milliseconds: mean.get(name)! };
  });
}
