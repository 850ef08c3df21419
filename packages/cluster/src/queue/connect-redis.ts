import { IsoskinError } from '@isoskin/core';
import { Redis } from 'ioredis';

const LOCAL = 'redis://127.0.0.1:6379';

/**
 * A connection to the Redis that `url`, or else ISOSKIN_REDIS, names: `redis://[[user]:password@]host[:port][/db]`, or
 * `rediss://…` for TLS. The first contact has to succeed; later ones are tried again for as long as it takes.
 */
export async function connectRedis(url = process.env.ISOSKIN_REDIS || LOCAL): Promise<Redis> {
  if (!/^rediss?:\/\/[^/]/i.test(url)) {
    const message = `"${withoutPassword(url)}" is no address of a Redis: write redis://host:port, or rediss://host:port for TLS.`;
    throw new IsoskinError('REDIS_URL', message);
  }
  let isOpen = false;
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null, // BullMQ waits for Redis to come back
    connectTimeout: 10_000,
    retryStrategy: (times) => (isOpen ? Math.min(1000, 50 * times) : null),
  });
  let last: Error | undefined;
  redis.on('error', (error) => {
    last = error;
  });
  try {
    await redis.connect();
    isOpen = true;
    return redis;
  } catch (cause) {
    redis.disconnect();
    throw refusal(url, last ?? (cause as Error));
  }
}

function refusal(url: string, cause: Error): IsoskinError {
  const place = withoutPassword(url);
  if (/WRONGPASS|NOAUTH|AUTH/.test(cause.message)) {
    const message = `The Redis at ${place} wants another password: write it into --redis redis://:password@host:port or ISOSKIN_REDIS.`;
    return new IsoskinError('REDIS_PASSWORD', message, '', { cause });
  }
  const message = `No Redis answers at ${place}: start one (redis-server --appendonly yes), or name another with --redis or ISOSKIN_REDIS.`;
  return new IsoskinError('REDIS_UNREACHABLE', message, '', { cause });
}

/** An address that may be shown. */
export function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}
