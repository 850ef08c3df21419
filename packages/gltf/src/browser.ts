export { type ReadOptions, type ReadResult, readCharacterFromBytes } from './read-character-from-bytes.js';
export type { PartSource } from './read-parts.js';
export type { ResolveUri } from './resolve-resources.js';
export { type WriteOptions, writeCharacter } from './write-character.js';
