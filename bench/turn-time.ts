import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryArticleIndex } from '../src/adapters/retrieval/memory-article-index.js';
import { type App, createApp } from '../src/app/app.js';
import { parseConfig } from '../src/config/config.js';
import type { Identity } from '../src/core/domain/customer.js';
import { bareGraph } from './bare-graph.js';
import { barred, type Measure, plain, spread } from './report.js';

const QUESTIONS = [
  { text: 'How do I pause my plan?', email: null },
  { text: 'How many visits do I have left?', email: 'ana.souza@example.com' },
  { text: 'Show me my bookings', email: 'ana.souza@example.com' },
  { text: 'Como funciona o reembolso?', email: null },
] as const;

/** Turns before which nothing is measured: the engine compiles what is used often. */
const WARM_UP = 100;

/**
 * The hub's own time in an offline turn: real graph, SQLite and retrieval, no model and no network. Wall time and
 * processor time of the process; a bare graph of the same shape, which does nothing, runs in turns with it.
 */
export async function turnTime(quick: boolean): Promise<readonly Measure[]> {
  const turns = quick ? 60 : 240;
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const app = await createApp(parseConfig({ HUB_DATA_DIR: dataDir, HUB_MODEL_PROVIDER: 'offline' }), {
    index: new MemoryArticleIndex(),
  });
  const bare = bareGraph();
  const hubWall: number[] = [];
  const hubCpu: number[] = [];
  const bareCpu: number[] = [];
  for (let turn = 0; turn < WARM_UP + turns; turn += 1) {
    const hub = await timed(() => ask(app, turn));
    const floor = await timed(() => bare(turn));
    if (turn < WARM_UP) continue;
    hubWall.push(hub.wall);
    hubCpu.push(hub.cpu);
    bareCpu.push(floor.cpu);
  }
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
  const [wall, cpu, floor] = [spread(hubWall), spread(hubCpu), spread(bareCpu)];
  return [
    barred('offline turn: median', wall.median, 'ms', { atMost: 15 }, 'wall time; a busy machine adds to it'),
    plain('offline turn: p95', wall.p95, 'ms'),
    plain('offline turn: median processor time', cpu.median, 'ms'),
    plain('bare graph of the same shape: median processor time', floor.median, 'ms', 'LangGraph alone'),
    plain('offline turn / bare graph', cpu.median / floor.median, 'times'),
  ];
}

async function ask(app: App, turn: number): Promise<void> {
  const question = QUESTIONS[turn % QUESTIONS.length] ?? QUESTIONS[0];
  const identity: Identity =
    question.email === null ? { kind: 'anonymous' } : await app.signIn(question.email);
  // Four questions a conversation, so that history is part of it.
  const threadId = `thr_bench_${Math.floor(turn / 16)}_${turn % QUESTIONS.length}`;
  await app.handle({ identity, text: question.text, channel: 'chat', threadId });
}

async function timed(work: () => Promise<unknown>): Promise<{ readonly wall: number; readonly cpu: number }> {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}
