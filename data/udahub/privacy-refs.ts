import type { CustomerFacts, CustomerRefs } from '../../src/core/privacy.js';
import type { Database, Work } from '../database.js';

/** Parameters that all statements of an export or erasure share; lists are JSON. */
export type RefParameters = Readonly<
  Record<'customer' | 'threads' | 'tickets' | 'runs' | 'pendings' | 'tasks', string>
>;

/** Those of a customer. */
export const refParameters = (customerId: string, refs: CustomerRefs): RefParameters => ({
  customer: customerId,
  threads: JSON.stringify(refs.threads),
  tickets: JSON.stringify(refs.tickets),
  runs: JSON.stringify(refs.runs),
  pendings: JSON.stringify(refs.pendings),
  tasks: JSON.stringify(refs.tasks),
});

/** Finds the ids. A run of an operator counts where its input or result names the customer. */
export function* findRefs(database: Database, { customerId, email }: CustomerFacts): Work<CustomerRefs> {
  const ids = (sql: string, parameters: object): Work<readonly string[]> =>
    database.prepare<object, string>(sql).pluck().all(parameters);
  // What came by mail from the customer's address and could not be told to be theirs.
  const byMail = 'SELECT thread_id FROM mail_threads WHERE address = lower(@email)';
  const tickets = yield* ids(
    `SELECT ticket_id FROM tickets WHERE customer_id = @customerId OR (customer_id IS NULL AND thread_id IN (${byMail}))`,
    { customerId, email },
  );
  const threads = yield* ids(
    `SELECT thread_id FROM threads WHERE customer_id = @customerId
     UNION SELECT thread_id FROM tickets WHERE customer_id = @customerId
     UNION SELECT thread_id FROM thread_inbox WHERE customer_id = @customerId
     UNION SELECT thread_id FROM ratings WHERE customer_id = @customerId
     UNION ${byMail}`,
    { customerId, email },
  );
  const runs = yield* ids(
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
  const pendings = yield* ids('SELECT pending_id FROM approvals WHERE customer_id = @customerId', {
    customerId,
  });
  const tasks = yield* ids(
    `SELECT task_id FROM a2a_tasks
     WHERE customer_id = @customerId OR owner = 'customer:' || @customerId
        OR thread_id IN (SELECT value FROM json_each(@threads))`,
    { customerId, threads: JSON.stringify(threads) },
  );
  return { threads, tickets, runs, pendings, tasks };
}
