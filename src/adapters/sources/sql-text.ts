import { HubError } from '../../core/errors.js';
import type { BoundStatement, SourceSpec } from '../../core/ports/data-source.js';

/** A piece of SQL: a word or quoted name, or one other character. Texts and comments are left out. */
interface Token {
  /** Names without their quotes, all in small letters. */
  readonly text: string;
  readonly quoted: boolean;
}

const STANDARD_TEXT = /'(?:[^']|'')*'/;
/** ClickHouse escapes by a backslash as well; elsewhere a backslash in a text is a backslash. */
const ESCAPED_TEXT = /'(?:[^'\\]|''|\\[\s\S])*'/;
const OTHERS =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]\n]*\]|[\p{L}_][\p{L}\p{N}_$]*|\d[\d.eE_]*|\S/u;
const PIECES = {
  clickhouse: new RegExp(`${ESCAPED_TEXT.source}|${OTHERS.source}`, 'gu'),
  standard: new RegExp(`${STANDARD_TEXT.source}|${OTHERS.source}`, 'gu'),
};
const READING = new Set(['select', 'with', 'values']);
/** Words that end the list of tables after FROM. */
const AFTER_TABLES = new Set(
  'where group having order limit offset fetch window union intersect except on using set prewhere settings format'.split(
    ' ',
  ),
);
/** They make rows of their arguments and reach nothing else. */
const SAFE_FUNCTIONS = new Set(
  'json_each json_tree generate_series unnest json_array_elements jsonb_array_elements jsonb_each numbers'.split(
    ' ',
  ),
);
const BETWEEN_TABLES = new Set(
  'join left right full inner outer cross natural lateral as only final asof any all global semi anti array sample'.split(
    ' ',
  ),
);

/** The text with `?`, for reading only. */
export function textOf(statement: BoundStatement): string {
  return statement.segments.join('?');
}

/**
 * Refuses what is not plain reading, and tables that the pack did not declare. What a source may be asked at all is settled
 * by its own means (a read-only handle or transaction); this gives the author the clear sentence.
 * @throws HubError `source_rejected`
 */
export function checkStatement(spec: SourceSpec, statement: BoundStatement): void {
  const tokens = tokensOf(
    textOf(statement),
    spec.kind === 'clickhouse' ? PIECES.clickhouse : PIECES.standard,
  );
  const first = tokens.find(({ text }) => text !== '(')?.text ?? '';
  if (!READING.has(first)) {
    throw new HubError(
      'source_rejected',
      `${spec.name}: a statement must begin with SELECT, WITH or VALUES, since sources are only read. This one begins with ${first === '' ? 'nothing' : first.toUpperCase()}.`,
      { source: spec.name },
    );
  }
  if (spec.tables === undefined) return;
  const allowed = new Set(spec.tables.map((name) => name.toLowerCase()));
  for (const table of tablesIn(tokens)) {
    if (allowed.has(table) || allowed.has(table.slice(table.lastIndexOf('.') + 1))) continue;
    throw new HubError(
      'source_rejected',
      `${spec.name}: the table ${table} is not declared in data_sources.${spec.name}.tables; that has: ${spec.tables.join(', ')}.`,
      { source: spec.name, table },
    );
  }
}

function tokensOf(sql: string, pieces: RegExp): readonly Token[] {
  return [...sql.matchAll(pieces)].flatMap(([piece]): Token[] => {
    if (piece.startsWith('--') || piece.startsWith('/*')) return [];
    const quoted = /^["`[]/.test(piece) && piece.length > 1;
    return [{ text: (quoted ? piece.slice(1, -1) : piece).toLowerCase(), quoted }];
  });
}

/** A parenthesis, or the statement itself. */
interface Level {
  /** Whether SELECT was read: only then does FROM name tables, and not in `extract(year FROM day)`. */
  query: boolean;
  /** Whether a comma is followed by one more table. */
  tables: boolean;
}

/** Names (`schema.table` where qualified) that stand where a table stands, without those that WITH defines. */
function tablesIn(tokens: readonly Token[]): readonly string[] {
  const defined = new Set<string>();
  const named: string[] = [];
  const levels: Level[] = [{ query: false, tables: false }];
  let expects = false;
  tokens.forEach((token, at) => {
    const level = levels.at(-1) ?? { query: false, tables: false };
    const word = token.quoted ? '' : token.text;
    if (word === '(') {
      levels.push({ query: false, tables: expects });
    } else if (word === ')') {
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
      // A join's condition ends with the next comma or JOIN of the same list.
      if (word !== 'on' && word !== 'using') level.tables = false;
      expects = false;
    } else if (word === ',') {
      expects = level.tables;
    } else if (isDefinition(tokens, at)) {
      defined.add(token.text);
    } else if (expects && !BETWEEN_TABLES.has(word)) {
      expects = false;
      if (!(SAFE_FUNCTIONS.has(word) && tokens[at + 1]?.text === '(')) named.push(qualified(tokens, at));
    }
  });
  return named.filter((name) => !defined.has(name));
}

function beginsTables(tokens: readonly Token[], at: number, level: Level): boolean {
  const { text, quoted } = tokens[at] ?? { text: '', quoted: true };
  const before = tokens[at - 1]?.text ?? '';
  if (quoted) return false;
  // `a IS DISTINCT FROM b` compares, and ClickHouse's ARRAY JOIN unfolds a column.
  if (text === 'from') return level.query && before !== 'distinct';
  if (text === 'join') return (level.query || level.tables) && before !== 'array';
  return text === 'table' && ['(', 'all', 'union', 'except', 'intersect', 'distinct'].includes(before);
}

/** `name AS (` and `name (columns) AS (` after WITH. */
function isDefinition(tokens: readonly Token[], at: number): boolean {
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

function qualified(tokens: readonly Token[], at: number): string {
  let name = tokens[at]?.text ?? '';
  for (let next = at + 1; tokens[next]?.text === '.'; next += 2) name += `.${tokens[next + 1]?.text ?? ''}`;
  return name;
}
