/**
 * The planner itself, for pages that want volume kept at once, and for Node: it runs on the thread that asks.
 *
 *   preserveVolume(gltf, { planner });
 */
export { planCharacter as planner } from '@isoskin/core/planner';
