import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { MemoryArticleIndex } from '../src/adapters/retrieval/memory-article-index.js';
import { createApp } from '../src/app/app.js';
import { parseConfig } from '../src/config/config.js';
import { ANONYMOUS } from '../src/core/domain/customer.js';
import { barred, type Measure, plain } from './report.js';

const TURNS = 400;
const PADDING = 'and this is what happened, as far as I can tell, in one more sentence. ';

/** A message of a kilobyte that is answered without asking back. */
export function longQuestion(turn: number): string {
  return `How do I pause my plan? Note ${turn}: ${PADDING.repeat(20)}`.slice(0, 1_024);
}

/** Bytes of an SQLite database on disk, with its write-ahead log. */
export function bytesOnDisk(path: string): number {
  return ['', '-wal']
    .map((suffix) => statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

/** What a long conversation leaves on disk, and what the library's own saver leaves of a plain one. */
export async function checkpointGrowth(quick: boolean): Promise<readonly Measure[]> {
  const turns = quick ? 50 : TURNS;
  const name = `${turns} turns of 1 KB`;
  const hub = await hubGrowth(turns);
  const measures = [
    barred(`checkpoints of ${name}`, hub.at(-1) ?? 0, 'MB', { atMost: 20 }),
    plain(`checkpoints of ${name}, at half of them`, hub[0] ?? 0, 'MB', 'linear: half of it or more'),
  ];
  return [...measures, plain(`the library's SQLite saver, ${name}`, await plainGrowth(turns), 'MB')];
}

/** @returns megabytes at half of the turns and at their end */
async function hubGrowth(turns: number): Promise<readonly number[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const env = { HUB_DATA_DIR: dataDir, HUB_MODEL_PROVIDER: 'offline', HUB_CHECKPOINTER: 'sqlite' };
  const app = await createApp(parseConfig(env), { index: new MemoryArticleIndex() });
  const sizes: number[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    await app.handle({
      identity: ANONYMOUS,
      text: longQuestion(turn),
      channel: 'chat',
      threadId: 'thr_growth',
    });
    if (turn === Math.floor(turns / 2) || turn === turns)
      sizes.push(bytesOnDisk(join(dataDir, 'checkpoints.db')) / 1e6);
  }
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
  return sizes;
}

/** One node that answers: the least a conversation can be. */
async function plainGrowth(turns: number): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const path = join(dir, 'plain.db');
  const saver = SqliteSaver.fromConnString(path);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('answer', () => ({ messages: [new AIMessage('a'.repeat(1_024))] }))
    .addEdge(START, 'answer')
    .addEdge('answer', END)
    .compile({ checkpointer: saver });
  for (let turn = 1; turn <= turns; turn += 1) {
    const messages = [new HumanMessage(longQuestion(turn))];
    await graph.invoke({ messages }, { configurable: { thread_id: 'growth' } });
  }
  const size = bytesOnDisk(path) / 1e6;
  saver.db.close();
  rmSync(dir, { recursive: true, force: true });
  return size;
}
