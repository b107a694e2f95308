import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailConfig } from '../../config/config.js';
import { ANONYMOUS, type Customer, type Identity } from '../../core/domain/customer.js';
import type { MailSupport, ReceivedMail, SentMail } from '../../core/ports/mail.js';

/** Whose mail a signed address stands for. */
export interface Signed {
  /** Number of the mail that it was made for. */
  readonly seq: number;
  readonly threadId: string;
  /** The customer's id or, of a visitor, the address. */
  readonly who: string;
}

/** What a signed address says, before it is proven. */
interface Claimed {
  readonly seq: number;
  /** The last day on which it is good, counted from 1970. */
  readonly day: number;
  readonly mac: string;
}

const DAY_MS = 24 * 3_600_000;
/** How long a conversation may be gone on with by replying alone. */
const GOOD_DAYS = 30;
/** 104 bits. Mail servers may change the case of an address, and its part before the @ has at most 64 characters. */
const MAC_CHARACTERS = 26;
const TOKEN = /^([0-9a-z]{1,8})-([0-9a-z]{1,5})-([0-9a-f]{26})$/;

/** What a signature is for, and how its address begins: one of a reply neither unsubscribes nor rates. */
const PURPOSES = { reply: '', unsubscribe: 'stop-', good: 'good-', bad: 'bad-' } as const;
export type Purpose = keyof typeof PURPOSES;

function macOf(key: string, purpose: Purpose, { seq, threadId, who }: Signed, day: number): string {
  const text = JSON.stringify([purpose, seq, threadId, who, day]);
  return createHmac('sha256', key).update(text).digest('hex').slice(0, MAC_CHARACTERS);
}

/** A token that proves who was sent the mail. */
export function signedToken(key: string, purpose: Purpose, signed: Signed, now: Date): string {
  const day = Math.floor(now.getTime() / DAY_MS) + GOOD_DAYS;
  return `${signed.seq.toString(36)}-${day.toString(36)}-${macOf(key, purpose, signed, day)}`;
}

/** The address that does it for whom the mail was sent to. */
export function signedAddress(
  address: string,
  key: string,
  purpose: Purpose,
  signed: Signed,
  now: Date,
): string {
  return withToken(address, `${PURPOSES[purpose]}${signedToken(key, purpose, signed, now)}`);
}

/** Null for what is no token. */
function readToken(text: string): Claimed | null {
  const [, seq, day, mac] = TOKEN.exec(text.toLowerCase()) ?? [];
  if (seq === undefined || day === undefined || mac === undefined) return null;
  return { seq: Number.parseInt(seq, 36), day: Number.parseInt(day, 36), mac };
}

/** Whether a token was made here for this mail and is still good. */
function isGenuine(key: string, purpose: Purpose, claimed: Claimed, signed: Signed, now: Date): boolean {
  if (claimed.seq !== signed.seq || claimed.day < Math.floor(now.getTime() / DAY_MS)) return false;
  const made = macOf(key, purpose, signed, claimed.day);
  return timingSafeEqual(Buffer.from(made), Buffer.from(claimed.mac));
}

/** `support+TOKEN@example.com`. */
function withToken(address: string, token: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}+${token}${address.slice(at)}`;
}

/** What follows the hub's own name in an address of its own; null for anybody else's. */
export function tokenIn(address: string, own: string): string | null {
  const at = own.lastIndexOf('@');
  const [start, end] = [`${own.slice(0, at)}+`, own.slice(at)];
  const given = address.toLowerCase();
  return given.startsWith(start) && given.endsWith(end) ? given.slice(start.length, -end.length) : null;
}

/**
 * Ends the notices of the customer to whom the token was sent.
 * @returns false where the token proves nothing, or is too old
 */
export async function unsubscribe(mail: MailSupport, token: string): Promise<boolean> {
  const claimed = readToken(token);
  const sent = claimed && (await mail.store.findSent({ seq: claimed.seq }));
  if (!claimed || !sent?.customerId) return false;
  const signed = { seq: sent.seq, threadId: sent.threadId, who: sent.customerId };
  if (!isGenuine(await mail.store.key(), 'unsubscribe', claimed, signed, mail.clock.now())) return false;
  await mail.unsubscribe(sent.customerId);
  return true;
}

/** A header as it is in a mail: its name in lower case, its value unfolded. */
interface MailHeader {
  readonly name: string;
  readonly value: string;
}

/** Whose word is taken for who sent a mail. */
interface Trust {
  /** The name under which the own mail server writes its results (RFC 8601); undefined: no header proves anything. */
  readonly server: string | undefined;
  /** `Received` headers of own servers that may stand above them. */
  readonly hops: number;
}

interface Result {
  readonly method: string;
  readonly verdict: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** Handing a mail to its mailbox is no way from outside. */
const LOCAL_DELIVERY = /\swith\s+LMTPS?A?\b/i;
const PROPERTY = /([a-z]+\.[\w-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;"]+)/gi;
const METHOD = /^\s*([a-z][\w-]*)(?:\/\d+)?\s*=\s*([a-z]+)\b/i;

/**
 * Whether the own mail server has proven that a mail comes from the domain of its sender: DMARC, or DKIM or SPF for that very
 * domain. Only the topmost header of that server counts, and none that came in with the mail: below the `Received` of the
 * own servers anybody may have written it.
 * @param from the address in the one From header
 */
function isVerified(headers: readonly MailHeader[], from: string, { server, hops }: Trust): boolean {
  if (server === undefined) return false;
  const domain = domainOf(from);
  let received = 0;
  for (const { name, value } of headers) {
    if (name === 'received' && !LOCAL_DELIVERY.test(value)) received += 1;
    if (received > hops) return false;
    if (name !== 'authentication-results') continue;
    const parsed = parseResults(value);
    if (parsed?.server === server.toLowerCase()) return provesDomain(parsed.results, domain);
  }
  return false;
}

function provesDomain(results: readonly Result[], domain: string): boolean {
  if (domain === '' || results.some(({ method, verdict }) => method === 'dmarc' && verdict === 'fail'))
    return false;
  return results.some(({ method, verdict, properties }) => {
    if (verdict !== 'pass') return false;
    const named = (name: string): boolean => domainOf(properties.get(name) ?? '') === domain;
    if (method === 'dmarc') return named('header.from');
    if (method === 'dkim') return properties.has('header.d') ? named('header.d') : named('header.i');
    return method === 'spf' && named('smtp.mailfrom');
  });
}

/** Null for what is not formed as it must be: nothing in it is believed then. */
function parseResults(
  value: string,
): { readonly server: string; readonly results: readonly Result[] } | null {
  const parts = splitOutsideQuotes(value);
  if (parts === null) return null;
  const [first = '', ...rest] = parts;
  const server = first.trim().split(/\s+/)[0]?.toLowerCase() ?? '';
  return { server, results: rest.flatMap((part) => toResult(part) ?? []) };
}

function toResult(part: string): Result | null {
  const [, method, verdict] = METHOD.exec(part) ?? [];
  if (method === undefined || verdict === undefined) return null;
  const properties = new Map<string, string>();
  for (const [, name = '', given = ''] of part.matchAll(PROPERTY)) {
    // Of a property that stands there twice it is not known which value is meant.
    if (properties.has(name.toLowerCase())) return null;
    properties.set(name.toLowerCase(), given.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1'));
  }
  return { method: method.toLowerCase(), verdict: verdict.toLowerCase(), properties };
}

/** The parts between semicolons, without comments; null where a quotation or a comment does not end. */
function splitOutsideQuotes(value: string): readonly string[] | null {
  const parts = [''];
  let [quoted, depth] = [false, 0];
  for (let at = 0; at < value.length; at += 1) {
    const letter = value[at] ?? '';
    const escaped = letter === '\\' && (quoted || depth > 0);
    const piece = escaped ? value.slice(at, at + 2) : letter;
    if (escaped) at += 1;
    else if (letter === '"' && depth === 0) quoted = !quoted;
    else if (letter === '(' && !quoted) depth += 1;
    else if (letter === ')' && !quoted && depth > 0) {
      depth -= 1;
      continue;
    } else if (letter === ';' && !quoted && depth === 0) {
      parts.push('');
      continue;
    }
    if (depth === 0) parts[parts.length - 1] += piece;
  }
  return quoted || depth > 0 ? null : parts;
}

/** What stands behind the last @, or all of it; in lower case. */
function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
    .replace(/\.$/, '');
}

/** Who wrote a mail, and to which mail of the hub it is a reply. */
export interface Sender {
  readonly identity: Identity;
  /** Null where it begins a conversation. */
  readonly repliesTo: SentMail | null;
  /** True where it is proven: by the mail server, or by an address that only the recipient of a mail knows. */
  readonly proven: boolean;
}

/**
 * Who wrote a mail. A customer is one whom the own mail server has verified, or who replies to an address that was signed
 * for them; everybody else is a visitor, whatever the mail says.
 */
export async function senderOf(
  mail: MailSupport,
  config: MailConfig,
  received: ReceivedMail,
): Promise<Sender> {
  const { from, headers } = received;
  const trust = { server: config.authServer, hops: config.authHops };
  const verified = from !== null && isVerified(headers, from, trust) ? await mail.customerBy(from) : null;
  const signed = await signedFor(mail, config, received, 'reply');
  if (signed && (verified === null || verified.customerId === signed.customerId)) {
    if (signed.customerId === null) return { identity: ANONYMOUS, repliesTo: signed, proven: true };
    const customer = await mail.customer(signed.customerId);
    if (customer) return { identity: identityOf(customer), repliesTo: signed, proven: true };
  }
  const answered = await firstSent(mail, received.references);
  if (verified) {
    const own = answered?.customerId === verified.customerId ? answered : null;
    return { identity: identityOf(verified), repliesTo: own, proven: true };
  }
  // Who knows the id of a mail to a visitor has got it; a customer's conversation needs more than that.
  const isOwn = answered !== null && answered.customerId === null && answered.visitor === from;
  return { identity: ANONYMOUS, repliesTo: isOwn ? answered : null, proven: false };
}

/** The mail whose signed address this one was sent to; null where there is none, or the signature is not good. */
export async function signedFor(
  mail: MailSupport,
  { address }: Pick<MailConfig, 'address'>,
  { recipients }: Pick<ReceivedMail, 'recipients'>,
  purpose: Purpose,
): Promise<SentMail | null> {
  for (const recipient of recipients) {
    const text = tokenIn(recipient, address);
    const claimed = text?.startsWith(PURPOSES[purpose])
      ? readToken(text.slice(PURPOSES[purpose].length))
      : null;
    const sent = claimed && (await mail.store.findSent({ seq: claimed.seq }));
    if (!claimed || !sent) continue;
    const who = sent.customerId ?? sent.visitor ?? '';
    const signed = { seq: sent.seq, threadId: sent.threadId, who };
    if (isGenuine(await mail.store.key(), purpose, claimed, signed, mail.clock.now())) return sent;
  }
  return null;
}

/** The nearest of these mails that is one of the hub's. */
export async function firstSent(mail: MailSupport, messageIds: readonly string[]): Promise<SentMail | null> {
  for (const messageId of messageIds) {
    const sent = await mail.store.findSent({ messageId });
    if (sent) return sent;
  }
  return null;
}

/** Who the customer is to the conversations. */
export function identityOf({ customerId, email }: Customer): Identity {
  return { kind: 'customer', customerId, email };
}
