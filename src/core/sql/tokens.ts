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
