import { createHmac, randomBytes } from 'node:crypto';
import { HubError } from '../../core/errors.js';

/** How the scheme writes a key: its bytes follow in base64. */
const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const KEY_BYTES = { least: 24, most: 64, made: 32 } as const;

/** A key for a webhook whose token is none. */
export function newSigningKey(): string {
  return `${PREFIX}${randomBytes(KEY_BYTES.made).toString('base64')}`;
}

/** True of a token that is a key: it signs, and is never sent along. */
export function isSigningKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** @throws HubError `input_invalid` for what begins like a key and is none */
export function checkSigningKey(token: string): void {
  if (!isSigningKey(token)) return;
  const text = token.slice(PREFIX.length);
  const { length } = Buffer.from(text, 'base64');
  if (BASE64.test(text) && length >= KEY_BYTES.least && length <= KEY_BYTES.most) return;
  const { least, most } = KEY_BYTES;
  const message = `A token that begins with ${PREFIX} is a signing key: ${least} to ${most} bytes in base64 follow.`;
  throw new HubError('input_invalid', message, { field: 'token' });
}

/**
 * The headers by which a receiver knows who calls, that nobody has changed the body, and that it is no old one again:
 * the scheme of standardwebhooks.com. HMAC-SHA256 over `id.timestamp.body` is all there is to it, so no package is needed.
 * @param token a key of the scheme; of any other token its bytes are the key
 * @param at when it is sent
 */
export function signedHeaders(
  token: string,
  webhookId: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = isSigningKey(token) ? Buffer.from(token.slice(PREFIX.length), 'base64') : token;
  const signature = createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
