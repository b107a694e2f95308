import { randomBytes, scryptSync } from 'node:crypto';
import type BetterSqlite3 from 'better-sqlite3';
import type { JsonObject, JsonValue } from '../../src/core/domain/json.js';
import type { Clock } from '../../src/core/ports/system.js';
import {
  type CustomerFacts,
  type CustomerRefs,
  type HubErasure,
  type HubPrivacy,
  type Removal,
  withoutWords,
} from '../../src/core/privacy.js';
import type { DatabaseHandle } from '../open-database.js';
import { jsonRows, mentions, redactWords, secureDelete } from '../privacy-rows.js';
import { translated } from '../storage-errors.js';
import { exportedFiles, fileSamples } from './file-store.js';

/** Parameters that all statements of an export or erasure share; lists are JSON. */
type RefParameters = Readonly<
  Record<'customer' | 'threads' | 'tickets' | 'runs' | 'pendings' | 'tasks', string>
>;

const refParameters = (customerId: string, refs: CustomerRefs): RefParameters => ({
  customer: customerId,
  threads: JSON.stringify(refs.threads),
  tickets: JSON.stringify(refs.tickets),
  runs: JSON.stringify(refs.runs),
  pendings: JSON.stringify(refs.pendings),
  tasks: JSON.stringify(refs.tasks),
});

const OF_TICKETS = 'ticket_id IN (SELECT value FROM json_each(@tickets))';
const OF_THREADS = 'thread_id IN (SELECT value FROM json_each(@threads))';
const OF_TASKS = 'task_id IN (SELECT value FROM json_each(@tasks))';
const ANY_REF = `SELECT value FROM json_each(@tickets) UNION SELECT value FROM json_each(@threads)
  UNION SELECT value FROM json_each(@pendings) UNION SELECT value FROM json_each(@runs)
  UNION SELECT value FROM json_each(@tasks)`;

/** Which rows of a table are the customer's; in an order in which they can be deleted. */
const OWN_ROWS: Readonly<Record<string, string>> = {
  operator_presence: OF_TICKETS,
  ticket_desk: OF_TICKETS,
  ticket_metadata: OF_TICKETS,
  ticket_messages: OF_TICKETS,
  ticket_turns: OF_TICKETS,
  escalations: OF_TICKETS,
  ticket_resolutions: `customer_id = @customer OR ${OF_TICKETS}`,
  approvals: `customer_id = @customer OR ${OF_TICKETS}`,
  ratings: `customer_id = @customer OR ${OF_THREADS}`,
  thread_inbox: `customer_id = @customer OR ${OF_THREADS}`,
  message_files: OF_THREADS,
  mail_messages: OF_THREADS,
  mail_threads: OF_THREADS,
  push_subscriptions: 'customer_id = @customer',
  thread_events: `${OF_THREADS} OR ${OF_TICKETS}`,
  skill_runs: 'run_id IN (SELECT value FROM json_each(@runs))',
  skill_cache: `owner = 'customer:' || @customer OR instr(value, '"' || @customer || '"') > 0
    OR EXISTS (SELECT 1 FROM (${ANY_REF}) AS r WHERE instr(value, r.value) > 0)`,
  idempotency_keys: `caller = 'customer:' || @customer
    OR EXISTS (SELECT 1 FROM (${ANY_REF}) AS r WHERE instr(coalesce(body, ''), r.value) > 0)`,
  customer_preferences: 'customer_id = @customer',
  program_tokens: `role = 'customer' AND holder_id = @customer`,
  model_spend: `scope = 'ticket' AND name IN (SELECT value FROM json_each(@tickets))`,
  a2a_push_outbox: OF_TASKS,
  a2a_push_configs: OF_TASKS,
  a2a_messages: `${OF_TASKS} OR owner = 'customer:' || @customer`,
  a2a_contexts: `owner = 'customer:' || @customer OR ${OF_THREADS}`,
  a2a_tasks: OF_TASKS,
  tickets: OF_TICKETS,
  threads: OF_THREADS,
};

/** Columns that hold secrets of a customer's programs: they go with the rest, and are handed over to nobody. */
const SECRET_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  a2a_push_configs: ['token', 'credentials'],
  push_subscriptions: ['endpoint'],
};

/** Rows that are facts of the books: they stay, without the person. */
const KEPT_ROWS: Readonly<Record<string, string>> = {
  audit_log: `customer_id = @customer OR ${OF_TICKETS}`,
  users: 'external_user_id = @customer',
};

const SALT = 'privacy:salt';
/** What is written for everybody. */
const PUBLIC_TABLES = ['knowledge', 'knowledge_drafts', 'skill_packs', 'settings'];
const ERASED_NAME = 'Erased customer';
/** Tables in which words of others are not looked at: the catalogue, and what is hashed or made by code. */
const NOT_CONVERSATION =
  /^(?:knowledge|embeddings|settings|accounts|erased_|skill_packs|sign_in|thread_leases|model_|__|sqlite_)|_fts/;

export function createHubPrivacy({ sqlite }: DatabaseHandle, clock: Clock): HubPrivacy {
  const read = (table: string, where: string, parameters: RefParameters): readonly JsonObject[] =>
    jsonRows(sqlite.prepare(`SELECT * FROM ${table} WHERE ${where}`).all(parameters));
  const parametersOf = (customer: CustomerFacts): RefParameters =>
    refParameters(customer.customerId, findRefs(sqlite, customer));

  const erase = sqlite.transaction((erasure: HubErasure): readonly Removal[] | null => {
    const refs = findRefs(sqlite, erasure);
    if (refs.threads.some((thread) => !erasure.held.includes(thread))) return null;
    return withoutAuditGuard(() => removeAll(erasure, refs));
  });

  const removeAll = (erasure: HubErasure, refs: CustomerRefs): readonly Removal[] => {
    const parameters = refParameters(erasure.customerId, refs);
    const now = clock.now().toISOString();
    const removals: Removal[] = Object.entries(OWN_ROWS).map(([table, where]) => ({
      place: `udahub.db ${table}`,
      what: 'removed',
      count: sqlite.prepare(`DELETE FROM ${table} WHERE ${where}`).run(parameters).changes,
    }));
    removals.push({
      place: 'udahub.db audit_log',
      what: 'anonymised',
      count: anonymiseAudit(erasure, read('audit_log', KEPT_ROWS.audit_log ?? '', parameters)),
    });
    sqlite
      .prepare(
        "UPDATE users SET user_id = account_id || ':' || ?, external_user_id = ?, name = ? WHERE external_user_id = ?",
      )
      .run(erasure.pseudonym, erasure.pseudonym, ERASED_NAME, erasure.customerId);
    removals.push(...redactWords(sqlite, 'udahub.db', erasure.words, NOT_CONVERSATION));
    sqlite.prepare('INSERT OR IGNORE INTO erased_customers VALUES (?, ?)').run(erasure.customerId, now);
    const remember = sqlite.prepare('INSERT OR IGNORE INTO erased_refs VALUES (?)');
    for (const ref of Object.values(refs).flat()) remember.run(ref);
    for (const table of ['ticket_messages_fts', 'ticket_summaries_fts'])
      sqlite.prepare(`INSERT INTO ${table}(${table}) VALUES ('optimize')`).run();
    return removals;
  };

  /** The log of facts refuses every change; this one is made with its guard set aside, in the same transaction. */
  const withoutAuditGuard = <T>(work: () => T): T => {
    const guard = sqlite
      .prepare<[], string>(
        `SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'audit_log_no_update'`,
      )
      .pluck()
      .get();
    sqlite.exec('DROP TRIGGER audit_log_no_update');
    const result = work();
    sqlite.exec(guard ?? '');
    return result;
  };

  const anonymiseAudit = ({ customerId, pseudonym }: HubErasure, rows: readonly JsonObject[]): number => {
    const update = sqlite.prepare(
      'UPDATE audit_log SET customer_id = ?, ticket_id = NULL, actor = ?, details = ? WHERE seq = ?',
    );
    for (const row of rows) {
      const own = row.customer_id === customerId ? pseudonym : (row.customer_id ?? null);
      const actor = row.actor === `customer:${customerId}` ? `customer:${pseudonym}` : row.actor;
      update.run(own, actor, JSON.stringify(withoutWords(row.details as JsonValue)), row.seq);
    }
    return rows.length;
  };

  const saltOf = (): string => {
    const salt = randomBytes(16).toString('hex');
    sqlite
      .prepare('INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .run(SALT, salt, clock.now().toISOString());
    return (
      sqlite.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck().get(SALT) ?? salt
    );
  };
  /** Slow on purpose: who reads the table should not be able to try addresses. */
  const addressHash = (email: string): string =>
    scryptSync(email.trim().toLowerCase(), saltOf(), 32, { N: 2 ** 14 }).toString('hex');

  return guarded({
    refs: (customer) => findRefs(sqlite, customer),
    rows: (customer) => {
      const parameters = parametersOf(customer);
      const all = { ...OWN_ROWS, ...KEPT_ROWS };
      return Object.fromEntries(
        Object.entries(all).map(([table, where]) => [
          table,
          read(table, where, parameters).map((row) => withoutSecrets(table, row)),
        ]),
      );
    },
    texts: (customer) => {
      const parameters = parametersOf(customer);
      const from = (table: string, ...columns: readonly string[]): readonly string[] =>
        read(table, OWN_ROWS[table] ?? '', parameters).flatMap((row) =>
          columns.flatMap((name) => wordsIn(row[name])),
        );
      const said = (table: string, column: string): readonly string[] =>
        read(table, OWN_ROWS[table] ?? '', parameters).flatMap((row) => saidIn(row[column]));
      return [
        ...from('ticket_messages', 'content'),
        ...from('ticket_metadata', 'summary'),
        ...from('ticket_resolutions', 'summary'),
        ...from('escalations', 'summary', 'found', 'tried'),
        ...said('thread_inbox', 'content'),
        ...from('ratings', 'comment'),
        ...from('approvals', 'question', 'reason'),
        ...said('a2a_tasks', 'document'),
      ];
    },
    files: (customer) => exportedFiles(sqlite, parametersOf(customer)),
    samples: (customer) => fileSamples(sqlite, parametersOf(customer)),
    isCommon: (piece, customer) => {
      const parameters = parametersOf(customer);
      const own = Object.entries({ ...OWN_ROWS, ...KEPT_ROWS });
      return (
        PUBLIC_TABLES.some((table) => mentions(sqlite, table, piece)) ||
        own.some(([table, where]) => mentions(sqlite, table, piece, { but: where, parameters }))
      );
    },
    endTurns: (customerId) =>
      void sqlite.prepare('UPDATE threads SET claim = claim + 1 WHERE customer_id = ?').run(customerId),
    erase(erasure) {
      secureDelete(sqlite);
      return erase.immediate(erasure);
    },
    isErased: (customerId) =>
      sqlite.prepare('SELECT 1 FROM erased_customers WHERE customer_id = ?').get(customerId) !== undefined,
    erasedRefs: () => sqlite.prepare<[], string>('SELECT ref FROM erased_refs').pluck().all(),
    rememberAddress: (email) =>
      void sqlite
        .prepare('INSERT OR IGNORE INTO erased_addresses VALUES (?, ?)')
        .run(addressHash(email), clock.now().toISOString()),
    knowsAddress: (email) =>
      sqlite.prepare('SELECT 1 FROM erased_addresses WHERE address_hash = ?').get(addressHash(email)) !==
      undefined,
  });
}

function withoutSecrets(table: string, row: JsonObject): JsonObject {
  const hidden = (SECRET_COLUMNS[table] ?? []).filter((name) => row[name] !== '');
  return { ...row, ...Object.fromEntries(hidden.map((name) => [name, '(withheld)'])) };
}

/** The texts inside a value, however deep. */
function wordsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => wordsIn(item as JsonValue));
}

/** Under which names documents keep words; the rest of them are ids, which stay, and names that every one has. */
const SAID: ReadonlySet<string> = new Set(['text', 'reply', 'question', 'summary', 'message']);

function saidIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as JsonObject).flatMap(([name, item]) =>
    typeof item === 'string' && SAID.has(name) ? [item] : saidIn(item),
  );
}

function guarded(privacy: HubPrivacy): HubPrivacy {
  const wrapped = Object.entries(privacy).map(([name, method]) => [
    name,
    (...args: unknown[]) =>
      translated(() => (method as (...given: unknown[]) => unknown)(...args), { method: name }),
  ]);
  return Object.fromEntries(wrapped) as HubPrivacy;
}

/** Finds the ids. A run of an operator counts where its input or result names the customer. */
function findRefs(sqlite: BetterSqlite3.Database, { customerId, email }: CustomerFacts): CustomerRefs {
  const ids = (sql: string, parameters: object): readonly string[] =>
    sqlite.prepare<object, string>(sql).pluck().all(parameters);
  // What came by mail from the customer's address and could not be told to be theirs.
  const byMail = 'SELECT thread_id FROM mail_threads WHERE address = lower(@email)';
  const tickets = ids(
    `SELECT ticket_id FROM tickets WHERE customer_id = @customerId OR (customer_id IS NULL AND thread_id IN (${byMail}))`,
    { customerId, email },
  );
  const threads = ids(
    `SELECT thread_id FROM threads WHERE customer_id = @customerId
     UNION SELECT thread_id FROM tickets WHERE customer_id = @customerId
     UNION SELECT thread_id FROM thread_inbox WHERE customer_id = @customerId
     UNION SELECT thread_id FROM ratings WHERE customer_id = @customerId
     UNION ${byMail}`,
    { customerId, email },
  );
  const runs = ids(
    `WITH RECURSIVE own(id) AS (
       SELECT run_id FROM skill_runs
       WHERE caller = 'customer:' || @customerId
          OR ticket_id IN (SELECT value FROM json_each(@tickets))
          OR instr(lower(input), lower(@email)) > 0 OR instr(input, '"' || @customerId || '"') > 0
          OR instr(lower(coalesce(result, '')), lower(@email)) > 0
       UNION SELECT run_id FROM skill_runs JOIN own ON parent_run_id = own.id
     ) SELECT id FROM own`,
    { customerId, email, tickets: JSON.stringify(tickets) },
  );
  const pendings = ids('SELECT pending_id FROM approvals WHERE customer_id = @customerId', { customerId });
  const tasks = ids(
    `SELECT task_id FROM a2a_tasks
     WHERE customer_id = @customerId OR owner = 'customer:' || @customerId
        OR thread_id IN (SELECT value FROM json_each(@threads))`,
    { customerId, threads: JSON.stringify(threads) },
  );
  return { threads, tickets, runs, pendings, tasks };
}
