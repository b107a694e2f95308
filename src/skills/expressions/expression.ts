import type { Environment } from '@marcbachmann/cel-js';
import { HubError, messageOf } from '../../core/errors.js';
import type { Formula } from '../../core/ports/data-source.js';
import { celEnvironment, spellNullChecks } from './cel-environment.js';
import { RefusedExpression, type Rewritten, rewrite } from './rewrite.js';
import { fromCel, sparseScope } from './sparse-scope.js';

/** An expression of a pack, read once and evaluated many times. */
interface Expression {
  /** The dotted names it looks at, e.g. `result.status`. */
  readonly names: readonly string[];
  /** What its macros look at in the entries of lists: `orders.*.status`. */
  readonly entries: readonly string[];
  /** What CEL says it gives: `bool`, `int`, `dyn` where that depends on the data. */
  readonly type: string;
  /**
   * Its value over a scope, as CEL has it. Every name that is missing reads as null.
   * @throws Error with one sentence that says why it cannot be worked out over this data
   */
  evaluate(scope: object): unknown;
}

const MAX_CHARS = 2_000;
const SHOWN_CHARS = 200;

/**
 * Reads an expression in CEL (https://cel.dev); `is null` and `is not null` are other spellings of `== null` and `!= null`.
 * @throws HubError `expression_invalid` with the text, what is wrong with it, and where
 */
function compileExpression(text: string): Expression {
  if (text.length > MAX_CHARS) {
    throw invalidExpression(text, `it is longer than ${MAX_CHARS} characters; split it over several steps`);
  }
  const { full, timed } = celEnvironment();
  const rewritten = rewrittenOf(text);
  const program = parsed(full, text, rewritten);
  const { valid, type = 'dyn', error } = program.check();
  if (!valid) throw invalidExpression(text, reason(error), positionOf(error, rewritten));
  return {
    names: rewritten.names.map((path) => path.join('.')),
    entries: rewritten.entries,
    type: inWords(type),
    evaluate(scope) {
      try {
        return timed((): unknown => program(sparseScope(scope, rewritten.names)));
      } catch (fault) {
        throw new Error(`"${shown(text)}": ${reason(fault)}`, { cause: fault });
      }
    },
  };
}

function rewrittenOf(text: string): Rewritten {
  const spelled = spellNullChecks(text);
  try {
    celEnvironment().syntax.parse(spelled);
    return rewrite(spelled);
  } catch (error) {
    const at = error instanceof RefusedExpression ? error.at : positionOf(error);
    throw invalidExpression(text, reason(error), at);
  }
}

function parsed(environment: Environment, text: string, rewritten: Rewritten) {
  try {
    return environment.parse(rewritten.text);
  } catch (error) {
    throw invalidExpression(text, reason(error), positionOf(error, rewritten));
  }
}

/** @param at where, from 0; left out where nobody knows */
function invalidExpression(text: string, why: string, at?: number): HubError {
  const place = at === undefined ? '' : ` at character ${at + 1}`;
  return new HubError('expression_invalid', `The expression "${shown(text)}" is not valid${place}: ${why}.`, {
    expression: shown(text),
    ...(at === undefined ? {} : { position: at + 1 }),
  });
}

function shown(text: string): string {
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}…`;
}

/** The library's errors carry the place and, apart from the message, one sentence. */
interface CelFault {
  readonly summary?: string;
  readonly range?: { readonly start: number };
}

function positionOf(error: unknown, rewritten?: Rewritten): number | undefined {
  const start = (error as CelFault | undefined)?.range?.start;
  return start === undefined ? undefined : (rewritten?.position(start) ?? start);
}

/** In the author's words: without the names that only the rewritten expression has. */
function reason(error: unknown): string {
  const fault = error as (CelFault & Partial<Error>) | undefined;
  const [line = ''] = (fault?.summary ?? fault?.message ?? 'its types do not fit').split('\n');
  return inWords(line);
}

function inWords(text: string): string {
  return text
    .replace(/\bhub_/g, '')
    .replace(/\bv_(?=\w)/g, '')
    .replace(/google\.protobuf\.(\w+)/g, (_match, name: string) => name.toLowerCase())
    .replace(/dyn<([^<>]+)>/g, '$1')
    .replace(/\.$/, '');
}

/** What expressions may look at: plain JSON and dates, by name. */
export type Scope = Readonly<Record<string, unknown>>;

export interface Verdict {
  readonly holds: boolean;
  /** Why it does not hold, where that is not simply false: types that do not compare, for example. */
  readonly note?: string;
}

/** A condition of a pack, read once and evaluated many times. */
export interface Condition {
  readonly text: string;
  /** The dotted names it looks at, e.g. `result.status`. */
  readonly names: readonly string[];
  /** A name that is missing reads as null; where types do not compare it does not hold. Never throws. */
  holds(scope: Scope): boolean;
  /** The same, with a note for the one who debugs the pack. */
  judge(scope: Scope): Verdict;
}

/**
 * Reads a condition in CEL (https://cel.dev); `is null` and `is not null` are other spellings of `== null` and
 * `!= null`.
 * @throws HubError `expression_invalid` with the text, what is wrong with it, and where
 */
export function compileCondition(text: string): Condition {
  const { names, type, evaluate } = compileExpression(text);
  if (type !== 'bool' && type !== 'dyn') throw invalidExpression(text, `it gives ${type}, not true or false`);
  const judge = (scope: Scope): Verdict => {
    try {
      const value = evaluate(scope);
      if (typeof value === 'boolean') return { holds: value };
      return { holds: false, note: `"${text}" is neither true nor false over this data` };
    } catch (error) {
      return { holds: false, note: messageOf(error) };
    }
  };
  return { text, names, judge, holds: (scope) => judge(scope).holds };
}

/**
 * Reads a CEL expression whose value may be anything. A name that is missing reads as null, as in conditions.
 * @throws HubError `expression_invalid` with the text, what is wrong with it, and where
 */
export function compileFormula(text: string): Formula {
  const { names, entries, evaluate } = compileExpression(text);
  return {
    names,
    entries,
    value(scope) {
      try {
        return fromCel(evaluate(scope));
      } catch {
        return undefined;
      }
    },
  };
}
