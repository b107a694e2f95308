import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { MAX_ROW_BYTES, type RawRow } from './ticket-input.js';

/** One physical line of a text file, without its line end. */
export interface TextLine {
  /** 1-based number in the file. */
  readonly line: number;
  readonly text: string;
  /** True where the line was longer than allowed; its text is then empty. */
  readonly tooLong: boolean;
}

interface LineOptions {
  /** A longer line is reported and its text dropped, so that no input can exhaust memory. */
  readonly maxBytes: number;
  /** Called once for the first line that had to be read as Windows-1252. */
  readonly onFallback?: (line: number) => void;
}

const NEWLINE = 0x0a;

/** What Windows-1252 has in place of 0x80 to 0x9f. (TextDecoder takes it for Latin-1 in Node 20.) */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/**
 * Splits bytes into lines, delivered in arrays as they arrive. UTF-8 is expected; a byte order mark is dropped and
 * UTF-16 (with a mark, or where every other byte is zero) is decoded. A line that is not valid UTF-8 is read as
 * Windows-1252, which is what Excel in Brazil writes. Memory: one chunk and at most one line.
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  options: LineOptions,
): AsyncGenerator<readonly TextLine[]> {
  const splitter = new LineSplitter(options);
  for await (const chunk of toUtf8(bytes)) {
    const lines = splitter.push(chunk);
    if (lines.length > 0) yield lines;
  }
  const rest = splitter.end();
  if (rest.length > 0) yield rest;
}

class LineSplitter {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private count = 0;
  private fellBack = false;

  constructor(private readonly options: LineOptions) {}

  push(chunk: Buffer): readonly TextLine[] {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last === -1) {
      this.hold(chunk);
      return [];
    }
    const block = chunk.subarray(0, last);
    const lines: TextLine[] = [];
    if (this.heldBytes > this.options.maxBytes) {
      const first = block.indexOf(NEWLINE);
      lines.push(this.oversize());
      if (first !== -1) this.decode(block.subarray(first + 1), lines);
    } else {
      this.decode(this.held.length === 0 ? block : Buffer.concat([...this.held, block]), lines);
    }
    this.held = [];
    this.heldBytes = 0;
    this.hold(chunk.subarray(last + 1));
    return lines;
  }

  end(): readonly TextLine[] {
    if (this.heldBytes === 0) return [];
    if (this.heldBytes > this.options.maxBytes) return [this.oversize()];
    const lines: TextLine[] = [];
    this.decode(Buffer.concat(this.held), lines);
    return lines;
  }

  private hold(part: Buffer): void {
    if (part.length === 0) return;
    this.heldBytes += part.length;
    // Once the line is too long its bytes are of no use: only the fact is kept.
    if (this.heldBytes > this.options.maxBytes) this.held = [];
    else this.held.push(part);
  }

  private decode(block: Buffer, into: TextLine[]): void {
    if (isUtf8(block)) {
      for (const text of block.toString('utf8').split('\n')) into.push(this.finish(text));
      return;
    }
    let from = 0;
    while (from <= block.length) {
      const at = block.indexOf(NEWLINE, from);
      const to = at === -1 ? block.length : at;
      into.push(this.finish(this.decodeLine(block.subarray(from, to))));
      from = to + 1;
    }
  }

  private decodeLine(bytes: Buffer): string {
    if (isUtf8(bytes)) return bytes.toString('utf8');
    if (!this.fellBack) {
      this.fellBack = true;
      this.options.onFallback?.(this.count + 1);
    }
    return bytes
      .toString('latin1')
      .replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80] ?? char);
  }

  private finish(text: string): TextLine {
    const max = this.options.maxBytes;
    // A character is at most three bytes for each of its UTF-16 units, so most lines need no count.
    if (text.length * 3 > max && Buffer.byteLength(text) > max) return this.oversize();
    this.count += 1;
    return { line: this.count, text: text.endsWith('\r') ? text.slice(0, -1) : text, tooLong: false };
  }

  private oversize(): TextLine {
    this.count += 1;
    return { line: this.count, text: '', tooLong: true };
  }
}

async function* toUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  let wide: TextDecoder | null = null;
  for await (const raw of bytes) {
    let chunk = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    if (head !== null) {
      head = Buffer.concat([head, chunk]);
      if (head.length < 4) continue;
      ({ chunk, wide } = start(head));
      head = null;
    }
    yield wide === null ? chunk : Buffer.from(wide.decode(chunk, { stream: true }));
  }
  if (head !== null && head.length > 0) {
    const { chunk, wide: decoder } = start(head);
    yield decoder === null ? chunk : Buffer.from(decoder.decode(chunk));
  } else if (wide !== null) yield Buffer.from(wide.decode());
}

function start(head: Buffer): { chunk: Buffer; wide: TextDecoder | null } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { chunk: head.subarray(3), wide: null };
  if (head[0] === 0xff && head[1] === 0xfe) return { chunk: head, wide: new TextDecoder('utf-16le') };
  if (head[0] === 0xfe && head[1] === 0xff) return { chunk: head, wide: new TextDecoder('utf-16be') };
  if (head.length >= 4 && head[0] !== 0 && head[1] === 0 && head[3] === 0) {
    return { chunk: head, wide: new TextDecoder('utf-16le') };
  }
  if (head.length >= 4 && head[0] === 0 && head[1] !== 0 && head[2] === 0) {
    return { chunk: head, wide: new TextDecoder('utf-16be') };
  }
  return { chunk: head, wide: null };
}

/** JSON Lines: each line that is not blank is one object. */
export async function* jsonlRows(
  blocks: AsyncIterable<readonly TextLine[]>,
): AsyncGenerator<readonly RawRow[]> {
  for await (const block of blocks) {
    const rows: RawRow[] = [];
    for (const line of block) {
      if (line.tooLong) rows.push(tooLong(line.line));
      else if (line.text.trim() !== '') rows.push(parseRow(line));
    }
    yield rows;
  }
}

/** The row that stands for one nobody could hold in memory. */
export function tooLong(line: number): RawRow {
  return { line, broken: `the row is longer than ${MAX_ROW_BYTES} bytes`, code: 'input_too_large' };
}

function parseRow({ line, text }: TextLine): RawRow {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { line, fields: value as Record<string, unknown> };
    }
    return { line, broken: 'the line is not a JSON object' };
  } catch {
    return { line, broken: 'the line is not valid JSON' };
  }
}
