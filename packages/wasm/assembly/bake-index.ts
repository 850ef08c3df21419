export { countOff, deltasAt, growFit, measureFit, openFit, placeDirection, startFit, usedAt } from './directions';
export { comparePoints, gatherPoints, morphPoints, pushPoints, skinPoints, sumTetrahedra } from './points';
