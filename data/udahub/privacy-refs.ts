import type BetterSqlite3 from 'better-sqlite3';
import type { CustomerFacts, CustomerRefs } from '../../src/core/privacy.js';

/** Parameters that all statements of an export or erasure share; lists are JSON. */
export type RefParameters = Readonly<
  Record<'customer' | 'threads' | 'tickets' | 'runs' | 'pendings' | 'tasks', string>
>;

export const refParameters = (customerId: string, refs: CustomerRefs): RefParameters => ({
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
export const OWN_ROWS: Readonly<Record<string, string>> = {
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
  mail_messages: OF_THREADS,
  mail_threads: OF_THREADS,
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
export const SECRET_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  a2a_push_configs: ['token', 'credentials'],
};

/** Rows that are facts of the books: they stay, without the person. */
export const KEPT_ROWS: Readonly<Record<string, string>> = {
  audit_log: `customer_id = @customer OR ${OF_TICKETS}`,
  users: 'external_user_id = @customer',
};

/** Finds the ids. A run of an operator counts where its input or result names the customer. */
export function findRefs(sqlite: BetterSqlite3.Database, { customerId, email }: CustomerFacts): CustomerRefs {
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
