import { HubError } from '../../core/errors.js';
import type {
  CustomerScope,
  DataSource,
  DataSources,
  ServerTables,
  SourceSpec,
} from '../../core/ports/data-source.js';
import type { Log } from '../../core/ports/system.js';
import { fixtureRequests } from './fixture-sources.js';
import { customersOwn, type Secret } from './settings.js';
import { openSqlite } from './sqlite-file.js';
import { createSqliteProcesses } from './sqlite-processes.js';

interface DataSourcesOptions {
  /** Where `NAME.db` of a sqlite source is. */
  readonly dataDir: string;
  /** Gives the value of an environment variable that a source names (`env:NAME`). */
  readonly secret: Secret;
  readonly log: Log;
  /** By database: what a customer may see of it. */
  readonly scopes: Readonly<Record<string, CustomerScope>>;
  /** Databases that are on a server instead of in the data directory, by name. */
  readonly servers?: Readonly<Record<string, ServerTables>>;
}

/** An API that the pack itself answers for, until the variable of its address is set. */
function isUnconnected({ kind, fixture, endpoint = '' }: SourceSpec, secret: Secret): boolean {
  const variable = /^env:(.+)$/.exec(endpoint)?.[1];
  return kind === 'http' && fixture !== undefined && variable !== undefined && !secret(variable);
}

/** The real sources: SQLite files of the data directory, servers and APIs. Each is opened when it is first asked for. */
export function createDataSources({
  dataDir,
  secret,
  log,
  scopes,
  servers = {},
}: DataSourcesOptions): DataSources {
  const processes = createSqliteProcesses();
  const opened = new Map<string, Promise<DataSource>>();
  let closed = false;
  const connect = async (spec: SourceSpec): Promise<DataSource> => {
    if (isUnconnected(spec, secret)) return fixtureRequests(spec, spec.fixture ?? []);
    // The client of each kind is loaded by the companies and packs that have one.
    switch (spec.kind) {
      case 'postgres':
        return (await import('./postgres-source.js')).openPostgres(spec, secret, log);
      case 'clickhouse':
        return (await import('./clickhouse-source.js')).openClickhouse(spec, secret);
      case 'mcp':
        return (await import('./mcp-source.js')).openMcp(spec, secret);
      case 'module':
        return (await import('./module-source.js')).openModule(spec, secret);
      case 'sqlite':
        return (await import('./sqlite-file.js')).openSqliteFile(spec, processes, secret);
      default:
        return (await import('./http-source.js')).openHttp(spec, secret);
    }
  };
  const scoped = customersOwn(scopes);
  return {
    async open(spec, caller) {
      if (closed)
        throw new HubError('source_unavailable', 'The data sources were closed.', { source: spec.name });
      // A SQLite source holds nothing itself: the processes keep the files open, apart for each customer.
      if (spec.kind === 'sqlite' && (spec.file === undefined || spec.database !== undefined))
        return openSqlite(spec, caller, { dataDir, processes, servers, scopes, secret });
      const key = JSON.stringify(Object.entries(spec).sort(([a], [b]) => (a < b ? -1 : 1)));
      const known = opened.get(key);
      if (known !== undefined) return await known;
      const source = connect(spec);
      opened.set(key, source);
      source.catch(() => opened.delete(key));
      return await source;
    },
    // What stands in a pack is no customer's.
    isCustomersOwn: (spec) => scoped(spec) || isUnconnected(spec, secret),
    async close() {
      closed = true;
      processes.close();
      const all = [...opened.values()];
      opened.clear();
      await Promise.allSettled(all.map(async (source) => (await source).close()));
    },
  };
}
