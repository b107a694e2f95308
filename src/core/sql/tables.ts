/** A piece of a SQL statement, or of a template for one. Comments are kept, since a placeholder may stand in one. */
export interface SqlToken {
  readonly kind: 'word' | 'name' | 'text' | 'comment' | 'placeholder' | 'other';
  /** Words and names in small letters, names without their quotes; placeholders as written. */
  readonly text: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const STANDARD_TEXT = "'(?:[^']|'')*(?:'|$)";
/** ClickHouse escapes by a backslash as well; elsewhere a backslash in a text is a backslash. */
const ESCAPED_TEXT = String.raw`'(?:[^'\\]|''|\\[\s\S])*(?:'|$)`;
/** PostgreSQL's other way to quote a text. */
const DOLLAR_TEXT = String.raw`\$(?<tag>[A-Za-z_]\w*)?\$[\s\S]*?(?:\$\k<tag>\$|$)`;

const pieces = (text: string): RegExp =>
  new RegExp(
    [
      String.raw`(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))`,
      `(?<text>${text}|${DOLLAR_TEXT})`,
      // SQLite also quotes a name by brackets; with a placeholder in them they are a list.
      String.raw`(?<name>"(?:[^"]|"")*(?:"|$)|\`(?:[^\`]|\`\`)*(?:\`|$)|\[[^\]\n{]*\])`,
      String.raw`(?<placeholder>\$\{[^}]*\}|\{\{[^{}]*\}\}|\{[^{}\s]*\})`,
      String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
      String.raw`(?<other>\d[\d.eE_]*|\S)`,
    ].join('|'),
    'g',
  );
const PIECES = { clickhouse: pieces(ESCAPED_TEXT), standard: pieces(STANDARD_TEXT) };
const KINDS = ['comment', 'text', 'name', 'placeholder', 'word', 'other'] as const;

/** A place where a table's name stands. */
interface TablePlace {
  readonly token: SqlToken;
  /** `schema.table` where qualified, in small letters. */
  readonly name: string;
}

/** What a statement that only reads begins with. */
export const READING_WORDS: ReadonlySet<string> = new Set(['select', 'with', 'values']);

/** Words that end the list of tables after FROM. */
const AFTER_TABLES = new Set(
  'where group having order limit offset fetch window union intersect except on using set prewhere settings format for'.split(
    ' ',
  ),
);
const BETWEEN_TABLES = new Set(
  'join left right full inner outer cross natural lateral as only final asof any all global semi anti array sample'.split(
    ' ',
  ),
);
/** They make rows of their arguments and reach nothing else. */
const SAFE_FUNCTIONS = new Set(
  'json_each json_tree generate_series unnest json_array_elements jsonb_array_elements jsonb_each numbers'.split(
    ' ',
  ),
);

/** A parenthesis, or the statement itself. */
interface Level {
  /** Whether SELECT was read: only then does FROM name tables, and not in `extract(year FROM day)`. */
  query: boolean;
  /** Whether a comma is followed by one more table. */
  tables: boolean;
}

/**
 * Where tables are named, without those that WITH defines. A placeholder that is in such a place is one of them. The
 * check of a pack and the source that runs its statement both read it so.
 */
export function tablePlaces(all: readonly SqlToken[]): readonly TablePlace[] {
  const tokens = all.filter(({ kind }) => kind !== 'comment');
  const defined = new Set<string>();
  const places: TablePlace[] = [];
  const levels: Level[] = [{ query: false, tables: false }];
  let expects = false;
  tokens.forEach((token, at) => {
    const level = levels.at(-1) ?? { query: false, tables: false };
    const word = token.kind === 'word' || token.kind === 'other' ? token.text : '';
    if (word === '(') levels.push({ query: false, tables: expects });
    else if (word === ')') {
      if (levels.length > 1) levels.pop();
      expects = false;
    } else if (word === 'select' || word === 'with') {
      level.query = true;
      level.tables = false;
      expects = false;
    } else if (beginsTables(tokens, at, level)) {
      level.tables = true;
      expects = true;
    } else if (AFTER_TABLES.has(word)) {
      if (word !== 'on' && word !== 'using') level.tables = false;
      expects = false;
    } else if (word === ',') expects = level.tables;
    else if (isDefinition(tokens, at)) defined.add(token.text);
    else if (expects && !BETWEEN_TABLES.has(word)) {
      expects = false;
      if (!(SAFE_FUNCTIONS.has(word) && tokens[at + 1]?.text === '('))
        places.push({ token, name: qualified(tokens, at) });
    }
  });
  return places.filter(({ name }) => !defined.has(name));
}

function beginsTables(tokens: readonly SqlToken[], at: number, level: Level): boolean {
  const token = tokens[at];
  const before = tokens[at - 1]?.text ?? '';
  if (token?.kind !== 'word') return false;
  // `a IS DISTINCT FROM b` compares, and ClickHouse's ARRAY JOIN unfolds a column.
  if (token.text === 'from') return level.query && before !== 'distinct';
  if (token.text === 'join') return (level.query || level.tables) && before !== 'array';
  return token.text === 'table' && ['(', 'all', 'union', 'except', 'intersect', 'distinct'].includes(before);
}

/** `name AS (` and `name (columns) AS (` after WITH. */
function isDefinition(tokens: readonly SqlToken[], at: number): boolean {
  const before = tokens[at - 1]?.text;
  if (before !== 'with' && before !== 'recursive' && before !== ',') return false;
  let next = at + 1;
  if (tokens[next]?.text === '(') {
    while (next < tokens.length && tokens[next]?.text !== ')') next += 1;
    next += 1;
  }
  if (tokens[next]?.text !== 'as') return false;
  const after = tokens[next + 1]?.text;
  return after === '(' || after === 'materialized' || after === 'not';
}

function qualified(tokens: readonly SqlToken[], at: number): string {
  let name = tokens[at]?.text ?? '';
  for (let next = at + 1; tokens[next]?.text === '.'; next += 2) name += `.${tokens[next + 1]?.text ?? ''}`;
  return name;
}

/** The pieces of a statement in order, the spaces between them left out. */
export function sqlTokens(sql: string, dialect: 'clickhouse' | 'standard'): readonly SqlToken[] {
  return [...sql.matchAll(PIECES[dialect])].map((match): SqlToken => {
    const kind = KINDS.find((one) => match.groups?.[one] !== undefined) ?? 'other';
    const [written] = match;
    const text =
      kind === 'word'
        ? written.toLowerCase()
        : kind === 'name'
          ? written.slice(1, -1).toLowerCase()
          : written;
    return { kind, text, start: match.index, end: match.index + written.length };
  });
}
