import type { Studio } from './studio.js';
import type { View } from './studio-document.js';

export function changeView(studio: Studio, label: string, change: Partial<View>, merge?: string): void {
  studio.commit(label, ({ view }) => ({ view: { ...view, ...change } }), merge);
}
