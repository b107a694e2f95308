import { randomBytes, scryptSync } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../src/core/domain/json.js';
import type { Clock } from '../../src/core/ports/system.js';
import {
  type CustomerFacts,
  type CustomerRefs,
  type HubErasure,
  type HubPrivacy,
  type Removal,
  withoutTexts,
} from '../../src/core/privacy.js';
import { type Database, storeOf, type Work } from '../database.js';
import { erasing, jsonRows, mentionsIn, placeOf, redactWords } from '../privacy-rows.js';
import { HUB_DATABASE } from './database.js';
import { exportedFiles, fileSamples } from './file-store.js';
import { findRefs, type RefParameters, refParameters } from './privacy-refs.js';
import { prepareTicketIndex } from './search-index.js';

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

/** @param database opened for writing */
export function createHubPrivacy(database: Database, clock: Clock): HubPrivacy {
  const place = placeOf(database, HUB_DATABASE.name);
  const index = prepareTicketIndex(database);
  function* read(table: string, where: string, parameters: RefParameters): Work<readonly JsonObject[]> {
    return jsonRows(
      yield* database.prepare<RefParameters>(`SELECT * FROM ${table} WHERE ${where}`).all(parameters),
    );
  }
  function* parametersOf(customer: CustomerFacts): Work<RefParameters> {
    return refParameters(customer.customerId, yield* findRefs(database, customer));
  }

  function* erase(erasure: HubErasure): Work<readonly Removal[] | null> {
    const refs = yield* findRefs(database, erasure);
    if (refs.threads.some((thread) => !erasure.held.includes(thread))) return null;
    return yield* withoutAuditGuard(() => removeAll(erasure, refs));
  }

  function* removeAll(erasure: HubErasure, refs: CustomerRefs): Work<readonly Removal[]> {
    const parameters = refParameters(erasure.customerId, refs);
    const now = clock.now().toISOString();
    const removals: Removal[] = [];
    for (const [table, where] of Object.entries(OWN_ROWS)) {
      const remove = database.prepare<RefParameters>(`DELETE FROM ${table} WHERE ${where}`);
      const { changes: count } = yield* remove.run(parameters);
      removals.push({ place: place(table), what: 'removed', count });
    }
    const audit = yield* read('audit_log', KEPT_ROWS.audit_log ?? '', parameters);
    yield* anonymiseAudit(erasure, audit);
    removals.push({ place: place('audit_log'), what: 'anonymised', count: audit.length });
    yield* database
      .prepare(
        "UPDATE users SET user_id = account_id || ':' || ?, external_user_id = ?, name = ? WHERE external_user_id = ?",
      )
      .run(erasure.pseudonym, erasure.pseudonym, ERASED_NAME, erasure.customerId);
    removals.push(...(yield* redactWords(database, HUB_DATABASE.name, erasure.words, NOT_CONVERSATION)));
    yield* database
      .prepare('INSERT INTO erased_customers VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(erasure.customerId, now);
    const remember = database.prepare<[string]>('INSERT INTO erased_refs VALUES (?) ON CONFLICT DO NOTHING');
    for (const ref of Object.values(refs).flat()) yield* remember.run(ref);
    yield* index.forgetErased();
    return removals;
  }

  /** The log of facts refuses every change; this one is made with its guard set aside, in the same transaction. */
  function* withoutAuditGuard<T>(work: () => Work<T>): Work<T> {
    const guard = yield* guardOf(database);
    yield* database.prepare(guard.aside).run();
    const result = yield* work();
    yield* database.prepare(guard.back).run();
    return result;
  }

  function* anonymiseAudit({ customerId, pseudonym }: HubErasure, rows: readonly JsonObject[]): Work<void> {
    const update = database.prepare(
      'UPDATE audit_log SET customer_id = ?, ticket_id = NULL, actor = ?, details = ? WHERE seq = ?',
    );
    for (const row of rows) {
      const own = row.customer_id === customerId ? pseudonym : (row.customer_id ?? null);
      const actor = row.actor === `customer:${customerId}` ? `customer:${pseudonym}` : row.actor;
      yield* update.run(own, actor, JSON.stringify(withoutTexts(row.details as JsonValue)), row.seq);
    }
  }

  /** Slow on purpose: who reads the table should not be able to try addresses. */
  function* addressHash(email: string): Work<string> {
    const made = randomBytes(16).toString('hex');
    yield* database
      .prepare('INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .run(SALT, made, clock.now().toISOString());
    const kept = database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
    const salt = (yield* kept.get(SALT)) ?? made;
    return scryptSync(email.trim().toLowerCase(), salt, 32, { N: 2 ** 14 }).toString('hex');
  }

  const mentions = mentionsIn(database);
  return storeOf<HubPrivacy>(database, {
    refs: (customer) => findRefs(database, customer),
    *rows(customer) {
      const parameters = yield* parametersOf(customer);
      const tables: Record<string, readonly JsonObject[]> = {};
      for (const [table, where] of Object.entries({ ...OWN_ROWS, ...KEPT_ROWS }))
        tables[table] = (yield* read(table, where, parameters)).map((row) => withoutSecrets(table, row));
      return tables;
    },
    *texts(customer) {
      const parameters = yield* parametersOf(customer);
      const texts: string[] = [];
      for (const [table, words, columns] of TEXTS)
        for (const row of yield* read(table, OWN_ROWS[table] ?? '', parameters))
          texts.push(...columns.flatMap((name) => words(row[name])));
      return texts;
    },
    *files(customer) {
      return yield* exportedFiles(database, yield* parametersOf(customer));
    },
    *samples(customer) {
      return yield* fileSamples(database, yield* parametersOf(customer));
    },
    *isCommon(piece, customer) {
      const parameters = yield* parametersOf(customer);
      for (const table of PUBLIC_TABLES) if (yield* mentions(table, piece)) return true;
      for (const [table, where] of Object.entries({ ...OWN_ROWS, ...KEPT_ROWS }))
        if (yield* mentions(table, piece, { but: where, parameters })) return true;
      return false;
    },
    *endTurns(customerId) {
      yield* database.prepare('UPDATE threads SET claim = claim + 1 WHERE customer_id = ?').run(customerId);
    },
    erase: (erasure) => erasing(database, () => erase(erasure)),
    erasedRefs: () => database.prepare<[], string>('SELECT ref FROM erased_refs').pluck().all(),
    *rememberAddress(email) {
      yield* database
        .prepare('INSERT INTO erased_addresses VALUES (?, ?) ON CONFLICT DO NOTHING')
        .run(yield* addressHash(email), clock.now().toISOString());
    },
    *knowsAddress(email) {
      const known = database.prepare('SELECT 1 AS known FROM erased_addresses WHERE address_hash = ?');
      return (yield* known.get(yield* addressHash(email))) !== undefined;
    },
  });
}

/** How the guard of the audit log is set aside, and put back. */
function* guardOf(database: Database): Work<{ readonly aside: string; readonly back: string }> {
  const name = 'audit_log_no_update';
  if (database.engine === 'postgres')
    return {
      aside: `ALTER TABLE audit_log DISABLE TRIGGER ${name}`,
      back: `ALTER TABLE audit_log ENABLE TRIGGER ${name}`,
    };
  const declared = database
    .prepare<[string], string>(`SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?`)
    .pluck();
  return { aside: `DROP TRIGGER ${name}`, back: (yield* declared.get(name)) ?? '' };
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

/** Everything people and the hub said and noted. */
const TEXTS: readonly (readonly [
  string,
  (value: JsonValue | undefined) => readonly string[],
  readonly string[],
])[] = [
  ['ticket_messages', wordsIn, ['content']],
  ['ticket_metadata', wordsIn, ['summary']],
  ['ticket_resolutions', wordsIn, ['summary']],
  ['escalations', wordsIn, ['summary', 'found', 'tried']],
  ['thread_inbox', saidIn, ['content']],
  ['ratings', wordsIn, ['comment']],
  ['approvals', wordsIn, ['question', 'reason']],
  ['a2a_tasks', saidIn, ['document']],
];
