import { checkStack } from './check-stack.js';
import { listUsedLayers, type Stack } from './stack-spec.js';

/**
 * From a stack's JSON to what works: checked at the door, without what is switched off. What a layer is not told it takes from the
 * defaults of its own file.
 *
 *   resolveStack({ volume: {}, flesh: { enabled: false } })   →   { skin: {}, volume: {} }
 */
export function resolveStack(json: unknown): Stack {
  return listUsedLayers(checkStack(json));
}
