import { type Context, createContext, Script } from 'node:vm';

/** What a regular expression is asked. */
export interface SafePattern {
  /** @throws PatternTooSlow */
  test(text: string): boolean;
  /** The pattern, which tells one from another. */
  toString(): string;
}

/** Thrown where a pattern takes too long over a text, or the text is longer than patterns are tried on. */
class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow';
}

/** How long all patterns over one value may take together, milliseconds of the processor's time. */
const TIME_LIMIT_MS = 100;
/** How often a pattern is begun again that was stopped before it had its time: others had the processor. */
const MAX_TRIES = 10;
/** Longest text a pattern is tried on, in characters. */
const MAX_TESTED_CHARS = 100_000;
/** Over shorter texts no pattern takes long: a risky one, and any other. */
const SHORT = { risky: 12, other: 1_000 } as const;

/** The time that is left for the patterns over one value; whoever checks a value begins anew. */
export class PatternTime {
  #leftMs = TIME_LIMIT_MS;

  begin(): void {
    this.#leftMs = TIME_LIMIT_MS;
  }

  /** @returns whole milliseconds, at least 1 */
  get leftMs(): number {
    return Math.max(1, Math.ceil(this.#leftMs));
  }

  spend(ms: number): void {
    this.#leftMs -= ms;
  }
}

/**
 * A pattern of a pack, whose author and whose texts are strangers to us. One that repeats a group or repeats twice (`(a+)+`,
 * and many harmless ones) could keep the process busy for years over thirty characters, so it is tested under a time limit.
 * @throws SyntaxError where it is no regular expression
 */
export function safePattern(source: string, time = new PatternTime()): SafePattern {
  const pattern = compilePattern(source);
  const short = isRisky(source) ? SHORT.risky : SHORT.other;
  return {
    toString: () => source,
    test(text) {
      if (text.length <= short) return pattern.test(text);
      if (text.length > MAX_TESTED_CHARS) {
        throw new PatternTooSlow(
          `a text is longer than the ${MAX_TESTED_CHARS} characters that a pattern is tried on`,
        );
      }
      return testTimed(pattern, text, time);
    },
  };
}

/** In the mode JSON Schema asks for (`u`); without it where the pattern has escapes that only the older mode takes. */
function compilePattern(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

/** True where the pattern has what backtracking needs to explode: a repeated group, or more than one repetition. */
function isRisky(source: string): boolean {
  const bare = source.replace(/\\./gs, '_').replace(/\[[^\]]*\]/g, '_');
  return /\)[*+{]/.test(bare) || (bare.match(/[*+]|\{\d+,\}|\{(?:\d+,)?\d{2,}\}/g) ?? []).length > 1;
}

interface Runner {
  readonly script: Script;
  readonly data: Context;
}
let runner: Runner | undefined;

/** The processor's time that this process has had, milliseconds: what a busy machine gives to others is not in it. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Only a program that the engine runs under a time limit can be stopped in the middle of a match. */
function testTimed(pattern: RegExp, text: string, time: PatternTime): boolean {
  // Its text never changes: what it tests is passed as data.
  runner ??= { script: new Script('pattern.test(text)'), data: createContext({}) };
  try {
    Object.assign(runner.data, { pattern, text });
    for (let tries = 1; ; tries += 1) {
      const started = processorMs();
      try {
        return runner.script.runInContext(runner.data, { timeout: time.leftMs }) === true;
      } catch (error) {
        if (time.leftMs > processorMs() - started && tries < MAX_TRIES) continue;
        throw new PatternTooSlow(`the pattern ${pattern.source} takes too long over it`, { cause: error });
      } finally {
        time.spend(processorMs() - started);
      }
    }
  } finally {
    Object.assign(runner.data, { pattern: undefined, text: undefined });
  }
}
