import type { Command } from 'commander';
import { examineMachine, type Finding } from '../examine-machine.js';
import { plainText } from '../plain-text.js';
import { answer } from '../print.js';

const MARKS: Readonly<Record<Finding['state'], string>> = { found: '✓', missing: '–', broken: '✗' };

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Say what this machine has, what is missing, and what that costs.')
    .option('--redis <url>', 'the Redis to ask (default: ISOSKIN_REDIS, else this machine)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit code 1 where something is broken, 0 where things are only missing.')
    .action(async (options: { redis?: string; json?: boolean }) => {
      const findings = await examineMachine({ redis: options.redis });
      answer(findings, formatFindings, options);
      if (findings.some(({ state }) => state === 'broken')) process.exitCode = 1;
    });
}

export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map(({ name, state, found, cost }) => {
    const line = `${MARKS[state]} ${name.padEnd(width)}  ${plainText(found)}`;
    return cost ? `${line}\n  ${' '.repeat(width)}  ${plainText(cost)}` : line;
  });
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const broken = count('broken');
  const missing = count('missing');
  const end =
    broken > 0
      ? `${broken} broken: see ✗ above.`
      : missing > 0
        ? 'Everything that must be there is there; – marks what could make more possible.'
        : 'Everything is there.';
  return [...lines, '', end].join('\n');
}
