export {
  type AmountInput,
  type Amounts,
  type Certificate,
  type DrivenShape,
  EXTENSION,
  listPlaces,
  type RotationInput,
  type WeightInput,
} from './amounts.js';
export { checkAmounts } from './check-amounts.js';
export { createDriver, type Driver, measureRotation } from './create-driver.js';
