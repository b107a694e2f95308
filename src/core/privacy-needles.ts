/** What an erasure looks for afterwards. */
export interface Needle {
  readonly what: 'email' | 'name' | 'text' | 'id';
  readonly text: string;
}

/** Shorter ones ("yes, please") say nothing about anybody. */
const SHORTEST = 14;
/**
 * Longer texts are looked for in pieces, because a database may keep them in several places of a file. Short enough that
 * of any text that spans two pages a whole piece lies in one.
 */
const PIECE = 40;
const MOST_PIECES_OF_A_TEXT = 50;
/** Every one is looked for in every file. */
const MOST_PIECES = 1_000;

/** The pieces of texts that would betray them: lines, or parts of long lines. */
export function piecesOf(texts: readonly string[]): readonly string[] {
  const pieces = new Set<string>();
  for (const text of texts) {
    const own = text
      .split(/[\n\r"\\]+/)
      .map((line) => line.trim())
      .filter((line) => line.length >= SHORTEST)
      .flatMap(cut);
    for (const piece of own.slice(0, MOST_PIECES_OF_A_TEXT)) pieces.add(piece);
  }
  return [...pieces].slice(0, MOST_PIECES);
}

function cut(line: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += PIECE) {
    const piece = line.slice(at, at + PIECE).toWellFormed();
    if (piece.trim().length >= SHORTEST) pieces.push(piece);
  }
  return pieces;
}
