import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '../core/errors.js';
import type { Clock } from '../core/ports/system.js';

/** When a log file is turned, and how many are kept. */
export interface Rotation {
  /** A file as long as this is turned before the next line. */
  readonly maxBytes: number;
  /** A file whose first line is so old is turned, in days. */
  readonly maxDays: number;
  /** Turned files that are kept besides the current one: `hub.log.1` is the newest. */
  readonly keep: number;
}

const DAY_MS = 86_400_000;
/** A turn takes a millisecond: a mark this old was left by a process that died. */
const DEAD_MARK_MS = 10_000;
const OWNER_ONLY = 0o600;

interface OpenFile {
  readonly descriptor: number;
  readonly inode: number;
  /** Not a pipe or a device: those are never turned. */
  readonly regular: boolean;
  /** When its first line was written, in milliseconds. */
  readonly began: number;
}

/**
 * A file of lines that several processes append to, turned by size and age. Every line is written synchronously and
 * whole, so the last ones survive any exit; one process turns, the others see at their next line that the name belongs
 * to another file and follow. What was written to a file that is being turned stays in it: nothing is lost. (pino-roll
 * writes from a thread of its own and counts its files by itself in each process: neither holds there.)
 */
export class RotatingFile {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #rotation: Rotation | null;
  #open: OpenFile | null = null;

  constructor(path: string, clock: Clock, rotation: Rotation | null) {
    this.#path = path;
    this.#clock = clock;
    this.#rotation = rotation;
  }

  /** True where the file could be opened, though perhaps not written. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Appends one line. @throws what the file system throws */
  write(line: string): void {
    const bytes = Buffer.from(line);
    let file = this.#current();
    if (this.#isFull(file, bytes.length)) {
      this.#tryToTurn(file.inode);
      file = this.#current();
    }
    writeAll(file.descriptor, bytes);
  }

  /** Waits for the disk. */
  sync(): void {
    if (this.#open !== null) fsyncSync(this.#open.descriptor);
  }

  /** Gives the file back; the next line opens it again. */
  close(): void {
    if (this.#open !== null) closeSync(this.#open.descriptor);
    this.#open = null;
  }

  #current(): OpenFile {
    if (this.#open?.regular && inodeOf(this.#path) !== this.#open.inode) this.close();
    this.#open ??= this.#reopen();
    return this.#open;
  }

  #reopen(): OpenFile {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const descriptor = openSync(this.#path, 'a+', OWNER_ONLY);
    const { ino, mode, size } = fstatSync(descriptor);
    const regular = (mode & 0o170000) === 0o100000;
    if (regular && (mode & 0o077) !== 0) chmodSync(this.#path, OWNER_ONLY);
    const began = regular && size > 0 ? beginningOf(descriptor) : null;
    return { descriptor, inode: ino, regular, began: began ?? this.#clock.now().getTime() };
  }

  #isFull({ descriptor, regular, began }: OpenFile, more: number): boolean {
    if (this.#rotation === null || !regular) return false;
    const { size } = fstatSync(descriptor);
    if (size === 0) return false;
    const { maxBytes, maxDays } = this.#rotation;
    return size + more > maxBytes || this.#clock.now().getTime() - began >= maxDays * DAY_MS;
  }

  #tryToTurn(inode: number): void {
    try {
      this.#turn(inode);
    } catch {
      // A log that cannot be turned grows: better than a line that is lost.
    }
  }

  /** One process at a time; where another one turns, this one continues in the file it has. */
  #turn(inode: number): void {
    const mark = `${this.#path}.turning`;
    if (!claim(mark)) return;
    try {
      if (inodeOf(this.#path) !== inode) return;
      const keep = this.#rotation?.keep ?? 0;
      rmSync(`${this.#path}.${keep}`, { force: true });
      for (let at = keep - 1; at >= 1; at -= 1)
        renameIfThere(`${this.#path}.${at}`, `${this.#path}.${at + 1}`);
      if (keep > 0) renameSync(this.#path, `${this.#path}.1`);
      else rmSync(this.#path);
      this.close();
    } finally {
      rmdirSync(mark);
    }
  }
}

/** A directory is made by one process only, and is no log file for those that look for them. */
function claim(mark: string): boolean {
  for (const attempt of [1, 2]) {
    try {
      mkdirSync(mark, { mode: 0o700 });
      return true;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      if (attempt === 2 || !isDead(mark)) return false;
      rmSync(mark, { recursive: true, force: true });
    }
  }
  return false;
}

function isDead(mark: string): boolean {
  const stat = statSync(mark, { throwIfNoEntry: false });
  // The file's time is the machine's, whatever clock the log has.
  return stat === undefined || performance.timeOrigin + performance.now() - stat.mtimeMs > DEAD_MARK_MS;
}

function renameIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}

function inodeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}

/** When the first line of a file was written; null where it does not say. */
function beginningOf(descriptor: number): number | null {
  const head = Buffer.alloc(512);
  const read = readSync(descriptor, head, 0, head.length, 0);
  const [, text = ''] = /"timestamp":"([^"]+)"/.exec(head.toString('utf8', 0, read)) ?? [];
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
}
