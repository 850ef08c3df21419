export { swing } from './flesh';
export { raiseFolds, refineFolds, settleFolds, startFolds } from './folds';
export { runBlocks } from './frame';
export { addLifts, liftFold, measureLine, wakeFolds } from './lifts';
export { awaitBlocks, openPhase, takeBlocks, work } from './share-work';
