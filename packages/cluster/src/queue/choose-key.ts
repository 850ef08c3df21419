/** The secret that submitters and workers share: only who knows it can give work to a worker. */
import { IsoskinError } from '@isoskin/core';
import type { Redis } from 'ioredis';

export const KEY_VARIABLE = 'ISOSKIN_CLUSTER_KEY';
const LEAST = 16;

/** `key`, or else ISOSKIN_CLUSTER_KEY. None is needed while Redis is reached on this machine alone: then it is empty. */
export function chooseKey(redis: Pick<Redis, 'options'>, key = process.env[KEY_VARIABLE] ?? ''): string {
  if (key !== '' && key.length < LEAST) {
    const message = `The key of the cluster has ${key.length} characters: take at least ${LEAST} that nobody guesses (openssl rand -hex 32).`;
    throw new IsoskinError('CLUSTER_KEY', message);
  }
  const { host = 'localhost', path } = redis.options;
  if (key !== '' || path !== undefined || /^(localhost|127(\.\d+){3}|::1)$/i.test(host)) return key;
  const message = `The Redis at ${host} is on another machine, and jobs from there are believed only with a key: set ${KEY_VARIABLE} to the same secret wherever you submit and work (openssl rand -hex 32).`;
  throw new IsoskinError('CLUSTER_KEY', message);
}
