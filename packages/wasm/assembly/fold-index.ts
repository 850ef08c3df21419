export { raiseFolds, refineFolds, settleFolds, startFolds } from './folds';
export { addLifts, liftFold, measureLine, wakeFolds } from './lifts';
