import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type CliOptions,
  finished,
  makeFolder,
  runCli,
  runHere,
  startCli,
  untilFileHas,
} from './cli-process.js';

const folder = makeFolder();
afterAll(() => folder.remove());

const file = (name: string) => join(folder.path, name);
const optionsOf = (env: Record<string, string>, input?: string | Uint8Array): CliOptions => ({
  dataDir: folder.dataDir,
  env,
  ...(input === undefined ? {} : { input }),
});
const triage = (args: readonly string[], input?: string | Uint8Array, env: Record<string, string> = {}) =>
  runHere('triage', args, optionsOf(env, input));

const KEYS =
  'id issue_type priority sentiment requires_human summary language route escalate escalation_reason confidence provider llm_calls';
const TEXTS = [
  'I was charged twice for my subscription this month, please refund one payment',
  'Quero cancelar minha reserva de quinta-feira',
  'What concerts are on in São Paulo this weekend?',
  'This is ridiculous, third time I write and the app still crashes!!!',
  'I am going to sue you for discrimination, my lawyer will call',
];

describe('npm run triage', () => {
  test('[BATCH-02 BATCH-06 BATCH-07] classifies JSON lines, tells what it could not read and goes on', async () => {
    const rows = TEXTS.map((message, at) =>
      JSON.stringify({ id: `t${at}`, message, expected_issue_type: 'billing' }),
    );
    const lines = ['\ufeff', '{"id":"broken', ...rows, '{"id":"t0","message":"again"}', '{"id":"empty"}', ''];
    writeFileSync(file('in.jsonl'), lines.join('\r\n'));
    const { code, out, err } = await triage([file('in.jsonl'), '--out', file('out.jsonl'), '--labels']);
    expect(code).toBe(1);
    expect(out).toBe('');
    const found = readFileSync(file('out.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row));
    expect(found.map(({ id }) => id)).toEqual(['t0', 't1', 't2', 't3', 't4']);
    for (const row of found) expect(Object.keys(row).join(' ')).toBe(KEYS);
    expect(found[1]).toMatchObject({ language: 'pt-BR', route: 'action', provider: 'offline', llm_calls: 0 });
    expect(found[4]).toMatchObject({ issue_type: 'legal', escalate: true, escalation_reason: 'legal' });
    const errors = readFileSync(file('out.jsonl.errors.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row));
    expect(errors).toMatchObject([
      { line: 2 },
      { line: 8, id: 't0', reason: 'duplicate id' },
      { line: 9, id: 'empty' },
    ]);
    expect(err).toMatch(/tickets +5\nerrors +3\nescalations/);
    expect(err).toMatch(/issue_type: accuracy 0\.\d+ \(\d of 5\)/);
    expect(JSON.parse(readFileSync(file('out.jsonl.labels.json'), 'utf8')).issue_type.total).toBe(5);
  });

  test('[BATCH-01] reads standard input and writes CSV to standard output', async () => {
    const input = 'ID;Subject;Text\r\n1;Help;"I, want a refund"\r\n';
    const { code, out, err } = await runCli('triage', ['-', '--format', 'csv'], optionsOf({}, input));
    expect(code).toBe(0);
    expect(parse(out, { columns: true })).toMatchObject([{ id: '1', provider: 'offline', llm_calls: '0' }]);
    expect(out.split('\n')[0]).toBe(KEYS.replaceAll(' ', ','));
    expect(err).toContain('tickets      1');
  });

  test.each([
    [['no-such-file.jsonl'], /error: There is no file no-such-file\.jsonl/],
    [['package.json'], /error: INPUT must end in \.jsonl, \.ndjson or \.csv/],
    [['-', '--resume'], /error: --resume needs --out/],
    [['-', '--concurrency', 'many'], /error: --concurrency must be a whole number from 1 to 256/],
    [['-', '--format', 'xml'], /Allowed choices are jsonl, csv/],
    [['-', '--nonsense'], /unknown option '--nonsense'/],
    [[], /missing required argument 'INPUT'/],
  ])('refuses %j with exit code 2 and one line', async (args, message) => {
    const { code, out, err } = await triage(args, '');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('[BAD-04 BAD-06] refuses a wrong environment, a CSV without a text column, a place it cannot write to', async () => {
    const wrong = await triage(['-'], '', { HUB_LOG_LEVEL: 'loud' });
    expect(wrong).toMatchObject({
      code: 2,
      err: 'error: HUB_LOG_LEVEL is "loud"; allowed: debug, info, warn, error\n',
    });
    const header = await triage(['-'], 'a,b\n1,2\n');
    expect(header.code).toBe(2);
    expect(header.err).toMatch(/error: The first line of a CSV must name the columns/);
    const nowhere = await triage(['-', '--out', file('no/such/folder.jsonl')], '{"text":"x"}\n');
    expect(nowhere.code).toBe(2);
    expect(nowhere.err).toMatch(/error: Cannot write .*folder\.jsonl: ENOENT/);
  });

  test('[BAD-07] says that the disk is full, in one line', async () => {
    const full = await triage(['-', '--out', '/dev/full'], '{"text":"x"}\n');
    expect(full.code).toBe(1);
    expect(full.err).toMatch(/^error: The disk is full: \/dev\/full .*--resume does the rest$/m);
    expect(existsSync('/dev/full')).toBe(true);
  });

  test('shows its help', async () => {
    const { code, out } = await triage(['--help']);
    expect(code).toBe(0);
    for (const option of [
      '--out',
      '--format',
      '--concurrency',
      '--workers',
      '--resume',
      '--limit',
      '--labels',
    ])
      expect(out).toContain(option);
  });
});

describe('a long batch', { timeout: 600_000 }, () => {
  const linesOf = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, at) =>
      at % 50 === 7
        ? '{"broken'
        : JSON.stringify({ id: `t${at}`, message: `${TEXTS[at % TEXTS.length]} (${at})` }),
    );
  const count = 400;
  const lines = linesOf(count);
  const input = file('long.jsonl');
  writeFileSync(input, lines.join('\n'));

  /** Starts it on the beginning of the input, and comes back when all of that is in the file. */
  async function begin(out: string, share: number, args: readonly string[] = []) {
    const given = lines.slice(0, count * share);
    const child = startCli('triage', ['-', '--out', out, ...args], { dataDir: folder.dataDir });
    const ended = finished(child);
    child.stdin.on('error', () => {});
    child.stdin.write(`${given.join('\n')}\n`);
    const rows = given.filter((line) => line !== '{"broken').length + (out.endsWith('.csv') ? 1 : 0);
    await untilFileHas(out, (text) => text.split('\n').length > rows, child);
    return { child, ended };
  }

  test('ends quietly when its reader has seen enough', async () => {
    // More than a pipe takes from a program that nobody reads.
    writeFileSync(file('endless.jsonl'), linesOf(4_000).join('\n'));
    const child = startCli('triage', [file('endless.jsonl')], { dataDir: folder.dataDir });
    child.stdin.end();
    const end = finished(child);
    child.stdout.once('data', () => child.stdout.destroy());
    const { code, err } = await end;
    expect(code, err).toBe(0);
    expect(err).not.toMatch(/EPIPE|\n\s+at |Interrupted/);
  });

  test.each(['jsonl', 'csv'])(
    '[BATCH-03] that was killed and stopped ends the same after resumes (%s)',
    async (format) => {
      const whole = file(`whole.${format}`);
      const out = file(`resumed.${format}`);
      expect((await triage([input, '--out', whole])).code).toBe(1);
      const size = readFileSync(whole).length;

      const first = await begin(out, 1 / 8);
      first.child.kill('SIGKILL');
      expect((await first.ended).code).toBe(137);
      // The worst that a kill leaves: a line that is half written.
      const { length } = readFileSync(out);
      appendFileSync(out, readFileSync(whole).subarray(length, length + 20));

      // Every further start costs seconds: the signals are tried on one of the formats.
      const signals = [
        ['SIGINT', 130, 0.35],
        ['SIGTERM', 143, 0.6],
      ] as const;
      for (const [signal, code, share] of format === 'jsonl' ? signals : []) {
        const next = await begin(out, share, ['--resume']);
        next.child.kill(signal);
        const { code: got, err } = await next.ended;
        expect(got).toBe(code);
        expect(err).toContain(`Continue with: npm run triage -- - --out ${out} --resume`);
        expect(readFileSync(out).length).toBeLessThan(size);
      }
      expect((await triage([input, '--out', out, '--resume'])).code).toBe(1);
      expect(readFileSync(out).equals(readFileSync(whole))).toBe(true);
      expect(readFileSync(`${out}.errors.jsonl`).equals(readFileSync(`${whole}.errors.jsonl`))).toBe(true);
      // Nothing is left to do, and nothing changes.
      const again = await triage([input, '--out', out, '--resume']);
      expect(again.err).toMatch(new RegExp(`tickets +${count - count / 50} \\(${count - count / 50} from`));
      expect(readFileSync(out).equals(readFileSync(whole))).toBe(true);
    },
  );

  test('is not continued from the results of another input', async () => {
    const out = file('resumed.jsonl');
    const before = readFileSync(out);
    const { code, err } = await triage(['-', '--out', out, '--resume'], '{"id":"x","text":"y"}\n');
    expect(code).toBe(2);
    expect(err).toMatch(/error: .*made from another input/);
    expect(readFileSync(out).equals(before)).toBe(true);
  });
});
