/** Demos with everything on: the clip to play, and whether flesh swings too. Their stacks are made when the page is built. */
export const SHOWS = [
  { name: 'hero', clip: 'knees', label: 'Hero: trousers that fold', flesh: false },
  { name: 'hand', clip: 'wrist', label: 'Hand: a creased wrist', flesh: false },
  { name: 'elephant', clip: 'trot', label: 'Elephant: swinging belly, wrinkled trunk', flesh: true },
] as const;
