/** All icons of the studio: one 16-pixel grid, one stroke. */
const PATHS = {
  undo: 'M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H6',
  redo: 'M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h4',
  play: 'M5 3l8 5-8 5z',
  pause: 'M5.5 3v10M10.5 3v10',
  start: 'M4 3v10M12.5 3.5 6.5 8l6 4.5z',
  loop: 'M11 2l2.5 2.5L11 7M2.5 8V6.5a2 2 0 0 1 2-2h9M5 14l-2.5-2.5L5 9M13.5 8v1.5a2 2 0 0 1-2 2h-9',
  chevron: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  reset: 'M3 8a5 5 0 1 0 1.6-3.7M3 2.5V5.5h3',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  paste: 'M5 3H3v10h10V3h-2M6 2h4v2.5H6z',
  save: 'M8 2v8M5 7l3 3 3-3M3 13h10',
  load: 'M8 10V2M5 5l3-3 3 3M3 13h10',
  help: 'M6 6a2 2 0 1 1 3 1.7c-.7.4-1 .8-1 1.6M8 12h.01M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  split: 'M2.5 3.5h11v9h-11zM8 2v12',
  side: 'M2 3.5h5v9H2zM9 3.5h5v9H9z',
  overlay: 'M2.5 2.5h8v8h-8zM5.5 5.5h8v8h-8z',
  corrected: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z',
  clay: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM5 9.5c1 1.6 3.5 2.2 5.5.5M5.5 5.5h.01',
  next: 'M3 3l6 5-6 5zM12.5 3v10',
  wireframe: 'M2.5 4 8 2l5.5 2v8L8 14l-5.5-2zM2.5 4 8 8l5.5-4M8 8v6M2.5 12 8 8l5.5 4',
  bones: 'M4 12l8-8M3 10.5a1.5 1.5 0 1 0 2.5 2.5M13 5.5a1.5 1.5 0 1 0-2.5-2.5',
  frame: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  select: 'M4 2.5l8 5.5-3.6.7L6.5 12.5z',
  pose: 'M8 2.5a5.5 5.5 0 1 0 5.5 5.5M13.5 2.5v3.5H10M8 7a1 1 0 1 0 0 2 1 1 0 0 0 0-2z',
  paint: 'M13.5 2.5 7 9M7 9c-2-.5-3.5 1-3.5 3-.5.8-1 1-1.5 1.2 2.5.8 6 .3 6-2.7 0-.8-.4-1.3-1-1.5z',
  wrinkle: 'M2 5c2-2 4 2 6 0s4-2 6 0M2 8c2-2 4 2 6 0s4-2 6 0M2 11c2-2 4 2 6 0s4-2 6 0',
  key: 'M8 3l5 5-5 5-5-5z',
  skin: 'M8 2c3 0 4 2.5 4 5s-1.5 7-4 7-4-4.5-4-7 1-5 4-5zM8 5v6M6 8h4',
  flesh: 'M2 9c2-4 4-4 6-1s4 3 6-1M2 13c2-4 4-4 6-1s4 3 6-1',
  contact: 'M6 8a3.5 3.5 0 1 1-.01-.01zM10 8a3.5 3.5 0 1 0 .01-.01zM8 4.5v7',
  volume: 'M8 2l5 3v6l-5 3-5-3V5zM3 5l5 3 5-3M8 8v6',
  camera: 'M2.5 5h2.5l1-1.5h4L11 5h2.5v8h-11zM8 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  film: 'M2.5 3.5h11v9h-11zM5.5 3.5v9M10.5 3.5v9M2.5 8h11',
  gallery: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  alert: 'M8 2.5l6 11H2zM8 6.5v3.5M8 12h.01',
  info: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 7.5v3.5M8 5h.01',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  rename: 'M3 13l.7-3L11 2.7l2.3 2.3L6 12.3zM9.5 4.2l2.3 2.3',
  merge: 'M3 3c0 4 5 3.5 5 7v3.5M13 3c0 4-5 3.5-5 7M6 11.5l2 2 2-2',
  cut: 'M8 13.5V10c0-3.5-5-3-5-7M8 10c0-3.5 5-3 5-7M1.5 4.5 3 3l1.5 1.5M11.5 4.5 13 3l1.5 1.5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
