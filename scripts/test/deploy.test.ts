/** The container and the job templates: what can be said of them where neither Docker nor a cluster is. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const bin = join(root, 'packages/cli/bin/isoskin.js');

/** Fails where a command line names a command or option that isoskin does not have. */
function expectKnown([command, ...words]: readonly string[]): void {
  const help = execFileSync(process.execPath, [bin, command!, '--help'], { encoding: 'utf8' });
  for (const word of words.filter((each) => /^--?[a-z]/.test(each)))
    expect(help).toMatch(new RegExp(`(^|\\s)${word}[ ,]`, 'm'));
}

describe('Dockerfile', () => {
  const lines = read('Dockerfile')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `));

  it('stands on a version, not on whatever is newest', () => {
    for (const line of of('FROM')) expect(line).toMatch(/^FROM node:\d+\.\d+-[\w-]+( AS \w+)?$/);
  });

  it('copies only what is there, and adds nothing from elsewhere', () => {
    expect(of('ADD')).toEqual([]);
    for (const line of of('COPY').filter((each) => each.includes('--from=build'))) {
      const sources = line
        .split(' ')
        .slice(2, -1)
        .map((path) => path.replace('/isoskin/', ''));
      for (const path of sources) expect(existsSync(join(root, path)), path).toBe(true);
    }
  });

  it('runs as nobody in particular, with arguments as a list', () => {
    expect(of('USER')).toEqual(['USER node']);
    expect(lines.indexOf('USER node')).toBeGreaterThan(lines.lastIndexOf(of('RUN').at(-1)!));
    for (const line of [...of('ENTRYPOINT'), ...of('CMD')])
      expect(JSON.parse(line.replace(/^\w+ /, ''))).toBeInstanceOf(Array);
  });

  it('leaves what is built, installed and secret out', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const path of ['.git', '**/node_modules', '**/dist']) expect(ignored).toContain(path);
  });
});

describe('job templates', () => {
  it('Kubernetes: an Indexed Job whose shares are all counted, and its merge', () => {
    const [frames, merge] = ['kubernetes', 'kubernetes-merge'].map((name) => parse(read(`deploy/${name}.yaml`)));
    expect(frames).toMatchObject({ apiVersion: 'batch/v1', kind: 'Job', spec: { completionMode: 'Indexed' } });
    const [container] = frames.spec.template.spec.containers;
    expect(container.args.at(container.args.indexOf('--count') + 1)).toBe(String(frames.spec.completions));
    for (const { spec } of [frames, merge]) {
      const { containers, volumes, restartPolicy, securityContext } = spec.template.spec;
      expect([restartPolicy, securityContext.runAsNonRoot]).toEqual(['Never', true]);
      expect(containers[0].volumeMounts.map(({ name }: { name: string }) => name)).toEqual(
        volumes.map(({ name }: { name: string }) => name),
      );
      expectKnown(containers[0].args);
    }
    const store = ({ args }: { args: string[] }) => args[args.indexOf('--store') + 1];
    expect(store(merge.spec.template.spec.containers[0])).toBe(store(container));
  });

  it('Open Job Description: tasks, then the merge; every parameter is declared', () => {
    const text = read('deploy/openjd.yaml');
    const job = parse(text);
    expect(job.specificationVersion).toBe('jobtemplate-2023-09');
    const names = job.parameterDefinitions.map(({ name }: { name: string }) => name);
    for (const [, name] of text.matchAll(/\{\{(?:Raw)?Param\.(\w+)\}\}/g)) expect(names).toContain(name);
    const [frames, merge] = job.steps;
    expect(merge.dependencies).toEqual([{ dependsOn: frames.name }]);
    for (const { script } of job.steps) expectKnown(script.actions.onRun.args);
    const { Shares, LastShare } = Object.fromEntries(
      job.parameterDefinitions.map((each: { name: string; default?: unknown }) => [each.name, each.default]),
    );
    expect(LastShare).toBe(Shares - 1);
  });
});
