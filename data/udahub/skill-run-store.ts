import { and, asc, eq, isNull } from 'drizzle-orm';
import type { JsonObject, JsonValue } from '../../src/core/domain/json.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { SkillRunRecord, SkillRunStore, SkillRunUpdate } from '../../src/core/ports/skill-run-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { skillPacks, skillRuns } from './schema.js';
import { prepareSkillStats } from './skill-stats.js';

/** Whoever answered a run's question and is gone this long has died over it. */
const ABANDONED_MS = 10 * 60_000;

/** Runs of skills in the table `skill_runs` of udahub.db. */
export function createSkillRunStore({ orm, sqlite }: DatabaseHandle, clock: Clock): SkillRunStore {
  const now = (): string => clock.now().toISOString();
  // One statement: of any number that try at once, one changes the row.
  const claim = sqlite.prepare<[string, string, string]>(
    `UPDATE skill_runs SET status = 'running', updated_at = ?
     WHERE run_id = ? AND handoff IS NOT NULL
       AND (status = 'waiting' OR (status = 'running' AND updated_at < ?))`,
  );
  const journal = sqlite.prepare<[string, string, string, string]>(
    `UPDATE skill_runs SET journal = json_set(journal, ?, json(?)), updated_at = ? WHERE run_id = ?`,
  );
  const stats = prepareSkillStats(sqlite);
  const get = (runId: string): SkillRunRecord | null => {
    const row = orm.select().from(skillRuns).where(eq(skillRuns.runId, runId)).get();
    return row ? toRecord(row) : null;
  };
  return withTranslatedErrors({
    async create(record: SkillRunRecord) {
      return orm.insert(skillRuns).values(record).onConflictDoNothing().run().changes === 1;
    },
    get: async (runId: string) => get(runId),
    async update(runId: string, update: SkillRunUpdate) {
      orm
        .update(skillRuns)
        .set({ ...update, updatedAt: now() })
        .where(eq(skillRuns.runId, runId))
        .run();
    },
    async claim(runId: string) {
      const since = new Date(clock.now().getTime() - ABANDONED_MS).toISOString();
      return claim.run(now(), runId, since).changes === 1;
    },
    async writeJournal(runId: string, key: string, value: JsonValue) {
      journal.run(`$.${JSON.stringify(key)}`, JSON.stringify(value), now(), runId);
    },
    async listWaiting(limit: number) {
      const rows = orm
        .select()
        .from(skillRuns)
        .where(and(eq(skillRuns.status, 'waiting'), isNull(skillRuns.parentRunId)))
        .orderBy(asc(skillRuns.seq))
        .limit(limit)
        .all();
      return rows.map(toRecord);
    },
    async listByTicket(ticketId: string) {
      const rows = orm
        .select()
        .from(skillRuns)
        .where(and(eq(skillRuns.ticketId, ticketId), isNull(skillRuns.parentRunId)))
        .orderBy(asc(skillRuns.seq))
        .all();
      return rows.map(toRecord);
    },
    stats: async () => stats(),
    async savePack(hash: string, files: Readonly<Record<string, string>>) {
      orm.insert(skillPacks).values({ hash, files, createdAt: now() }).onConflictDoNothing().run();
    },
    async getPack(hash: string) {
      return orm.select().from(skillPacks).where(eq(skillPacks.hash, hash)).get()?.files ?? null;
    },
  });
}

function toRecord({ seq: _seq, input, journal, ...row }: typeof skillRuns.$inferSelect): SkillRunRecord {
  return { ...row, input: input as JsonObject, journal: journal as Readonly<Record<string, JsonValue>> };
}
