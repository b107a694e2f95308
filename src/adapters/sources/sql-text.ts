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

/** Names (`schema.table` where qualified) that stand where a table stands, without those that WITH defines. */
function tablesIn(tokens: readonly Token[]): readonly string[] {
  const defined = new Set<string>();
  const named: string[] = [];
  // Whether each open parenthesis belongs to a list of tables, innermost last.
  const inTables: boolean[] = [false];
  let expects = false;
  tokens.forEach((token, at) => {
    const { text, quoted } = token;
    const level = inTables.length - 1;
    if (text === '(' && !quoted) {
      inTables.push(expects);
      return;
    }
    if (text === ')' && !quoted) {
      if (inTables.length > 1) inTables.pop();
      expects = false;
      return;
    }
    if (!quoted && (text === 'from' || text === 'join' || text === 'table')) {
      inTables[level] = true;
      expects = true;
    } else if (!quoted && AFTER_TABLES.has(text)) {
      inTables[level] = text === 'on' || text === 'using' ? (inTables[level] ?? false) : false;
      expects = false;
    } else if (text === ',') expects = inTables[level] ?? false;
    else if (!quoted && (text === 'select' || text === 'with')) {
      inTables[level] = false;
      expects = false;
    } else if (isDefinition(tokens, at)) defined.add(text);
    else if (expects && !(BETWEEN_TABLES.has(text) && !quoted)) {
      expects = false;
      named.push(qualified(tokens, at));
    }
  });
  return named.filter((name) => !defined.has(name));
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
