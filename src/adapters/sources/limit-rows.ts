import type { JsonObject } from '../../core/domain/json.js';
import type { SourceOptions, SourceRows } from '../../core/ports/data-source.js';

/** The rows that may be given of those there are. */
export function limitRows(all: readonly JsonObject[], { maxRows, maxBytes }: SourceOptions): SourceRows {
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (const row of all) {
    bytes += maxBytes === undefined ? 0 : Buffer.byteLength(JSON.stringify(row));
    if (rows.length === maxRows || bytes > (maxBytes ?? bytes)) return { rows, truncated: true };
    rows.push(row);
  }
  return { rows, truncated: false };
}
