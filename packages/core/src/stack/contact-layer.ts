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
  const ahead = new Float64Array(3 * character.surface.vertexCount);
  return {
    apply(frame) {
      const start = volume?.begin(frame, ahead, contact.samples.vertices) ?? frame.positions;
      if (contact.find(volume ? ahead : start, frame.bones, start)) contact.push(start);
    },
  };
}
