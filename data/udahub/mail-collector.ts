import { type MailReason, NOTICES_PREFERENCE } from '../../src/core/ports/mail.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import type { Database, Work } from '../database.js';

/** Up to which message the outbox has looked. */
const CURSOR = 'mail:cursor';
const PAGE = 500;
/** What a hub without mail said longer ago than this is no news any more. */
const STALE_MS = 24 * 3_600_000;
/** How long a page may take to show an answer of the hub to a customer who prefers e-mail. */
const PREFERRED_MS = 60_000;
/** Other programs bring answers to their customers themselves. */
const PAGES: readonly string[] = ['chat', 'http', 'email'];

interface Said {
  readonly seq: number;
  readonly message_id: string;
  readonly role: 'customer' | 'hub' | 'operator' | 'system';
  readonly audience: 'customer' | 'desk';
  readonly created_at: string;
  readonly thread_id: string;
  readonly customer_id: string | null;
  readonly channel: string;
  readonly by_mail: number | null;
  readonly method: string | null;
  readonly notices: string | null;
}

interface Wanted {
  readonly reason: MailReason;
  readonly unlessSeen: boolean;
  readonly waitMs: number;
}

/** Whether mail should bring a message to its customer, and when. */
function wanted(said: Said, unreadMs: number): Wanted | null {
  if (said.audience !== 'customer' || (said.role !== 'hub' && said.role !== 'operator')) return null;
  if (said.by_mail === 1) return { reason: 'reply', unlessSeen: false, waitMs: 0 };
  if (said.customer_id === null || said.notices === 'off') return null;
  if (said.method === 'email') {
    const unlessSeen = said.role === 'hub';
    return { reason: 'preference', unlessSeen, waitMs: unlessSeen ? Math.min(PREFERRED_MS, unreadMs) : 0 };
  }
  if (!PAGES.includes(said.channel)) return null;
  return { reason: 'unread', unlessSeen: true, waitMs: unreadMs };
}

/**
 * Fills the outbox from the messages themselves: whoever wrote one, and whatever crashed after it was stored, it is found
 * here, once.
 */
export function createMailCollector(database: Database, clock: Clock, ids: Ids) {
  const preference = (key: string): string =>
    `(SELECT value FROM customer_preferences p WHERE p.customer_id = t.customer_id AND p.key = '${key}')`;
  const cursor = database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
  const move = database.prepare<[string, string, string]>(
    `INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
  );
  const latest = database.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM ticket_messages').pluck();
  const isNew = database.prepare<[string], unknown>(
    'SELECT 1 FROM ticket_messages WHERE seq > CAST(? AS BIGINT) LIMIT 1',
  );
  const said = database.prepare<[string], Said>(
    `SELECT m.seq, m.message_id, m.role, m.audience, m.created_at, t.thread_id, t.customer_id, t.channel, h.by_mail,
       ${preference('contact_method')} AS method, ${preference(NOTICES_PREFERENCE)} AS notices
     FROM ticket_messages m JOIN tickets t ON t.ticket_id = m.ticket_id
       LEFT JOIN mail_threads h ON h.thread_id = t.thread_id
     WHERE m.seq > CAST(? AS BIGINT) ORDER BY m.seq LIMIT ${PAGE}`,
  );
  const insert = database.prepare<[Record<string, string | number>]>(
    `INSERT INTO mail_messages (mail_id, thread_id, direction, message_id, ticket_message_id, reason, status, unless_seen,
       attempts, next_at, up_to, created_at)
     VALUES (@mailId, @threadId, 'out', @messageId, @ticketMessageId, @reason, 'waiting', @unlessSeen, 0, @nextAt, @upTo,
       @now)`,
  );

  function* put(
    message: Said,
    { reason, unlessSeen, waitMs }: Wanted,
    domain: string,
    now: Date,
  ): Work<void> {
    const mailId = ids.unguessable('mail');
    yield* insert.run({
      ...{ mailId, reason, threadId: message.thread_id, ticketMessageId: message.message_id },
      messageId: `${mailId}@${domain}`,
      unlessSeen: unlessSeen ? 1 : 0,
      nextAt: new Date(Date.parse(message.created_at) + waitMs).toISOString(),
      upTo: message.created_at,
      now: now.toISOString(),
    });
  }
  const collectPage = (domain: string, unreadMs: number): Work<number> =>
    database.transaction(function* () {
      const now = clock.now();
      const stale = new Date(now.getTime() - STALE_MS).toISOString();
      const page = yield* said.all((yield* cursor.get(CURSOR)) ?? '0');
      for (const message of page) {
        const mail = message.created_at < stale ? null : wanted(message, unreadMs);
        if (mail) yield* put(message, mail, domain, now);
      }
      const last = page.at(-1);
      if (last) yield* move.run(CURSOR, String(last.seq), now.toISOString());
      return page.length;
    });

  return {
    *begin(): Work<void> {
      if ((yield* cursor.get(CURSOR)) === undefined)
        yield* move.run(CURSOR, String((yield* latest.get()) ?? 0), clock.now().toISOString());
    },
    *collect(domain: string, unreadMs: number): Work<void> {
      if ((yield* isNew.get((yield* cursor.get(CURSOR)) ?? '0')) === undefined) return;
      while ((yield* collectPage(domain, unreadMs)) === PAGE);
    },
  };
}
