import type { Color, Picture } from '@isoskin/report';

export function measureText(text: string, size: number): number;
export function drawText(picture: Picture, text: string, x: number, y: number, size: number, color: Color): void;
