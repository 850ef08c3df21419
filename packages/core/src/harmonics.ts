/** C16 for players that morph and skin themselves: what they load when a stack asks for it. */
export { planPlayedGiven } from './correction/plan-given.js';
