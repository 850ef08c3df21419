/** Doors for JSON: tables that check, and say what is wrong and where. */

export * from './check-json.js';
export { findNearestName } from './find-nearest-name.js';
export { LIMITS } from './limits.js';
