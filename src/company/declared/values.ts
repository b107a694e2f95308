import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import {
  asRecordTime,
  dayAlone,
  type Sentences,
  type TextValue,
  type TextValues,
  type TimeFormat,
} from '../../core/i18n/index.js';
import type { Expressions, Formula } from '../../core/ports/data-source.js';
import type { Log, WriteContext } from '../../core/ports/index.js';

const FORMATS = ['money', 'date', 'datetime', 'month', 'list'] as const;
type Format = (typeof FORMATS)[number];
const MARKED = /^([\s\S]*\S)\s*\|\s*(money|date|datetime|month|list)\s*$/;

/** What sentences are filled with: expressions, and how each is written. */
export interface Values {
  /** As they are, under names that say what they are (`_cents`): stored, shown to models, part of what is agreed to. */
  raw(scope: JsonObject): JsonObject;
  /** As customers and operators read them. */
  written(raw: JsonObject, texts: Sentences, time: TimeFormat): TextValues;
}

/**
 * Reads `name: expression | format`.
 * @throws HubError `expression_invalid`
 */
export function compileValues(declared: Readonly<Record<string, string>>, expressions: Expressions): Values {
  const all = Object.entries(declared).map(([name, given]) => {
    const [, source = given, format = null] = MARKED.exec(given) ?? [];
    const key = format === 'money' && !name.endsWith('_cents') ? `${name}_cents` : name;
    return { name, key, format: format as Format | null, formula: expressions.formula(source) };
  });
  return {
    raw: (scope) => Object.fromEntries(all.map(({ key, formula }) => [key, formula.value(scope) ?? null])),
    written: (raw, texts, time) =>
      Object.fromEntries(
        all.map(({ name, key, format }) => [name, write(raw[key] ?? null, format, texts, time)]),
      ),
  };
}

function write(value: JsonValue, format: Format | null, texts: Sentences, time: TimeFormat): TextValue {
  if (value === null || value === '') return null;
  if (format === 'money') return Number.isFinite(Number(value)) ? texts.money(Number(value)) : null;
  if (format === 'list' && Array.isArray(value))
    return texts.list(value.map((one) => writeEntry(one, texts, time)));
  if (format === 'month') return time.month(String(value), texts.language);
  if (format === 'date' || format === 'datetime') {
    const iso = isoTime(value);
    if (iso === null) return String(value);
    return format === 'date' ? time.date(iso, texts.language) : time.dateTime(iso, texts.language);
  }
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

/** An entry of a list: a map's parts one after the other, each written as its name says, such as `money`. */
function writeEntry(entry: JsonValue, texts: Sentences, time: TimeFormat): string {
  if (!isObject(entry)) return String(entry);
  const parts = Object.entries(entry).map(([name, part]) => {
    const format = (FORMATS as readonly string[]).includes(name) ? (name as Format) : null;
    return write(part ?? null, format, texts, time);
  });
  return parts.filter((part) => part !== null).join(' ');
}

const WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

/** A time as systems write it, as ISO 8601 UTC; a day stays one ({@link asRecordTime}). Null where it is none. */
export function isoTime(value: JsonValue | undefined): string | null {
  if (typeof value === 'number') return new Date(value * 1_000).toISOString();
  if (typeof value !== 'string' || value === '') return null;
  const day = dayAlone(value);
  const at = new Date(day ?? value.replace(WITHOUT_ZONE, '$1T$2Z'));
  if (day !== null) return Number.isNaN(at.getTime()) ? null : asRecordTime(day);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** Compiles a section of expressions. @throws HubError `expression_invalid` */
export function compileAll(
  declared: Readonly<Record<string, string>>,
  expressions: Expressions,
): ReadonlyMap<string, Formula> {
  return new Map(Object.entries(declared).map(([name, given]) => [name, expressions.formula(given)]));
}

/** Works a section out, in its order: later ones see the earlier ones as `terms`. @throws HubError `source_bad_answer` where one has no value over this data */
export function workedOut(all: ReadonlyMap<string, Formula>, scope: JsonObject, what: string): JsonObject {
  const terms: Record<string, JsonValue> = {};
  for (const [name, formula] of all) {
    const value = formula.value({ ...scope, terms });
    if (value === undefined)
      throw new HubError('source_bad_answer', `${what} ${name} cannot be worked out from what was read.`, {
        what: name,
      });
    terms[name] = value;
  }
  return terms;
}

/** The same without what cannot be worked out, for a sentence that says why nothing is done. */
export function asFarAsWorkedOut(all: ReadonlyMap<string, Formula>, scope: JsonObject): JsonObject {
  const terms: Record<string, JsonValue> = {};
  for (const [name, formula] of all) {
    const value = formula.value({ ...scope, terms });
    if (value !== undefined) terms[name] = value;
  }
  return terms;
}

/** Whether a condition holds; what cannot be worked out does not, or, where `doubtful` says so, does. */
export function holds(formula: Formula, scope: JsonObject, doubtful = false): boolean {
  const value = formula.value(scope);
  return typeof value === 'boolean' ? value : doubtful;
}

/**
 * Makes an effect in the company's own database. What its tables forbid (CHECK, UNIQUE, NOT NULL, foreign keys, a trigger) is a
 * refusal and no fault that passes: it would be forbidden again. Which rule it was, only the log says, to who writes the files.
 * @throws HubError `constraint_failed`, and what `work` throws
 */
export async function withinConstraints<Value>(
  log: Log,
  { tool, ticketId }: { readonly tool: string } & Pick<WriteContext, 'ticketId'>,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HubError) || !isConstraint(error.fields)) throw error;
    const { code, reason } = error.fields;
    log.error(
      { agent: 'action', action: 'constraint_failed', ticketId, details: { tool, code, reason } },
      error,
    );
    throw new HubError(
      'constraint_failed',
      'The tables do not allow what was asked.',
      { tool },
      { cause: error },
    );
  }
}

/** The hub's own ledger is not the company's. */
function isConstraint({ code, reason }: HubError['fields']): boolean {
  return String(code).startsWith('SQLITE_CONSTRAINT') && !String(reason).includes('action_ledger');
}
