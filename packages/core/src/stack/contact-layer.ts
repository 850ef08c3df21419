import type { Body } from '../body/plan-body.js';
import { type ContactOptions, planContact } from '../contact/plan-contact.js';
import type { Layer } from './layer.js';
import type { VolumeLayer } from './volume-layer.js';

/**
 * Keeps the skin out of itself (F7). What touches is found where volume will about have the surface, because much overlap is its own
 * swelling, and is moved before it, so that it restores the volume around the contact.
 */
export function planContactLayer({ character }: Body, options: ContactOptions = {}, volume?: VolumeLayer): Layer {
  const contact = planContact(character, options);
  let bones = new Float64Array(0) as Float64Array;
  function part(start: Float64Array, ahead = start): boolean {
    const touches = contact.find(ahead, bones, start);
    if (touches) contact.push(start);
    if (touches && ahead !== start) contact.push(ahead);
    return touches;
  }
  return {
    apply(frame) {
      bones = frame.bones;
      if (volume) volume.begin(frame, part);
      else part(frame.positions);
    },
  };
}
