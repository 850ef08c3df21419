export * from './browser.js';
export { readCharacter } from './read-character.js';
