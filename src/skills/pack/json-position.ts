const PIECE =
  /\s*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** What may come next: `first` is an entry or the end of an empty object or list. */
type Expected = 'value' | 'key' | 'first_key' | 'first_value' | 'colon' | 'comma' | 'end';

/** Where a text stops being JSON, as an offset. The errors of JSON.parse do not always say so. */
export function jsonFaultOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  PIECE.lastIndex = 0;
  for (;;) {
    const from = PIECE.lastIndex;
    const match = PIECE.exec(text);
    const start = from + (/^\s*/.exec(text.slice(from, from + 10_000))?.[0].length ?? 0);
    if (!match) return start;
    const next = follow(match[1] ?? '', match[2] !== undefined, expected, open);
    if (next === null) return start;
    expected = next;
  }
}

/** What is expected after a piece; null where the piece may not stand there. Changes `open`. */
function follow(sign: string, isText: boolean, expected: Expected, open: ('{' | '[')[]): Expected | null {
  const inValue = expected === 'value' || expected === 'first_value';
  const done = (): Expected => (open.length === 0 ? 'end' : 'comma');
  if (sign === '{' || sign === '[') {
    if (!inValue) return null;
    open.push(sign);
    return sign === '{' ? 'first_key' : 'first_value';
  }
  if (sign === '}' || sign === ']') {
    const first = sign === '}' ? 'first_key' : 'first_value';
    const fits = open.at(-1) === (sign === '}' ? '{' : '[');
    if (!fits || (expected !== 'comma' && expected !== first)) return null;
    open.pop();
    return done();
  }
  if (sign === ',') {
    if (expected !== 'comma') return null;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  if (sign === ':') return expected === 'colon' ? 'value' : null;
  if (inValue) return done();
  return isText && (expected === 'key' || expected === 'first_key') ? 'colon' : null;
}
