import { IsoskinError } from '../error.js';

export function refuseTool(message: string, place?: string): never {
  throw new IsoskinError('WRINKLE_TOOL', message, place);
}
