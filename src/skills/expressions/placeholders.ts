import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import { formatMoney, type TimeFormat } from '../../core/i18n/index.js';
import type { BoundStatement, Expressions } from '../../core/ports/data-source.js';
import { compileFormula, type Scope } from './expression.js';
import { valueAt } from './sparse-scope.js';

/** How a value is made readable: an amount in centavos, a time, or a length of time in hours or days. */
export const FORMATS = ['money', 'date', 'datetime', 'hours', 'days'] as const;
type Format = (typeof FORMATS)[number];

/** One `{dotted.name}` of a template, with what makes it readable where it says so (`{paid_cents|money}`). */
interface Placeholder {
  readonly name: string;
  readonly path: readonly string[];
  readonly format: Format | null;
  /** Where it is in the template. */
  readonly start: number;
  readonly end: number;
}

/** A template in order: texts as they are meant, without the signs that tell braces from placeholders. */
type TemplatePart =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  /** A brace that is written as such, `{{` or `}}`. */
  | { readonly kind: 'brace'; readonly text: string; readonly start: number }
  | ({ readonly kind: 'placeholder' } & Placeholder);

const MARK = new RegExp(`\\{\\{|\\}\\}|\\{([A-Za-z_]\\w*(?:\\.\\w+)*)(?:\\|(${FORMATS.join('|')}))?\\}`, 'g');

/**
 * Takes a template apart. `{{` is a brace, and so is the `}}` that closes it; any other brace that is no placeholder is
 * text, so that JSON (`{"a": {"b": 1}}`) is what it looks like.
 */
function templateParts(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  let open = 0;
  const addText = (to: number): void => {
    if (to > from) parts.push({ kind: 'text', text: template.slice(from, to), start: from });
  };
  for (const match of template.matchAll(MARK)) {
    const [mark, name, format] = match;
    const start = match.index;
    if (mark === '}}' && open === 0) continue;
    addText(start);
    from = start + mark.length;
    if (name === undefined) {
      open += mark === '{{' ? 1 : -1;
      parts.push({ kind: 'brace', text: mark.charAt(0), start });
    } else parts.push({ kind: 'placeholder', ...placeholder(name, format), start, end: from });
  }
  addText(template.length);
  return parts;
}

function placeholder(name: string, format = ''): Pick<Placeholder, 'name' | 'path' | 'format'> {
  return { name, path: name.split('.'), format: (format || null) as Placeholder['format'] };
}

/** A stretch of a statement that a database reads as text, a name in quotes or a comment; `end` is exclusive. */
interface QuotedRange {
  readonly start: number;
  readonly end: number;
}

const QUOTED =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Where quotes and comments are; one that is never closed reaches to the end. */
function quotedRanges(statement: string): readonly QuotedRange[] {
  return [...statement.matchAll(QUOTED)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** How `|money`, `|date` and `|datetime` are written. Amounts are centavos, times ISO 8601. */
export interface FillOptions {
  readonly language?: Language;
  readonly time?: TimeFormat;
  /** ISO 4217; an amount without one is a bare number. */
  readonly currency?: string | undefined;
}

/** The placeholders of a text, in order. `{{` and `}}` are braces; any other brace is text. */
function placeholdersIn(template: string): readonly Placeholder[] {
  return templateParts(template).filter((part) => part.kind === 'placeholder');
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
 * @throws HubError `expression_invalid` where a placeholder is in quotes or in a comment (its value would be
 * pasted), or a brace is none
 */
export function bindStatement(template: string, scope: Scope): BoundStatement {
  const values = statementPlaceholders(template).map(({ path }) => bindable(valueAt(scope, path)));
  const segments = [''];
  for (const part of templateParts(template)) {
    if (part.kind === 'placeholder') segments.push('');
    else segments[segments.length - 1] += part.text;
  }
  return { segments, values };
}

/** The placeholders of a statement. @throws HubError as {@link bindStatement} */
export function statementPlaceholders(template: string): readonly Placeholder[] {
  const quoted = quotedRanges(template);
  const isQuoted = (at: number): boolean => quoted.some(({ start, end }) => at >= start && at < end);
  const parts = templateParts(template);
  for (const part of parts) {
    if (part.kind === 'text') {
      const stray = [...part.text.matchAll(/[{}]/g)].find(({ index }) => !isQuoted(part.start + index));
      if (stray) throw refused(template, 'it has a brace that is no placeholder; write {{ and }} for braces');
    } else if (part.kind === 'placeholder') demandBindable(template, part, isQuoted(part.start));
  }
  return parts.filter((part) => part.kind === 'placeholder');
}

function demandBindable(template: string, { name, format }: Placeholder, quoted: boolean): void {
  if (quoted)
    throw refused(template, `{${name}} stands in quotes or in a comment; without them its value is bound`);
  if (format) throw refused(template, `{${name}|${format}} makes text; a query takes the value itself`);
}

/** A text with its values in their places; what is missing reads as nothing. */
export function fillText(template: string, scope: Scope, options: FillOptions = {}): string {
  return templateParts(template)
    .map((part) =>
      part.kind === 'placeholder' ? written(valueAt(scope, part.path), part.format, options) : part.text,
    )
    .join('');
}

/** A value of any shape filled in; a text that is one placeholder and nothing else keeps the type of its value. */
export function fillValue(template: JsonValue, scope: Scope, options: FillOptions = {}): JsonValue {
  if (typeof template === 'string') {
    const [only, ...others] = templateParts(template);
    const whole = others.length === 0 && only?.kind === 'placeholder' && only.format === null;
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
  const path = templateParts(template)
    .map((part) => (part.kind === 'placeholder' ? segment(template, part, scope) : part.text))
    .join('');
  const [plainPath = ''] = path.split(/[?#]/);
  if (plainPath.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) {
    throw new HubError('input_invalid', `A value leads out of the path ${template}.`, { path: template });
  }
  return path;
}

function segment(template: string, { name, path, start }: Placeholder, scope: Scope): string {
  const value = written(valueAt(scope, path), null, {});
  const fields = { path: template, field: name };
  if (value.trim() === '')
    throw new HubError(
      'input_invalid',
      `The path ${template} needs ${name}, which has no value here.`,
      fields,
    );
  // Some servers read %2F as a slash.
  const inPath = !/[?#]/.test(template.slice(0, start));
  if (inPath && value.split(/[/\\]/).some((part) => /^\s*\.{1,2}\s*$/.test(part)))
    throw new HubError('input_invalid', `A value leads out of the path ${template}.`, fields);
  if (!value.isWellFormed())
    throw new HubError(
      'input_invalid',
      `${name} holds broken characters; ${template} cannot take it.`,
      fields,
    );
  return encodeURIComponent(value);
}

function written(
  value: unknown,
  format: Placeholder['format'],
  { language = 'en', time, currency }: FillOptions,
): string {
  if (value === null || value === undefined) return '';
  if (format === 'money' && isAmount(value))
    return currency ? formatMoney(Number(value), language, currency) : (Number(value) / 100).toFixed(2);
  if (format === 'hours' && isAmount(value)) return lengthOf(Number(value), language);
  if (format === 'days' && isAmount(value)) return lengthOf(Number(value) * 24, language);
  const wholeDay = typeof value === 'string' && DAY.test(value);
  if (time && isTime(value) && (format === 'date' || (format === 'datetime' && wholeDay)))
    return time.date(iso(value), language);
  if (format === 'datetime' && time && isTime(value)) return time.dateTime(iso(value), language);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A length of time as people say it, in whole units: `15 days`, from two days on, `20 hours`, `45 minutes`. */
function lengthOf(hours: number, language: Language): string {
  const size = Math.abs(hours);
  const [count, unit] =
    size >= 48 ? [hours / 24, 'day'] : size >= 1 || size === 0 ? [hours, 'hour'] : [hours * 60, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    // What has not passed in full is not said; a thousandth is how a database rounds.
    Math.trunc(count + Math.sign(count) / 1_000),
  );
}

/** Databases give large and exact numbers as text. */
function isAmount(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value));
}

function isTime(value: unknown): value is string | Date {
  return (typeof value === 'string' || value instanceof Date) && !Number.isNaN(new Date(value).getTime());
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** As databases write a time: without a zone it is UTC, wherever the program runs. */
const WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

/** A day is that day in the zone it is written for, so it stands for its middle and not for midnight in Greenwich. */
function iso(value: string | Date): string {
  if (typeof value !== 'string') return value.toISOString();
  const whole = DAY.test(value) ? `${value}T12:00:00Z` : value.replace(WITHOUT_ZONE, '$1T$2Z');
  return new Date(whole).toISOString();
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

function refused(template: string, why: string): HubError {
  return new HubError('expression_invalid', `The query "${template.slice(0, 120)}" is refused: ${why}.`, {
    expression: template.slice(0, 200),
  });
}

/** The expressions of packs, for other YAML files. */
export const EXPRESSIONS: Expressions = {
  formula: compileFormula,
  statement: bindStatement,
  path: fillPath,
  fill: (template, scope) => fillValue(template, scope),
  namesIn: placeholderNames,
};
