/** The answers of `isoskin check`: a table for people, SARIF for code scanning, JUnit for test reports. */
import type { CheckOptions, ClipCheck, ModelCheck } from './check-model.js';
import { formatChange, formatPercent } from './format-number.js';
import { formatTable } from './format-table.js';
import { plainText } from './plain-text.js';

const WORDS = { kept: 'kept', lost: 'LOST', skipped: 'skipped', refused: 'REFUSED' } as const;

export function formatCheck(models: readonly ModelCheck[], { maxLoss, maxRegionLoss }: CheckOptions): string {
  const rows = models.map(({ model, status, clips }) => {
    const worst = worstClip(clips, ({ worst }) => worst.change);
    const part = worstClip(clips, ({ region }) => region.change);
    return [
      WORDS[status],
      model,
      worst ? formatChange(worst.worst.change) : '',
      worst ? `${worst.name}, ${worst.worst.time.toFixed(2)} s` : '',
      part ? `${formatChange(part.region.change)} ${part.region.name}` : '',
    ];
  });
  const table = formatTable([{ left: '' }, { left: 'model' }, 'worst', { left: 'in' }, { left: 'worst region' }], rows);
  const lines = models.flatMap(({ model, reason, clips }) => [
    ...(reason === undefined ? [] : [`  ! ${plainText(`${model}: ${reason}`)}`]),
    ...clips.flatMap(({ faults }) => faults.map(({ message }) => `  ! ${plainText(`${model}: ${message}.`)}`)),
  ]);
  const count = (status: ModelCheck['status']) => models.filter((one) => one.status === status).length;
  const limits = [
    `${formatPercent(100 * maxLoss)} of the volume`,
    ...(maxRegionLoss === undefined ? [] : [`${formatPercent(100 * maxRegionLoss)} of a region`]),
  ];
  const having = (rules: readonly string[]) =>
    models.filter(({ clips }) => clips.some(({ faults }) => faults.some(({ rule }) => rules.includes(rule)))).length;
  const [losing, harmed] = [having(['volume-loss', 'region-loss']), having(['harm'])];
  const sums = [`${losing} of ${models.length} models lose (or gain) more than ${limits.join(' or ')}`];
  if (harmed > 0) sums.push(`${harmed} ${harmed === 1 ? 'looks' : 'look'} worse than plain skinning`);
  if (count('refused') > 0) sums.push(`${count('refused')} cannot be read`);
  const advice = losing > 0 ? ' isoskin bake writes files that keep it.' : '';
  return [table, ...(lines.length > 0 ? [lines.join('\n')] : []), `${sums.join('; ')}.${advice}`].join('\n\n');
}

const RULES = [
  ['volume-loss', 'The character loses or gains volume in a frame of a clip.'],
  ['region-loss', 'A part of the character loses or gains volume in a frame of a clip.'],
  ['harm', 'Baked morph targets look worse than plain skinning in a frame of a clip.'],
  ['unreadable', 'The model cannot be read.'],
] as const;

/** SARIF 2.1.0. */
export function createSarif(models: readonly ModelCheck[], version: string): object {
  const result = (model: string, ruleId: string, text: string) => ({
    ruleId,
    level: 'error',
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(model.replaceAll('\\', '/')) } } }],
  });
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'isoskin', version, rules: RULES.map(([id, text]) => ({ id, shortDescription: { text } })) },
        },
        results: models.flatMap(({ model, status, reason, clips }) => [
          ...(status === 'refused' ? [result(model, 'unreadable', reason ?? '')] : []),
          ...clips.flatMap(({ faults }) => faults.map(({ rule, message }) => result(model, rule, `${message}.`))),
        ]),
      },
    ],
  };
}

/** JUnit: a suite per model, a case per clip. */
export function formatJunit(models: readonly ModelCheck[]): string {
  const quote = (text: string) => plainText(text).replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  const suites = models.map(({ model, status, reason = '', clips }) => {
    const cases = clips.map(({ name, faults }) => {
      const inner = faults.map(({ rule, message }) => `<failure type="${rule}" message="${quote(message)}"/>`).join('');
      return `<testcase classname="${quote(model)}" name="${quote(name)}">${inner}</testcase>`;
    });
    const whole = (inner: string) => `<testcase classname="${quote(model)}" name="model">${inner}</testcase>`;
    if (status === 'skipped') cases.push(whole(`<skipped message="${quote(reason)}"/>`));
    if (status === 'refused') cases.push(whole(`<error type="unreadable" message="${quote(reason)}"/>`));
    const failures = clips.filter(({ faults }) => faults.length > 0).length;
    const counts = `tests="${cases.length}" failures="${failures}" errors="${Number(status === 'refused')}" skipped="${Number(status === 'skipped')}"`;
    return `<testsuite name="${quote(model)}" ${counts}>\n${cases.join('\n')}\n</testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

function worstClip(clips: readonly ClipCheck[], pick: (clip: ClipCheck) => number): ClipCheck | undefined {
  const size = (clip: ClipCheck | undefined) => (clip ? Math.abs(pick(clip)) : -1);
  return clips.reduce<ClipCheck | undefined>((most, clip) => (size(clip) <= size(most) ? most : clip), undefined);
}
