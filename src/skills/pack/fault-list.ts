import { posix } from 'node:path';
import type { PackFault } from './pack.js';
import { type NodePath, readTextFile, type TextFile } from './text-file.js';

/** Faults of a pack as they are found, in any order. */
export class FaultList {
  readonly #folder: string;
  readonly #found: PackFault[] = [];

  /** @param folder what file names are told relative to */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param path where in the file; its line is looked up */
  at(file: TextFile, path: NodePath, code: string, message: string): void {
    this.add(file.path, file.lineOf(path), code, message);
  }

  add(file: string, line: number, code: string, message: string): void {
    const shown = this.#folder === '' ? file : posix.join(this.#folder, file);
    if (this.#found.some((f) => f.file === shown && f.line === line && f.message === message)) return;
    this.#found.push({ file: shown, line, code, message });
  }

  /** Takes over faults that name their file already. */
  addAll(faults: readonly PackFault[]): void {
    this.#found.push(...faults);
  }

  /** Reads a file; what keeps it from being read is noted. */
  read(path: string, text: string): TextFile {
    const { file, faults } = readTextFile(path, text);
    for (const { line, code, message } of faults) this.add(path, line, code, message);
    return file;
  }

  get count(): number {
    return this.#found.length;
  }

  /** By file and line. */
  list(): readonly PackFault[] {
    return [...this.#found].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  }
}
