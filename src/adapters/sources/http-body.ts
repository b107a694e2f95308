import type { JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { TextAnswer } from './fetch-text.js';

const MAX_DEPTH = 200;

/**
 * The body as JSON, or as text where it does not claim to be JSON; null where there is none.
 * @throws HubError `source_bad_answer` where a good answer is broken JSON, a web page, or nested without end
 */
export function parseBody(source: string, { status, headers, text }: TextAnswer): JsonValue {
  if (text.trim() === '') return null;
  const type = headers.get('content-type') ?? '';
  const refuse = (why: string): HubError =>
    new HubError('source_bad_answer', `${source} answers HTTP ${status} with ${why}.`, {
      source,
      status,
      begins: text.slice(0, 80),
    });
  const value = tryParse(text);
  if (value === undefined) {
    // A refusal may say what it likes; an answer that was asked for data must be data.
    if (status >= 400) return text;
    if (/\bjson\b/i.test(type)) throw refuse('broken JSON');
    if (/\bhtml\b/i.test(type) || /^\s*<(?:!doctype|html)/i.test(text))
      throw refuse('a web page where data was expected');
    return text;
  }
  if (deeperThan(value, MAX_DEPTH)) throw refuse('JSON that is nested without end');
  return value;
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Level by level, since a walk that calls itself is what such a value breaks. */
function deeperThan(value: JsonValue, limit: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
