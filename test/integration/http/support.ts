import { createHmac } from 'node:crypto';
import type { Answer } from '../../support/server.js';

export const ANA = 'ana.souza@example.com';
export const BRUNO = 'bruno.lima@example.com';

/** The token of an answer of POST /api/session. */
export function tokenOf({ body }: Answer): string {
  return String(body.token);
}

/** A JWT made by hand; without a key it is not signed. */
export function forge(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
  key: string | null,
): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ typ: 'JWT', ...header })}.${part(claims)}`;
  return `${text}.${key === null ? '' : createHmac('sha256', key).update(text).digest('base64url')}`;
}

/** A message of Ana that leads to a question. */
export const SAMBA = 'cancel my samba night booking';
