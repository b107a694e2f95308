import { businessHoursBetween } from './business-hours.js';
import { emailCategory, emailTone } from './email.js';
import type { Handler } from './handler.js';
import { type QueryBuilder, type ResponseParser, signozLine, signozQuery } from './log-query.js';
import { closestMatch, formatMoney, passThrough } from './values.js';

export type { ResponseParser } from './log-query.js';

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
