export { openFolds } from './create-folds.js';
