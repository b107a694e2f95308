import { randomBytes } from 'node:crypto';
import type { DueMail, MailAttachment, MailStore, SentMail } from '../../src/core/ports/mail.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';
import { holderName } from '../lease-holder.js';
import { PRUNED_AT_ONCE, preparedOnUse, pruneInSteps } from '../statements.js';
import { ASKS_RATING } from './desk-stores.js';
import { createMailCollector } from './mail-collector.js';

type Values = Record<string, string | number | null>;

interface WaitingRow {
  readonly seq: number;
  readonly mail_id: string;
  readonly ticket_message_id: string;
  readonly unless_seen: number;
  readonly up_to: string;
}

type MessageRow = Omit<DueMail['messages'][number], 'attachments'> & { readonly messageId: string };
type DueRow = Omit<DueMail, 'messages' | 'asked' | 'references'>;

const KEY = 'mail:key';
/** Mails that a reply names before it; programs that read mail need the latest. */
const REFERENCES = 20;

function prepare(database: Database) {
  const settle = `holder = NULL, next_at = NULL, settled_at = @now`;
  return {
    readKey: database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck(),
    writeKey: database.prepare<[Values]>(
      'INSERT INTO settings (key, value, updated_at) VALUES (@key, @value, @now) ON CONFLICT DO NOTHING',
    ),
    dueThreads: database
      .prepare<[Values], string>(
        `SELECT thread_id FROM mail_messages WHERE status = 'waiting' AND next_at <= @now
         GROUP BY thread_id ORDER BY min(next_at) LIMIT @limit`,
      )
      .pluck(),
    // What was tried already keeps its own Message-ID: it may have arrived.
    waiting: database.prepare<[Values], WaitingRow>(
      `SELECT seq, mail_id, ticket_message_id, unless_seen, up_to FROM mail_messages
       WHERE thread_id = @threadId AND status = 'waiting' AND (next_at <= @now OR (attempts = 0 AND holder IS NULL))
       ORDER BY CASE attempts WHEN 0 THEN 1 ELSE 0 END, seq`,
    ),
    seenAt: database
      .prepare<[string], string | null>('SELECT seen_at FROM mail_threads WHERE thread_id = ?')
      .pluck(),
    hold: database.prepare<[Values]>(
      `UPDATE mail_messages SET holder = @holder, next_at = @until, up_to = max(up_to, @upTo) WHERE mail_id = @mailId`,
    ),
    tried: database.prepare<[string], number>('SELECT attempts FROM mail_messages WHERE mail_id = ?').pluck(),
    settleAs: database.prepare<[Values]>(
      `UPDATE mail_messages SET status = @status, why = @why, ${settle} WHERE mail_id = @mailId`,
    ),
    due: database.prepare<[string], DueRow>(
      `SELECT o.mail_id AS mailId, o.seq, o.message_id AS messageId, o.reason, o.thread_id AS threadId,
         m.ticket_id AS ticketId, t.customer_id AS customerId, h.address AS visitor, h.subject, o.attempts,
         o.created_at AS createdAt, ${ASKS_RATING} AS resolvedBy
       FROM mail_messages o JOIN ticket_messages m ON m.message_id = o.ticket_message_id
         JOIN tickets t ON t.ticket_id = m.ticket_id LEFT JOIN mail_threads h ON h.thread_id = o.thread_id
       WHERE o.mail_id = ?`,
    ),
    messages: database.prepare<[string, string], MessageRow>(
      `SELECT m.message_id AS messageId, m.role, m.content, m.author, m.created_at AS createdAt
       FROM mail_messages o JOIN ticket_messages m ON m.message_id = o.ticket_message_id
       WHERE o.mail_id = ? OR (o.status = 'joined' AND o.why = ?) ORDER BY m.seq`,
    ),
    attachments: database.prepare<[string, string], MailAttachment>(
      `SELECT f.name, f.type, f.content FROM ticket_messages m, json_each(m.files) n
         JOIN message_files f ON f.file_id = json_extract(n.value, '$.fileId') AND f.message_id = ?
       WHERE m.message_id = ? ORDER BY n.key`,
    ),
    asked: database.prepare<[string], NonNullable<DueMail['asked']>>(
      `SELECT q.content, q.created_at AS createdAt FROM mail_messages o
         JOIN ticket_messages m ON m.message_id = o.ticket_message_id
         JOIN ticket_messages q ON q.ticket_id = m.ticket_id AND q.role = 'customer' AND q.seq < m.seq
       WHERE o.mail_id = ? ORDER BY q.seq DESC LIMIT 1`,
    ),
    references: database
      .prepare<[string], string>(
        `SELECT message_id FROM mail_messages WHERE thread_id = ? AND status IN ('sent', 'received', 'receiving')
         ORDER BY seq DESC LIMIT ${REFERENCES}`,
      )
      .pluck(),
    sent: database.prepare<[Values]>(
      `UPDATE mail_messages SET status = 'sent', attempts = attempts + 1, why = NULL, address = @address, ${settle}
       WHERE mail_id = @mailId AND holder = @holder AND status = 'waiting'`,
    ),
    failed: database.prepare<[Values]>(
      `UPDATE mail_messages SET status = CASE WHEN CAST(@nextAt AS TEXT) IS NULL THEN 'failed' ELSE 'waiting' END, attempts = attempts + 1, why = @why,
         holder = NULL, next_at = @nextAt, settled_at = CASE WHEN CAST(@nextAt AS TEXT) IS NULL THEN @now END
       WHERE mail_id = @mailId AND holder = @holder AND status = 'waiting'`,
    ),
    release: database.prepare<[Values]>(
      'UPDATE mail_messages SET holder = NULL, next_at = @now WHERE mail_id = @mailId AND holder = @holder',
    ),
    holders: database
      .prepare<[], string>(
        `SELECT DISTINCT holder FROM mail_messages WHERE status = 'waiting' AND holder IS NOT NULL`,
      )
      .pluck(),
    takeOver: database.prepare<[Values]>(
      `UPDATE mail_messages SET holder = NULL, next_at = @now WHERE status = 'waiting' AND holder = @holder`,
    ),
    seen: database.prepare<[Values]>(
      `INSERT INTO mail_threads (thread_id, by_mail, seen_at) VALUES (@threadId, 0, @now)
       ON CONFLICT (thread_id) DO UPDATE SET seen_at = @now, by_mail = 0`,
    ),
    findSent: database.prepare<[Values], SentMail>(
      `SELECT o.mail_id AS mailId, o.seq, o.thread_id AS threadId, t.customer_id AS customerId, h.address AS visitor,
         m.ticket_id AS ticketId, o.up_to AS upTo
       FROM mail_messages o JOIN threads t ON t.thread_id = o.thread_id
         JOIN ticket_messages m ON m.message_id = o.ticket_message_id
         LEFT JOIN mail_threads h ON h.thread_id = o.thread_id
       WHERE o.direction = 'out' AND o.attempts > 0 AND (o.seq = @seq OR o.message_id = @messageId)`,
    ),
    bounced: database.prepare<[Values]>(
      `UPDATE mail_messages SET status = 'bounced', why = @why, ${settle}
       WHERE mail_id = @mailId AND direction = 'out' AND status IN ('sent', 'waiting')`,
    ),
    incoming: database.prepare<[Values]>(
      `INSERT INTO mail_messages (mail_id, direction, message_id, address, proven, reason, status, unless_seen, attempts,
         up_to, created_at)
       VALUES (@mailId, 'in', @messageId, @address, @proven, 'incoming', 'receiving', 0, 0, @now, @now)
       ON CONFLICT (direction, message_id) DO NOTHING`,
    ),
    findIncoming: database.prepare<
      [string],
      { readonly mailId: string; readonly threadId: string | null; readonly status: string }
    >(
      `SELECT mail_id AS mailId, thread_id AS threadId, status FROM mail_messages
       WHERE direction = 'in' AND message_id = ?`,
    ),
    place: database.prepare<[Values]>(
      'UPDATE mail_messages SET thread_id = @threadId WHERE mail_id = @mailId',
    ),
    thread: database.prepare<[Values]>(
      `INSERT INTO mail_threads (thread_id, address, subject, by_mail) VALUES (@threadId, @address, @subject, 1)
       ON CONFLICT (thread_id) DO UPDATE SET by_mail = 1`,
    ),
    countFrom: database
      .prepare<[string, string, number], number>(
        `SELECT count(*) FROM mail_messages WHERE direction = 'in' AND address = ? AND created_at >= ? AND proven = ?`,
      )
      .pluck(),
    prune: database.prepare<[string]>(
      `DELETE FROM mail_messages WHERE seq IN (SELECT seq FROM mail_messages
         WHERE thread_id IS NULL AND created_at < ? ORDER BY seq LIMIT ${PRUNED_AT_ONCE})`,
    ),
  };
}

/** The tables `mail_threads` and `mail_messages`. */
export function createMailStore(database: Database, clock: Clock, ids: Ids): MailStore {
  const statements = preparedOnUse(() => prepare(database));
  const collector = preparedOnUse(() => createMailCollector(database, clock, ids));
  const holder = holderName(ids.next('mails'));
  const nowIso = (): string => clock.now().toISOString();
  function* settleAs(mailId: string, status: string, why: string | null): Work<void> {
    yield* statements.settleAs.run({ mailId, status, why, now: nowIso() });
  }

  function* messagesOf(mailId: string): Work<DueMail['messages']> {
    const messages: DueMail['messages'][number][] = [];
    for (const { messageId, ...said } of yield* statements.messages.all(mailId, mailId))
      messages.push({ ...said, attachments: yield* statements.attachments.all(messageId, messageId) });
    return messages;
  }

  /** The first of the waiting messages of a conversation takes the others with it. */
  function* takeThread(threadId: string, until: string): Work<DueMail | null> {
    const now = nowIso();
    const seenAt = (yield* statements.seenAt.get(threadId)) ?? null;
    const open: WaitingRow[] = [];
    for (const row of yield* statements.waiting.all({ threadId, now })) {
      const seen = row.unless_seen === 1 && seenAt !== null && seenAt >= row.up_to;
      if (seen) yield* settleAs(row.mail_id, 'cancelled', 'seen');
      else open.push(row);
    }
    const [first, ...others] = open;
    if (!first) return null;
    // One that was tried is sent again as it was.
    const joined = ((yield* statements.tried.get(first.mail_id)) ?? 0) > 0 ? [] : others;
    for (const { mail_id } of joined) yield* settleAs(mail_id, 'joined', first.mail_id);
    const upTo = joined.at(-1)?.up_to ?? first.up_to;
    yield* statements.hold.run({ mailId: first.mail_id, holder, until, upTo });
    const due = yield* statements.due.get(first.mail_id);
    if (!due) return null;
    return {
      ...due,
      messages: yield* messagesOf(due.mailId),
      asked: (yield* statements.asked.get(due.mailId)) ?? null,
      references: [...(yield* statements.references.all(threadId))].reverse(),
    };
  }

  return storeOf<MailStore>(database, {
    *key() {
      const value = randomBytes(32).toString('base64url');
      const known = yield* statements.readKey.get(KEY);
      if (known !== undefined) return known;
      const { changes } = yield* statements.writeKey.run({ key: KEY, value, now: nowIso() });
      return changes === 1 ? value : ((yield* statements.readKey.get(KEY)) ?? value);
    },
    begin: () => collector.begin(),
    collect: (domain, unreadMs) => collector.collect(domain, unreadMs),
    *take(limit, leaseMs) {
      if ((yield* statements.dueThreads.get({ now: nowIso(), limit: 1 })) === undefined) return [];
      const until = new Date(clock.now().getTime() + leaseMs).toISOString();
      return yield* database.transaction(function* () {
        const taken: DueMail[] = [];
        for (const threadId of yield* statements.dueThreads.all({ now: nowIso(), limit })) {
          const due = yield* takeThread(threadId, until);
          if (due) taken.push(due);
        }
        return taken;
      });
    },
    *sent(mailId, address) {
      yield* statements.sent.run({ mailId, holder, address, now: nowIso() });
    },
    *failed(mailId, why, nextAt) {
      const change = { mailId, holder, why, now: nowIso() };
      yield* statements.failed.run({ ...change, nextAt: nextAt?.toISOString() ?? null });
    },
    cancelled: (mailId, why) => settleAs(mailId, 'cancelled', why),
    *release(mailId) {
      yield* statements.release.run({ mailId, holder, now: nowIso() });
    },
    *reclaim() {
      for (const gone of yield* database.goneOf(yield* statements.holders.all()))
        yield* statements.takeOver.run({ holder: gone, now: nowIso() });
    },
    seen: (threadId) =>
      database.unsynced(function* () {
        yield* statements.seen.run({ threadId, now: nowIso() });
      }),
    *findSent(by) {
      return (yield* statements.findSent.get({ seq: null, messageId: null, ...by })) ?? null;
    },
    *bounced(mailId, why) {
      return (yield* statements.bounced.run({ mailId, why, now: nowIso() })).changes > 0;
    },
    *receive({ messageId, address, proven }) {
      const mailId = ids.unguessable('mail');
      yield* statements.incoming.run({ mailId, messageId, address, proven: proven ? 1 : 0, now: nowIso() });
      const row = yield* statements.findIncoming.get(messageId);
      if (row?.status !== 'receiving') return null;
      return { mailId: row.mailId, threadId: row.threadId };
    },
    joins: (mailId, thread) =>
      database.transaction(function* () {
        yield* statements.place.run({ mailId, threadId: thread.threadId });
        yield* statements.thread.run({ ...thread });
      }),
    settled: (mailId, status, why) => settleAs(mailId, status, why),
    *countFrom(address, proven, since) {
      return (yield* statements.countFrom.get(address, since.toISOString(), proven ? 1 : 0)) ?? 0;
    },
    prune: (before) => pruneInSteps(() => statements.prune.run(before.toISOString())),
  });
}
