export { type PreservedVolume, preserveVolume, type VolumeOptions } from './preserve-volume.js';
