import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AgentExtension } from '@a2a-js/sdk';
import { isObject, type JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';

/** Names the extension of a card, and the place in metadata, by which a visitor proves whose tasks it asks for. */
export const CALLER_SECRET = 'urn:uda-hub:a2a:caller-secret:v1';
/** The header that carries the same. */
export const CALLER_SECRET_HEADER = 'caller-secret';

const SECRET_BYTES = 32;
const FORM = /^[\w-]{43}$/;
const PREFIX = 'anonymous:';

/** A secret nobody can guess, for a visitor that has none yet. */
export function newCallerSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Under which name a visitor's tasks are kept: a hash, which gives the secret to nobody who reads it. */
export function visitorKey(secret: string): string {
  return `${PREFIX}${createHash('sha256').update(`${CALLER_SECRET} ${secret}`).digest('base64url')}`;
}

/** True of what belongs to a visitor. */
export function isVisitorKey(owner: string): boolean {
  return owner.startsWith(PREFIX);
}

/** Whether two owners are one; how long it takes says nothing of how much of them is the same. */
export function sameOwner(a: string, b: string): boolean {
  const [one, other] = [a, b].map((owner) => createHash('sha256').update(owner).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** @throws HubError `input_invalid` for what was never given out */
export function checkCallerSecret(secret: unknown): string {
  if (typeof secret === 'string' && FORM.test(secret)) return secret;
  const message = 'The caller secret is none that was given out: it has 43 letters, digits, - and _.';
  throw new HubError('input_invalid', message, {
    field: CALLER_SECRET,
    errors: [{ field: CALLER_SECRET, message }],
  });
}

/**
 * Takes the secret out of the metadata of a request and of its message, so that it is neither kept nor shown.
 * @returns the rest, with what was found as it was sent
 */
export function withoutSecret<T extends object>(request: T): { readonly rest: T; readonly found: unknown } {
  const given = request as Readonly<Record<string, unknown>>;
  const outer = strip(given.metadata);
  const message = isObject(given.message) ? given.message : null;
  const inner = strip(message?.metadata);
  if (outer.found === undefined && inner.found === undefined) return { rest: request, found: undefined };
  const rest = {
    ...given,
    ...(outer.rest && { metadata: outer.rest }),
    ...(message && { message: { ...message, ...(inner.rest && { metadata: inner.rest }) } }),
  };
  return { rest: rest as T, found: outer.found ?? inner.found };
}

function strip(metadata: unknown): { readonly rest: JsonObject | null; readonly found: unknown } {
  if (!isObject(metadata)) return { rest: null, found: undefined };
  const { [CALLER_SECRET]: found, ...rest } = metadata;
  return { rest, found };
}

/** What a card says of it. */
export function callerSecretExtension(): AgentExtension {
  return {
    uri: CALLER_SECRET,
    description:
      "A caller without a token is given a secret with the first task that it begins, in the task's metadata under this name, and never again. Shown in the header or in the metadata of a request or message, it makes the tasks begun with it the caller's own, to list them and to go on with its conversations by names of its own. Without it a task is reached by its id alone, and nothing is listed but the conversation whose contextId the agent has given.",
    required: false,
    params: { header: 'Caller-Secret', metadata: CALLER_SECRET },
  };
}
