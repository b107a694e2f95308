import { describe, expect, it } from 'vitest';
import { sqlTokens, tablePlaces } from '../../../src/core/sql/tables.js';

const tables = (sql: string, dialect: 'clickhouse' | 'standard' = 'standard') =>
  tablePlaces(sqlTokens(sql, dialect)).map(({ name }) => name);

describe('[SKS-01 SKE-02] the tables a statement names', () => {
  it.each([
    ['SELECT * FROM orders', ['orders']],
    ['SELECT * FROM [Orders] JOIN "Parcels" USING (id), `audit``log`', ['orders', 'parcels', 'audit``log']],
    ["SELECT ' FROM hidden' AS x -- FROM hidden\n FROM main.orders /* , hidden */", ['main.orders']],
    ['WITH late AS (SELECT 1 FROM parcels) SELECT * FROM late, orders', ['parcels', 'orders']],
    ['SELECT extract(year FROM day), a IS DISTINCT FROM b FROM days', ['days']],
    ['SELECT * FROM json_each(?) j, t WHERE x = ANY(ARRAY[?, ?])', ['t']],
    ['SELECT $$ FROM hidden $$ FROM seen', ['seen']],
  ])('%s', (sql, named) => {
    expect(tables(sql)).toEqual(named);
  });

  it("reads ClickHouse's escaped quote as part of the text, and no other database's", () => {
    const sql = String.raw`SELECT '\' FROM a' FROM b`;
    expect(tables(sql, 'clickhouse')).toEqual(['b']);
    expect(tables(sql)).toEqual(['a']);
  });
});
