import { compileExpression, invalidExpression } from './expression.js';

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
      return { holds: false, note: error instanceof Error ? error.message : String(error) };
    }
  };
  return { text, names, judge, holds: (scope) => judge(scope).holds };
}
