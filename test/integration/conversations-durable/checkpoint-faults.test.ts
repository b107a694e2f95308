import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import {
  effects,
  expectBooksToAgree,
  newRefunds,
  OPERATOR,
  outcomeOf,
  reservationStatus,
  timesTold,
} from '../safety/books.js';
import { inboxRows, openTalk, SAMBA, spoken, type Talk, VISITS } from './support.js';

const NEEDS_OPERATOR = 'cancel my reservation for Elis: The Musical';
/** Up to more writes than a turn has. */
const YES = Array.from({ length: 14 }, (_, index) => index);
const SOME = [0, 1, 3, 5, 7, 9, 11];

let talk: Talk | null = null;
afterEach(async () => {
  await talk?.hub.close();
  talk = null;
});

/** A conversation whose checkpoints can be written so many times more, and then not until they are mended. */
async function failing(): Promise<{ talk: Talk; failAfter(writes: number): void; mend(): void }> {
  talk = await openTalk();
  const { dataDir } = talk.hub;
  const exec = (sql: string): void => {
    const checkpoints = new Database(join(dataDir, 'checkpoints.db'), { timeout: 5_000 });
    checkpoints.exec(sql);
    checkpoints.close();
  };
  const trigger = (table: string): string =>
    `CREATE TRIGGER fault_${table} BEFORE INSERT ON ${table} BEGIN
       SELECT RAISE(ABORT, 'the disk is gone') WHERE (SELECT writes FROM fault) <= 0;
       UPDATE fault SET writes = writes - 1;
     END;`;
  return {
    talk,
    failAfter: (writes) =>
      exec(
        `CREATE TABLE fault (writes INTEGER); INSERT INTO fault VALUES (${writes});
         ${trigger('checkpoints')} ${trigger('writes')}`,
      ),
    mend: () => exec('DROP TRIGGER fault_checkpoints; DROP TRIGGER fault_writes; DROP TABLE fault'),
  };
}

describe('checkpoints that cannot be written', () => {
  it.each(YES)(
    '[CNV-24] after %i writes of a yes: what fails moved no money, and each message is answered once',
    async (writes) => {
      const { talk: one, failAfter, mend } = await failing();
      const { hub, threadId, send } = one;
      await send(SAMBA);
      failAfter(writes);
      const outcome = await outcomeOf(send('yes', 'yes'));
      expect(['resolved', 'database_failed']).toContain(outcome);
      if (outcome !== 'resolved') {
        expect(effects(hub)).toEqual([]);
        expect(reservationStatus(hub, 'res_002')).toBe('reserved');
      }
      mend();
      expect((await send('yes', 'yes')).reply).toContain('Done');
      expect(newRefunds(hub)).toHaveLength(1);
      expect(timesTold(hub, threadId, /Done/)).toBe(1);
      expect(spoken(hub, threadId).map(({ role }) => role)).toEqual(['customer', 'hub', 'customer', 'hub']);
      expect((await send(VISITS)).reply).toMatch(/^You have \d visits? left/);
      expect(inboxRows(hub).every(({ status }) => status === 'answered')).toBe(true);
      expectBooksToAgree(hub);
    },
  );

  it.each(SOME)(
    '[CNV-24] after %i writes of a yes that operators must agree to: where it fails, none is asked',
    async (writes) => {
      const { talk: one, failAfter, mend } = await failing();
      const { hub, threadId, send } = one;
      const asked = await send(NEEDS_OPERATOR);
      failAfter(writes);
      const outcome = await outcomeOf(send('yes', 'yes'));
      const open = await hub.app.desk.approvals();
      expect(open).toHaveLength(outcome === 'resolved' ? 1 : 0);
      mend();
      const told = outcome === 'resolved' ? await send('yes', 'yes') : await send('no', 'no');
      expect(told.pending?.kind).toBe(outcome === 'resolved' ? 'approval' : undefined);
      expect(told.ticketId).toBe(asked.ticketId);
      expect(spoken(hub, threadId).at(-1)?.role).toBe('hub');
      expect(effects(hub)).toEqual([]);
    },
  );

  it.each(SOME)(
    '[CNV-24] after %i writes of an approval: what fails moved no money, and the customer is told once',
    async (writes) => {
      const { talk: one, failAfter, mend } = await failing();
      const { hub, threadId, send } = one;
      await send(NEEDS_OPERATOR);
      const { pending } = await send('yes');
      failAfter(writes);
      const outcome = await outcomeOf(hub.app.desk.approve(pending?.id ?? '', OPERATOR));
      expect(['resolved', 'database_failed']).toContain(outcome);
      if (outcome !== 'resolved') expect(effects(hub)).toEqual([]);
      mend();
      await hub.another();
      expect(newRefunds(hub)).toHaveLength(1);
      expect(timesTold(hub, threadId, /Done/)).toBe(1);
      expectBooksToAgree(hub);
    },
  );

  it.each([0, 1])('[CNV-24] after %i writes of a question: it is answered once', async (writes) => {
    const { talk: one, failAfter, mend } = await failing();
    const { hub, threadId, send } = one;
    await send('hello');
    failAfter(writes);
    const outcome = await outcomeOf(send(VISITS, 'm'));
    expect(['resolved', 'database_failed']).toContain(outcome);
    mend();
    expect((await send(VISITS, 'm')).reply).toMatch(/visits? left/);
    expect(spoken(hub, threadId).map(({ role }) => role)).toEqual(['customer', 'hub', 'customer', 'hub']);
    expect(inboxRows(hub).every(({ status }) => status === 'answered')).toBe(true);
  });
});
