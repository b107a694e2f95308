/** A stretch of a statement that a database reads as text, a name in quotes or a comment; `end` is exclusive. */
export interface QuotedRange {
  readonly start: number;
  readonly end: number;
}

const QUOTED =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Where quotes and comments are; one that is never closed reaches to the end. */
export function quotedRanges(statement: string): readonly QuotedRange[] {
  return [...statement.matchAll(QUOTED)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}
