export { swing } from './flesh';
export { runBlocks } from './frame';
export { awaitBlocks, openPhase, takeBlocks, work } from './share-work';
