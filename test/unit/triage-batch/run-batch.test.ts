import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HubError } from '../../../src/core/errors.js';
import type { TicketClassifier } from '../../../src/core/ports/chat-models.js';
import { PreviousResults } from '../../../src/triage-batch/previous-results.js';
import {
  FileSink,
  formatRow,
  headerOf,
  type OutputFormat,
  RESULT_COLUMNS,
  type ResultRow,
  readCell,
} from '../../../src/triage-batch/result-files.js';
import { runBatch } from '../../../src/triage-batch/run-batch.js';
import { bytesOf, memorySink, stubClassifier } from './batch-support.js';

const options = {
  classifier: stubClassifier(),
  outputFormat: 'jsonl' as OutputFormat,
  concurrency: 4,
  withLabels: false,
  previous: null,
  signal: new AbortController().signal,
  pause: async () => {},
};

function rowOf(id: string): ResultRow {
  const texts = Object.fromEntries(RESULT_COLUMNS.map((name) => [name, id]));
  return { ...texts, confidence: -0.5 } as ResultRow;
}

describe('a batch', () => {
  test('[BATCH-01] gives one row a ticket with the keys of the contract, and one error row for what is none', async () => {
    const sink = memorySink();
    const input =
      '{"id":"a","message":"a refund!","channel":"chat","email":"x@y.z"}\nbad\n{"id":2,"text":"hello"}\n';
    const { figures } = await runBatch({ ...options, input: bytesOf(input), sink });
    expect(sink.rows.join('')).toBe(
      '{"id":"a","issue_type":"refund","priority":"high","sentiment":"frustrated","requires_human":true,"summary":"About: a refund!","language":"en","route":"escalation","escalate":true,"escalation_reason":"sentiment_priority","confidence":0.8765,"provider":"offline","llm_calls":0}\n' +
        '{"id":2,"issue_type":"general","priority":"low","sentiment":"neutral","requires_human":false,"summary":"About: hello","language":"en","route":"knowledge","escalate":false,"escalation_reason":null,"confidence":0.8765,"provider":"offline","llm_calls":0}\n',
    );
    expect(sink.errors).toEqual([
      '{"line":2,"reason":"the line is not valid JSON","code":"input_invalid"}\n',
    ]);
    expect(figures).toMatchObject({ tickets: 2, errors: 1, escalations: 1, customers: 1 });
    expect([...figures.byType, ...figures.byChannel]).toEqual([
      ['refund', 1],
      ['general', 1],
      ['chat', 1],
    ]);
  });

  test('writes CSV that reads back exactly', async () => {
    const sink = memorySink();
    const text = '=1+1, "quoted"; é';
    const input = `${JSON.stringify({ id: 'a,"b', text })}\n`;
    await runBatch({ ...options, input: bytesOf(input), sink, outputFormat: 'csv' });
    const [row] = parse(headerOf('csv') + sink.rows.join(''), { columns: true });
    expect(row).toMatchObject({
      id: 'a,"b',
      summary: `About: ${text}`,
      requires_human: 'false',
      escalation_reason: '',
    });
  });

  test.each([
    "=cmd|' /C calc'!A0",
    '+1+1',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '"=1+1"',
    "'=1+1",
    ' \u00a0=1+1',
    '＝1+1',
  ])('[ATK-15] writes no formula into CSV, and finds its id again: %j', (id) => {
    const rows = formatRow(rowOf(id), 'csv');
    const [cell, , , , , summary, , , , , confidence] = parse(rows)[0] as string[];
    expect(cell).toBe(`'${id}`);
    expect(readCell(cell ?? '')).toBe(id);
    expect(summary).toMatch(/^'/);
    expect(confidence).toBe('-0.5');
  });

  test('[ATK-15] every text comes back from CSV as it was, and none begins a formula', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ' ', '\t', '\r', '\n', 'a', '1') }),
    );
    fc.assert(
      fc.property(text, (written) => {
        const [cell = ''] = parse(formatRow(rowOf(written), 'csv'))[0] as string[];
        expect(cell).not.toMatch(/^[=+\-@\t\r]/);
        expect(readCell(cell)).toBe(written);
      }),
    );
  });

  test('tries a failing ticket again, and gives it an error row after three times', async () => {
    const sink = memorySink();
    const tries = new Map<string, number>();
    const pauses: number[] = [];
    const classifier = stubClassifier(async (text) => {
      const count = (tries.get(text) ?? 0) + 1;
      tries.set(text, count);
      if (text === 'never' || (text === 'twice' && count < 3))
        throw new HubError('model_unavailable', 'no answer\nstack');
    });
    const input = '{"id":"a","text":"twice"}\n{"id":"b","text":"never"}\n{"id":"c","text":"fine"}\n';
    await runBatch({
      ...options,
      input: bytesOf(input),
      sink,
      classifier,
      pause: async (ms) => void pauses.push(ms),
    });
    expect(sink.rows.map((row) => JSON.parse(row).id)).toEqual(['a', 'c']);
    expect(sink.errors.map((row) => JSON.parse(row))).toEqual([
      { line: 2, id: 'b', reason: 'classification failed: no answer', code: 'model_unavailable' },
    ]);
    expect(pauses.sort()).toEqual([1000, 1000, 500, 500]);
    expect(Object.fromEntries(tries)).toEqual({ twice: 3, never: 3, fine: 1 });
  });

  test('[BATCH-06] scores expected labels, however they are named', async () => {
    const input = [
      { text: 'refund', expected_issue_type: 'refund', expected_escalate: false },
      { text: 'refund', expected_issue_type: 'billing', expected_escalate: 'no' },
      { text: 'other!', issue_type: 'General', priority: 'low', expected_escalate: 'true' },
      { text: 'unlabelled' },
    ];
    const { labels } = await runBatch({
      ...options,
      input: bytesOf(input.map((row) => `${JSON.stringify(row)}\n`).join('')),
      sink: memorySink(),
      withLabels: true,
    });
    expect(labels?.issue_type).toEqual({
      total: 3,
      correct: 2,
      accuracy: 0.6667,
      macro_f1: 0.5556,
      labels: {
        billing: { precision: null, recall: 0, f1: 0, support: 1 },
        general: { precision: 1, recall: 1, f1: 1, support: 1 },
        refund: { precision: 0.5, recall: 1, f1: 0.6667, support: 1 },
      },
      confusion: { billing: { refund: 1 }, general: { general: 1 }, refund: { refund: 1 } },
    });
    expect(labels?.priority).toMatchObject({ total: 1, correct: 0, confusion: { low: { high: 1 } } });
    expect(labels?.escalate).toMatchObject({ total: 3, accuracy: 1 });
    expect(labels?.sentiment).toBeUndefined();
  });
});

describe('a batch that was cut off', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'uda-batch-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const tickets = Array.from({ length: 40 }, (_, at) => {
    if (at % 9 === 4) return '{"broken';
    if (at % 13 === 6) return '{"id":"t1","text":"again"}';
    return JSON.stringify({
      id: at % 5 === 0 ? at : `t"${at},`,
      text: at % 7 === 3 ? 'fails' : `ticket é ${at}`,
    });
  });
  const input = `${tickets.join('\n')}\n`;
  const classifier: TicketClassifier = stubClassifier(async (text) => {
    if (text === 'fails') throw new Error('broken');
  });
  const out = () => join(folder, 'out');
  const errors = () => join(folder, 'out.errors.jsonl');

  async function run(outputFormat: OutputFormat, resume: boolean, given = input, stop = options.signal) {
    const previous = resume ? await PreviousResults.read(out(), errors(), outputFormat) : null;
    const sink = new FileSink(
      { path: out(), keepBytes: previous?.keep.rows ?? 0, header: headerOf(outputFormat) },
      { path: errors(), keepBytes: previous?.keep.errors ?? 0, header: '' },
    );
    const batch = { ...options, classifier, outputFormat, sink, previous, signal: stop, withLabels: true };
    try {
      return await runBatch({ ...batch, input: bytesOf(given, 501) });
    } finally {
      await sink.close();
    }
  }
  const read = () => [readFileSync(out()), existsSync(errors()) ? readFileSync(errors()) : null] as const;

  test.each(['jsonl', 'csv'] as const)(
    '[BATCH-03] at any byte ends the same after a resume (%s)',
    async (format) => {
      const whole = await run(format, false);
      const [rows, errorRows] = read();
      const made: string[] = [];
      const cuts = Array.from({ length: Math.floor(rows.length / 97) }, (_, at) => at * 97);
      for (const cut of [...cuts, rows.length]) {
        writeFileSync(out(), rows.subarray(0, cut));
        // Errors are written before the rows of the same flush: they are never behind.
        const line = lastLineBefore(rows, cut, format, tickets);
        const behind = errorRows
          ?.toString()
          .split('\n')
          .filter((row) => row !== '' && JSON.parse(row).line <= line);
        const kept = Buffer.byteLength((behind ?? []).map((row) => `${row}\n`).join(''));
        writeFileSync(errors(), errorRows?.subarray(0, kept + (cut % 50)) ?? '');
        const { figures, labels } = await run(format, true);
        expect(read(), `cut at ${cut}`).toEqual([rows, errorRows]);
        expect({ ...figures, kept: 0 }).toEqual({ ...whole.figures, kept: 0 });
        expect(labels).toEqual(whole.labels);
        made.push(String(figures.kept));
      }
      expect(made[0]).toBe('0');
      expect(made.at(-1)).toBe(String(whole.figures.tickets));
    },
  );

  test('starts anew where there is nothing yet', async () => {
    await run('jsonl', false);
    const finished = read();
    rmSync(out());
    rmSync(errors());
    await run('jsonl', true);
    expect(read()).toEqual(finished);
  });

  test('leaves no errors file where there was no error', async () => {
    writeFileSync(errors(), '{"line":1}\n');
    await run('jsonl', false, '{"text":"fine"}\n');
    expect(existsSync(errors())).toBe(false);
  });

  test.each([
    ['another input', '{"id":"other","text":"x"}\n', /another input.*line 1/],
    ['a shorter input', `${tickets.slice(0, 20).join('\n')}\n`, /more tickets than the input/],
  ])('is not continued with %s, and its files stay as they are', async (_, other, message) => {
    await run('jsonl', false);
    const before = read();
    await expect(run('jsonl', true, other)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(message),
    });
    expect(read()).toEqual(before);
  });

  test.each([
    ['no results at all', 'dear diary'],
    ['CSV in place of JSON', headerOf('csv')],
    ['broken JSON', '{"id":"t0"\n'],
  ])('is not continued where the file holds %s', async (_, content) => {
    writeFileSync(out(), content);
    await expect(run('jsonl', true)).rejects.toMatchObject({ code: 'usage' });
    expect(readFileSync(out(), 'utf8')).toBe(content);
  });

  test('by the signal keeps a finished prefix', async () => {
    await run('jsonl', false);
    const [rows] = read();
    const stop = new AbortController();
    let seen = 0;
    const sink = new FileSink(
      { path: out(), keepBytes: 0, header: '' },
      { path: errors(), keepBytes: 0, header: '' },
    );
    const onProgress = (count: number) => {
      seen = count;
      if (count === 9) stop.abort();
    };
    const batch = { ...options, classifier, sink, signal: stop.signal, onProgress };
    const result = await runBatch({ ...batch, input: bytesOf(input) });
    await sink.close();
    expect(result.interrupted).toBe(true);
    expect(seen).toBe(9);
    const kept = readFileSync(out());
    expect(kept.toString().split('\n')).toHaveLength(10);
    expect(rows.subarray(0, kept.length)).toEqual(kept);
  });
});

/** Line of the input that the last whole row before a cut belongs to. */
function lastLineBefore(rows: Buffer, cut: number, format: OutputFormat, tickets: readonly string[]): number {
  const whole = rows.subarray(0, rows.lastIndexOf(0x0a, cut - 1) + 1).toString();
  const found =
    format === 'csv'
      ? parse(whole, { columns: true })
      : whole
          .split('\n')
          .filter(Boolean)
          .map((row) => JSON.parse(row));
  const last = found.at(-1) as { id: unknown } | undefined;
  if (last === undefined || cut === 0) return 0;
  return (
    tickets.findIndex(
      (ticket) => !ticket.startsWith('{"broken') && String(JSON.parse(ticket).id) === String(last.id),
    ) + 1
  );
}
