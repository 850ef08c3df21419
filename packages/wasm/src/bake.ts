export { type BakeCode, openRoom, type Room } from './open-room.js';
