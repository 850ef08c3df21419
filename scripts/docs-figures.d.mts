export function listFigurePages(): readonly string[];
export function fillFigures(text: string, figures: Readonly<Record<string, string>>): string;
export function listLooseTables(text: string): readonly number[];
