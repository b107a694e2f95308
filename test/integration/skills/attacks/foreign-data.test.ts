import { afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../../support/hub.js';
import { writeNaivePacks } from './naive-packs.js';

const ANA = { kind: 'customer', customerId: 'usr_001' } as const;
const BRUNO = { kind: 'customer', customerId: 'usr_002' } as const;

const STATEMENTS = [
  'SELECT * FROM users',
  'SELECT * FROM main.users',
  'SELECT full_name FROM users UNION SELECT full_name FROM users UNION ALL SELECT email FROM users',
  'SELECT * FROM "users", reservations, payments, subscriptions, refunds',
  'SELECT * FROM UsErS /* usr_002 */',
  'SELECT * FROM pragma_table_list',
  'SELECT * FROM sqlite_master',
  'SELECT * FROM temp.users',
  'WITH users2 AS (SELECT * FROM users) SELECT * FROM users2',
  "SELECT * FROM payments WHERE user_id = 'usr_002' OR 1 = 1",
  'SELECT * FROM refunds',
  'VALUES ((SELECT group_concat(email) FROM users))',
];

let hub: Hub | undefined;
afterEach(() => hub?.close());

describe("another customer's data", () => {
  it('[SKS-05] is out of reach of any statement of any pack', async () => {
    const dir = writeNaivePacks(STATEMENTS.map((sql, at) => ({ id: `naive_${at}`, sql })));
    hub = await openHub({ env: { HUB_SKILLS_DIR: dir } });
    const others = hub.query('cultpass', `SELECT * FROM users WHERE user_id <> 'usr_001'`);
    const { skills } = hub.app;
    expect(skills.list()).toHaveLength(STATEMENTS.length);
    for (const { id } of skills.list()) {
      const run = await skills.run({ skillId: id, input: {}, caller: ANA });
      const text = JSON.stringify(run);
      for (const other of others) {
        expect(text, id).not.toContain(String(other.email));
        expect(text, id).not.toContain(`"${String(other.user_id)}"`);
      }
    }
  });

  it("[SKS-05] is out of reach through the hub's own database", async () => {
    const dir = writeNaivePacks([
      { id: 'naive_hub', database: 'udahub', sql: 'SELECT * FROM tickets' },
      { id: 'naive_messages', database: 'udahub', sql: 'SELECT * FROM ticket_messages' },
    ]);
    hub = await openHub({ env: { HUB_SKILLS_DIR: dir } });
    await hub.say('bruno.lima@example.com', 'my secret word is marzipan');
    for (const { id } of hub.app.skills.list()) {
      const run = await hub.app.skills.run({ skillId: id, input: {}, caller: ANA });
      expect(JSON.stringify(run)).not.toContain('marzipan');
    }
  });

  it('[SKS-05 SKB-03] is out of reach through the name of a run', async () => {
    const dir = writeNaivePacks([{ id: 'naive', sql: 'SELECT full_name FROM users' }]);
    hub = await openHub({ env: { HUB_SKILLS_DIR: dir } });
    const { skills } = hub.app;
    const runs = await Promise.allSettled([
      skills.run({ skillId: 'naive', input: {}, caller: ANA, runId: 'run_same' }),
      skills.run({ skillId: 'naive', input: {}, caller: BRUNO, runId: 'run_same' }),
    ]);
    expect(runs.map((run) => run.status)).toEqual(['fulfilled', 'rejected']);
    expect(await skills.show('run_same', BRUNO)).toBeNull();
    await expect(
      skills.run({ skillId: 'naive', input: {}, caller: BRUNO, runId: 'run_same' }),
    ).rejects.toMatchObject({ code: 'run_unknown' });
    await expect(
      skills.resume('run_same', { choice: 'A', by: 'x' }, { caller: BRUNO }),
    ).rejects.toMatchObject({ code: 'run_unknown' });
  });
});
