export { sparseNodes } from './sparse-nodes.js';
export { type CrowdOptions, VolumeCrowd } from './volume-crowd.js';
