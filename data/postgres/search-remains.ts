import type { Leftover, Needle, RemainsSearch } from '../../src/core/privacy.js';
import { openPostgres } from './postgres-database.js';
import type { Column } from './server-tables.js';

/** Texts that are looked for at once. */
const AT_ONCE = 100;

interface PlacedColumn extends Column {
  readonly place: string;
}

/**
 * Looks for texts in every column of every table of a database that holds texts, JSON or bytes, whoever it belongs to: hub,
 * company, checkpoints, queue. What the server keeps beside its tables (its log of changes, backups) is not looked at.
 * @param url `postgres://...`
 * @param jobTables of the queue, if there is one
 */
export function searchOnServer(
  url: string,
  jobTables: readonly string[] = [],
): RemainsSearch & { close(): Promise<void> } {
  const database = openPostgres(url, { schema: 'udahub', statementTimeoutMs: 10 * 60_000, poolSize: 2 });
  return {
    tidy: () =>
      database.withClient(async (client) => {
        await client.query('VACUUM');
      }),
    search: (needles) =>
      database.withClient(async (client) => {
        const { rows: columns } = await client.query<PlacedColumn>(
          `SELECT format('%I.%I', n.nspname, c.relname) AS table, format('%I', a.attname) AS name,
             n.nspname || '.' || c.relname || '.' || a.attname AS place, t.typname::text AS type
           FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
           WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
             AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
             AND t.typname IN ('text', 'varchar', 'json', 'jsonb', 'bytea', 'tsvector') ORDER BY 3`,
        );
        const { rows: size } = await client.query<{ bytes: string }>(
          'SELECT pg_database_size(current_database()) AS bytes',
        );
        const leftovers: Leftover[] = [];
        for (const column of columns) {
          const isBytes = column.type === 'bytea';
          const text = isBytes ? `encode(${column.name}, 'escape')` : `${column.name}::text`;
          const sql = `SELECT count(*) AS n FROM ${column.table} WHERE lower(${text}) LIKE ANY($1)`;
          for (const [what, patterns] of patternsOf(needles, isBytes)) {
            const { rows } = await client.query<{ n: string }>(sql, [patterns]);
            const count = Number(rows[0]?.n);
            if (count > 0) leftovers.push({ file: column.place, what, count });
          }
        }
        return {
          files: new Set(columns.map(({ table }) => table)).size,
          bytes: Number(size[0]?.bytes),
          leftovers,
        };
      }),
    removeJobs: (needles) =>
      database.withClient(async (client) => {
        let removed = 0;
        for (const table of jobTables) {
          const { rows } = await client.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [table]);
          if (rows.length === 0) continue;
          for (const [, patterns] of patternsOf(needles, false)) {
            const { rowCount } = await client.query(
              `DELETE FROM ${table} WHERE lower(data::text) LIKE ANY($1) OR lower(output::text) LIKE ANY($1)`,
              [patterns],
            );
            removed += rowCount ?? 0;
          }
        }
        return removed;
      }),
    close: () => database.close(),
  };
}

/** In portions, by what they are; each form in which a text may be written. */
function* patternsOf(
  needles: readonly Needle[],
  isBytes: boolean,
): Iterable<readonly [Needle['what'], readonly string[]]> {
  const kinds = new Map<Needle['what'], string[]>();
  for (const { what, text } of needles) {
    // Of a file its bytes are looked for, which are no text.
    if (what === 'file' && !isBytes) continue;
    const forms = what === 'file' ? [text] : formsOf(text);
    const written = forms.map((form) =>
      isBytes ? escaped(Buffer.from(form, what === 'file' ? 'latin1' : 'utf8')) : form.toLowerCase(),
    );
    const patterns = written.map((form) => `%${form.replaceAll(/[\\%_]/g, '\\$&')}%`);
    kinds.set(what, [...(kinds.get(what) ?? []), ...patterns]);
  }
  for (const [what, patterns] of kinds)
    for (let at = 0; at < patterns.length; at += AT_ONCE) yield [what, patterns.slice(at, at + AT_ONCE)];
}

/** Texts stand in JSON, which stands in JSON where it is the content of a job. */
const NESTED = 3;

function formsOf(text: string): readonly string[] {
  const forms = [text];
  for (let depth = 0; depth < NESTED; depth += 1) forms.push(JSON.stringify(forms.at(-1) ?? '').slice(1, -1));
  return [...new Set(forms)];
}

/** As the server writes bytes in its form `escape`. */
function escaped(bytes: Buffer): string {
  return [...bytes]
    .map((byte) => {
      if (byte === 0x5c) return '\\\\';
      if (byte === 0 || byte > 0x7f) return `\\${byte.toString(8).padStart(3, '0')}`;
      return String.fromCharCode(byte).toLowerCase();
    })
    .join('');
}
