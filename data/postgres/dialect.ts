/** A statement as PostgreSQL reads it. */
interface Translated {
  readonly text: string;
  /** Puts the values of a call into the order of `$1`, `$2`, ... */
  readonly valuesOf: (given: readonly unknown[]) => readonly unknown[];
}

/* A text of PostgreSQL's holds any sign but NUL, which is kept as two others, and so is the first of these. */
const MARK = '\u{f0000}';

/** A value as it is stored. */
export function stored(value: unknown): unknown {
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(MARK))) return value;
  return value.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`);
}

/** A text as it was given. */
export function read(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK);
}

/** What is quoted, a cast, a value by name, a value by place, an alias with capitals. */
const PARTS = /'(?:[^']|'')*'|"[^"]*"|::|@(\w+)|\?|\b(AS\s+)([a-z]\w*[A-Z]\w*)\b/gi;

/**
 * Takes a statement from the spelling that SQLite reads to PostgreSQL's: `@name` and `?` become `$n`, and an alias with
 * capitals is quoted, which keeps them.
 */
export function translate(sql: string): Translated {
  const names: string[] = [];
  let places = 0;
  const text = sql.replace(PARTS, (part, name?: string, as?: string, alias?: string) => {
    if (name !== undefined) {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    }
    if (alias !== undefined && /^[a-z]\w*[A-Z]/.test(alias)) return `${as}"${alias}"`;
    return part === '?' ? `$${++places}` : part;
  });
  // Names that a statement does not use may be given all the same.
  if (names.length === 0) return { text, valuesOf: (given) => (places === 0 ? [] : given) };
  return {
    text,
    valuesOf: ([row]) =>
      names.map((name) => {
        const value = (row as Readonly<Record<string, unknown>>)[name];
        if (value === undefined) throw new TypeError(`A statement without a value for @${name}.`);
        return value;
      }),
  };
}
