import { randomBytes } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { afterEach, describe, expect, it } from 'vitest';
import { openCheckpointer } from '../../../src/adapters/checkpoints/checkpointers.js';
import { png } from '../../support/files.js';
import type { Hub } from '../../support/hub.js';
import {
  ANA,
  customerIdOf,
  durableHub,
  filesWith,
  GABI,
  GABI_NAME,
  liveThrough,
  othersLive,
  privacyOf,
  SAID,
} from './privacy-support.js';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

async function start(): Promise<Hub> {
  const hub = await durableHub();
  cleanUps.push(() => hub.close());
  return hub;
}

async function opened(hub: Hub) {
  const privacy = await privacyOf(hub);
  cleanUps.push(() => privacy.close());
  return privacy;
}

describe('handing over what is held about a customer', () => {
  it('[PRV-02] has everything, and nothing of anybody else', async () => {
    const hub = await start();
    await othersLive(hub);
    const { ticketId, threadId } = await liveThrough(hub);
    const held = await (await opened(hub)).export(` ${GABI.toUpperCase()} `);
    const text = JSON.stringify(held);
    for (const said of [...SAID, GABI, GABI_NAME, 'WhatsApp', ticketId, threadId])
      expect(text.includes(said), said).toBe(true);
    expect(held.cultpass).toMatchObject({
      refunds: hub.query('cultpass', refundsOf(customerIdOf(hub, GABI))).map(() => expect.anything()),
    });
    for (const table of ['tickets', 'threads', 'ticket_messages', 'ticket_turns', 'escalations', 'approvals'])
      expect(held.hub[table]?.length, table).toBeGreaterThan(0);
    for (const table of [
      'ratings',
      'thread_inbox',
      'thread_events',
      'skill_runs',
      'idempotency_keys',
      'audit_log',
    ])
      expect(held.hub[table]?.length, table).toBeGreaterThan(0);
    expect(held.hub.customer_preferences?.length).toBeGreaterThan(0);
    expect(held.log.length).toBeGreaterThan(10);
    expect(JSON.stringify(held.checkpoints)).toContain(SAID[0]);

    const others = hub.query(
      'cultpass',
      'SELECT user_id, full_name, email FROM users WHERE email <> ?',
      GABI,
    );
    for (const { user_id, full_name, email } of others) {
      expect(text).not.toContain(`"${user_id}"`);
      expect(text).not.toContain(String(full_name));
      expect(text).not.toContain(String(email));
    }
    for (const { ticket_id } of hub.query(
      'udahub',
      `SELECT ticket_id FROM tickets WHERE customer_id <> ?`,
      customerIdOf(hub, GABI),
    ))
      expect(text).not.toContain(String(ticket_id));
  });

  it('[PRV-02] tells of an address that nobody has', async () => {
    const privacy = await opened(await start());
    await expect(privacy.export('nobody@example.com')).rejects.toMatchObject({ code: 'customer_unknown' });
    await expect(privacy.erase('nobody@example.com')).rejects.toMatchObject({ code: 'customer_unknown' });
  });
});

describe('removing a customer', () => {
  it('[PRV-03 PRV-04] leaves no byte, keeps the books without a person, and touches nobody else', async () => {
    const hub = await start();
    await othersLive(hub);
    const { ticketId, threadId } = await liveThrough(hub);
    const id = customerIdOf(hub, GABI);
    const before = { hub: hub.dump('udahub'), cultpass: hub.dump('cultpass') };
    const money = hub.query('cultpass', 'SELECT sum(amount_cents) AS paid, count(*) AS n FROM payments');
    const refunds = hub.dump('cultpass').refunds;
    for (const said of [...SAID, GABI, GABI_NAME])
      expect(filesWith(hub.dataDir, said), said).not.toHaveLength(0);

    // The hub runs on, with its files open.
    const report = await (await opened(hub)).erase(GABI);
    expect(report).toMatchObject({ status: 'erased', proof: { leftovers: [] } });
    expect(report.proof.needles).toBeGreaterThan(10);
    expect(report.proof.files).toBeGreaterThan(4);
    for (const said of [...SAID, GABI, GABI_NAME, ticketId]) {
      const files = filesWith(hub.dataDir, said);
      // The ids stay, so that nothing can be stored under them again.
      expect(
        files.filter((file) => said !== ticketId || !/\.db$/.test(file)),
        said,
      ).toEqual([]);
    }

    // The books: same sums, another name.
    expect(hub.query('cultpass', 'SELECT sum(amount_cents) AS paid, count(*) AS n FROM payments')).toEqual(
      money,
    );
    expect(hub.dump('cultpass').refunds).toEqual(refunds);
    const [user] = hub.query('cultpass', 'SELECT * FROM users WHERE user_id = ?', report.pseudonym);
    expect(user).toMatchObject({ full_name: 'Erased customer', is_blocked: 1 });
    expect(
      hub.query('cultpass', 'SELECT 1 FROM payments WHERE user_id = ?', report.pseudonym).length,
    ).toBeGreaterThan(0);
    const audit = hub.query('udahub', 'SELECT * FROM audit_log WHERE customer_id = ?', report.pseudonym);
    expect(audit).toMatchObject([
      { action: 'process_refund', outcome: 'done', actor: `customer:${report.pseudonym}` },
    ]);
    expect(() => hub.exec('udahub', "UPDATE audit_log SET actor = 'x'")).toThrow('append-only');

    // Others: every row of theirs is as it was.
    const own = (row: string): boolean =>
      [`"${id}"`, `:${id}`, ticketId, threadId, GABI_NAME, report.pseudonym ?? ''].some((mark) =>
        row.includes(mark),
      );
    const kept = { hub: hub.dump('udahub'), cultpass: hub.dump('cultpass') };
    const ownIds = new Set(
      Object.values(before.hub)
        .flat()
        .filter(own)
        .flatMap((row) => row.match(/\b(?:tkt|thr|run|pnd)_\w+/g) ?? []),
    );
    const isOwn = (row: string): boolean => own(row) || [...ownIds].some((mark) => row.includes(mark));
    for (const database of ['hub', 'cultpass'] as const)
      for (const [table, rows] of Object.entries(before[database])) {
        if (/fts|thread_leases|^threads$/.test(table)) continue;
        const others = rows.filter((row) => !isOwn(row));
        expect(kept[database][table], table).toEqual(expect.arrayContaining(others));
      }
    expect((await hub.say(ANA, 'what are my bookings?')).reply).toContain('Elis');
  });

  it('[ATT-08] removes the files of the conversations, and finds what of them is left elsewhere', async () => {
    const hub = await start();
    const { conversations } = hub.app;
    const identity = await hub.app.signIn(GABI);
    const { threadId } = await conversations.create(identity);
    const content = Buffer.concat([png(), randomBytes(20_000)]);
    const { fileId } = await conversations.attach(identity, threadId, { name: 'my door.png', content });
    await conversations.send({ identity, threadId, text: '', files: [fileId], channel: 'http' });
    const privacy = await opened(hub);
    expect((await privacy.export(GABI)).attachments).toEqual([
      { path: `files/${fileId}/my door.png`, base64: content.toString('base64') },
    ]);
    // A copy that nobody knows of.
    writeFileSync(join(hub.dataDir, 'copy.bin'), content);
    const { proof } = await privacy.erase(GABI);
    expect(proof.leftovers).toEqual([{ file: 'copy.bin', what: 'file', count: 3 }]);
    expect(hub.query('udahub', 'SELECT 1 FROM message_files')).toEqual([]);
    await expect(
      conversations.attach(identity, threadId, { name: 'late.png', content }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('[PRV-05] is not undone by a late write, whoever makes it', async () => {
    const hub = await start();
    const { ticketId, threadId } = await liveThrough(hub);
    const id = customerIdOf(hub, GABI);
    const identity = await hub.app.signIn(GABI);
    const { pseudonym } = await (await opened(hub)).erase(GABI);
    const late = { identity, text: 'it is me again', channel: 'http' } as const;
    for (const thread of [threadId, 'thr_new'])
      await expect(hub.app.handle({ ...late, threadId: thread })).rejects.toMatchObject({
        code: 'customer_erased',
      });
    await expect(
      hub.app.conversations.send({ ...late, threadId, clientMessageId: 'late' }),
    ).rejects.toThrow();
    const now = hub.clock.now().toISOString();
    const writes = [
      `INSERT INTO tickets (ticket_id, customer_id, thread_id, channel, status, owner, created_at, updated_at)
       VALUES ('tkt_late', '${id}', 'thr_late', 'chat', 'open', 'hub', '${now}', '${now}')`,
      `INSERT INTO tickets (ticket_id, thread_id, channel, status, owner, created_at, updated_at)
       VALUES ('${ticketId}', 'thr_late', 'chat', 'open', 'hub', '${now}', '${now}')`,
      `INSERT INTO ticket_messages (message_id, ticket_id, role, content, created_at)
       VALUES ('m', '${ticketId}', 'hub', 'x', '${now}')`,
      `INSERT INTO customer_preferences VALUES ('${id}', 'channel', 'x', '${now}')`,
      `INSERT INTO thread_events (thread_id, audience, type, data, created_at)
       VALUES ('${threadId}', 'customer', 'message', '{}', '${now}')`,
      `INSERT INTO ratings VALUES ('tkt_late', 'answer', '${threadId}', NULL, 1, 'x', '${now}')`,
      `INSERT INTO idempotency_keys (caller, key, request_hash, created_at) VALUES ('customer:${id}', 'k', 'h', '${now}')`,
      `INSERT INTO audit_log (audit_key, customer_id, actor, action, outcome, details, created_at)
       VALUES ('a', '${id}', 'hub', 'x', 'done', '{}', '${now}')`,
      `INSERT INTO message_files (file_id, thread_id, uploader, name, type, size, created_at, content)
       VALUES ('f', '${threadId}', 'customer', 'x', 'x', 1, '${now}', x'00')`,
      `UPDATE threads SET customer_id = '${id}'`,
    ];
    await hub.say(ANA, 'hello');
    for (const sql of writes) expect(() => hub.exec('udahub', sql), sql).toThrow('customer_erased');

    const { saver, close } = openCheckpointer('sqlite', hub.dataDir);
    cleanUps.push(close);
    for (const thread of [threadId, `${threadId}~seg_1`]) {
      const config = { configurable: { thread_id: thread, checkpoint_ns: '' } };
      const metadata = { source: 'input' as const, step: -1, parents: {} };
      await expect(saver.put(config, emptyCheckpoint(), metadata, {})).rejects.toMatchObject({
        code: 'customer_erased',
      });
    }
    expect((await hub.say(ANA, 'hello')).reply).not.toBe('');

    // A restart brings nothing back either, and the freed address may be somebody's again.
    const again = await durableHub(hub.dataDir);
    cleanUps.push(() => again.close());
    await expect(again.app.signIn(GABI)).rejects.toMatchObject({ code: 'customer_unknown' });
    expect(filesWith(hub.dataDir, GABI_NAME)).toEqual([]);
    again.exec('cultpass', `INSERT INTO users VALUES ('u_new', 'Gabi Again', '${GABI}', 0, '${now}')`);
    expect(await again.app.signIn(GABI)).toMatchObject({ customerId: 'u_new' });
    expect(pseudonym).not.toContain(id);
  });

  it('[PRV-06] says that it was done before', async () => {
    const hub = await start();
    await hub.say(GABI, 'hello');
    const privacy = await opened(hub);
    expect(await privacy.erase(GABI)).toMatchObject({ status: 'erased' });
    expect(await privacy.erase(GABI)).toMatchObject({ status: 'already', proof: { leftovers: [] } });
    await expect(privacy.export(GABI)).rejects.toMatchObject({ code: 'customer_unknown' });
  });

  it('[PRV-04] finds what it could not remove, and says where', async () => {
    const hub = await start();
    await hub.say(GABI, `${SAID[1]}. How do I pause my plan?`);
    writeFileSync(join(hub.dataDir, 'backup.txt'), `${'x'.repeat(5_000_000)}${GABI_NAME} said: ${SAID[1]}`);
    const { proof } = await (await opened(hub)).erase(GABI);
    expect(proof.leftovers).toEqual(
      expect.arrayContaining([
        { file: 'backup.txt', what: 'name', count: 1 },
        { file: 'backup.txt', what: 'text', count: expect.any(Number) },
      ]),
    );
  });

  it('[PRV-03] takes the customer out of what others wrote, and out of rotated logs', async () => {
    const hub = await start();
    const other = await hub.say(
      ANA,
      `My friend ${GABI_NAME} (${GABI}) told me about it. How do I pause my plan?`,
    );
    await hub.say(GABI, 'hello');
    const line = { level: 'info', agent: 'x', action: 'y', details: { who: GABI_NAME } };
    appendFileSync(
      join(hub.dataDir, 'hub.log.1'),
      `{"agent":"other"}\n${JSON.stringify(line)}\n{"agent":"last"}\n`,
    );
    expect(await (await opened(hub)).erase(GABI)).toMatchObject({ proof: { leftovers: [] } });
    const messages = hub.query(
      'udahub',
      'SELECT content FROM ticket_messages WHERE ticket_id = ?',
      other.ticketId,
    );
    expect(messages[0]?.content).toBe(
      'My friend [erased] ([erased]) told me about it. How do I pause my plan?',
    );
    expect(filesWith(hub.dataDir, '"agent":"last"')).toHaveLength(1);
  });
});

const refundsOf = (id: string): string =>
  `SELECT 1 FROM refunds JOIN reservations USING (reservation_id) WHERE user_id = '${id}'`;
