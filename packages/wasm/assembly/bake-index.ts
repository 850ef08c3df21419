export { comparePoints, gatherPoints, morphPoints, pushPoints, skinPoints, sumTetrahedra } from './points';
