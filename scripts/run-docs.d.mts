export interface Block {
  readonly language: string;
  readonly words: readonly string[];
  readonly code: string;
  readonly line: number;
}
export function listJourneys(): readonly string[];
export function listBlocks(text: string): readonly Block[];
export function runPage(
  page: string,
  options?: { readonly env?: NodeJS.ProcessEnv; readonly install?: boolean },
): Promise<number>;
