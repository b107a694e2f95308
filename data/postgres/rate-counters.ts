import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RateCounters } from '../../src/core/ports/rate-counters.js';
import type { PostgresDatabase } from './postgres-database.js';

/** Counted in the table `rate_limits`, for all servers together; by each for itself while it cannot be reached. */
export function createRateCounters(
  database: Pick<PostgresDatabase, 'withClient'>,
  schema: string,
): RateCounters {
  const storeClient = {
    query: (asked: { readonly text: string; readonly values: unknown[] }) =>
      database.withClient((client) => client.query(asked)),
  };
  return (keyPrefix, points, duration) =>
    new RateLimiterPostgres({
      ...{ storeClient, storeType: 'pool', schemaName: schema, tableName: 'rate_limits', tableCreated: true },
      ...{ keyPrefix, points, duration },
      // Whoever is over the limit is refused without a question to the database.
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    });
}
