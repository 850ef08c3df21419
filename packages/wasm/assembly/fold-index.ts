export { measureLine, startLine } from './fold-lines';
export { raiseFolds, settleFolds, startFolds } from './folds';
export { addLifts, liftFold, wakeFolds } from './lifts';
export { refineFolds } from './refine-folds';
