import { Environment } from '@marcbachmann/cel-js';
import { processorMs, safePattern } from '../safe-pattern.js';

/** One word of an expression. */
export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'sign';
  readonly text: string;
  /** Where it begins, from 0. */
  readonly at: number;
}

const STRING =
  /[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')/y;
const RAW = /(?:[rR][bB]?|[bB][rR])(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')/y;
const NUMBER = /(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[uU]?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SKIPPED = /(?:\s+|\/\/[^\n]*)/y;
const SIGN = /(?:==|!=|<=|>=|&&|\|\||[\s\S])/y;

/** The words of an expression, without spaces and comments. What is no CEL comes out as signs; the parser refuses it. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  while (at < text.length) {
    const skipped = take(SKIPPED);
    if (skipped !== null) {
      at += skipped.length;
      continue;
    }
    const token = next(take, at);
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function next(take: (pattern: RegExp) => string | null, at: number): Token {
  // A string goes before a name, since its prefix (`r'...'`) looks like one; a raw one has no escapes.
  const string = take(RAW) ?? take(STRING);
  if (string !== null) return { kind: 'string', text: string, at };
  const name = take(NAME);
  if (name !== null) return { kind: 'name', text: name, at };
  const number = take(NUMBER);
  if (number !== null) return { kind: 'number', text: number, at };
  return { kind: 'sign', text: take(SIGN) ?? '', at };
}

const ENDS_OPERAND = new Set([')', ']', '}']);

/**
 * Spells `is null` and `is not null` as CEL does, and changes nothing inside a string. Every other character keeps its
 * place, so that positions in messages are those of the author's text.
 */
export function spellNullChecks(text: string): string {
  const tokens = tokenize(text);
  let spelled = text;
  const put = (from: number, to: number, sign: string): void => {
    spelled = spelled.slice(0, from) + sign.padEnd(to - from) + spelled.slice(to);
  };
  tokens.forEach((token, index) => {
    const [second, third] = [tokens[index + 1], tokens[index + 2]];
    if (!isWord(token, 'is') || !endsOperand(tokens[index - 1]) || second === undefined) return;
    if (isWord(second, 'null')) {
      put(token.at, token.at + 2, '==');
      put(second.at, second.at + 4, 'null');
    } else if (isWord(second, 'not') && third !== undefined && isWord(third, 'null')) {
      put(token.at, second.at + 3, '!=');
      put(third.at, third.at + 4, 'null');
    }
  });
  return spelled;
}

function isWord(token: Token, word: string): boolean {
  return token.kind === 'name' && token.text.toLowerCase() === word;
}

function endsOperand(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.kind === 'sign' ? ENDS_OPERAND.has(token.text) : token.text !== 'in';
}

/** Keeps an expression small enough to be evaluated at once, no matter who wrote it. */
const LIMITS = {
  maxAstNodes: 600,
  maxDepth: 30,
  maxListElements: 100,
  maxMapEntries: 50,
  maxCallArguments: 8,
};
/** Milliseconds an expression may go through lists. A hundred times what a thousand rows take. */
const TIME_LIMIT_MS = 250;

/** What the rewritten expression calls in place of CEL's own functions, by the name an author writes. */
export const REPLACED: ReadonlyMap<string, string> = new Map([
  ['matches', 'hub_matches'],
  ['timestamp', 'hub_timestamp'],
]);
/** Asked before each look at an entry of a list; throws when the time is up. */
export const TICK = 'hub_tick()';
export const HAS = 'hub_has';

/**
 * Functions an author may call. `cel.bind` is not among them: it doubles a value with every use, and a condition needs no
 * variables.
 */
export const FUNCTIONS: ReadonlySet<string> = new Set(
  'has size string int uint double bool bytes timestamp duration type dyn'.split(' '),
);
export const METHODS: ReadonlySet<string> = new Set(
  `all exists exists_one map filter size contains startsWith endsWith matches lowerAscii upperAscii trim indexOf lastIndexOf
  substring split join getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours getMilliseconds getMinutes
  getMonth getSeconds string hex base64 at sum`.split(/\s+/),
);

interface CelEnvironment {
  /** Reads what an author wrote, for its syntax only. */
  readonly syntax: Environment;
  /** Reads and evaluates the rewritten expression. */
  readonly full: Environment;
  /** Evaluates with the time limit. What it gives is done when it returns. */
  timed<T>(work: () => T): T;
}

let shared: CelEnvironment | undefined;

/** Functions and operators of CEL, any variable, nothing of the program around it. Keeps no data, so one is enough. */
export function celEnvironment(): CelEnvironment {
  shared ??= createEnvironment();
  return shared;
}

function createEnvironment(): CelEnvironment {
  const options = { unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false };
  const syntax = new Environment({ ...options, limits: LIMITS });
  // The rewritten expression is longer than the author's, which was measured already.
  const full = new Environment({ ...options, enableOptionalTypes: true, limits: { maxDepth: 250 } });
  addArithmetic(full);
  let [deadline, began] = [Number.POSITIVE_INFINITY, 0];
  full.registerFunction('hub_tick(): bool', () => {
    // On a busy machine the wall clock runs while others have the processor.
    if (performance.now() < deadline || processorMs() - began < TIME_LIMIT_MS) return true;
    throw new Error(`it takes longer than ${TIME_LIMIT_MS} ms`);
  });
  full.registerFunction(
    `${HAS}(dyn, string): bool`,
    (value: unknown, name: string) => value instanceof Map && value.has(name),
  );
  full.registerFunction('string.hub_matches(string): bool', (text: string, pattern: string) =>
    safePattern(pattern).test(text),
  );
  full.registerFunction('list<dyn>.sum(): dyn', total);
  full.registerFunction('hub_timestamp(dyn): google.protobuf.Timestamp', toTime);
  const timed = <T>(work: () => T): T => {
    [deadline, began] = [performance.now() + TIME_LIMIT_MS, processorMs()];
    return work();
  };
  return { syntax, full, timed };
}

/** Arithmetic over a whole and a decimal number, which CEL itself refuses and every author expects. */
function addArithmetic(environment: Environment): void {
  const signs: Record<string, (left: number, right: number) => number> = {
    '+': (left, right) => left + right,
    '-': (left, right) => left - right,
    '*': (left, right) => left * right,
    '/': (left, right) => left / right,
  };
  for (const [sign, work] of Object.entries(signs)) {
    const mixed = (left: number | bigint, right: number | bigint): number =>
      work(Number(left), Number(right));
    environment.registerOperator(`int ${sign} double: double`, mixed);
    environment.registerOperator(`double ${sign} int: double`, mixed);
  }
}

/** Whole where all are; what is no number makes no sum. */
function total(values: readonly unknown[]): bigint | number {
  if (values.every((value) => typeof value === 'bigint'))
    return values.reduce((sum: bigint, one) => sum + one, 0n);
  const numbers = values.map(Number);
  if (numbers.some(Number.isNaN)) throw new Error('sum() takes numbers');
  return numbers.reduce((sum, one) => sum + one, 0);
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
/** As SQLite and Postgres write a time: with a space, and without a zone where it is UTC. */
const SQL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** CEL takes ISO 8601 with a zone only; databases write times in more ways than that. A number is Unix seconds. */
function toTime(value: unknown): Date {
  const time = value instanceof Date ? value : new Date(readTime(value));
  if (Number.isNaN(time.getTime())) throw new Error(`timestamp() cannot read ${String(value).slice(0, 40)}`);
  return time;
}

function readTime(value: unknown): string | number {
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value) * 1_000;
  if (typeof value !== 'string') return Number.NaN;
  if (ISO_DATE.test(value)) return `${value}T00:00:00Z`;
  const [, date, clock, zone = 'Z'] = SQL_TIME.exec(value) ?? [];
  return date === undefined ? Number.NaN : `${date}T${clock}${fullZone(zone)}`;
}

/** `+00` as Postgres writes it, `+0000`, `+00:00`. */
function fullZone(zone: string): string {
  if (zone === 'Z') return zone;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
