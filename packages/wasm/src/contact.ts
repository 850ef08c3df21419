export { openContact } from './create-search.js';
