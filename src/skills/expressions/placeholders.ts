import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import { formatMoney, type TimeFormat } from '../../core/i18n/index.js';
import type { BoundStatement } from '../../core/ports/data-source.js';
import type { Scope } from './condition.js';
import { valueAt } from './sparse-scope.js';
import { quotedRanges } from './sql-quotes.js';

/** One `{dotted.name}` of a template, with what makes it readable where it says so (`{paid_cents|money}`). */
export interface Placeholder {
  readonly name: string;
  readonly path: readonly string[];
  readonly format: 'money' | 'date' | 'datetime' | null;
  /** Where it stands in the template. */
  readonly start: number;
  readonly end: number;
}

/** How `|money`, `|date` and `|datetime` are written. Amounts are centavos, times ISO 8601. */
export interface FillOptions {
  readonly language?: Language;
  readonly time?: TimeFormat;
}

const PLACEHOLDER = /\{\{|\}\}|\{([A-Za-z_]\w*(?:\.\w+)*)(?:\|(money|date|datetime))?\}/g;

/** The placeholders of a text, in order. `{{` and `}}` are braces; any other brace is text. */
export function placeholdersIn(template: string): readonly Placeholder[] {
  return [...template.matchAll(PLACEHOLDER)].flatMap((match) => {
    const name = match[1];
    if (name === undefined) return [];
    const format = (match[2] ?? null) as Placeholder['format'];
    return [{ name, path: name.split('.'), format, start: match.index, end: match.index + match[0].length }];
  });
}

/** The names a template of any shape refers to, each once. */
export function placeholderNames(template: JsonValue | undefined): readonly string[] {
  if (typeof template === 'string') return [...new Set(placeholdersIn(template).map(({ name }) => name))];
  if (typeof template !== 'object' || template === null) return [];
  const parts = Array.isArray(template) ? template : Object.values(template);
  return [...new Set(parts.flatMap(placeholderNames))];
}

/**
 * A statement with its values apart. What is missing is bound as null, which no comparison matches.
 * @throws HubError `expression_invalid` where a placeholder stands in quotes or in a comment (its value would be
 * pasted), or a brace is none
 */
export function bindStatement(template: string, scope: Scope): BoundStatement {
  const found = statementPlaceholders(template);
  const segments: string[] = [];
  let from = 0;
  for (const { start, end } of found) {
    segments.push(unescaped(template.slice(from, start)));
    from = end;
  }
  segments.push(unescaped(template.slice(from)));
  return { segments, values: found.map(({ path }) => bindable(valueAt(scope, path))) };
}

/** The placeholders of a statement. @throws HubError as {@link bindStatement} */
export function statementPlaceholders(template: string): readonly Placeholder[] {
  const found = placeholdersIn(template);
  const quoted = quotedRanges(template);
  for (const { name, start, end, format } of found) {
    if (quoted.some((range) => start < range.end && end > range.start)) {
      throw refused(template, `{${name}} stands in quotes or in a comment; without them its value is bound`);
    }
    if (format) throw refused(template, `{${name}|${format}} makes text; a query takes the value itself`);
  }
  const stray = [...template.replace(PLACEHOLDER, (text) => ' '.repeat(text.length)).matchAll(/[{}]/g)].find(
    ({ index }) => !quoted.some((range) => index >= range.start && index < range.end),
  );
  if (stray) throw refused(template, 'it has a brace that is no placeholder; write {{ or }} for a brace');
  return found;
}

/** A text with its values in their places; what is missing reads as nothing. */
export function fillText(template: string, scope: Scope, options: FillOptions = {}): string {
  return template.replace(PLACEHOLDER, (text, name: string | undefined, format: string | undefined) => {
    if (name === undefined) return text.charAt(0);
    return written(valueAt(scope, name.split('.')), format, options);
  });
}

/** A value of any shape filled in; a text that is one placeholder and nothing else keeps the type of its value. */
export function fillValue(template: JsonValue, scope: Scope, options: FillOptions = {}): JsonValue {
  if (typeof template === 'string') {
    const [only] = placeholdersIn(template);
    const whole = only?.start === 0 && only.end === template.length && only.format === null;
    return whole ? plain(valueAt(scope, only.path)) : fillText(template, scope, options);
  }
  if (Array.isArray(template)) return template.map((item: JsonValue) => fillValue(item, scope, options));
  if (typeof template !== 'object' || template === null) return template;
  const filled = Object.entries(template as JsonObject).flatMap(([name, item]) =>
    item === undefined ? [] : [[name, fillValue(item, scope, options)] as const],
  );
  return Object.fromEntries(filled);
}

/**
 * The path of a request; each value is one segment or a part of one, whatever it holds.
 * @throws HubError `input_invalid` for a value that is missing, or that would lead elsewhere
 */
export function fillPath(template: string, scope: Scope): string {
  const path = template.replace(PLACEHOLDER, (text, name: string | undefined) => {
    if (name === undefined) return text.charAt(0);
    const value = written(valueAt(scope, name.split('.')), undefined, {});
    if (value.trim() === '')
      throw new HubError('input_invalid', `The path ${template} needs ${name}.`, { field: name });
    return encodeURIComponent(value);
  });
  if (path.split(/[/?#]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw new HubError('input_invalid', `A value leads out of the path ${template}.`, { path: template });
  }
  return path;
}

function written(value: unknown, format: string | undefined, { language = 'en', time }: FillOptions): string {
  if (value === null || value === undefined) return '';
  if (format === 'money' && Number.isFinite(Number(value))) return formatMoney(Number(value), language);
  if (format === 'date' && time && isTime(value)) return time.date(iso(value), language);
  if (format === 'datetime' && time && isTime(value)) return time.dateTime(iso(value), language);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isTime(value: unknown): value is string | Date {
  return (typeof value === 'string' || value instanceof Date) && !Number.isNaN(new Date(value).getTime());
}

function iso(value: string | Date): string {
  return new Date(value).toISOString();
}

function plain(value: unknown): JsonValue {
  if (value === undefined) return null;
  return value instanceof Date ? value.toISOString() : (value as JsonValue);
}

/** Databases take single values: a list or an object is bound as its JSON. */
function bindable(value: unknown): JsonValue {
  const known = plain(value);
  return typeof known === 'object' && known !== null ? JSON.stringify(known) : known;
}

function unescaped(text: string): string {
  return text.replaceAll('{{', '{').replaceAll('}}', '}');
}

function refused(template: string, why: string): HubError {
  return new HubError('expression_invalid', `The query "${template.slice(0, 120)}" is refused: ${why}.`, {
    expression: template.slice(0, 200),
  });
}
