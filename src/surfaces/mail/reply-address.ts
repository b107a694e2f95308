import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailSupport } from '../../core/ports/mail.js';

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
export const PURPOSES = { reply: '', unsubscribe: 'stop-', good: 'good-', bad: 'bad-' } as const;
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
export function readToken(text: string): Claimed | null {
  const [, seq, day, mac] = TOKEN.exec(text.toLowerCase()) ?? [];
  if (seq === undefined || day === undefined || mac === undefined) return null;
  return { seq: Number.parseInt(seq, 36), day: Number.parseInt(day, 36), mac };
}

/** Whether a token was made here for this mail and is still good. */
export function isGenuine(
  key: string,
  purpose: Purpose,
  claimed: Claimed,
  signed: Signed,
  now: Date,
): boolean {
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
