import { HubError } from '../../core/errors.js';
import { celEnvironment } from './cel-environment.js';
import { type Chain, chainsOf } from './chains.js';
import { sparseScope } from './sparse-scope.js';

/** What conditions may look at: plain JSON and dates, by name. */
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

const MAX_CHARS = 1_000;

/**
 * Reads a condition in CEL (https://cel.dev); `is null` and `is not null` are other spellings of `== null` and
 * `!= null`.
 * @throws HubError `expression_invalid` with the text and what is wrong with it
 */
export function compileCondition(text: string): Condition {
  if (text.length > MAX_CHARS) {
    throw invalid(text, `it is longer than ${MAX_CHARS} characters; split it over several steps`);
  }
  const program = parse(text);
  const chains: readonly Chain[] = chainsOf(program.ast);
  const judge = (scope: Scope): Verdict => {
    try {
      const value: unknown = program(sparseScope(scope, chains));
      if (typeof value === 'boolean') return { holds: value };
      return { holds: false, note: `"${text}" gives no yes or no` };
    } catch (error) {
      return { holds: false, note: `"${text}": ${firstLine(error)}` };
    }
  };
  return {
    text,
    names: [...new Set(chains.map((chain) => chain.path.join('.')))],
    judge,
    holds: (scope) => judge(scope).holds,
  };
}

function parse(text: string) {
  const env = celEnvironment();
  try {
    const program = env.parse(withNullWords(text));
    const check = program.check();
    if (!check.valid) throw check.error ?? new Error('its types do not fit');
    if (check.type !== undefined && check.type !== 'bool' && check.type !== 'dyn') {
      throw new Error(`it gives ${check.type} and not a yes or no`);
    }
    return program;
  } catch (error) {
    throw invalid(text, firstLine(error));
  }
}

/** Outside of quotes only: 'is null' in a string is text. */
function withNullWords(text: string): string {
  const pieces = text.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"']+|["']/g) ?? [];
  return pieces
    .map((piece) =>
      /^["']/.test(piece)
        ? piece
        : piece.replace(/\bis\s+not\s+null\b/gi, '!= null').replace(/\bis\s+null\b/gi, '== null'),
    )
    .join('');
}

function invalid(text: string, why: string): HubError {
  return new HubError('expression_invalid', `The condition "${text.slice(0, 200)}" cannot be read: ${why}.`, {
    expression: text.slice(0, 200),
  });
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').replace(/\.$/, '');
}
