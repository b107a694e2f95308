import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { createFixedClock } from '../../support/fixed-clock.js';
import { type Hub, openHub } from '../../support/hub.js';
import {
  ANA,
  auditRows,
  effects,
  expectBooksToAgree,
  hubMessages,
  newRefunds,
  OPERATOR,
  reservationStatus,
} from './books.js';

type File = 'cultpass.db' | 'udahub.db' | 'checkpoints.db';
const FILES: readonly File[] = ['cultpass.db', 'udahub.db', 'checkpoints.db'];
const WAL_HEADER = 32;
const FRAME = 24 + 4096;

const dirs: string[] = [];
const hubs: Hub[] = [];
afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.close();
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const start = async (): Promise<Hub> => {
  const hub = await openHub({ checkpointer: 'sqlite' });
  hubs.push(hub);
  return hub;
};

function newDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hub-cut-'));
  dirs.push(dir);
  return dir;
}

/** The files of a hub that runs, as they are on the disk now: what a power cut at this moment would leave at best. */
function snapshot(hub: Hub): string {
  const dir = newDir();
  for (const file of FILES) copyDatabase(hub.dataDir, dir, file);
  copyFileSync(join(hub.dataDir, 'data-directory.json'), join(dir, 'data-directory.json'));
  return dir;
}

function copyDatabase(from: string, to: string, file: File): void {
  for (const name of [file, `${file}-wal`]) {
    rmSync(join(to, name), { force: true });
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

/** A directory in which one database is of another time than the rest. */
function mixed(rest: string, other: string, file: File): string {
  const dir = newDir();
  cpSync(rest, dir, { recursive: true });
  copyDatabase(other, dir, file);
  return dir;
}

/** After a power cut the holders are gone, which the hub sees by itself; here they are this very process, and live. */
function endLeases(dataDir: string): void {
  const db = new BetterSqlite3(join(dataDir, 'udahub.db'));
  try {
    db.exec('DELETE FROM thread_leases');
  } finally {
    db.close();
  }
}

/** A minute later, as after a machine has come up again. */
async function startOn(dataDir: string, from: Hub): Promise<Hub> {
  endLeases(dataDir);
  const clock = createFixedClock(new Date(from.clock.now().getTime() + 60_000).toISOString());
  const hub = await openHub({ checkpointer: 'sqlite', dataDir, clock });
  hubs.push(hub);
  return hub;
}

const logged = (hub: Hub, action: string) => hub.log.entries.filter((entry) => entry.action === action);
const openFaults = (hub: Hub) =>
  hub.query(
    'udahub',
    `SELECT e.ticket_id, e.summary, t.owner, t.status, t.customer_id FROM escalations e JOIN tickets t USING (ticket_id)
     WHERE e.status = 'open' AND e.reason = 'fault'`,
  );
const questions = (hub: Hub) =>
  hub.query('udahub', 'SELECT pending_id, kind, status FROM approvals ORDER BY seq');
/** The tables that a start that has nothing to mend leaves alone. */
const books = (hub: Hub) => {
  const { approvals, audit_log, escalations, tickets, ticket_messages } = hub.dump('udahub');
  const { refunds, action_ledger, reservations } = hub.dump('cultpass');
  return {
    approvals,
    audit_log,
    escalations,
    tickets,
    ticket_messages,
    refunds,
    action_ledger,
    reservations,
  };
};

/** A booking that was paid is cancelled at the customer's word, and the customer is told. */
async function cancelled() {
  const hub = await start();
  const before = snapshot(hub);
  const asked = await hub.say(ANA, 'cancel my samba booking');
  const between = snapshot(hub);
  const done = await hub.say(ANA, 'yes', asked.threadId);
  expect(done.reply).toMatch(/^Done: "Samba Night/);
  expect(newRefunds(hub)).toHaveLength(1);
  return { hub, asked, before, between, after: snapshot(hub), id: asked.pending?.id ?? '' };
}

/** One that needs an operator, and gets it. */
async function approved() {
  const hub = await start();
  const asked = await hub.say(ANA, 'Please cancel my reservation res_001');
  await hub.say(ANA, 'yes', asked.threadId);
  const [approval] = await hub.app.desk.approvals();
  expect(approval).toBeDefined();
  const between = snapshot(hub);
  const id = approval?.pendingId ?? '';
  await hub.app.desk.approve(id, OPERATOR);
  expect(effects(hub)).toMatchObject([{ idempotency_key: id }]);
  return { hub, asked, between, after: snapshot(hub), id };
}

describe('[ATK-02] a refund that was acknowledged and is lost', () => {
  it('is made again at the next start, once, without telling the customer twice', async () => {
    const { hub, asked, between, after, id } = await cancelled();
    const again = await startOn(mixed(after, between, 'cultpass.db'), hub);
    expect(newRefunds(again)).toEqual(newRefunds(hub));
    expect(effects(again)).toEqual(effects(hub));
    expect(reservationStatus(again, 'res_002')).toBe('cancelled');
    expect(hubMessages(again, asked.threadId)).toEqual(hubMessages(hub, asked.threadId));
    expect(logged(again, 'promise_kept')).toMatchObject([{ level: 'warn', details: { pendingId: id } }]);
    expect(openFaults(again)).toEqual([]);
    expectBooksToAgree(again);
    const mended = books(again);
    const third = await startOn(again.dataDir, hub);
    expect(books(third)).toEqual(mended);
    expect(logged(third, 'promise_kept')).toEqual([]);
  });

  it('is made again by every process that starts at once, once', async () => {
    const { hub, between, after } = await cancelled();
    const dir = mixed(after, between, 'cultpass.db');
    const all = await Promise.all([1, 2, 3].map(() => startOn(dir, hub)));
    for (const one of all) expectBooksToAgree(one);
    expect(newRefunds(all[0] as Hub)).toHaveLength(1);
    expect(all.flatMap((one) => logged(one, 'promise_kept'))).toHaveLength(1);
  });

  it('is made again where an operator had agreed to it', async () => {
    const { hub, between, after, id } = await approved();
    const again = await startOn(mixed(after, between, 'cultpass.db'), hub);
    expect(effects(again)).toEqual(effects(hub));
    expect(newRefunds(again)).toEqual(newRefunds(hub));
    expect(logged(again, 'promise_kept')).toMatchObject([{ details: { pendingId: id } }]);
    expectBooksToAgree(again);
  });

  it('is given to a person, once, where the rules no longer allow exactly that', async () => {
    const { hub, asked, between, after, id } = await cancelled();
    hub.clock.advance({ days: 20 });
    const again = await startOn(mixed(after, between, 'cultpass.db'), hub);
    expect(effects(again)).toEqual([]);
    expect(newRefunds(again)).toEqual([]);
    const told = openFaults(again);
    expect(told).toMatchObject([
      { ticket_id: asked.ticketId, owner: 'operator', status: 'waiting_operator' },
    ]);
    expect(told[0]?.summary).toContain(id);
    expect(logged(again, 'promise_broken')).toMatchObject([
      { level: 'error', ticketId: asked.ticketId, details: { pendingId: id } },
    ]);
    expect(
      (await again.app.desk.queue({ owner: 'operator', limit: 10 })).map(({ ticket }) => ticket.ticketId),
    ).toContain(asked.ticketId);
    const third = await startOn(again.dataDir, hub);
    expect(openFaults(third)).toEqual(told);
    expect(logged(third, 'promise_broken')).toEqual([]);
  });

  it('is not made where it was never done: a yes that people took back stays taken back', async () => {
    const hub = await start();
    const asked = await hub.say(ANA, 'cancel my samba booking');
    const id = asked.pending?.id ?? '';
    hub.exec(
      'udahub',
      `UPDATE approvals SET status = 'released', decided_by = 'customer:usr_001', decided_at = created_at,
       released_at = created_at WHERE pending_id = '${id}'`,
    );
    const again = await startOn(snapshot(hub), hub);
    expect(effects(again)).toEqual([]);
    expect(openFaults(again)).toEqual([]);
  });

  it("is a person's matter where an operator's yes was used up and nothing says what came of it", async () => {
    const { hub, between, after, id } = await approved();
    const dir = mixed(after, between, 'cultpass.db');
    const other = await start();
    other.exec(
      'udahub',
      `ATTACH '${join(dir, 'udahub.db')}' AS cut; DROP TRIGGER IF EXISTS cut.audit_log_no_delete;
      DELETE FROM cut.audit_log WHERE audit_key = '${id}'`,
    );
    const again = await startOn(dir, hub);
    expect(effects(again)).toEqual([]);
    expect(openFaults(again)).toHaveLength(1);
    expect(logged(again, 'promise_broken')).toHaveLength(1);
  });
});

describe('[ATK-02] an effect of which the record is lost', () => {
  it.each([
    ['no', /nothing (?:was |has been )?changed|changed nothing/i],
    ['yes', /^Done/],
  ])(
    'is recorded and told to a person, and its question is closed: a later %s does nothing',
    async (word, claim) => {
      const { hub, asked, between, after, id } = await cancelled();
      const again = await startOn(mixed(after, between, 'udahub.db'), hub);
      expect(effects(again)).toEqual(effects(hub));
      expect(questions(again)).toMatchObject([{ pending_id: id, status: 'released' }]);
      expect(auditRows(again)).toMatchObject([
        { audit_key: id, actor: 'customer:usr_001', action: 'cancel_reservation', outcome: 'done' },
      ]);
      expect(openFaults(again)).toMatchObject([{ ticket_id: asked.ticketId, owner: 'operator' }]);
      expect(logged(again, 'unknown_effect')).toMatchObject([{ level: 'error', details: { pendingId: id } }]);
      expectBooksToAgree(again);
      const mended = books(again);
      const third = await startOn(again.dataDir, hub);
      expect(books(third)).toEqual(mended);
      const late = await third.say(ANA, word, asked.threadId);
      expect(late.reply).not.toMatch(claim);
      expect(newRefunds(third)).toHaveLength(1);
      expectBooksToAgree(third);
    },
  );

  it('is told to a person on a new ticket where the conversation is lost as well', async () => {
    const { hub, before, after, id } = await cancelled();
    const again = await startOn(mixed(after, before, 'udahub.db'), hub);
    expect(auditRows(again)).toMatchObject([{ audit_key: id, outcome: 'done' }]);
    const told = openFaults(again);
    expect(told).toMatchObject([{ customer_id: 'usr_001', owner: 'operator' }]);
    const view = await again.app.desk.show(String(told[0]?.ticket_id));
    expect(view.escalations[0]?.found.join(' ')).toContain('cancel_reservation');
    const third = await startOn(again.dataDir, hub);
    expect(openFaults(third)).toEqual(told);
  });

  it('takes the approval from the desk that was carried out', async () => {
    const { hub, between, after, id } = await approved();
    const again = await startOn(mixed(after, between, 'udahub.db'), hub);
    expect(await again.app.desk.approvals()).toEqual([]);
    expect(questions(again).at(-1)).toMatchObject({ pending_id: id, kind: 'approval', status: 'released' });
    expect(openFaults(again)).toHaveLength(1);
    expect(effects(again)).toHaveLength(1);
    expectBooksToAgree(again);
  });
});

describe('[ATK-02] checkpoints that are older than what was promised', () => {
  it('lose no question: the yes is carried out once', async () => {
    const { hub, asked, before, between } = await cancelled();
    const again = await startOn(mixed(between, before, 'checkpoints.db'), hub);
    const done = await again.say(ANA, 'yes', asked.threadId);
    expect(done.reply).toMatch(/^Done: "Samba Night/);
    expect(newRefunds(again)).toHaveLength(1);
    expectBooksToAgree(again);
  });

  it('do nothing twice: a graph that still waits for what was done goes on', async () => {
    const { hub, asked, between, after } = await cancelled();
    const again = await startOn(mixed(after, between, 'checkpoints.db'), hub);
    await again.say(ANA, 'yes', asked.threadId);
    const next = await again.say(ANA, 'how many visits do I have left?', asked.threadId);
    expect(next.reply).toMatch(/visits? left/);
    expect(newRefunds(again)).toHaveLength(1);
    expectBooksToAgree(again);
  });
});

describe('[ATK-02] a log whose tail was not on the disk', { timeout: 600_000 }, () => {
  const framesOf = (dir: string, file: File): number => {
    const path = join(dir, `${file}-wal`);
    return existsSync(path) ? Math.floor((readFileSync(path).length - WAL_HEADER) / FRAME) : 0;
  };

  it.each(['cultpass.db', 'udahub.db'] as const)(
    'of %s, cut anywhere: what was told is done or a person knows',
    async (file) => {
      const { hub, asked, between, after } = await cancelled();
      const [first, last] = [framesOf(between, file), framesOf(after, file)];
      expect(last).toBeGreaterThan(first);
      const step = Math.max(1, Math.ceil((last - first) / 12));
      for (let frames = first; frames < last; frames += step) {
        const dir = mixed(after, after, file);
        truncateSync(join(dir, `${file}-wal`), WAL_HEADER + frames * FRAME);
        const again = await startOn(dir, hub);
        const where = `${file} cut after ${frames} of ${last} frames`;
        const told = hubMessages(again, asked.threadId).some((text) => text.startsWith('Done'));
        const done = effects(again).length;
        const person = openFaults(again).length > 0;
        expect(newRefunds(again), where).toHaveLength(done);
        expect(done, where).toBeLessThanOrEqual(1);
        if (told) expect(done === 1 || person, where).toBe(true);
        if (done === 1) expect(told || person, where).toBe(true);
        expectBooksToAgree(again);
        const mended = books(again);
        const third = await startOn(dir, hub);
        expect(books(third), where).toEqual(mended);
        for (const one of hubs.splice(1)) await one.close();
      }
    },
  );
});
