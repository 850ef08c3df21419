export { type CrowdOptions, VolumeCrowd } from './volume-crowd.js';
