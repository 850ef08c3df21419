/** The built-in simulations in the words of the gallery. */
export const SCENES = [
  {
    name: 'merge',
    words: 'Two drops become one',
    story: 'Two drops of liquid meet and melt into one; the volume of both stays.',
  },
  {
    name: 'fall',
    words: 'A soft man falls',
    story: 'A soft man with joints inside falls to the ground and stays as thick as he was.',
  },
  { name: 'pinch', words: 'Paste in a hand', story: 'Paste is pinched between fingers: squeezed here, it goes there.' },
  {
    name: 'roller',
    words: 'Dough under a roller',
    story: 'A roller drives over two kinds of dough that never mix.',
  },
  { name: 'muscle', words: 'An arm that bends', story: 'A muscle shortens and swells while the forearm rises.' },
] as const;
