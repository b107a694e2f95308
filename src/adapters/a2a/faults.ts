import { depthOf, isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { cleanText } from '../../core/text.js';

/** What may become `__proto__`, also where it is written in escapes. */
const SUSPECT = /__proto__|\\u/;

/**
 * Reads JSON that a stranger wrote: not deeper than `maxDepth`, so that whoever walks through it does not run out of
 * stack, and without `__proto__`, which would change an object that it is copied into.
 * @returns undefined where it is not JSON, or too deep
 */
export function readJson(text: string, maxDepth: number): JsonValue | undefined {
  if (depthOf(text) > maxDepth) return undefined;
  try {
    // Looking at every value takes a multiple of the time, and is hardly ever needed.
    return JSON.parse(text, SUSPECT.test(text) ? withoutPrototype : undefined) as JsonValue;
  } catch {
    return undefined;
  }
}

function withoutPrototype(key: string, value: JsonValue): JsonValue | undefined {
  return key === '__proto__' ? undefined : value;
}

/** One line of a stranger's text: no control characters, no line breaks, not longer than asked for. */
export function line(value: JsonValue | undefined, maxChars: number): string {
  if (typeof value !== 'string') return '';
  // Cut twice: a long text is not cleaned in full, and cleaning may leave half a character at the end.
  const clean = cleanText(value.slice(0, 4 * maxChars)).replace(/\s+/g, ' ');
  return clean.slice(0, maxChars).toWellFormed().trim();
}

export function strings(value: JsonValue | undefined, maxItems: number, maxChars: number): readonly string[] {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]).slice(0, maxItems) : [];
  return items.map((item) => line(item, maxChars)).filter((item) => item !== '');
}

export function objects(value: JsonValue | undefined, maxItems: number): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject).slice(0, maxItems) : [];
}

/** How much of what the other side said about an error is kept, for the log. */
const DETAIL_CHARS = 200;

/** No answer, or one that says "not now": the same call may go better in a moment. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  /** True where the other side has certainly not done what was asked. */
  readonly certain: boolean;
  /** The HTTP status, where it answered. */
  readonly status: number | null;
  /** Milliseconds it asks to be left alone; null where it does not say. */
  readonly waitMs: number | null;

  constructor(
    message: string,
    about: { readonly certain: boolean; readonly status?: number; readonly waitMs?: number | null },
    cause?: unknown,
  ) {
    super(message, { cause });
    this.certain = about.certain;
    this.status = about.status ?? null;
    this.waitMs = about.waitMs ?? null;
  }
}

/** It answered, but not with what was asked for. */
export function badAnswer(agent: string, why: string, cause?: unknown): HubError {
  return new HubError('remote_bad_answer', `The agent ${agent} answered ${why}.`, { agent }, { cause });
}

/** A 4xx, or the error of the protocol that means one. */
export function refused(agent: string, status: number, detail: string): HubError {
  return new HubError('remote_refused', `The agent ${agent} refused the request with status ${status}.`, {
    agent,
    status,
    detail: shortDetail(detail),
  });
}

/** The task ended there without an answer. */
export function failed(agent: string, state: string, detail: string): HubError {
  return new HubError(
    'remote_failed',
    `The agent ${agent} ended the task as ${state.replaceAll('_', ' ')}.`,
    { agent, state, detail: shortDetail(detail) },
  );
}

/** An address that is not the one its operator configured, or that nobody may be sent to. */
export function forbidden(agent: string, why: string, fields: Record<string, unknown> = {}): HubError {
  return new HubError('remote_forbidden_address', `The agent ${agent} ${why}.`, { agent, ...fields });
}

export function cancelled(agent: string, cause?: unknown): HubError {
  return new HubError('cancelled', `The call of the agent ${agent} was cancelled.`, { agent }, { cause });
}

/** Whatever kept the call from an answer, in the end. @param certain nothing was carried out, in any of the tries */
export function unreachable(agent: string, fault: Unreachable, attempts: number, certain: boolean): HubError {
  if (fault.status !== null && fault.status < 500) return refused(agent, fault.status, fault.message);
  const times = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
  return new HubError(
    'remote_unreachable',
    `The agent ${agent} cannot be reached: ${fault.message} (${times}).`,
    { agent, attempts, certain, ...(fault.status === null ? {} : { status: fault.status }) },
    { cause: fault },
  );
}

function shortDetail(detail: string): string {
  return cleanText(detail.slice(0, 10 * DETAIL_CHARS))
    .replace(/\s+/g, ' ')
    .slice(0, DETAIL_CHARS)
    .toWellFormed();
}
