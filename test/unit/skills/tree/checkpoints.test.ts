import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotation, END, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckpointer } from '../../../../src/adapters/checkpoints/checkpointers.js';
import type { SkillOutcome } from '../../../../src/skills/run/run-context.js';
import { programOf } from '../../../support/child-process.js';
import { ORDER_TREE, SHOP, TreeRunner, treePack } from './support.js';

const asking = treePack(ORDER_TREE, { human_handoff: { triggers: { low_confidence: { threshold: 0.7 } } } });
const plain = treePack(ORDER_TREE);
const input = { order_id: 'o2' };

describe('[SKT-04] state on disk', () => {
  let dir: string;
  const savers: { close(): void }[] = [];
  const runnerOnDisk = (options = {}): TreeRunner => {
    const opened = openCheckpointer('sqlite', dir);
    savers.push(opened);
    return new TreeRunner({ sql: SHOP, saver: opened.saver, ...options });
  };
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hub-tree-'));
  });
  afterEach(() => {
    for (const saver of savers.splice(0)) saver.close();
    rmSync(dir, { recursive: true });
  });

  it('[SKT-04] goes on in another instance, from a pack that was loaded anew', async () => {
    const first = runnerOnDisk();
    const asked = await first.ask(asking, input);
    const second = runnerOnDisk();
    const again = treePack(ORDER_TREE, {
      human_handoff: { triggers: { low_confidence: { threshold: 0.7 } } },
    });
    expect(await second.ask(again, input)).toEqual(asked);
    const found = await second.find(again, input, { answer: 'A' });
    expect(found).toMatchObject({ root_cause: 'all_is_well', path: ['order', 'payments'] });
    expect(found.evidence).toEqual(asked.found);
    expect(second.statements).toEqual([]);
  });

  it('[SKT-04] survives a process that is killed while it waits, and one that is killed between two steps', async () => {
    for (const mode of ['waiting', 'step-2']) {
      await killedIn(mode, dir);
      const after = runnerOnDisk();
      if (mode === 'waiting') {
        expect((await after.find(asking, input, { answer: 'A', runId: mode })).root_cause).toBe(
          'all_is_well',
        );
        expect(after.statements).toEqual([]);
      } else {
        // Nothing was concluded and nothing was changed, so the run begins anew.
        expect(await after.find(plain, input, { runId: mode })).toMatchObject({
          root_cause: 'all_is_well',
          path: ['order', 'payments'],
          steps_completed: 2,
        });
        expect(after.statements).toHaveLength(2);
      }
    }
  });

  it('[SKT-04] knows nothing of an earlier run of the same id that broke off', async () => {
    const broken = runnerOnDisk({
      beforeQuery: (sql: string) => {
        if (sql.includes('payments')) throw new TypeError('broken');
      },
    });
    await expect(broken.run(plain, input)).rejects.toMatchObject({ code: 'internal' });
    const found = await runnerOnDisk().find(plain, { order_id: 'o9' });
    expect(found).toMatchObject({ root_cause: 'no_order', path: ['order'], steps_completed: 1 });
  });
});

describe('[SKT-04] a tree that is run inside of another graph', () => {
  const Outer = Annotation.Root({ outcome: Annotation<SkillOutcome>, asked: Annotation<string> });

  /** A graph with a subgraph whose node runs a tree, as a tool of an agent does. */
  function outerGraph(run: () => Promise<SkillOutcome>, saver = new MemorySaver()) {
    const agent = new StateGraph(Outer)
      .addNode('tools', async () => ({ outcome: await run() }))
      .addEdge(START, 'tools')
      .addEdge('tools', END)
      .compile({ checkpointer: true });
    return new StateGraph(Outer)
      .addNode('agent', agent)
      .addNode('gate', () => ({ asked: interrupt<string, string>('Shall it be done?') }))
      .addEdge(START, 'agent')
      .addEdge('agent', 'gate')
      .addEdge('gate', END)
      .compile({ checkpointer: saver });
  }

  it('[SKT-04] pauses by itself: the outer graph goes on, and its own pause is its only one', async () => {
    const runner = new TreeRunner({ sql: SHOP });
    const saver = new MemorySaver();
    const outer = outerGraph(() => runner.run(asking, input, { runId: 'inner' }), saver);
    const config = { configurable: { thread_id: 'outer' } };
    const state = (await outer.invoke({}, config)) as { outcome: SkillOutcome };
    expect(state.outcome).toMatchObject({ status: 'waiting', handoff: { trigger: 'low_confidence' } });
    const { tasks } = await outer.getState(config);
    expect(tasks.flatMap((task) => task.interrupts.map(({ value }) => value))).toEqual(['Shall it be done?']);
    // Its state is under its own id, with its own saver, whoever asks for it.
    expect(await saver.getTuple({ configurable: { thread_id: 'inner' } })).toBeUndefined();
    expect(await runner.saver.getTuple({ configurable: { thread_id: 'outer' } })).toBeUndefined();
    expect((await runner.find(asking, input, { runId: 'inner', answer: 'A' })).root_cause).toBe(
      'all_is_well',
    );
  });

  it('[SKT-04] is resumed from within another graph as well, and ends there', async () => {
    const runner = new TreeRunner({ sql: SHOP });
    await runner.ask(asking, input, { runId: 'inner' });
    // Both on one saver, as where the hub keeps everything in one file.
    const outer = outerGraph(
      () => runner.run(asking, input, { runId: 'inner', answer: 'A' }),
      runner.saver as MemorySaver,
    );
    const state = (await outer.invoke({}, { configurable: { thread_id: 'outer' } })) as {
      outcome: SkillOutcome;
    };
    expect(state.outcome).toMatchObject({ status: 'done', result: { value: { root_cause: 'all_is_well' } } });
  });

  it('[SKT-04] without a pause leaves no trace in the outer graph', async () => {
    const runner = new TreeRunner({ sql: SHOP });
    const saver = new MemorySaver();
    const outer = outerGraph(() => runner.run(plain, { order_id: 'o1' }, { runId: 'inner' }), saver);
    const config = { configurable: { thread_id: 'outer' } };
    const pieces: string[] = [];
    for await (const [path] of await outer.stream(
      {},
      { ...config, subgraphs: true, streamMode: ['updates'] },
    )) {
      pieces.push(path.join('/').replace(/:[^/]*/g, ''));
    }
    expect(new Set(pieces)).toEqual(new Set(['agent', '']));
    expect((await outer.getState(config)).values.outcome.status).toBe('done');
  });
});

/** Starts a process that runs the order tree, and kills it when it says that it is there. */
async function killedIn(mode: string, dir: string): Promise<void> {
  const program = programOf(new URL('./killed-run.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [program, mode, dir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (piece) => {
    errors += String(piece);
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', () => reject(new Error(`It ended by itself: ${errors}`)));
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
