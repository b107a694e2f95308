import { type JsonObject, parseObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { formatMoney as written } from '../../core/i18n/index.js';
import { fold } from '../../core/text.js';
import { emailCategory, emailTone } from './email.js';
import { type Handler, numberInput, textInput, textsInput, timeInput } from './handler.js';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const MAX_DAYS = 366;

/**
 * Working time between two moments: `{ from, to = now, time_zone = America/Sao_Paulo, opens = 9, closes = 18 }` to
 * `{ minutes, hours }`, Monday to Friday, counted in steps of a quarter of an hour so that changes of the clock are right.
 */
const businessHoursBetween: Handler = async (input, { clock }) => {
  const from = timeInput(input, 'from');
  const to = timeInput(input, 'to', clock.now().getTime());
  const opens = numberInput(input, 'opens', 9);
  const closes = numberInput(input, 'closes', 18);
  if (to - from > MAX_DAYS * 24 * 60 * MINUTE) {
    throw new HubError('input_invalid', `from and to may be at most ${MAX_DAYS} days apart.`, {
      field: 'to',
    });
  }
  const read = reader(textInput(input, 'time_zone', 'America/Sao_Paulo'));
  let worked = 0;
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / QUARTER) + 1) * QUARTER);
    const { weekday, hour } = read(at);
    if (weekday !== 'Sat' && weekday !== 'Sun' && hour >= opens && hour < closes) worked += end - at;
    at = end;
  }
  const minutes = Math.round(worked / MINUTE);
  return { minutes, hours: Math.round((minutes / 60) * 100) / 100 };
};

function reader(timeZone: string): (at: number) => { readonly weekday: string; readonly hour: number } {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    });
  } catch (error) {
    throw new HubError(
      'input_invalid',
      `time_zone must be a name such as America/Sao_Paulo; ${timeZone} is none.`,
      { field: 'time_zone' },
      { cause: error },
    );
  }
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
    return { weekday: part('weekday'), hour: Number(part('hour')) + Number(part('minute')) / 60 };
  };
}

/** A statement that a function wrote for a mapping: a template, and the values its placeholders stand for. */
interface BuiltQuery {
  readonly query: string;
  readonly values: JsonObject;
}

/** What `query_builder: NAME` of a mapping names. @throws HubError `input_invalid` where a parameter cannot be used */
type QueryBuilder = (params: JsonObject, now: Date) => BuiltQuery;
/** What `response_parser: NAME` of a mapping names: each row as the step sees it. */
export type ResponseParser = (row: JsonObject) => JsonObject;

const RANGE = /^(?:last_)?(\d{1,4})_?(m|h|d|minutes?|hours?|days?)$/;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Log lines of one service as SigNoz keeps them in ClickHouse, newest first. `service`; `keyword`: what a line holds;
 * `time_range`: `last_30_days`, `last_12_hours`, `90m` (a day where absent).
 */
const signozQuery: QueryBuilder = (params, now) => {
  const since = now.getTime() - rangeMs(textInput(params, 'time_range', 'last_1_days'));
  const query = [
    'SELECT timestamp, severity_text AS severity, body FROM signoz_logs.distributed_logs_v2',
    "WHERE resources_string['service.name'] = {service} AND position(body, {keyword}) > 0",
    'AND timestamp >= toUInt64({since}) ORDER BY timestamp DESC LIMIT 1000',
  ].join(' ');
  // Nanoseconds are larger than JSON's numbers are exact.
  const values = {
    service: textInput(params, 'service'),
    keyword: textInput(params, 'keyword', ''),
    since: `${since}000000`,
  };
  return { query, values };
};

/** A line of SigNoz as `{ at, severity, message }` and the fields of a body that is JSON. */
const signozLine: ResponseParser = ({ timestamp, severity, body, ...others }) => {
  const nanoseconds = Number(timestamp);
  const at =
    Number.isFinite(nanoseconds) && nanoseconds > 0 ? new Date(nanoseconds / 1e6).toISOString() : null;
  const fields = typeof body === 'string' ? parseObject(body) : undefined;
  return { ...others, ...fields, at, severity: severity ?? null, message: body ?? null };
};

function rangeMs(text: string): number {
  const [, count, unit = ''] = RANGE.exec(text.trim().toLowerCase()) ?? [];
  if (count === undefined)
    throw new HubError('input_invalid', 'time_range must be such as last_30_days, last_12_hours or 90m.', {
      field: 'time_range',
    });
  const size = unit.startsWith('m') ? 60_000 : unit.startsWith('h') ? HOUR_MS : DAY_MS;
  return Number(count) * size;
}

/**
 * Gives its input back as its output. For a part of a composite that names a result, or puts outputs of other parts together
 * under keys of its own: the work is done by the composite's `inputs`.
 */
const passThrough: Handler = async (input) => input;

/** `{ amount_cents, currency = the company's, language = en }` to `{ text }`, as the hub writes amounts in that language. */
const formatMoney: Handler = async (input, tools) => {
  const cents = numberInput(input, 'amount_cents');
  const currency = textInput(input, 'currency', tools.currency ?? '').toUpperCase();
  const language = textInput(input, 'language', 'en');
  try {
    return { text: written(cents, language, currency) };
  } catch (error) {
    throw new HubError(
      'input_invalid',
      `currency must be a code such as EUR and language a tag such as pt-BR; "${currency}" and "${language}" are not.`,
      { field: 'currency' },
      { cause: error },
    );
  }
};

const MAX_CANDIDATES = 1_000;
const MAX_LENGTH = 200;

/**
 * Finds what somebody meant among known names: `{ text, candidates, min_similarity = 0.6 }` to
 * `{ match, similarity, ranked: [{ candidate, similarity }] }`, the five best first. Case and accents do not count; `match`
 * is null where nothing is similar enough.
 */
const closestMatch: Handler = async (input) => {
  const text = normal(textInput(input, 'text'));
  const least = numberInput(input, 'min_similarity', 0.6);
  const ranked = textsInput(input, 'candidates', MAX_CANDIDATES)
    .map((candidate) => ({ candidate, similarity: similarity(text, normal(candidate)) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 5);
  const best = ranked[0];
  const found = best !== undefined && best.similarity >= least;
  return { match: found ? best.candidate : null, similarity: best?.similarity ?? 0, ranked };
};

function normal(text: string): string {
  return fold(text.slice(0, MAX_LENGTH)).trim();
}

/** 1 where equal, 0 where nothing is in common, to two digits. */
function similarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 1 : Math.round((1 - distance(a, b) / longest) * 100) / 100;
}

/** Levenshtein's: letters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** What `implementation: { type: ts_function, handler: NAME }` may name. A new one is a file here and a line. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  business_hours_between: businessHoursBetween,
  closest_match: closestMatch,
  email_category: emailCategory,
  email_tone: emailTone,
  format_money: formatMoney,
  pass_through: passThrough,
};

/** What `query_builder: NAME` of a mapping may name. */
export const QUERY_BUILDERS: Readonly<Record<string, QueryBuilder>> = { signoz_query_builder: signozQuery };

/** What `response_parser: NAME` of a mapping may name. */
export const RESPONSE_PARSERS: Readonly<Record<string, ResponseParser>> = { signoz_log_parser: signozLine };

/** The handler of that name; undefined where there is none. */
export function handlerOf(name: string): Handler | undefined {
  return Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
}
