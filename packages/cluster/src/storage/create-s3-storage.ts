import { IsoskinError } from '@isoskin/core';
import { AwsClient } from 'aws4fetch';
import { checkKey, type Storage, storageError } from './storage.js';

/** A request that has not answered after this long is given up, and tried again by the queue. */
const TIMEOUT = 300_000;

/**
 * A bucket of S3 or of anything that speaks its language (MinIO, R2, Ceph …). Keys and region come from the usual variables:
 * AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL.
 */
export function createS3Storage(url: string, variables: NodeJS.ProcessEnv = process.env): Storage {
  const [, bucket, rest = ''] = /^s3:\/\/([^/]+)\/?(.*)$/i.exec(url) ?? [];
  if (!bucket || !/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket)) {
    throw new IsoskinError('STORAGE_URL', `"${url}" names no bucket: write s3://bucket/folder.`);
  }
  const folder = rest.replace(/\/+$/, '');
  const prefix = folder === '' ? '' : `${checkKey(folder)}/`;
  const client = createClient(variables);
  const endpoint = variables.AWS_ENDPOINT_URL_S3 ?? variables.AWS_ENDPOINT_URL;
  const region = variables.AWS_REGION ?? variables.AWS_DEFAULT_REGION ?? 'us-east-1';
  const base = endpoint ? `${endpoint.replace(/\/+$/, '')}/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;

  const send = async (method: string, address: string, init: RequestInit, fine: readonly number[]) => {
    const name = `s3://${bucket}/${address}`;
    let response: Response;
    try {
      response = await client.fetch(`${base}/${address}`, { method, signal: AbortSignal.timeout(TIMEOUT), ...init });
    } catch (cause) {
      throw storageError(`"${name}" cannot be reached: check the network and AWS_ENDPOINT_URL.`, cause);
    }
    if (response.ok || fine.includes(response.status)) return response;
    const code = /<Code>([\w.]{1,60})<\/Code>/.exec(await response.text().catch(() => ''))?.[1] ?? '';
    const what = response.status === 403 ? 'check the keys and their rights' : 'look into the log of the storage';
    throw storageError(`"${name}" answers ${method} with ${response.status} ${code}: ${what}.`, undefined);
  };
  const addressOf = (key: string): string => (prefix + checkKey(key)).split('/').map(encodeSegment).join('/');

  const exists = async (key: string): Promise<boolean> => (await send('HEAD', addressOf(key), {}, [404])).ok;
  return {
    url: `s3://${bucket}${folder === '' ? '' : `/${folder}`}`,
    exists,
    async get(key) {
      const response = await send('GET', addressOf(key), {}, [404]);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    },
    async put(key, bytes) {
      await send('PUT', addressOf(key), { body: bytes as Uint8Array<ArrayBuffer> }, []);
    },
    async putIfAbsent(key, bytes) {
      // Storages that do not know the condition replace the object by the same bytes: keys are hashes of what they hold.
      if (await exists(key)) return false;
      const init = { body: bytes as Uint8Array<ArrayBuffer>, headers: { 'if-none-match': '*' } };
      return (await send('PUT', addressOf(key), init, [409, 412])).ok;
    },
    async remove(key) {
      await send('DELETE', addressOf(key), {}, [404]);
    },
    async tidy() {}, // an upload that breaks off leaves nothing
    async list(start) {
      const keys: string[] = [];
      for (let isMore = true; isMore; ) {
        const query = new URLSearchParams({ 'encoding-type': 'url', prefix: prefix + start });
        const last = keys.at(-1);
        if (last !== undefined) query.set('marker', prefix + last);
        const text = await (await send('GET', `?${query}`, {}, [])).text();
        const isEncoded = text.includes('<EncodingType>url<');
        const page = [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => plain(match[1]!));
        for (const key of page) {
          keys.push((isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key).slice(prefix.length));
        }
        isMore = page.length > 0 && text.includes('<IsTruncated>true<');
      }
      return keys.filter((key) => !key.endsWith('/')).sort();
    },
  };
}

function createClient({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, ...rest }: NodeJS.ProcessEnv) {
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    const message = 'S3 storage needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
    throw new IsoskinError('STORAGE_KEYS', message);
  }
  return new AwsClient({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    service: 's3',
    region: rest.AWS_REGION ?? rest.AWS_DEFAULT_REGION ?? 'us-east-1',
    retries: 4,
  });
}

/** RFC 3986, as the signature counts it. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function plain(xml: string): string {
  return xml.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) =>
    hex || decimal ? String.fromCodePoint(Number.parseInt(hex ?? decimal, hex ? 16 : 10)) : (ENTITIES[name] ?? all),
  );
}
