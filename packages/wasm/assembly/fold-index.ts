export { measureLine, startLine } from './fold-lines';
export { raiseFolds, refineFolds, settleFolds, startFolds } from './folds';
export { addLifts, liftFold, wakeFolds } from './lifts';
