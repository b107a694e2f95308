import { openCheckpointer } from '../../../../src/adapters/checkpoints/checkpointers.js';
import { ORDER_TREE, SHOP, TreeRunner, treePack } from './support.js';

/* A program that is killed: it runs a tree until it waits for a person, or until its second step, and says so. */

const [mode = '', dir = ''] = process.argv.slice(2);
const { saver } = openCheckpointer('sqlite', dir);
const pack = treePack(
  ORDER_TREE,
  mode === 'waiting' ? { human_handoff: { triggers: { low_confidence: { threshold: 0.7 } } } } : {},
);
const tell = (): void => void process.stdout.write(`${mode}\n`);
const runner = new TreeRunner({
  sql: SHOP,
  saver,
  beforeQuery: async (sql) => {
    if (mode !== 'step-2' || !sql.includes('payments')) return;
    tell();
    await new Promise(() => undefined);
  },
});
const idle = setInterval(() => undefined, 1_000);
await runner.run(pack, { order_id: 'o2' }, { runId: mode });
tell();
idle.ref();
