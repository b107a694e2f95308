import pg from 'pg';
import { HubError, messageOf } from '../../core/errors.js';
import type {
  BoundStatement,
  ChangeStatement,
  QuerySource,
  SourceOptions,
  SourceRows,
  SourceSpec,
} from '../../core/ports/data-source.js';
import type { Log } from '../../core/ports/system.js';
import { abortReason } from '../../core/signals.js';
import { createRetrier, TransientFault } from './fetch-text.js';
import { queryLimited } from './postgres-query.js';
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS, misconfigured, type Secret, settingOf } from './settings.js';
import { checkStatement, EFFECTS_TABLE, nothingToChange } from './sql-text.js';

/** SQLSTATEs of a server that is starting, stopping, full, or reached over a line that broke. */
const PASSING = /^(?:08|57P0|53300|40001|40P01)/;
const CANCELLED = '57014';
const NO_ENTRY = /^(?:28|3D000)/;

/**
 * What a failed statement means for whoever asked.
 * @returns a TransientFault where it may go better at once, else a HubError
 */
function postgresFault(spec: SourceSpec, error: unknown, timeoutMs: number): HubError | TransientFault {
  const { name } = spec;
  const message = messageOf(error);
  const state = sqlState(error);
  if (state === null) return new TransientFault(reasonOf(error, message), { cause: error });
  const fault = (code: 'source_unavailable' | 'source_rejected', text: string): HubError =>
    new HubError(code, text, { source: name, sqlstate: state }, { cause: error });
  if (state === CANCELLED) {
    return fault(
      'source_unavailable',
      `${name} took longer than ${timeoutMs / 1_000} s to answer, and was stopped.`,
    );
  }
  if (NO_ENTRY.test(state)) return fault('source_rejected', `${name} refuses the connection: ${message}.`);
  if (PASSING.test(state)) return new TransientFault(message, { cause: error });
  return fault('source_rejected', `${name} rejects the statement: ${message}.`);
}

/** Null where the server did not say anything, since the line broke. */
function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('severity' in error)) return null;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : null;
}

/** A connection tried over IPv4 and IPv6 fails with an error of several errors and no message of its own. */
function reasonOf(error: unknown, message: string): string {
  if (message !== '') return message;
  const errors = error instanceof AggregateError ? error.errors : [];
  const first: unknown = errors[0];
  return first instanceof Error ? first.message : 'the connection failed';
}

const MAX_CONNECTIONS = 4;
const IDLE_MS = 10_000;
/** The server stops a statement itself; the hub gives up a moment later, where the server does not answer at all. */
const GRACE_MS = 500;

/**
 * A database that speaks PostgreSQL's protocol (Redshift does). Each statement runs in a transaction that only reads.
 * @throws HubError `source_misconfigured`
 */
export function openPostgres(spec: SourceSpec, secret: Secret, log: Log): QuerySource {
  const timeoutMs = spec.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: addressOf(spec, secret),
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: timeoutMs,
    allowExitOnIdle: true,
    application_name: 'uda-hub',
  });
  const retrier = createRetrier(spec.name);
  // A connection that breaks while nobody uses it is replaced; unheard, its error would end the process.
  pool.on('error', (error) =>
    log.debug({
      agent: 'sources',
      action: 'connection_lost',
      details: { source: spec.name, why: error.message },
    }),
  );
  return {
    answers: 'query',
    async query(statement, options) {
      checkStatement(spec, statement);
      return await retrier.run(
        spec.retries ?? DEFAULT_RETRIES,
        JSON.stringify(statement),
        options.signal,
        () => attempt(spec, pool, statement, options, timeoutMs),
      );
    },
    change: (key, statements) => changed(spec, pool, key, statements, timeoutMs),
    close: () => pool.end(),
  };
}

/** What a company's tables forbid. */
const CONSTRAINT = /^23/;

/** One transaction; the key in it makes a repetition wait for the first one, and then change nothing. */
async function changed(
  spec: SourceSpec,
  pool: pg.Pool,
  key: string,
  statements: readonly ChangeStatement[],
  timeoutMs: number,
): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(spec, error);
  });
  let broken = true;
  try {
    await client.query(`SET statement_timeout = ${Math.ceil(timeoutMs)}; SET timezone = 'UTC'`);
    // Who may not make tables may find it made.
    const { rows } = await client.query("SELECT to_regclass('hub_effects') AS found");
    if (rows[0]?.found === null) await client.query(EFFECTS_TABLE);
    await client.query('BEGIN');
    const noted = await client.query(
      'INSERT INTO hub_effects (idempotency_key) VALUES ($1) ON CONFLICT DO NOTHING',
      [key],
    );
    for (const statement of noted.rowCount === 0 ? [] : statements) {
      const { rowCount } = await client.query(numbered(statement), [...statement.values]);
      if (rowCount === 0 && statement.needed) throw nothingToChange(spec);
    }
    await client.query('COMMIT');
    broken = false;
  } catch (error) {
    const state = sqlState(error);
    if (!(error instanceof HubError) && state === null) throw unavailable(spec, error);
    await client.query('ROLLBACK').then(
      () => (broken = false),
      () => undefined,
    );
    if (error instanceof HubError) throw error;
    if (CONSTRAINT.test(state ?? ''))
      throw new HubError(
        'constraint_failed',
        'The tables do not allow what was asked.',
        { source: spec.name },
        { cause: error },
      );
    const fault = postgresFault(spec, error, timeoutMs);
    throw fault instanceof HubError ? fault : unavailable(spec, error);
  } finally {
    client.release(broken);
  }
}

function unavailable(spec: SourceSpec, error: unknown): HubError {
  const message = messageOf(error);
  return new HubError(
    'source_unavailable',
    `${spec.name} does not answer: ${reasonOf(error, message)}.`,
    { source: spec.name },
    { cause: error },
  );
}

async function attempt(
  spec: SourceSpec,
  pool: pg.Pool,
  statement: BoundStatement,
  { signal, maxRows, maxBytes }: SourceOptions,
  timeoutMs: number,
): Promise<SourceRows> {
  if (signal.aborted) throw abortReason(signal);
  const client = await pool.connect().catch((error: unknown) => {
    throw postgresFault(spec, error, timeoutMs);
  });
  let broken = false;
  const cut = (): void => {
    if (!broken) client.release(true);
    broken = true;
  };
  const abort = (): void => {
    cancel(pool, client);
    cut();
  };
  const timer = setTimeout(abort, timeoutMs + GRACE_MS);
  // Between its statements a connection that breaks tells nobody but this.
  const lost = (): void => undefined;
  client.on('error', lost);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await client.query(
      `BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}; SET LOCAL timezone = 'UTC'`,
    );
    const rows = await queryLimited(
      client,
      {
        text: numbered(statement),
        values: statement.values,
        maxRows,
        ...(maxBytes === undefined ? {} : { maxBytes }),
      },
      cut,
    );
    if (rows.truncated && rows.rows.length === 0) {
      throw new HubError('source_bad_answer', `${spec.name}: a single row has more than ${maxBytes} bytes.`, {
        source: spec.name,
      });
    }
    if (!broken) await client.query('ROLLBACK');
    return rows;
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    if (error instanceof HubError) throw error;
    if (broken) throw TransientFault.timedOut(timeoutMs, error);
    const fault = postgresFault(spec, error, timeoutMs);
    if (fault instanceof TransientFault) cut();
    else await client.query('ROLLBACK').catch(cut);
    throw fault;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    client.off('error', lost);
    if (!broken) client.release();
  }
}

/** Tells the server to stop; if it does not hear, its own time limit does. */
function cancel(pool: pg.Pool, client: pg.PoolClient): void {
  const { processID } = client as unknown as { processID: number | null };
  if (processID !== null) pool.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => undefined);
}

function numbered({ segments }: BoundStatement): string {
  return segments.reduce((text, segment, at) => (at === 0 ? segment : `${text}$${at}${segment}`), '');
}

/** The address with the user and password of `credentials` (`user:password`, or the password) where those are given. */
function addressOf(spec: SourceSpec, secret: Secret): string {
  const text = settingOf(spec, 'url', secret);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^(?:postgres|postgresql|redshift):$/.test(url.protocol)) {
    throw misconfigured(spec, 'has a url that is no postgres:// address');
  }
  if (spec.credentials !== undefined) {
    const credentials = settingOf(spec, 'credentials', secret);
    const colon = credentials.indexOf(':');
    if (colon > 0) url.username = encodeURIComponent(credentials.slice(0, colon));
    url.password = encodeURIComponent(credentials.slice(colon + 1));
  }
  return url.href.replace(/^redshift:/, 'postgres:');
}
