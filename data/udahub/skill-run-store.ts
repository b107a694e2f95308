import { and, asc, eq, isNotNull, isNull, or, type SQL } from 'drizzle-orm';
import type { JsonObject, JsonValue } from '../../src/core/domain/json.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { Ids } from '../../src/core/ports/ids.js';
import type { SkillRunRecord, SkillRunStore, SkillRunUpdate } from '../../src/core/ports/skill-run-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { holderName, isHolderDead } from './lease-holder.js';
import { skillPacks, skillRuns } from './schema.js';
import { prepareSkillStats } from './skill-stats.js';

/** No run takes this long (src/skills/run/run-time.ts): whoever had it is gone. */
const ABANDONED_MS = 15 * 60_000;

type Row = typeof skillRuns.$inferSelect;

/** Runs of skills in the table `skill_runs` of udahub.db. */
export function createSkillRunStore(
  { path, orm, sqlite }: DatabaseHandle,
  clock: Clock,
  ids: Ids,
): SkillRunStore {
  const now = (): string => clock.now().toISOString();
  /** Who works on a run: this store of this process. */
  const self = holderName(ids.next('skills'));
  // One statement: of any number that try at once, one changes the row.
  const claimWaiting = sqlite.prepare<[string, string, string]>(
    `UPDATE skill_runs SET status = 'running', holder = ?, updated_at = ? WHERE run_id = ? AND status = 'waiting'`,
  );
  const takeOver = sqlite.prepare<[string, string, string, string | null, string]>(
    `UPDATE skill_runs SET holder = ?, updated_at = ?
     WHERE run_id = ? AND status = 'running' AND holder IS ? AND updated_at = ?`,
  );
  const journal = sqlite.prepare<[string, string, string, string]>(
    `UPDATE skill_runs SET journal = json_set(journal, ?, json(?)), updated_at = ? WHERE run_id = ?`,
  );
  const stats = prepareSkillStats(sqlite);
  const rowOf = (runId: string): Row | undefined =>
    orm.select().from(skillRuns).where(eq(skillRuns.runId, runId)).get();

  /** True where nobody works on a run that says somebody does. */
  const isAbandoned = ({ status, holder, updatedAt }: Row): boolean =>
    status === 'running' &&
    ((holder !== null && isHolderDead(holder)) ||
      clock.now().getTime() - Date.parse(updatedAt) > ABANDONED_MS);

  const toRecord = (row: Row): SkillRunRecord => {
    const { seq: _seq, holder: _holder, input, journal, status, ...rest } = row;
    return {
      ...rest,
      input: input as JsonObject,
      journal: journal as Readonly<Record<string, JsonValue>>,
      // Its question was being answered when the process died: it is open again.
      status: row.handoff !== null && isAbandoned(row) ? 'waiting' : status,
    };
  };
  const records = (where: SQL | undefined): readonly SkillRunRecord[] =>
    orm
      .select()
      .from(skillRuns)
      .where(and(where, isNull(skillRuns.parentRunId)))
      .orderBy(asc(skillRuns.seq))
      .all()
      .map(toRecord);

  return withTranslatedErrors(
    { path },
    {
      async create(record: SkillRunRecord) {
        return (
          orm
            .insert(skillRuns)
            .values({ ...record, holder: self })
            .onConflictDoNothing()
            .run().changes === 1
        );
      },
      async get(runId: string) {
        const row = rowOf(runId);
        return row === undefined ? null : toRecord(row);
      },
      async update(runId: string, update: SkillRunUpdate) {
        orm
          .update(skillRuns)
          .set({ ...update, updatedAt: now() })
          .where(eq(skillRuns.runId, runId))
          .run();
      },
      async claim(runId: string, of: 'waiting' | 'running' = 'waiting') {
        if (of === 'waiting' && claimWaiting.run(self, now(), runId).changes === 1) return true;
        const row = rowOf(runId);
        if (row === undefined || (row.handoff !== null) !== (of === 'waiting')) return false;
        // The engine knows which runs of its own process are under way, and asks for no other.
        const own = of === 'running' && row.holder === self;
        if (!own && !isAbandoned(row)) return false;
        return takeOver.run(self, now(), runId, row.holder, row.updatedAt).changes === 1;
      },
      async writeJournal(runId: string, key: string, value: JsonValue) {
        journal.run(`$.${JSON.stringify(key)}`, JSON.stringify(value), now(), runId);
      },
      async listWaiting(limit: number) {
        const asking = records(
          or(
            eq(skillRuns.status, 'waiting'),
            and(eq(skillRuns.status, 'running'), isNotNull(skillRuns.handoff)),
          ),
        );
        return asking.filter(({ status }) => status === 'waiting').slice(0, limit);
      },
      listByTicket: async (ticketId: string) => records(eq(skillRuns.ticketId, ticketId)),
      stats: async () => stats(),
      async savePack(hash: string, files: Readonly<Record<string, string>>) {
        orm.insert(skillPacks).values({ hash, files, createdAt: now() }).onConflictDoNothing().run();
      },
      async getPack(hash: string) {
        return orm.select().from(skillPacks).where(eq(skillPacks.hash, hash)).get()?.files ?? null;
      },
    },
  );
}
