export { findNear, keepFacing } from './search';
