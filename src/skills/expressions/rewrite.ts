import { FUNCTIONS, HAS, METHODS, REPLACED, TICK, type Token, tokenize } from './cel-environment.js';
import { VARIABLE } from './sparse-scope.js';

/** An expression as CEL is given it. */
export interface Rewritten {
  readonly text: string;
  /** The dotted names it looks at, as parts, shorter ones first; variables of its own macros left out. */
  readonly names: readonly (readonly string[])[];
  /** What its macros look at in the entries of a list, `*` for any entry: `orders.*.status` of `orders.exists(one, one.status == 'x')`. */
  readonly entries: readonly string[];
  /** Where a place in `text` is in what the author wrote. */
  position(at: number): number;
}

/** Thrown for what CEL would take and we do not. */
export class RefusedExpression extends Error {
  override readonly name = 'RefusedExpression';

  /** @param at where in the author's text, from 0 */
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const MACROS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
const TYPES = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
]);
/** Lists within lists that one expression may go through: a thousand rows for each of a thousand are the most. */
const MAX_NESTED_MACROS = 2;
const MISSING = 'dyn(null)';

/**
 * Rewrites an expression that is right CEL, so that
 * - a field that is missing reads as null, however deep (`a.b` becomes an optional access with a default);
 * - a variable may have any name (`type`, `string`): each gets a prefix;
 * - no macro runs without end, and no pattern either.
 * @throws RefusedExpression for a function that does not exist, and for macros nested too deep
 */
export function rewrite(expression: string): Rewritten {
  const writer = new Writer(tokenize(expression));
  writer.write();
  return writer.done();
}

class Writer {
  readonly #tokens: readonly Token[];
  readonly #pieces: string[] = [];
  readonly #places: { readonly out: number; readonly at: number }[] = [];
  readonly #names = new Map<string, readonly string[]>();
  readonly #entries = new Set<string>();
  readonly #bound: { readonly name: string; readonly over: readonly string[] | null }[] = [];
  readonly #callsType: boolean;
  #length = 0;
  #next = 0;
  #macros = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#callsType = tokens.some(({ text }, index) => text === 'type' && tokens[index + 1]?.text === '(');
  }

  write(): void {
    while (this.#next < this.#tokens.length) {
      this.#expression();
      if (this.#next < this.#tokens.length) this.#take();
    }
  }

  done(): Rewritten {
    const places = this.#places;
    return {
      text: this.#pieces.join(' '),
      names: [...this.#names.values()].sort((a, b) => a.length - b.length),
      entries: [...this.#entries],
      position: (at) => places.findLast(({ out }) => out <= at)?.at ?? 0,
    };
  }

  /** Up to what closes it. */
  #expression(stopAtComma = false): void {
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      if (token.kind === 'sign' && (')]}'.includes(token.text) || (stopAtComma && token.text === ',')))
        return;
      if (token.kind === 'sign' && !'([{'.includes(token.text)) this.#take();
      else if (token.text === 'in') this.#take();
      else this.#operand(token);
    }
  }

  #operand(token: Token): void {
    const call = this.#peek(1)?.text === '(';
    if (token.kind !== 'name') {
      this.#take();
      if (token.kind === 'sign') this.#close();
      this.#postfix(null);
    } else if (call && token.text === 'has') {
      this.#has();
    } else if (call) {
      this.#demand(FUNCTIONS, token);
      this.#take(REPLACED.get(token.text));
      this.#take();
      this.#close();
      this.#postfix(null);
    } else this.#name(token);
  }

  #name({ text }: Token): void {
    const constant = text === 'true' || text === 'false' || (this.#callsType && TYPES.has(text));
    if (constant) this.#take();
    else if (text === 'null') this.#take(MISSING);
    else {
      this.#take(VARIABLE + text);
      this.#postfix([text]);
      return;
    }
    this.#postfix(null);
  }

  /** `has(a.b)`: whether the last field is there; what comes before it may be missing as well. */
  #has(): void {
    const { at } = this.#take(HAS);
    this.#take();
    const root = this.#peek();
    const field = this.#lastField();
    if (root?.kind !== 'name' || field === null)
      throw new RefusedExpression('has() takes a field, such as has(result.status)', at);
    this.#take(VARIABLE + root.text);
    this.#postfix([root.text], field);
    this.#take(`, ${JSON.stringify(this.#tokens[field]?.text)}`);
    this.#close();
    this.#postfix(null);
  }

  /** The index of the name before the bracket that closes the call that was just opened, null where there is none. */
  #lastField(): number | null {
    let depth = 0;
    for (let index = this.#next; index < this.#tokens.length; index++) {
      const text = this.#tokens[index]?.kind === 'sign' ? this.#tokens[index]?.text : '';
      if (text === '(' || text === '[') depth++;
      if ((text === ')' || text === ']') && depth-- === 0) {
        const field = this.#tokens[index - 1];
        return field?.kind === 'name' && this.#tokens[index - 2]?.text === '.' ? index - 1 : null;
      }
    }
    return null;
  }

  /**
   * What follows an operand: fields, indexes and methods.
   * @param path the name so far, null where it is no plain name
   * @param until the index of the field to stop before
   */
  #postfix(path: readonly string[] | null, until?: number): void {
    let names = path;
    /** The list that a macro which follows goes through. */
    let list: readonly string[] | null = null;
    let open = false;
    const settle = (): void => {
      if (open) this.#put(`. orValue ( ${MISSING} )`);
      open = false;
    };
    for (;;) {
      const [sign, name, after] = [this.#peek(), this.#peek(1), this.#peek(2)];
      if (until !== undefined && this.#next + 1 === until) {
        this.#next = until;
        break;
      }
      if (sign?.text === '.' && name?.kind === 'name' && after?.text === '(') {
        this.#note(names);
        list = names ?? list;
        names = null;
        settle();
        this.#method(name, list);
        if (name.text !== 'filter') list = null;
      } else if (sign?.text === '.' && name?.kind === 'name') {
        this.#take('.?');
        this.#take();
        names = names && [...names, name.text];
        list = null;
        open = true;
      } else if (sign?.kind === 'sign' && sign.text === '[') {
        this.#note(names);
        names = null;
        list = null;
        this.#take('[?');
        this.#close();
        open = true;
      } else break;
    }
    this.#note(until === undefined ? names : names && [...names, this.#tokens[until]?.text ?? '']);
    settle();
  }

  /** @param list what it is called on, where that is a plain name or some of the entries of one */
  #method(name: Token, list: readonly string[] | null): void {
    this.#demand(METHODS, name);
    this.#take();
    this.#take(REPLACED.get(name.text));
    this.#take();
    const variable = this.#peek();
    if (!MACROS.has(name.text) || variable?.kind !== 'name' || this.#peek(1)?.text !== ',') {
      this.#close();
      return;
    }
    this.#macros++;
    if (this.#macros > MAX_NESTED_MACROS)
      throw new RefusedExpression('it goes through lists within lists within lists', name.at);
    this.#bound.push({ name: variable.text, over: list && this.#resolved(list) });
    this.#take(VARIABLE + variable.text);
    while (this.#peek()?.text === ',') {
      this.#take();
      this.#put(`${TICK} ? (`);
      this.#expression(true);
      this.#put(`) : ${MISSING}`);
    }
    this.#bound.pop();
    this.#macros--;
    this.#close();
  }

  /** The rest of a bracket, and what closes it. */
  #close(): void {
    this.#expression();
    this.#take();
  }

  #note(path: readonly string[] | null): void {
    if (!path) return;
    const whole = this.#resolved(path);
    if (whole === path) this.#names.set(path.join('.'), path);
    else if (whole) this.#entries.add(whole.join('.'));
  }

  /** From the top where it begins with a variable of a macro; null where nobody knows what that goes through. */
  #resolved(path: readonly string[]): readonly string[] | null {
    const [first, ...rest] = path;
    const bound = this.#bound.findLast(({ name }) => name === first);
    if (!bound) return path;
    return bound.over && [...bound.over, '*', ...rest];
  }

  #demand(known: ReadonlySet<string>, { text, at }: Token): void {
    if (known.has(text)) return;
    throw new RefusedExpression(`there is no function ${text}; there is: ${[...known].join(', ')}`, at);
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#next + ahead];
  }

  #take(instead?: string): Token {
    const token = this.#tokens[this.#next] ?? { kind: 'sign', text: '', at: 0 };
    this.#next++;
    this.#put(instead ?? token.text, token.at);
    return token;
  }

  #put(text: string, at?: number): void {
    if (at !== undefined) this.#places.push({ out: this.#length, at });
    this.#pieces.push(text);
    this.#length += text.length + 1;
  }
}
