const NEWLINE = 0x0a;

/** A line, or how many bytes were too many for one. */
export type Line = { readonly text: string } | { readonly tooLarge: true };

/**
 * Cuts bytes into lines. A line that is too large is told of once, and dropped as it comes, so that it costs no memory.
 * @param maxBytes of one line
 */
export class LineReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #dropping = false;

  constructor(private readonly maxBytes: number) {}

  /** The lines that these bytes complete. */
  *read(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      yield* this.#take(chunk.subarray(from, end));
      yield* this.end();
      from = end + 1;
    }
    yield* this.#take(chunk.subarray(from));
  }

  /** What is left where nothing more comes. */
  *end(): Generator<Line> {
    const text = Buffer.concat(this.#pieces).toString('utf8').trim();
    const dropped = this.#dropping;
    this.#clear(false);
    if (!dropped && text !== '') yield { text };
  }

  *#take(piece: Buffer): Generator<Line> {
    if (this.#dropping || piece.length === 0) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes <= this.maxBytes) return;
    this.#clear(true);
    yield { tooLarge: true };
  }

  #clear(dropping: boolean): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#dropping = dropping;
  }
}
