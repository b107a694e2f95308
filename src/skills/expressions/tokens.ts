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
