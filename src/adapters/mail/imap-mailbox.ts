import type { ImapFlow } from 'imapflow';
import type { Mailbox, MailSource } from '../../core/ports/mail.js';
import type { Log } from '../../core/ports/system.js';
import { pause } from '../../core/signals.js';

interface ImapOptions {
  /** `imaps://user:password@host:port/FOLDER`, or `imap://`; the folder is INBOX where absent. */
  readonly url: string;
  readonly log: Log;
}

/** What is read of one mail; of a larger one only the beginning. */
const MOST_BYTES = 12 * 1024 * 1024;
const BEGINNING_BYTES = 512 * 1024;
/** Mails that are worked on at once: each waits for its answer. */
const AT_ONCE = 4;
/** A mail that fails so often is marked as seen and flagged, so that it does not come back for ever. */
const MOST_TRIES = 5;
/** How long at most until the mailbox is looked into, should the server have told nothing. */
const LOOK_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** A mailbox over IMAP, with IDLE. The client is loaded when it is first followed. */
export function createImapMailbox({ url, log }: ImapOptions): Mailbox {
  return {
    async follow(onMail, signal) {
      const tries = new Map<number, number>();
      let pauseMs = FIRST_PAUSE_MS;
      while (!signal.aborted) {
        try {
          await session(url, signal, async (client) => {
            pauseMs = FIRST_PAUSE_MS;
            await takeNew(client, { onMail, tries, log, signal });
          });
        } catch (error) {
          if (signal.aborted) return;
          log.warn({ agent: 'mail', action: 'mailbox_not_reached', details: { why: String(error) } });
          await pause(pauseMs, signal);
          pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        }
      }
    },
  };
}

interface Taking {
  readonly onMail: (source: MailSource) => Promise<void>;
  /** How often a mail has failed, by its number in the mailbox. */
  readonly tries: Map<number, number>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** One connection: looks at once, and whenever the server says that something came. Ends or throws with the connection. */
async function session(
  url: string,
  signal: AbortSignal,
  look: (client: ImapFlow) => Promise<void>,
): Promise<void> {
  const { ImapFlow } = await import('imapflow');
  const at = new URL(url);
  const secure = at.protocol === 'imaps:';
  const client = new ImapFlow({
    host: at.hostname,
    port: Number(at.port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(at.username), pass: decodeURIComponent(at.password) },
    logger: false,
    disableAutoIdle: true,
  });
  let news = true;
  let wake = (): void => {};
  let fault: Error | null = null;
  const onAbort = (): void => {
    news = true;
    wake();
  };
  client.on('exists', onAbort);
  client.on('close', onAbort);
  client.on('error', (error: Error) => {
    fault = error;
    onAbort();
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await client.connect();
    await client.mailboxOpen(decodeURIComponent(at.pathname.slice(1)) || 'INBOX');
    while (client.usable && !signal.aborted) {
      news = false;
      await look(client);
      if (news || !client.usable || signal.aborted) continue;
      const timer = setTimeout(onAbort, LOOK_MS);
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      // Ends when the next command is sent, or with the connection.
      void client.idle().catch(() => {});
      await woken;
      clearTimeout(timer);
    }
    if (fault) throw fault;
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (client.usable) await client.logout().catch(() => {});
    else client.close();
  }
}

async function takeNew(client: ImapFlow, { onMail, tries, log, signal }: Taking): Promise<void> {
  const found = await client.search({ seen: false }, { uid: true });
  const uids = found || [];
  const take = async (uid: number): Promise<void> => {
    const source = await fetchMail(client, uid);
    if (source === null) return;
    try {
      await onMail(source);
      tries.delete(uid);
      await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
    } catch (error) {
      if (signal.aborted) return;
      const count = (tries.get(uid) ?? 0) + 1;
      tries.set(uid, count);
      log.error({ agent: 'mail', action: 'mail_not_taken', details: { uid, tries: count } }, error);
      if (count >= MOST_TRIES)
        await client.messageFlagsAdd(String(uid), ['\\Seen', '\\Flagged'], { uid: true });
    }
  };
  for (let at = 0; at < uids.length && !signal.aborted; at += AT_ONCE)
    await Promise.all(uids.slice(at, at + AT_ONCE).map(take));
}

async function fetchMail(client: ImapFlow, uid: number): Promise<MailSource | null> {
  const { size = 0 } = (await client.fetchOne(String(uid), { size: true }, { uid: true })) || {};
  const whole = size <= MOST_BYTES;
  const part = whole ? true : { start: 0, maxLength: BEGINNING_BYTES };
  const { source } = (await client.fetchOne(String(uid), { source: part }, { uid: true })) || {};
  return source ? { bytes: source, whole } : null;
}
