import type BetterSqlite3 from 'better-sqlite3';
import type { ExportedFile } from '../../src/core/privacy.js';

const OWN = 'thread_id IN (SELECT value FROM json_each(@threads))';
/** Short enough to lie whole in one page of the database file, nearly always; of three places one does. */
const SAMPLE_BYTES = 40;
const PLACES = [0.25, 0.5, 0.75];
/** Fewer different bytes are filling, and found anywhere. */
const DIFFERENT_BYTES = 12;

interface Parameters {
  /** JSON list of conversations. */
  readonly threads: string;
}

/** The files of conversations, for their export. */
export function exportedFiles(
  sqlite: BetterSqlite3.Database,
  parameters: Parameters,
): readonly ExportedFile[] {
  const rows = sqlite
    .prepare<Parameters, { readonly id: string; readonly name: string; readonly content: Buffer }>(
      `SELECT file_id AS id, name, content FROM message_files WHERE ${OWN} ORDER BY created_at, file_id`,
    )
    .all(parameters);
  return rows.map(({ id, name, content }) => ({
    path: `files/${id}/${name}`,
    base64: content.toString('base64'),
  }));
}

/** Parts of their bytes that no file of another conversation has, each byte as a character: what a search for remains looks for. */
export function fileSamples(sqlite: BetterSqlite3.Database, parameters: Parameters): readonly string[] {
  const isCommon = sqlite.prepare<Parameters & { readonly sample: Buffer }>(
    `SELECT 1 FROM message_files WHERE NOT (${OWN}) AND instr(content, @sample) > 0 LIMIT 1`,
  );
  const contents = sqlite
    .prepare<Parameters, Buffer>(`SELECT content FROM message_files WHERE ${OWN}`)
    .pluck()
    .all(parameters);
  return contents.flatMap((content) =>
    PLACES.flatMap((place) => {
      const at = Math.floor(content.length * place);
      const sample = content.subarray(at, at + SAMPLE_BYTES);
      const isTelling = new Set(sample).size >= DIFFERENT_BYTES;
      return isTelling && !isCommon.get({ ...parameters, sample }) ? [sample.toString('latin1')] : [];
    }),
  );
}
