import type { PackFault } from './pack.js';

/** A broken file can have a fault in every line; nobody reads more than these. */
const MAX_PER_FILE = 100;

/** Collects faults, each once. */
export class Faults {
  readonly #found = new Map<string, PackFault>();
  readonly #perFile = new Map<string, number>();

  /** @param line from 1 */
  add(file: string, line: number, code: string, message: string): void {
    this.put({ file, line, code, message });
  }

  put(fault: PackFault): void {
    const key = JSON.stringify([fault.file, fault.line, fault.code, fault.message]);
    const count = this.#perFile.get(fault.file) ?? 0;
    if (this.#found.has(key) || count >= MAX_PER_FILE) return;
    this.#perFile.set(fault.file, count + 1);
    this.#found.set(key, Object.freeze({ ...fault }));
  }

  get size(): number {
    return this.#found.size;
  }

  /** By file and line. */
  list(): readonly PackFault[] {
    return [...this.#found.values()].sort(
      (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line,
    );
  }
}
