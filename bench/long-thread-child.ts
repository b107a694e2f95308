import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryArticleIndex } from '../src/adapters/retrieval/memory-article-index.js';
import { createApp } from '../src/app/app.js';
import { parseConfig } from '../src/config/config.js';
import { spread } from './report.js';

/** What the child tells its parent: milliseconds of the processor a turn. */
export interface LongThreadResult {
  readonly points: readonly { readonly turns: number; readonly long: number; readonly short: number }[];
}

const QUESTIONS = ['How do I pause my plan?', 'How many visits do I have left?', 'Show me my bookings'];
const SHORT_TURNS = 10;
const PAIRS_A_SHORT_THREAD = 15;
const PAIRS = 60;

const points = process.argv[2]?.split(',').map(Number) ?? [];
const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
const env = { HUB_DATA_DIR: dataDir, HUB_MODEL_PROVIDER: 'offline', HUB_CHECKPOINTER: 'sqlite' };
const app = await createApp(parseConfig(env), { index: new MemoryArticleIndex(), measure: true });
const identity = await app.signIn('ana.souza@example.com');

async function thread(turns: number): Promise<() => Promise<number>> {
  const { threadId } = await app.conversations.create(identity);
  let turn = 0;
  const next = async (): Promise<number> => {
    const before = process.cpuUsage();
    const text = QUESTIONS[turn % QUESTIONS.length] ?? '';
    turn += 1;
    await app.conversations.send({ identity, threadId, text, channel: 'http' });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  while (turn < turns) await next();
  return next;
}

/** A turn of the long conversation and one of a short one by turns, so that a busy machine disturbs both alike. */
async function measure(long: () => Promise<number>): Promise<{ long: number; short: number }> {
  const [longMs, shortMs]: [number[], number[]] = [[], []];
  let short = long;
  for (let pair = 0; pair < PAIRS; pair += 1) {
    if (pair % PAIRS_A_SHORT_THREAD === 0) short = await thread(SHORT_TURNS);
    longMs.push(await long());
    shortMs.push(await short());
  }
  return { long: spread(longMs).median, short: spread(shortMs).median };
}

await thread(100);
const next = await thread(0);
let turns = 0;
const measured: LongThreadResult['points'][number][] = [];
for (const point of points) {
  for (; turns < point; turns += 1) await next();
  measured.push({ turns: point, ...(await measure(next)) });
  turns += PAIRS;
}
const result: LongThreadResult = { points: measured };
await app.close();
rmSync(dataDir, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit();
