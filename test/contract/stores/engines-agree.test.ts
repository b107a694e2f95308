import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESK_SORTS, DESK_VIEWS, FIGURE_EVENTS } from '../../../src/core/ports/desk-queries.js';
import { createFixedClock, type FixedClock } from '../../support/fixed-clock.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { type CultpassStores, openStores } from '../../support/stores.js';
import { SEEDED_AT } from './world.js';

/** Stores with the demo's thirty days of conversations. */
interface Side {
  readonly stores: CultpassStores;
  readonly clock: FixedClock;
  readonly folder: string;
}

let server: TestPostgres;
let sides: readonly Side[];

async function open(databaseUrl?: string): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-engine-'));
  const clock = createFixedClock(SEEDED_AT);
  const options = { clock, ids: createSequentialIds(), log: createRecordingLog(), history: true };
  return { stores: await openStores({ dataDir: folder, databaseUrl, ...options }), clock, folder };
}

beforeAll(async () => {
  server = await startPostgres();
  sides = [await open(), await open(server.url)];
});
afterAll(async () => {
  for (const { stores, folder } of sides) {
    await stores.close();
    rmSync(folder, { recursive: true, force: true });
  }
  await server.close();
});

/** What both answered to the same calls. */
async function answered<T>(ask: (side: Side) => Promise<T>): Promise<T> {
  const [one, other] = await Promise.all(sides.map(ask));
  expect(other).toEqual(one);
  return one as T;
}

const MARINA = { operatorId: 'marina.duarte', operatorName: 'Marina Duarte' };
const NARROWED = [
  ...DESK_SORTS.map((sort) => ({ sort })),
  ...FIGURE_EVENTS.flatMap((happened) => [
    { happened, from: '2026-02-15T00:00:00.000Z', to: '2026-03-10T00:00:00.000Z' },
    { happened, person: MARINA.operatorName },
    { happened, person: '' },
  ]),
  { priority: 'high', language: 'en', channel: 'http', status: 'resolved', owner: 'hub' },
  { reason: 'low_confidence' },
  { rating: 'helpful' as const, sentiment: 'neutral' },
  { issueTypes: ['none', 'reservation'], human: 'with' as const },
  { article: 'how_to_reserve', human: 'without' as const },
  { tag: 'vip' },
  { team: { id: 'billing', issueTypes: ['billing', 'payment'] } },
  { text: 'reserva', customerIds: ['usr_012'] },
  { text: 'how do i canc' },
  { text: 'tkt_112648history' },
  { text: 'ação 東京 "\'' },
];

describe('[PGS-01] both engines', () => {
  it('show the desk the same tickets, counts, deeds and figures', async () => {
    for (const view of DESK_VIEWS)
      for (const narrowed of view === 'all' ? NARROWED : NARROWED.slice(0, 2)) {
        const query = { view, ...MARINA, ...narrowed };
        await answered(({ stores: { desk } }) => desk.tickets({ ...query, limit: 20, offset: 1 }));
        await answered(({ stores: { desk } }) => desk.total({ ...query, limit: 1 }));
        const since = ['2026-02-20T00:00:00.000Z', '2026-03-05T00:00:00.000Z'];
        await answered(({ stores: { desk } }) => desk.facets(query, since));
      }
    const all = await answered(({ stores: { desk } }) => desk.tickets({ view: 'all', limit: 500 }));
    expect(all.length).toBeGreaterThan(100);
    for (const { ticket } of all.slice(0, 3))
      await answered(({ stores: { desk } }) => desk.ticket(ticket.ticketId));
    await answered(({ stores: { desk } }) => desk.counts(MARINA.operatorId, MARINA.operatorName));
    const named = all.flatMap(({ ticket }) => ticket.customerId ?? []);
    for (const customerId of new Set(named.slice(0, 5))) {
      await answered(({ stores: { desk } }) => desk.ofCustomer(customerId, 10));
      const past = await answered(({ stores: { desk } }) => desk.timeline(customerId, 50));
      expect(past.length).toBeGreaterThan(0);
    }
    await answered(({ stores: { desk } }) => desk.claims(new Date('2026-04-01')));
    const gaps = await answered(({ stores: { desk } }) => desk.gaps('2026-01-01'));
    expect(gaps.length).toBeGreaterThan(0);
    const span = { from: '2026-02-01', to: '2026-04-01' };
    const deeds = ({ stores: { desk } }: Side) => desk.activities({ ...span, limit: 1_000 });
    const kinds = (found: Awaited<ReturnType<typeof deeds>>) =>
      found.map((deed) => JSON.stringify(deed)).sort();
    expect((await answered(async (side) => kinds(await deeds(side)))).length).toBeGreaterThan(10);
    await answered(({ stores: { desk } }) => desk.activities({ ...span, limit: 3, person: 'marina' }));
    for (const day of ['2026-02-16', '2026-03-02', '2026-03-10'])
      await answered(({ stores: { desk } }) =>
        desk.figures({ day, from: `${day}T03:00:00.000Z`, to: `${day}T23:59:00.000Z` }),
      );
  });

  it('find the same articles, first the same ones', async () => {
    for (const question of ['how do I cancel', 'quero pausar a assinatura', 'refund', 'é possível ação'])
      await answered(async ({ stores: { knowledge } }) =>
        (await knowledge.keywordSearch(question, 5)).map(({ articleId, score }) => [
          articleId,
          score.toFixed(6),
        ]),
      );
  });

  it('count what waits and what was spent, and keep who may sign in', async () => {
    await answered(({ stores }) => stores.operations.queue());
    const month = { name: '2026-03', from: '2026-03-01', to: '2026-04-01' };
    await answered(async ({ stores: { spend } }) => {
      await spend.add(month, 'tkt_112648history', 0.25);
      await spend.add(month, null, 0.5);
      const amounts = [await spend.month(month), await spend.ticket('tkt_112648history')];
      return amounts.map((amount) => amount.toFixed(6));
    });
    const holder = { role: 'customer', id: 'usr_001' } as const;
    await answered(async ({ stores: { programTokens: tokens, isErased }, clock }) => {
      const tokenId = await tokens.nextId();
      await tokens.add({ tokenId, holder, scopes: ['chat'] as never, expiresAt: '2026-05-01T00:00:00.000Z' });
      const used = [await tokens.use(tokenId), await tokens.use('tok_none'), await tokens.use('foreign')];
      const before = [await tokens.list(holder), await tokens.list(), await tokens.revision()];
      const revoked = [
        await tokens.revoke(tokenId, { role: 'operator', id: 'x' }),
        await tokens.revoke(tokenId),
      ];
      clock.advance({ ms: 1 });
      return [
        used,
        before,
        revoked,
        await tokens.use(tokenId),
        await tokens.revision(),
        await isErased('usr_001'),
      ];
    });
    await answered(async ({ stores, clock }) => {
      const codes = stores.signInCodes(() => ['pepper', 'old']);
      const attempt = { email: 'ana.souza@example.com', network: '192.0.2.1' };
      const soon = new Date(clock.now().getTime() + 600_000);
      const made = await codes.create(attempt, soon);
      if (!('code' in made)) throw new Error('no code');
      const wait = await codes.create(attempt, soon);
      const guess = { ...attempt, code: made.code, challenge: made.challenge };
      const wrong = await codes.use({ ...guess, code: '0' });
      return [wait, wrong, await codes.use(guess), await codes.use(guess)];
    });
  });

  it('tell browsers, programs and mailboxes the same', async () => {
    await answered(async ({ stores: { pushes, mails, tickets }, clock }) => {
      const owner = { customerId: 'usr_001' };
      const told = [await pushes.key('made'), await pushes.key('other')];
      for (let at = 0; at < 12; at += 1) await pushes.put(`https://push.example.com/${at}`, owner);
      await pushes.remove('https://push.example.com/11', owner);
      await pushes.due(clock.now(), new Date(0));
      await mails.begin();
      clock.advance({ minutes: 1 });
      const thread = { threadId: 'thr_120567history', customerId: 'usr_001' };
      const ticket = await tickets.create({ ...thread, channel: 'http' });
      await tickets.addMessage(ticket.ticketId, 'hub', 'Your booking is cancelled.');
      await mails.joins('none', {
        threadId: thread.threadId,
        address: 'ana@example.com',
        subject: 'Booking',
      });
      const due = await pushes.due(clock.now(), new Date(0));
      await mails.collect('hub.example.com', 60_000);
      const [mail] = await mails.take(5, 60_000);
      if (!mail) throw new Error('no mail');
      await mails.failed(mail.mailId, 'busy', clock.now());
      const again = await mails.take(5, 60_000);
      await mails.sent(mail.mailId, 'ana@example.com');
      await mails.seen(thread.threadId);
      await mails.reclaim();
      const received = { messageId: 'm1@example.com', address: 'ana@example.com', proven: true };
      const incoming = [await mails.receive(received), await mails.receive(received)];
      const found = [
        await mails.findSent({ messageId: mail.messageId }),
        await mails.findSent({ seq: mail.seq }),
      ];
      const from = await mails.countFrom('ana@example.com', true, new Date(0));
      const bounced = [await mails.bounced(mail.mailId, 'gone'), await mails.bounced('none', 'gone')];
      return [
        told,
        due,
        mail,
        again,
        incoming,
        found,
        from,
        bounced,
        await mails.prune(new Date('2027-01-01')),
      ];
    });
    await answered(async ({ stores: { a2aTasks: tasks, webhookOutbox: hooks }, clock }) => {
      const document = { statusMessage: null, history: [], artifacts: [] };
      const about = {
        owner: 'customer:u',
        customerId: null,
        agent: 'hub',
        contextId: 'c',
        threadId: 'thr_128486history',
      };
      const said = { messageId: 'm1', content: { kind: 'text', text: 'hello' } } as const;
      const made = await tasks.begin({ ...about, taskId: 'tsk_1', scopes: [], document }, said);
      const same = await tasks.begin({ ...about, taskId: 'tsk_2', scopes: [], document }, said);
      await tasks.begin({ ...about, taskId: 'tsk_3', scopes: [], document }, { ...said, messageId: 'm3' });
      const more = await tasks.say('tsk_1', { ...said, messageId: 'm2' }, { role: 'user' });
      const config = { configId: 'one', taskId: 'tsk_1', url: 'https://hooks.example.com/', token: 't' };
      await tasks.putPush({ ...config, scheme: '', credentials: '', protocol: '1.0' });
      const bodies = () => ['1', '2'].map((body) => ({ contentType: 'application/json', body }));
      const notifier = { bodies, refused: () => expect.unreachable() };
      const saved = await tasks.save(more.task, { ...more.task, state: 'completed' }, ['m1'], notifier);
      const stale = await tasks.save(more.task, more.task, []);
      const query = { owner: about.owner, agent: 'hub', within: [], limit: 1 };
      const first = await tasks.list(query);
      const rest = await tasks.list({
        ...query,
        after: first.next ?? { changedAt: '', seq: 0 },
        state: 'completed',
      });
      const taken = await hooks.take(10, 5, 60_000);
      for (const { webhookId } of taken) await hooks.failed(webhookId, 'busy', null);
      const listed = await hooks.list('tsk_1');
      const replayed = [await hooks.replay('tsk_1'), await hooks.replay('tsk_1', 'none')];
      const once = await hooks.take(10, 5, 60_000);
      for (const { webhookId } of once) await hooks.delivered(webhookId);
      await hooks.reclaim();
      clock.advance({ days: 1 });
      const names = [
        await tasks.nameThread('o', 'hub', 'x', 't1'),
        await tasks.nameThread('o', 'hub', 'x', 't2'),
      ];
      const open = [
        await tasks.listOpen(),
        await tasks.left(clock.now()),
        await tasks.waiting(about.threadId),
      ];
      const pruned = [await hooks.prune(clock.now()), await tasks.prune(clock.now())];
      return { made, same, saved, stale, first, rest, taken, listed, replayed, once, names, open, pruned };
    });
  });
});
