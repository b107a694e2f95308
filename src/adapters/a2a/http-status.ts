import { isObject } from '../../core/domain/json.js';
import type { Clock } from '../../core/ports/clock.js';
import { badAnswer, own, readJson, refused, Unreachable } from './faults.js';
import type { WireAnswer } from './wire.js';

const DETAIL_DEPTH = 8;

/**
 * Lets an answer pass that says that the request went well.
 * @throws Unreachable for 5xx and 429; HubError `remote_refused` for any other 4xx, `remote_bad_answer` for the rest
 */
export function demandSuccess(agent: string, answer: WireAnswer, clock: Clock): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  if (status === 429 || (status >= 500 && status < 600)) {
    const waitMs = retryAfter(answer.header('retry-after'), clock);
    throw new Unreachable(`it answered with status ${status}`, { certain: status === 429, status, waitMs });
  }
  if (status >= 400 && status < 500) throw refused(agent, status, detailOf(answer.text));
  throw badAnswer(agent, `with status ${status}`);
}

/** Seconds or a date, in milliseconds from now. */
function retryAfter(value: string | undefined, clock: Clock): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - clock.now().getTime());
}

/** What the other side says is wrong; for the log, never for a prompt. */
function detailOf(text: string): string {
  const json = readJson(text, DETAIL_DEPTH);
  if (!isObject(json)) return text;
  const inner = own(json, 'error');
  for (const place of isObject(inner) ? [inner, json] : [json])
    for (const key of ['detail', 'message', 'error_description', 'title', 'error']) {
      const value = own(place, key);
      if (typeof value === 'string' && value !== '') return value;
    }
  return text;
}
