import { availableParallelism } from 'node:os';
import { IsoskinError } from '@isoskin/core';
import type { Command } from 'commander';
import { addBakeOptions, type BakedFileOptions, collect, readBakeSettings } from '../bake-options.js';
import { formatStatus, formatSubmission, formatWait } from '../format-cluster.js';
import { plainJson, plainText } from '../plain-text.js';
import { print, printJson } from '../print.js';
import { createProgress } from '../progress.js';
import { readNumber } from '../read-number.js';
import { readText } from '../read-text.js';

/** Loaded when a cluster command runs: the other commands start without it. */
const load = () => import('@isoskin/cluster');
type WorkerEvent = import('@isoskin/cluster').WorkerEvent;
type Cluster = Awaited<ReturnType<typeof load>>;
type Connection = Awaited<ReturnType<Cluster['connectRedis']>>;

interface RedisOptions {
  readonly redis?: string;
  readonly keyFile?: string;
  readonly json?: boolean;
}

interface LimitOptions {
  readonly memory?: number;
  readonly timeLimit?: number;
}

interface SubmitOptions extends RedisOptions, LimitOptions, BakedFileOptions {
  readonly out: string;
  readonly store?: string;
  readonly priority: number;
  readonly lookahead: number;
  readonly chunk?: number;
  readonly wait?: boolean;
}

interface WorkerOptions extends RedisOptions {
  readonly concurrency: number;
  readonly lock: number;
  readonly root?: readonly string[];
  readonly log?: string;
}

const EXAMPLES = `
Examples:
  $ export ISOSKIN_REDIS=redis://:password@queue.studio:6379
  $ isoskin cluster worker --concurrency 8                                on every machine
  $ isoskin cluster submit "assets/**/*.glb" --out baked/ --preset natural
  $ isoskin cluster submit "s3://assets/**/*.glb" --out s3://baked/film --priority 1
  $ isoskin cluster status
  $ isoskin cluster retry --all`;

export function addCluster(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('Bake many models on many machines (BullMQ on Redis).')
    .addHelpText('after', EXAMPLES);
  addSubmit(cluster);
  addWorker(cluster);
  withRedis(cluster.command('status').description('What waits, runs, is done and has failed, and why.')).action(
    (options: RedisOptions) => use(options, (parts) => showStatus(parts, options.json ?? false)),
  );
  withRedis(cluster.command('cancel').description('Take models out of the queue, also those being baked.'))
    .argument('[name...]', 'an id, or a part of the path that is written')
    .option('--all', 'everything that waits or runs')
    .action((names: string[], options: RedisOptions & { all?: boolean }) =>
      use(options, async ({ cluster: { cancelJobs }, queue, redis }) => {
        const changed = await cancelJobs(queue, redis, chooseNames(names, options.all));
        if (options.json) printJson({ cancelled: changed });
        else print(`${changed.length} cancelled; finished chunks are kept.`);
      }),
    );
  withLimits(withRedis(cluster.command('retry').description('Try models again that have failed.')))
    .argument('[name...]', 'an id, or a part of the path that is written')
    .option('--all', 'everything that has failed')
    .action((names: string[], options: RedisOptions & LimitOptions & { all?: boolean }) =>
      use(options, async ({ cluster: { retryJobs }, queue, key }) => {
        const changed = await retryJobs(queue, chooseNames(names, options.all), readLimits(options), key);
        if (options.json) printJson({ retried: changed });
        else print(`${changed.length} queued again.`);
      }),
    );
}

function addSubmit(cluster: Command): void {
  const command = cluster
    .command('submit')
    .description('Queue every model that matches; what was done before is not done again.')
    .argument('<pattern...>', 'files to bake: "assets/**/*.glb", "s3://bucket/**/*.glb"')
    .requiredOption('--out <place>', 'folder or s3://bucket/folder for the results, under the same paths')
    .option('--store <place>', 'where finished frames are kept (default: .isoskin in --out)')
    .option('--priority <number>', '1 comes first, 10 last', readNumber, 5)
    .option('--lookahead <count>', 'models that may wait in Redis; more follow as workers take them', readNumber, 1000)
    .option('--chunk <frames>', 'half frames per job (default: by the number of vertices)', readNumber)
    .option('--wait', 'wait until all are baked');
  addBakeOptions(withLimits(withRedis(command))).action((patterns: string[], options: SubmitOptions) =>
    use(options, (parts) => submit(parts, patterns, options)),
  );
}

function addWorker(cluster: Command): void {
  withRedis(cluster.command('worker').description('Bake what is queued, until it is stopped (Ctrl-C finishes first).'))
    .option(
      '--concurrency <count>',
      'models at a time, each in a process of its own',
      readNumber,
      availableParallelism(),
    )
    .option('--lock <seconds>', 'silence after which a worker counts as dead', readNumber, 20)
    .option('--root <place>', 'touch only what lies here (may be given several times; default: anything)', collect)
    .option('--log <file>', 'append a line of JSON for everything that is computed, found, stored or written')
    .action(async (options: WorkerOptions) => {
      const { concurrency, lock } = options;
      if (!(Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 256)) {
        throw new IsoskinError('JOBS', `${concurrency} jobs cannot run at a time: give 1 to 256 for --concurrency.`);
      }
      if (!(lock >= 1 && lock <= 3600))
        throw new IsoskinError('LOCK', `A lock of ${lock} s: give 1 to 3600 for --lock.`);
      await use(options, (parts) => work(parts, options));
    });
}

function withRedis(command: Command): Command {
  return command
    .option('--redis <url>', 'redis://:password@host:port or rediss://… (default: ISOSKIN_REDIS, else this machine)')
    .option('--key-file <file>', 'the secret that submitters and workers share (default: ISOSKIN_CLUSTER_KEY)')
    .option('--json', 'print JSON');
}

function withLimits(command: Command): Command {
  return command
    .option('--memory <MiB>', 'memory that one job may use (default: 4096)', readNumber)
    .option('--time-limit <seconds>', 'time that one job may take (default: 900)', readNumber);
}

function readLimits({ memory, timeLimit }: LimitOptions) {
  if ((memory !== undefined && !(memory >= 64)) || (timeLimit !== undefined && !(timeLimit > 0))) {
    throw new IsoskinError('LIMITS', 'A job needs at least 64 MiB (--memory) and some seconds (--time-limit).');
  }
  return { ...(memory !== undefined && { memory }), ...(timeLimit !== undefined && { seconds: timeLimit }) };
}

function chooseNames(names: readonly string[], all: boolean | undefined): readonly string[] | 'all' {
  if (all) return 'all';
  if (names.length > 0) return names;
  throw new IsoskinError('CLUSTER_NAMES', 'Nothing is named: give an id, a part of a path, or --all.');
}

interface Parts {
  readonly cluster: Cluster;
  readonly redis: Connection;
  readonly queue: ReturnType<Cluster['openQueue']>;
  readonly key: string | undefined;
}

async function use(options: RedisOptions, action: (parts: Parts) => Promise<void>): Promise<void> {
  const cluster = await load();
  const key = options.keyFile === undefined ? undefined : await readKey(options.keyFile);
  const redis = await cluster.connectRedis(options.redis);
  const queue = cluster.openQueue(redis);
  queue.on('error', () => {}); // Redis comes back or the command is stopped
  try {
    await action({ cluster, redis, queue, key });
  } finally {
    await queue.close();
    redis.disconnect();
  }
}

/** In a file rather than among the arguments, which everybody on the machine can read. */
async function readKey(path: string): Promise<string> {
  try {
    return (await readText(path)).trim();
  } catch (cause) {
    throw new IsoskinError('CLUSTER_KEY', `The key file "${path}" cannot be read: check --key-file.`, '', { cause });
  }
}

async function submit({ cluster, queue, key }: Parts, patterns: string[], options: SubmitOptions): Promise<void> {
  const progress = createProgress();
  const { out, priority, lookahead, store, chunk, maxWork } = options;
  if (chunk !== undefined && !(Number.isInteger(chunk) && chunk >= 1)) {
    throw new IsoskinError('CHUNK', `A chunk of ${chunk} frames: give a whole number from 1 for --chunk.`);
  }
  if (!(lookahead >= 1)) throw new IsoskinError('LOOKAHEAD', 'Give at least 1 for --lookahead.');
  const submission = await cluster.submitFiles(queue, {
    ...{ patterns, out, priority, lookahead },
    settings: await readBakeSettings(options),
    limits: {
      ...cluster.LIMIT_DEFAULTS,
      ...readLimits(options),
      ...(maxWork !== undefined && { work: 1e6 * maxWork }),
    },
    ...(key !== undefined && { key }),
    ...(store !== undefined && { store }),
    ...(chunk !== undefined && { chunkSize: chunk }),
    onProgress: (done, total, isWaiting) =>
      progress.update(`${done} of ${total} submitted${isWaiting ? ', waiting for workers' : ''}`, done, total),
  });
  progress.clear();
  if (submission.refused.length > 0) process.exitCode = 1;
  const { ids, ...counts } = submission;
  if (!options.wait) {
    if (options.json) printJson({ ...counts, ids });
    else print(`${formatSubmission(submission)}\nWatch them with isoskin cluster status.`);
    return;
  }
  const waited = await cluster.waitForJobs(queue, ids, (done, total) =>
    progress.update(`${done} of ${total} baked`, done, total),
  );
  progress.clear();
  if (waited.failed.length + waited.gone > 0) process.exitCode = 1;
  if (options.json) printJson({ ...counts, ids, ...waited });
  else print(`${formatSubmission(submission)}\n${formatWait(waited)}`);
}

async function work({ cluster, redis, key }: Parts, options: WorkerOptions): Promise<void> {
  const { concurrency, lock, root, log, json } = options;
  const say = (kind: string, output: string, message: string): void => {
    if (json) print(plainJson({ time: Date.now(), kind, output, message }));
    else print(plainText(`${kind}  ${output}${message ? `: ${message}` : ''}`));
  };
  let isConnected = true;
  redis.on('ready', () => {
    if (!isConnected) say('redis', 'is back', '');
    isConnected = true;
  });
  redis.on('close', () => {
    if (isConnected && redis.status !== 'end') say('redis', 'is gone', 'waiting for it');
    isConnected = false;
  });
  const worker = cluster.startWorker({
    redis,
    concurrency,
    lock,
    ...(root && { roots: root.map((place) => cluster.openStorage(place).url) }),
    ...(log && { log }),
    ...(key !== undefined && { key }),
    onEvent: ({ kind, job, message }) => {
      if (kind === 'connection' || (kind === 'completed' && job?.name !== 'character')) return;
      say(kind === 'completed' ? 'done' : 'failed', describeJob(job), message);
    },
  });
  say('ready', `${concurrency} at a time`, '');
  if (cluster.chooseKey(redis, key) === '') {
    say(
      'unsigned',
      'there is no ISOSKIN_CLUSTER_KEY',
      'whoever reaches this Redis can give this worker work; see --root',
    );
  }
  await new Promise<void>((resolve, reject) => {
    let isStopping = false;
    const stop = (): void => {
      // Others take over what is dropped, and the children end with this process.
      if (isStopping) process.exit(1);
      isStopping = true;
      say('stopping', 'what has begun is finished', 'Ctrl-C again drops it');
      worker.close().then((isClean) => {
        if (isClean) return resolve();
        // Nothing can be told to a Redis that has gone, and its connections never end by themselves.
        say('stopped', 'Redis has not come back', 'what had begun goes to others');
        process.exit(1);
      }, reject);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}

/** The file that a job writes; its id when it does not say. */
function describeJob(job: WorkerEvent['job']): string {
  const { output } = Object(job?.data) as { output?: { storage?: unknown; key?: unknown } };
  return output ? `${output.storage}/${output.key}` : (job?.id ?? '');
}

/** Once into a file or a pipe; on a terminal until nothing is left to wait for. */
async function showStatus({ cluster, queue }: Parts, json: boolean): Promise<void> {
  for (;;) {
    const status = await cluster.readStatus(queue);
    if (json) return printJson(status);
    if (!process.stdout.isTTY) return print(formatStatus(status));
    process.stdout.write('\x1b[H\x1b[2J');
    print(formatStatus(status));
    if (status.waiting + status.running === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
