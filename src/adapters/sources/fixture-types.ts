import type { JsonObject } from '../../core/domain/json.js';
import type { Exchange } from '../../core/ports/data-source.js';

/** One fixture of a source, as a test case has it. */
export type Fixture =
  | { readonly sql: string }
  | { readonly file: string }
  | { readonly mapping: string; readonly rows: readonly JsonObject[] }
  | Exchange
  | { readonly down: true };

/** What of a pack is needed to make its fixtures. */
export interface FixturePack {
  readonly id: string;
  /** Texts of its files by path relative to its folder. */
  readonly files: Readonly<Record<string, string>>;
}
