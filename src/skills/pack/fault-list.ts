import { posix } from 'node:path';
import type { PackFault } from './pack.js';
import { type NodePath, readTextFile, type Spelled, type TextFile } from './text-file.js';

/** A broken file can have a fault in every line; nobody reads more than these. */
const MAX_PER_FILE = 100;

/** Faults of a pack as they are found, in any order; each once. */
export class FaultList {
  readonly #folder: string;
  readonly #found = new Map<string, PackFault>();
  readonly #perFile = new Map<string, number>();

  /** @param folder what file names are told relative to */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param path where in the file; its line is looked up */
  at(file: TextFile, path: NodePath, code: string, message: string): void {
    this.add(file.path, file.lineOf(path), code, message);
  }

  add(file: string, line: number, code: string, message: string): void {
    this.#put({ file: this.#shown(file), line, code, message });
  }

  /** Notes what a pack works in spite of. */
  warn(file: string, line: number, code: string, message: string): void {
    this.#put({ file: this.#shown(file), line, code, message, severity: 'warning' });
  }

  /** Takes over faults that name their file already. */
  addAll(faults: readonly PackFault[]): void {
    for (const fault of faults) this.#put(fault);
  }

  #put(fault: PackFault): void {
    const key = JSON.stringify([fault.file, fault.line, fault.message]);
    const count = this.#perFile.get(fault.file) ?? 0;
    if (this.#found.has(key) || count >= MAX_PER_FILE) return;
    this.#perFile.set(fault.file, count + 1);
    this.#found.set(key, fault);
  }

  /** Reads a file; what keeps it from being read is noted, and as a warning what is written in an older way. */
  read(path: string, text: string, spelled?: Spelled): TextFile {
    const { file, faults, notes } = readTextFile(path, text, spelled);
    for (const { line, code, message } of faults) this.add(path, line, code, message);
    for (const { line, code, message } of notes) this.warn(path, line, code, message);
    return file;
  }

  #shown(file: string): string {
    return this.#folder === '' ? file : posix.join(this.#folder, file);
  }

  get count(): number {
    return this.#found.size;
  }

  /** How many of them are warnings. */
  get warnings(): number {
    return [...this.#found.values()].filter(({ severity }) => severity === 'warning').length;
  }

  /** By file and line. */
  list(): readonly PackFault[] {
    return [...this.#found.values()].sort((a, b) =>
      a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line,
    );
  }
}
