import type { Body } from '../body/plan-body.js';
import { type ContactOptions, planContact } from '../contact/plan-contact.js';
import type { Layer } from './layer.js';

/**
 * Keeps the skin out of itself (F7): moves what touches, before the volume layers restore the volume around it, and once more what
 * they have swollen into each other.
 */
export function planContactLayer({ character }: Body, options: ContactOptions = {}): Layer {
  const contact = planContact(character, options);
  const before = new Float64Array(3 * character.surface.vertexCount);
  let near = false;
  return {
    apply({ positions, bones }) {
      if (contact.find(positions, bones)) contact.push(positions);
      near = contact.near;
      if (near) before.set(positions);
    },
    again({ positions, bones }) {
      if (!near || !contact.find(positions, bones)) return false;
      contact.push(before);
      positions.set(before);
      return true;
    },
  };
}
