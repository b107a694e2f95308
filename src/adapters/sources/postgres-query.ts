import pg from 'pg';
import type { JsonObject } from '../../core/domain/json.js';
import type { SourceRows } from '../../core/ports/data-source.js';
import { jsonTypes } from './postgres-types.js';

/** What `pg` hands to a query beside what its types tell. */
interface Wire {
  sync(): void;
}

/** A reading statement in the driver's words. */
export interface LimitedStatement {
  /** With `$1`, `$2`. */
  readonly text: string;
  readonly values: readonly unknown[];
  readonly maxRows: number;
  readonly maxBytes?: number;
}

/**
 * A query that lets the server make no more rows than are wanted: the extended protocol runs a portal up to a number of rows
 * and suspends it there. The driver's own query would then ask for the rest.
 */
class LimitedQuery extends pg.Query {
  suspended = false;

  handlePortalSuspended(connection: Wire): void {
    this.suspended = true;
    connection.sync();
  }

  /** After an error of its own the server waits for this, and the driver waits for the server. */
  handleError(error: Error, connection: Wire): void {
    if ('severity' in error) connection.sync();
    this.emit('error', error);
  }
}

/**
 * Runs one statement and takes at most `maxRows` rows of it.
 * @param tooLarge is called once where the rows exceed `maxBytes`; what comes later is not kept
 * @throws whatever the server or the driver says
 */
export async function queryLimited(
  client: pg.PoolClient,
  { text, values, maxRows, maxBytes }: LimitedStatement,
  tooLarge: () => void,
): Promise<SourceRows> {
  const rows: JsonObject[] = [];
  let bytes = 0;
  let full = false;
  // One more tells whether there were more. The driver knows `rows`, its types do not.
  const config: pg.QueryConfig & { readonly rows: number } = {
    text,
    values: [...values],
    types: jsonTypes,
    rows: maxRows + 1,
  };
  const query = new LimitedQuery(config);
  await new Promise<void>((resolve, reject) => {
    query.on('row', (row: JsonObject) => {
      if (full) return;
      bytes += maxBytes === undefined ? 0 : Buffer.byteLength(JSON.stringify(row));
      full = maxBytes !== undefined && bytes > maxBytes;
      if (full) tooLarge();
      else rows.push(row);
    });
    query.on('end', () => resolve());
    query.on('error', (error) => (full ? resolve() : reject(error)));
    client.query(query);
  });
  return { rows: rows.slice(0, maxRows), truncated: full || query.suspended || rows.length > maxRows };
}
