/** The door for animations: apart from `checkInput`, because a runtime whose host animates has none. */
import type { Clip } from '../skeleton/clip.js';
import type { CharacterInput } from './character.js';
import { checkLength, findNotFinite, refuse } from './check-input.js';

export function checkClips(input: CharacterInput): void {
  for (const clip of input.clips ?? []) checkClip(clip, input);
}

const WIDTHS = { translation: 3, rotation: 4, scale: 3, weights: 0 } as const;

function checkClip(clip: Clip, input: CharacterInput): void {
  if (!(clip.duration >= 0 && clip.duration < Number.POSITIVE_INFINITY)) {
    refuse('CLIP_DURATION', `The clip lasts ${clip.duration} s; give it key times from 0 on`, `clip "${clip.name}"`);
  }
  for (const [c, channel] of clip.channels.entries()) {
    const { times, values, width, path, target } = channel;
    const place = `clip "${clip.name}", channel ${c} (${path} of ${target})`;
    const targets = path === 'weights' ? (input.morphs?.length ?? 0) - width : input.skeleton.names.length - 1;
    if (!Number.isInteger(target) || target < 0 || target > targets) {
      refuse('CHANNEL_TARGET', 'The channel drives something that does not exist; remove it and export again', place);
    }
    if (width < 1 || (WIDTHS[path] !== 0 && width !== WIDTHS[path])) {
      refuse('CHANNEL_WIDTH', `The channel has ${width} numbers per key and must have ${WIDTHS[path] || '≥ 1'}`, place);
    }
    if (times.length === 0) refuse('CHANNEL_EMPTY', 'The channel has no key; remove it and export again', place);
    const perKey = channel.interpolation === 'CUBICSPLINE' ? 3 * width : width;
    checkLength('The value array', values.length, times.length * perKey, place);
    for (let i = 0; i < times.length; i++) {
      if (Number.isFinite(times[i]) && (i === 0 || times[i]! >= times[i - 1]!)) continue;
      refuse('KEY_TIMES', `Key time ${i} is ${times[i]}; times must be numbers that never fall`, place);
    }
    const bad = findNotFinite(values);
    if (bad >= 0) refuse('KEY_NOT_FINITE', `Key ${Math.trunc(bad / perKey)} holds ${values[bad]}; repair it`, place);
  }
}
