/**
 * Signatures by which a worker knows work and chunks of those that share its key: HMAC-SHA256.
 *
 * Without a key (local use) anybody can make them: then they only tell damage.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { stableJson } from './chunk-key.js';
import type { CharacterWork } from './cluster-work.js';

/** Bytes of a signature. */
export const SIGNATURE_SIZE = 32;

export function signBytes(key: string, purpose: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', key).update(`isoskin ${purpose}\0`);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

export function isSignature(signature: Uint8Array, expected: Uint8Array): boolean {
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

/** The work with the signature of all its fields. */
export function signWork(work: Omit<CharacterWork, 'signature'>, key: string): CharacterWork {
  const { signature: _, ...rest } = work as CharacterWork;
  return { ...rest, signature: signBytes(key, 'work', stableJson(rest)).toString('hex') };
}

export function isWorkSigned(work: CharacterWork, key: string): boolean {
  const expected = signWork(work, key).signature;
  return isSignature(Buffer.from(String(work.signature), 'hex'), Buffer.from(expected, 'hex'));
}
