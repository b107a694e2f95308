import pg from 'pg';
import { type JsonObject, type JsonValue, parseJson } from '../../core/domain/json.js';
import type { SourceRows } from '../../core/ports/data-source.js';

const { builtins } = pg.types;

type Parse = (text: string) => JsonValue;

/** Numbers as numbers where none of their digits is lost, else as text. */
const number: Parse = (text) => {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  return text.replace(/[^0-9]/g, '').replace(/^0+/, '').length <= 15 ? value : text;
};
/** Sessions are in UTC, so a time without a zone is one of UTC. */
const instant: Parse = (text) => {
  const at = Date.parse(`${text.replace(' ', 'T').replace(/[+-]\d\d(?::?\d\d)?$/, '')}Z`);
  return Number.isNaN(at) ? text : new Date(at).toISOString();
};
const json: Parse = (text) => parseJson(text, text);

const SCALARS: Readonly<Record<number, Parse>> = {
  [builtins.BOOL]: (text) => text === 't',
  [builtins.INT2]: number,
  [builtins.INT4]: number,
  [builtins.INT8]: number,
  [builtins.OID]: number,
  [builtins.FLOAT4]: Number,
  [builtins.FLOAT8]: (text) => (Number.isFinite(Number(text)) ? Number(text) : text),
  [builtins.NUMERIC]: number,
  [builtins.TIMESTAMP]: instant,
  [builtins.TIMESTAMPTZ]: instant,
  [builtins.JSON]: json,
  [builtins.JSONB]: json,
};

/** The array types of the scalars above; other arrays are lists of texts. */
const ELEMENTS: Readonly<Record<number, number>> = {
  1000: builtins.BOOL,
  1005: builtins.INT2,
  1007: builtins.INT4,
  1016: builtins.INT8,
  1021: builtins.FLOAT4,
  1022: builtins.FLOAT8,
  1231: builtins.NUMERIC,
  1115: builtins.TIMESTAMP,
  1185: builtins.TIMESTAMPTZ,
  199: builtins.JSON,
  3807: builtins.JSONB,
};
const TEXT_ARRAYS = new Set([1009, 1015, 1014, 1182, 2951]);
/** The driver's types name no arrays, the driver knows them. */
const TEXT_ARRAY = 1009 as Parameters<typeof pg.types.getTypeParser>[0];

type Nested = string | null | readonly Nested[];

/** How each type of PostgreSQL becomes JSON: instants as ISO 8601 in UTC, everything unknown as the server writes it. */
const jsonTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number) => {
    const scalar = SCALARS[oid];
    if (scalar !== undefined) return scalar;
    const element = ELEMENTS[oid];
    if (element === undefined && !TEXT_ARRAYS.has(oid)) return (text: string) => text;
    const list = pg.types.getTypeParser(TEXT_ARRAY, 'text') as (text: string) => readonly Nested[];
    const parse = element === undefined ? undefined : SCALARS[element];
    return (text: string) => list(text).map((one) => each(one, parse));
  }) as pg.CustomTypesConfig['getTypeParser'],
};

function each(value: Nested, parse: Parse | undefined): JsonValue {
  if (value === null) return null;
  if (typeof value === 'string') return parse === undefined ? value : parse(value);
  return value.map((one) => each(one, parse));
}

/** What `pg` hands to a query beside what its types tell. */
interface Wire {
  sync(): void;
}

/** A reading statement in the driver's words. */
interface LimitedStatement {
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
