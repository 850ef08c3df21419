import { type ContactOptions, planContact } from '../contact/plan-contact.js';
import type { Layer, LayerContext } from './layer.js';

/** Keeps parts of the body out of each other (F1–F5), and tells the volume layers behind it where the skin may not go. */
export function planContactLayer({ character }: LayerContext, options: ContactOptions = {}): Layer {
  const contact = planContact(character, options);
  return {
    apply(frame) {
      contact.find(frame.positions, frame.bones);
    },
  };
}
