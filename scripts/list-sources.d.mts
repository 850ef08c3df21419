export function listSources(): Record<string, string>;
