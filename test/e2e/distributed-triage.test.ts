import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { until } from '../support/until.js';
import { finished, makeFolder, runHere, startCli } from './cli-process.js';

const folder = makeFolder();
const file = (name: string): string => join(folder.path, name);
let postgres: TestPostgres;
const started: ReturnType<typeof startCli>[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await postgres.close();
  folder.remove();
});

const env = (): Record<string, string> => ({
  HUB_DATABASE_URL: postgres.url,
  CHROMA_URL: 'http://127.0.0.1:9',
});
function start(script: string, args: readonly string[]) {
  const child = startCli(script, args, { dataDir: folder.dataDir, env: env() });
  started.push(child);
  return { child, end: finished(child) };
}
async function startWorker() {
  const worker = start('worker', ['--processes', '1']);
  await new Promise<void>((resolve, reject) => {
    worker.child.stderr.on('data', (text: string) => {
      if (text.includes('The worker is ready.')) resolve();
    });
    void worker.end.then(({ err }) => reject(new Error(err)));
  });
  return worker;
}
async function jobs(): Promise<{ readonly waiting: number; readonly active: number; readonly all: number }> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT count(*) FILTER (WHERE state IN ('created', 'retry'))::integer AS waiting,
         count(*) FILTER (WHERE state = 'active')::integer AS active, count(*)::integer AS all
       FROM udahub_jobs.job WHERE name LIKE 'triage-%'`,
    );
    return rows[0];
  } catch {
    return { waiting: 0, active: 0, all: 0 };
  } finally {
    await client.end();
  }
}

const PARTS = {
  what: [
    'cancel my booking',
    'refund the second charge',
    'pause my plan',
    'log in',
    'find a concert',
    'reset my password',
  ],
  who: [
    'Please help, I want to',
    'Oi, não consigo',
    'For the third time: I cannot',
    'How do I',
    'My friend says one can',
  ],
  when: ['today', 'amanhã de manhã', 'on Friday, 12 May', 'as soon as possible!!!', 'sem pressa'],
} as const;
const pick = <T>(of: readonly T[], at: number): T => of[at % of.length] as T;
const ticket = (at: number): string =>
  JSON.stringify({
    id: `t${at}`,
    message: `${pick(PARTS.who, at)} ${pick(PARTS.what, at * 7)} ${pick(PARTS.when, at * 3)}, number ${at}\u0000`,
  });

describe('triage by all workers of one database', () => {
  test('[BGW-01 BGW-02] is byte for byte what one machine makes, also where workers are killed over it', async () => {
    const lines = [...Array.from({ length: 1_500 }, (_, at) => ticket(at)), '{"id":"broken', '{"id":"none"}'];
    writeFileSync(file('in.jsonl'), `${lines.join('\n')}\n`);
    const alone = await runHere('triage', [file('in.jsonl'), '--out', file('alone.jsonl')], {
      dataDir: file('var-alone'),
    });
    expect(alone.code).toBe(1);

    const [frozen, killed] = [await startWorker(), await startWorker()];
    const batch = start('triage', [
      file('in.jsonl'),
      '--out',
      file('out.jsonl'),
      '--distributed',
      '--workers',
      '1',
    ]);
    await until(async () => (await jobs()).active >= 4);
    frozen.child.kill('SIGSTOP');
    // All that is left is what the frozen one has.
    await until(async () => {
      const { waiting, active } = await jobs();
      return waiting === 0 && active > 0 && active <= 2;
    });
    killed.child.kill('SIGKILL');
    frozen.child.kill('SIGKILL');
    const { code, err } = await batch.end;
    expect(code, err).toBe(1);
    for (const name of ['jsonl', 'jsonl.errors.jsonl'])
      expect(readFileSync(file(`out.${name}`), 'utf8')).toBe(readFileSync(file(`alone.${name}`), 'utf8'));
    expect(readFileSync(join(folder.dataDir, 'hub.log'), 'utf8')).toContain('"job_left"');
    expect((await jobs()).all).toBe(0);
  });

  test('[BGW-01] needs a database that the workers share', async () => {
    writeFileSync(file('one.jsonl'), `${ticket(1)}\n`);
    const { code, err } = await runHere('triage', [file('one.jsonl'), '--distributed'], {
      dataDir: file('var-alone'),
    });
    expect(code).toBe(2);
    expect(err).toContain('--distributed needs HUB_DATABASE_URL');
  });
});
