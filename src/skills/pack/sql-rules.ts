import { toHubError } from '../../core/errors.js';
import { didYouMean } from '../../core/spelling.js';
import { READING_WORDS, type SqlToken, sqlTokens, tablePlaces } from '../../core/sql/tables.js';
import { statementPlaceholders } from '../expressions/placeholders.js';

interface SqlFault {
  readonly code:
    | 'quoted_placeholder'
    | 'pasted_placeholder'
    | 'not_a_read'
    | 'several_statements'
    | 'unknown_table'
    | 'invalid_query';
  readonly message: string;
}

interface SqlLimits {
  /** The only tables that may be named, where given. */
  readonly tables?: readonly string[];
  readonly kind?: 'sqlite' | 'postgres' | 'clickhouse';
}

const PLACEHOLDER = /^\{[A-Za-z_]\w*(?:\.\w+)*(?:\|\w+)?\}$/;
/** After these a column's name or a direction stands, never a value. */
const ORDERING = new Set(['asc', 'desc', 'nulls', 'collate']);
const ENDS_ORDER = new Set([
  'limit',
  'offset',
  'fetch',
  'having',
  'union',
  'window',
  'rows',
  'range',
  'settings',
  'format',
]);

/**
 * What is wrong with the SQL of a pack: it must be one statement that reads, of tables that are declared, and its values must
 * be bound and never pasted. Never throws.
 * @returns each fault once, with what to do
 */
export function sqlFaults(text: string, { tables, kind }: SqlLimits = {}): readonly SqlFault[] {
  const all = sqlTokens(text, kind === 'clickhouse' ? 'clickhouse' : 'standard');
  const tokens = all.filter(({ kind: type }) => type !== 'comment');
  const faults = [
    ...quotedFaults(all),
    ...pastedFaults(text, tokens),
    ...readFaults(tokens),
    ...tableFaults(tokens, tables),
  ];
  const seen = new Set<string>();
  const distinct = faults.filter(({ message }) => !seen.has(message) && seen.add(message));
  return distinct.length > 0 ? distinct : otherFaults(text);
}

function quotedFaults(tokens: readonly SqlToken[]): readonly SqlFault[] {
  return tokens.flatMap(({ kind, text }) => {
    if (kind !== 'text' && kind !== 'name' && kind !== 'comment') return [];
    return [
      ...text.matchAll(
        /\$\{[^}]*\}|\{\{\s*[#^/&>!]?\s*[A-Za-z_][\w.]*\s*\}\}|\{[A-Za-z_]\w*(?:\.\w+)*(?:\|\w+)?\}/g,
      ),
    ].map(([found]): SqlFault => {
      const bare = bareName(found);
      if (kind === 'comment')
        return fault(
          'quoted_placeholder',
          `${found} stands in a comment, where no value can be. Take it out of the comment.`,
        );
      if (kind === 'name')
        return fault(
          'pasted_placeholder',
          `${found} stands in a quoted name, so its value would be pasted into the query. Write the column or table out; only values can be placeholders.`,
        );
      const part =
        text.length > found.length + 2 ? ` To match a part of a text, write '%' || ${bare} || '%'.` : '';
      return fault(
        'quoted_placeholder',
        `${found} stands in quotes, so its value would be pasted into the query. Write ${bare} without the quotes; the value is then bound.${part}`,
      );
    });
  });
}

function pastedFaults(sql: string, tokens: readonly SqlToken[]): readonly SqlFault[] {
  const places = new Set(tablePlaces(tokens).map(({ token }) => token));
  const ordering = orderingPlaces(tokens);
  return tokens.flatMap((token): SqlFault[] => {
    if (token.kind !== 'placeholder') return [];
    const { text } = token;
    if (/^(?:\$\{|\{\{)/.test(text))
      return [
        fault(
          'pasted_placeholder',
          `${text} would be pasted into the query. Write ${bareName(text)}, with one pair of braces; the value is then bound.`,
        ),
      ];
    const typed = /^\{([A-Za-z_]\w*):[^}]*\}$/.exec(text);
    if (typed)
      return [
        fault(
          'pasted_placeholder',
          `${text} is no placeholder here. Write {${typed[1]}} without a type; the type of the value itself is used.`,
        ),
      ];
    if (!PLACEHOLDER.test(text)) return [];
    if (places.has(token) || ordering.has(token) || touchesName(sql, token))
      return [
        fault(
          'pasted_placeholder',
          `${text} stands where a table, a column or a word of SQL stands, and those cannot be bound. Write it out; to choose between several, use CASE WHEN or one step each.`,
        ),
      ];
    return [];
  });
}

/** `table_{x}`, `schema.{x}`, `{x}.column`, `:{x}`: the value would become a part of a name. */
function touchesName(sql: string, { start, end }: SqlToken): boolean {
  const before = sql[start - 1] ?? '';
  const after = sql[end] ?? '';
  if (/[\w$#@.:{}%\u0080-\uffff]/.test(before) && sql.slice(start - 2, start) !== '::') return true;
  return /[\w$#@.{}%\u0080-\uffff]/.test(after) || (after === ':' && sql[end + 1] !== ':');
}

/** Placeholders of ORDER BY and GROUP BY that stand for a column or a direction, not for a value within an expression. */
function orderingPlaces(tokens: readonly SqlToken[]): ReadonlySet<SqlToken> {
  const found = new Set<SqlToken>();
  const levels = [false];
  tokens.forEach((token, at) => {
    const { kind, text } = token;
    const before = tokens[at - 1];
    const after = tokens[at + 1];
    if (text === '(') levels.push(false);
    else if (text === ')') levels.pop();
    else if (kind === 'word' && text === 'by' && (before?.text === 'order' || before?.text === 'group'))
      levels[levels.length - 1] = true;
    else if (kind === 'word' && ENDS_ORDER.has(text)) levels[levels.length - 1] = false;
    else if (kind === 'placeholder' && levels.at(-1) === true) {
      const begins = before?.text === 'by' || before?.text === ',';
      const ends =
        after === undefined ||
        after.text === ',' ||
        after.text === ')' ||
        after.text === ';' ||
        (after.kind === 'word' && (ORDERING.has(after.text) || ENDS_ORDER.has(after.text)));
      const follows =
        before?.kind === 'name' ||
        before?.text === ')' ||
        (before?.kind === 'word' &&
          tokens[at - 2] !== undefined &&
          /^(?:by|,|\.)$/.test(tokens[at - 2]?.text ?? ''));
      if ((begins && ends) || (follows && ends)) found.add(token);
    }
  });
  return found;
}

function readFaults(tokens: readonly SqlToken[]): readonly SqlFault[] {
  const faults: SqlFault[] = [];
  const first = tokens.find(({ text }) => text !== '(');
  if (!first || !READING_WORDS.has(first.text)) {
    const begins = first ? `it begins with ${first.text.toUpperCase().slice(0, 30)}` : 'it is empty';
    faults.push(
      fault(
        'not_a_read',
        `Sources are only read, but this query is no read: ${begins}. Begin it with SELECT, WITH or VALUES; leave changes to an action that people agree to.`,
      ),
    );
  }
  const end = tokens.findIndex(({ kind, text }) => kind === 'other' && text === ';');
  if (end >= 0 && tokens.slice(end).some(({ text }) => text !== ';'))
    faults.push(
      fault(
        'several_statements',
        'The query holds several statements (a ";" with more behind it). Keep one; give the others a step each.',
      ),
    );
  const writes = tokens.findIndex((token, at) => isWrite(tokens, token, at));
  if (writes > 0 && faults.length === 0)
    faults.push(
      fault(
        'not_a_read',
        `The query would write (${tokens[writes]?.text.toUpperCase()}). Sources are only read; leave changes to an action that people agree to.`,
      ),
    );
  return faults;
}

function isWrite(tokens: readonly SqlToken[], { kind, text }: SqlToken, at: number): boolean {
  if (kind !== 'word') return false;
  const next = tokens[at + 1]?.text;
  const before = tokens[at - 1]?.text;
  // A column may be called `into` or `update` where it is qualified.
  if (before === '.') return false;
  if (text === 'into') return true;
  if (text === 'delete') return next === 'from';
  if (text === 'update')
    return tokens.slice(at + 1, at + 7).some((token) => token.kind === 'word' && token.text === 'set');
  return false;
}

function tableFaults(
  tokens: readonly SqlToken[],
  tables: readonly string[] | undefined,
): readonly SqlFault[] {
  if (tables === undefined) return [];
  const allowed = new Set(tables.map((name) => name.toLowerCase()));
  return tablePlaces(tokens).flatMap(({ token, name }): SqlFault[] => {
    if (token.kind !== 'word' && token.kind !== 'name') return [];
    const plain = name.slice(name.lastIndexOf('.') + 1);
    if (allowed.has(name) || allowed.has(plain)) return [];
    return [
      fault(
        'unknown_table',
        `The query reads the table ${name}, which the source's tables do not name.${didYouMean(plain, tables)} Name it in data_sources, or read another one.`,
      ),
    ];
  });
}

/** What binding itself refuses and nothing above has named. */
function otherFaults(text: string): readonly SqlFault[] {
  try {
    statementPlaceholders(text);
    return [];
  } catch (error) {
    return [fault('invalid_query', toHubError(error).message)];
  }
}

function bareName(found: string): string {
  const name = found.replace(/^\$?\{+\s*[#^/&>!]?\s*/, '').replace(/\s*\}+$/, '');
  return /^[A-Za-z_]\w*(?:\.\w+)*$/.test(name) ? `{${name}}` : '{name}';
}

function fault(code: SqlFault['code'], message: string): SqlFault {
  return { code, message };
}
