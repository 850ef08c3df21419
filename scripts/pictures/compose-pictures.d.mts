import type { Picture } from '@isoskin/report';

export function composePictures(pictures: readonly Picture[], columns?: number, captions?: readonly string[]): Picture;
