import type { Colouring } from '../state/studio-document.js';
import { scaleOf } from '../viewport/colour-scales.js';
import { formatNumber } from './format-number.js';
import { useStudio } from './studio-context.js';

const WORDS: Partial<Record<Colouring, { title: string; ends: readonly string[] }>> = {
  gamma: { title: 'γ: how easily flesh moves', ends: ['0', 'largest'] },
  displacement: { title: 'Moved by, in per cent of the local thickness', ends: [] },
  'moved-x': { title: 'Moved along x, in per cent of the local thickness', ends: [] },
  'moved-y': { title: 'Moved along y, in per cent of the local thickness', ends: [] },
  'moved-z': { title: 'Moved along z, in per cent of the local thickness', ends: [] },
  volume: { title: 'Change of volume, by region', ends: ['−10 %', '0', '+10 %'] },
  weight: { title: 'Weight of the joint', ends: ['0', '1'] },
  softness: { title: 'Softness', ends: ['0', '1'] },
};

const titleOf = (joint: string | undefined) => (joint ? `Weight of ${joint}` : 'Select a joint to see its weight');

/** What the colours mean. */
export function Legend() {
  const studio = useStudio();
  const { view, selection } = studio.document.value;
  const words = WORDS[view.colouring];
  const joint = studio.character.value?.joints.find(({ node }) => node === selection.joint)?.name;
  if (studio.tool.value === 'paint') {
    const { channel } = studio.brush.value;
    if (channel === 'fixed') return <Bar title="What is fixed" colouring="gamma" ends={['free', 'fixed']} />;
    if (channel === 'weights') return <Bar title={titleOf(joint)} colouring="gamma" ends={WORDS.weight!.ends} />;
    const title = channel === 'gamma' ? 'Painted γ: how much more skin gives' : 'Painted softness';
    return <Bar title={title} colouring="gamma" ends={['0 ×', '1 ×', '2 ×']} />;
  }
  if (!words) return null;
  const title = view.colouring === 'weight' ? titleOf(joint) : words.title;
  const largest = 100 * (studio.frame.value?.displacement ?? 0);
  const most = `${formatNumber(largest, 1)} %`;
  const ends =
    words.ends.length > 0
      ? words.ends
      : view.colouring === 'displacement'
        ? ['0 %', `${most} and more`]
        : [`−${most}`, '0', most];
  return <Bar title={title} colouring={view.colouring} ends={ends} />;
}

interface BarProps {
  readonly title: string;
  readonly colouring: Colouring;
  readonly ends: readonly string[];
}

function Bar({ title, colouring, ends }: BarProps) {
  return (
    <div class="legend">
      {title}
      <div class="bar" style={{ background: `linear-gradient(to right, ${scaleOf(colouring).join(', ')})` }} />
      <div class="ends">
        {ends.map((end) => (
          <span key={end}>{end}</span>
        ))}
      </div>
    </div>
  );
}
