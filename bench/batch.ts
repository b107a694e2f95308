import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { form } from '../test/integration/online/support.js';
import { startOpenAiServer } from '../test/support/openai-server.js';
import { type ChildRun, runCommand } from './child.js';
import { barred, type Measure, plain } from './report.js';
import { writeTickets } from './tickets.js';

const CONCURRENCY = 16;
const MODEL_MS = 300;

/** Batch triage by rules: the real command, few tickets and many. */
export async function offlineBatch(quick: boolean): Promise<readonly Measure[]> {
  const [few, many] = quick ? [1_000, 10_000] : [1_000, 100_000];
  return inFolder(async (dir) => {
    const env = { HUB_DATA_DIR: join(dir, 'data'), HUB_MODEL_PROVIDER: 'offline' };
    await triage(dir, 10, env);
    const small = await triage(dir, few, env);
    const large = await triage(dir, many, env);
    const half = many / 2;
    const alone = await triage(dir, half, env, ['--workers', '1']);
    const together = await triage(dir, half, env);
    const growth = (100 * (large.peakMb - small.peakMb)) / small.peakMb;
    return [
      plain(`offline batch, ${few} tickets`, speedOf(small), 'tickets/s'),
      barred(`offline batch, ${many} tickets`, speedOf(large), 'tickets/s', { atLeast: 1_000 }),
      barred(
        'offline batch: every core against one process',
        speedOf(together) / speedOf(alone),
        'times',
        { atLeast: 1.8 },
        `${half} tickets, one after the other; two cores that do nothing else`,
      ),
      plain(`offline batch, ${few} tickets: peak memory`, small.peakMb, 'MB'),
      plain(`offline batch, ${many} tickets: peak memory`, large.peakMb, 'MB'),
      barred(
        'offline batch: memory growth',
        growth,
        '%',
        { atMost: 25 },
        'peak resident memory, few to many tickets',
      ),
    ];
  });
}

/** Batch triage by a model that takes 300 ms an answer, 16 at once. */
export async function onlineBatch(quick: boolean): Promise<readonly Measure[]> {
  const count = quick ? 240 : 800;
  const server = await startOpenAiServer();
  server.otherwise(() => ({ ...form([['a matter', 'knowledge']]), delayMs: MODEL_MS }));
  try {
    return await inFolder(async (dir) => {
      const env = {
        HUB_DATA_DIR: join(dir, 'data'),
        OPENAI_BASE_URL: server.url,
        OPENAI_API_KEY: 'not-needed',
        HUB_EMBEDDING_PROVIDER: 'local',
      };
      await triage(dir, count, env);
      const [first] = server.requests;
      const last = server.requests.at(-1);
      const seconds = ((last?.at ?? 0) - (first?.at ?? 0) + MODEL_MS) / 1000;
      const ideal = (CONCURRENCY * 1000) / MODEL_MS;
      const speed = server.requests.length / seconds;
      return [
        plain(`online batch, ${count} tickets, model of ${MODEL_MS} ms`, speed, 'tickets/s'),
        barred(
          'online batch: of the ideal',
          (100 * speed) / ideal,
          '%',
          { atLeast: 90 },
          `ideal ${ideal.toFixed(1)} tickets/s`,
        ),
        barred('online batch: model calls a ticket', server.requests.length / count, '', { atMost: 1 }),
      ];
    });
  } finally {
    server.discard();
    await server.close();
  }
}

async function triage(
  dir: string,
  count: number,
  env: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): Promise<ChildRun> {
  const input = join(dir, `tickets-${count}.jsonl`);
  await writeTickets(input, count);
  const args = [
    input,
    '--out',
    join(dir, `out-${count}.jsonl`),
    '--concurrency',
    String(CONCURRENCY),
    ...more,
  ];
  const run = await runCommand('triage', args, env);
  if (run.code !== 0) throw new Error(`npm run triage ended with ${run.code}:\n${run.stderr.slice(-2_000)}`);
  return run;
}

/** As the command itself reports it: without the time the process takes to start. */
function speedOf(run: ChildRun): number {
  return Number(/speed\s+(\d+) tickets\/s/.exec(run.stderr)?.[1] ?? Number.NaN);
}

async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
