export { runBlocks, runScheduled } from './frame';
export { awaitBlocks, openPhase, takeBlocks, work } from './share-work';
