/** An S3-compatible server for tests, on a free port of this machine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error: s3rver has no types
import S3rver from 's3rver';

export interface TestS3 {
  /** What a process needs to find and enter it. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startS3(...buckets: string[]): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'isoskin-s3-'));
  const configureBuckets = buckets.map((name) => ({ name, configs: [] }));
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  return {
    variables: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_REGION: 'us-east-1',
    },
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
