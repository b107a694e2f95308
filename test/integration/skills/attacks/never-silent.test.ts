import { afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../../support/hub.js';
import { writeNaivePacks } from './naive-packs.js';

const ANA = 'ana.souza@example.com';
const GIRAFFE = 'the purple giraffe is broken and does not work';

let hub: Hub | undefined;
afterEach(() => hub?.close());

const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)';

describe('a customer whose symptom a faulty pack is for', () => {
  const packs = {
    'names a table that is not there': { sql: 'SELECT * FROM nothing_of_the_kind' },
    'asks a database that is not there': { sql: 'SELECT 1', database: 'nowhere' },
    'answers without end': { sql: `${ENDLESS} SELECT x FROM n` },
    'tells nothing': { sql: 'SELECT 1 AS a', customerMessage: ' ' },
    'tells what looks like a template': { sql: "SELECT '{{#a}} {customer.email} {% x %}' AS a" },
    'advises an action that is not there': {
      sql: 'SELECT 1 AS a',
      recommended: '{ action: drop_everything, priority: high, arguments: { user_id: usr_002 } }',
    },
    'advises with arguments that do not fit': {
      sql: 'SELECT 1 AS a',
      recommended: '{ action: process_refund, priority: high, arguments: { all: true } }',
    },
  };
  it.each(Object.entries(packs))('[SKB-02 SKH-02] that %s is answered', async (_what, pack) => {
    hub = await openHub({ env: { HUB_SKILLS_DIR: writeNaivePacks([{ id: 'faulty', ...pack }]) } });
    const before = hub.dump('cultpass');
    const reply = await hub.say(ANA, GIRAFFE);
    expect(reply.reply.trim()).not.toBe('');
    expect(reply.pending).toBeNull();
    expect(hub.dump('cultpass')).toEqual(before);
    const next = await hub.say(ANA, 'How many visits do I have left?', reply.threadId);
    expect(next.agents).toContain('account');
  });
});
