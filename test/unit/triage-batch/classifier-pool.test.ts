import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { createClassifierPool } from '../../../src/adapters/processes/classifier-pool.js';
import { batchClassifier } from '../../../src/app/providers.js';
import { escalatingClassifier } from '../../../src/company/escalating-classifier.js';
import { parseConfig } from '../../../src/config/config.js';
import type { TicketClassifier, TriageResult } from '../../../src/core/ports/chat-models.js';
import { createNluClassifier } from '../../../src/nlu/index.js';
import { runBatch } from '../../../src/triage-batch/run-batch.js';
import { noLog } from '../../integration/data/children/support.js';
import { sharedResources } from '../../support/company.js';
import { bytesOf, memorySink } from './batch-support.js';

const said = (text: string) => ({ said: text }) as unknown as TriageResult;
const TEXTS = Array.from({ length: 200 }, (_, at) => `text ${at}`);

function poolOf(setup: object, local: TicketClassifier['classify'] = async (text) => said(`here: ${text}`)) {
  const lost: string[] = [];
  const program = new URL('./children/stub-classifier.mjs', import.meta.url);
  const onLost = (why: string) => void lost.push(why);
  const pool = createClassifierPool({ program, setup, workers: 2, local: { classify: local }, onLost });
  return { pool, lost };
}

describe('classification in several processes', () => {
  test('[BATCH-08] works a ticket once more whose process has ended, and refuses what ends a second one', async () => {
    const { pool, lost } = poolOf({ deadly: 'text 77' });
    expect(await pool.ready()).toHaveLength(2);
    const results = await Promise.allSettled(TEXTS.map((text) => pool.classify(text)));
    pool.close();
    expect(lost).toEqual(['code 3', 'code 3']);
    const [refused, ...more] = results.filter(({ status }) => status === 'rejected');
    expect(more).toEqual([]);
    expect(refused).toMatchObject({ reason: { code: 'input_invalid' } });
    expect(results.map((one) => (one.status === 'fulfilled' ? one.value : null))).toEqual(
      TEXTS.map((text) => (text === 'text 77' ? null : said(text))),
    );
  });

  test('[BATCH-08] works here while no process is ready, or where none can be had', async () => {
    const { pool, lost } = poolOf({ startless: true });
    expect(await pool.classify('few')).toEqual(said('here: few'));
    expect(await pool.ready()).toEqual([]);
    expect(await Promise.all(TEXTS.map((text) => pool.classify(text)))).toEqual(
      TEXTS.map((text) => said(`here: ${text}`)),
    );
    expect(lost).toEqual(['code 4', 'code 4']);
    pool.close();
  });

  test('[BATCH-08] writes the same bytes as one process, also where one was killed', async () => {
    const resources = (await sharedResources(parseConfig({}))).resources;
    if (!resources) throw new Error('the company that ships is shared');
    const { company, nlu } = resources;
    const texts = ['I was charged twice!!', 'Quero cancelar a reserva de quinta', 'which museums are open?'];
    const input = TEXTS.map((id, at) => JSON.stringify({ id, message: `${texts[at % 3]} (${at})` })).join(
      '\n',
    );
    const lost: string[] = [];
    const classifier = escalatingClassifier(createNluClassifier(nlu), company.profile);
    const made = (workers: number) =>
      batchClassifier(
        { company, classifier, provider: 'offline', log: noLog },
        { workers, onLost: (why) => void lost.push(why) },
      );
    const rowsOf = async (classifier: TicketClassifier, onProgress: (tickets: number) => void) => {
      const sink = memorySink();
      await runBatch({
        ...{ input: bytesOf(input, 1_000), classifier, sink, onProgress, outputFormat: 'jsonl' },
        ...{ concurrency: 64, withLabels: false, previous: null, pause: async () => {} },
        signal: new AbortController().signal,
      });
      return { rows: sink.rows.join(''), errors: sink.errors };
    };
    const pool = made(2);
    const [first = 0] = await pool.ready();
    const inProcesses = await rowsOf(pool, (tickets) => {
      if (tickets === 20) process.kill(first, 'SIGKILL');
    });
    pool.close();
    expect(inProcesses).toEqual(await rowsOf(made(1), () => {}));
    expect(inProcesses).toMatchObject({ rows: expect.stringMatching(/^(?:.+\n){200}$/), errors: [] });
    expect(lost).toEqual(['SIGKILL']);
  });
});
