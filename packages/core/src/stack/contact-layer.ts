import { type ContactOptions, planContact } from '../contact/plan-contact.js';
import type { Layer, LayerContext } from './layer.js';

/** Keeps the skin out of itself (F7): moves what touches, before the volume layers restore the volume around it. */
export function planContactLayer({ character }: LayerContext, options: ContactOptions = {}): Layer {
  const contact = planContact(character, options);
  return {
    apply({ positions, bones }) {
      if (contact.find(positions, bones)) contact.push(positions);
    },
  };
}
