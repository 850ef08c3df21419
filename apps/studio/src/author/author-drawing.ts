import type { CharacterFacts } from '../engine/protocol.js';
import type { SurfaceName } from '../viewport/places.js';

/** Draws the character with the materials of its file. */
export interface AuthorDrawing {
  /** Prepares a side; whether the character is drawn here, and the page need not. */
  prepare(which: SurfaceName, facts: CharacterFacts | null): boolean;
  /** The context was lost and is there again. */
  restore(): void;
}
