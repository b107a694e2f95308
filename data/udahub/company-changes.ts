import { desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { CompanyChangeStore } from '../../src/core/company-changes.js';
import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';
import { insertInto } from '../statements.js';
import { companyChanges } from './schema.js';

type Values = Record<string, string | null>;

/** The table `company_changes`. */
export function createCompanyChangeStore(database: Database, clock: Clock): CompanyChangeStore {
  const { seq: _seq, ...columns } = getTableColumns(companyChanges);
  const { before: _before, after: _after, check: _check, evaluation: _evaluation, ...listed } = columns;
  const insert = insertInto(database, companyChanges, { omit: ['seq'] });
  const one = database.query((orm) =>
    orm
      .select(columns)
      .from(companyChanges)
      .where(eq(companyChanges.changeId, sql.placeholder('changeId'))),
  );
  const newest = database.query((orm) =>
    orm.select(listed).from(companyChanges).orderBy(desc(companyChanges.seq)).limit(sql.placeholder('limit')),
  );
  const result = (column: 'check_result' | 'evaluation') =>
    database.prepare<Values>(
      `UPDATE company_changes SET ${column} = @value WHERE change_id = @changeId AND status = 'open'`,
    );
  const [check, evaluation] = [result('check_result'), result('evaluation')];
  const settle = database.prepare<Values>(
    `UPDATE company_changes SET status = @status, decider = @decider, decided_at = @now
     WHERE change_id = @changeId AND status = 'open'`,
  );
  const known = function* (
    changeId: string,
  ): Work<NonNullable<Awaited<ReturnType<CompanyChangeStore['get']>>>> {
    const found = yield* one.get({ changeId });
    if (found === undefined) throw new HubError('not_found', 'There is no such change.', { changeId });
    return found;
  };
  return storeOf<CompanyChangeStore>(database, {
    *add(change) {
      yield* insert(change);
    },
    *get(changeId) {
      return (yield* one.get({ changeId })) ?? null;
    },
    list: (limit) => newest.all({ limit }),
    *setCheck(changeId, value) {
      yield* check.run({ changeId, value: JSON.stringify(value) });
    },
    *setEvaluation(changeId, value) {
      yield* evaluation.run({ changeId, value: JSON.stringify(value) });
    },
    decide: (changeId, status, { name: decider }, apply) =>
      database.transaction(function* () {
        const open = yield* known(changeId);
        const now = clock.now().toISOString();
        // First, so that nobody else decides while it is written.
        if ((yield* settle.run({ changeId, status, decider, now })).changes === 0)
          throw new HubError('wrong_status', 'This change is decided already.', { changeId });
        apply(open);
        return yield* known(changeId);
      }),
  });
}
