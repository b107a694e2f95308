import { and, asc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { JsonObject, JsonValue } from '../../src/core/domain/json.js';
import { toHubError } from '../../src/core/errors.js';
import type { SkillCache, SkillRunHistory, SkillRunRecord, SkillStats } from '../../src/core/ports/skills.js';
import type { Clock, Ids, Log } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';
import { holderName } from '../lease-holder.js';
import type { DatabaseHandle } from '../open-database.js';
import { insertInto, preparedOnUse, unsynced } from '../statements.js';
import { skillPacks, skillRuns } from './schema.js';

const MAX_ENTRIES = 5_000;
const MAX_CHARS = 1_000_000;

/** The table `skill_cache` of udahub.db, which all processes on it share. */
export function createSkillCacheStore({ sqlite }: DatabaseHandle, clock: Clock, log: Log): SkillCache {
  const get = sqlite
    .prepare<[string, number], string>('SELECT value FROM skill_cache WHERE key = ? AND expires_at > ?')
    .pluck();
  const put = sqlite.prepare<[string, string, string, number]>(
    `INSERT INTO skill_cache (key, owner, value, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
  );
  const expire = sqlite.prepare<[number]>('DELETE FROM skill_cache WHERE expires_at <= ?');
  const trim = sqlite.prepare(
    `DELETE FROM skill_cache WHERE key IN (SELECT key FROM skill_cache ORDER BY expires_at DESC LIMIT -1 OFFSET ${MAX_ENTRIES})`,
  );
  const keep = sqlite.transaction((key: string, owner: string, value: string, now: number, ttlMs: number) => {
    expire.run(now);
    put.run(key, owner, value, now + ttlMs);
    trim.run();
  });
  /** What is worked out anew costs time; what fails for want of it costs the answer. */
  const orNothing = <T>(what: string, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      log.warn({ agent: 'skills', action: what, details: { message: toHubError(error).message } });
      return undefined;
    }
  };
  return {
    get: (key) =>
      orNothing('cache_not_read', () => {
        const value = get.get(key, clock.now().getTime());
        return value === undefined ? undefined : (JSON.parse(value) as JsonValue);
      }),
    set(key, value, ttlMs, owner = 'operator') {
      const text = JSON.stringify(value);
      if (ttlMs <= 0 || text.length > MAX_CHARS) return;
      // Nobody is told of it, so it need not wait for the disk.
      orNothing('cache_not_kept', () =>
        unsynced(sqlite, () => keep(key, owner, text, clock.now().getTime(), ttlMs)),
      );
    },
  };
}

/** No run takes this long (src/skills/run/run-context.ts): whoever had it is gone. */
const ABANDONED_MS = 15 * 60_000;

type Row = typeof skillRuns.$inferSelect;

/** Runs of skills in the table `skill_runs`. */
export function createSkillRunStore(database: Database, clock: Clock, ids: Ids): SkillRunHistory {
  const now = (): string => clock.now().toISOString();
  /** Who works on a run: this store of this process. */
  const self = holderName(ids.next('skills'));
  const statements = preparedOnUse(() => prepare(database));
  const rowOf = (runId: string): Work<Row | undefined> => statements.row.get({ runId });

  /** True where nobody works on a run that says somebody does. */
  const isAbandoned = function* ({ status, holder, updatedAt }: Row): Work<boolean> {
    if (status !== 'running') return false;
    if (clock.now().getTime() - Date.parse(updatedAt) > ABANDONED_MS) return true;
    return holder !== null && (yield* database.goneOf([holder])).size > 0;
  };

  const toRecord = function* (row: Row): Work<SkillRunRecord> {
    const { seq: _seq, holder: _holder, input, journal, status, ...rest } = row;
    return {
      ...rest,
      input: input as JsonObject,
      journal: journal as Readonly<Record<string, JsonValue>>,
      // Its question was being answered when the process died: it is open again.
      status: row.handoff !== null && (yield* isAbandoned(row)) ? 'waiting' : status,
    };
  };
  const toRecords = function* (rows: readonly Row[]): Work<SkillRunRecord[]> {
    const records: SkillRunRecord[] = [];
    for (const row of rows) records.push(yield* toRecord(row));
    return records;
  };
  return storeOf<SkillRunHistory>(database, {
    *create(record) {
      return (yield* statements.insert({ ...record, holder: self })) === 1;
    },
    *get(runId) {
      const row = yield* rowOf(runId);
      return row === undefined ? null : yield* toRecord(row);
    },
    *update(runId, update) {
      const changed = database.query((orm) =>
        orm
          .update(skillRuns)
          .set({ ...update, updatedAt: now() })
          .where(eq(skillRuns.runId, runId)),
      );
      yield* changed.run();
    },
    *claim(runId, of = 'waiting') {
      const { claimWaiting, takeOver } = statements;
      if (of === 'waiting' && (yield* claimWaiting.run(self, now(), runId)).changes === 1) return true;
      const row = yield* rowOf(runId);
      if (row === undefined || (row.handoff !== null) !== (of === 'waiting')) return false;
      // The engine knows which runs of its own process are under way, and asks for no other.
      const own = of === 'running' && row.holder === self;
      if (!own && !(yield* isAbandoned(row))) return false;
      return (yield* takeOver.run(self, now(), runId, row.holder, row.updatedAt)).changes === 1;
    },
    *writeJournal(runId, key, value) {
      yield* statements.journal.run(key, JSON.stringify(value), now(), runId);
    },
    *listWaiting(limit) {
      const asking = yield* toRecords(yield* statements.asking.all());
      return asking.filter(({ status }) => status === 'waiting').slice(0, limit);
    },
    *listByTicket(ticketId) {
      return yield* toRecords(yield* statements.ofTicket.all({ ticketId }));
    },
    stats: () => statements.stats.all(),
    *savePack(hash, files) {
      yield* statements.insertPack({ hash, files, createdAt: now() });
    },
    *getPack(hash) {
      return (yield* statements.pack.get({ hash }))?.files ?? null;
    },
  });
}

function prepare(database: Database) {
  const records = (where: SQL | undefined) =>
    database.query((orm) =>
      orm
        .select()
        .from(skillRuns)
        .where(and(where, isNull(skillRuns.parentRunId)))
        .orderBy(asc(skillRuns.seq)),
    );
  const withKey =
    database.engine === 'sqlite'
      ? `json_set(journal, '$.' || json_quote(?), json(?))`
      : 'json_with(journal, ?, ?)';
  const named = (name: string) => sql.placeholder(name);
  return {
    insert: insertInto(database, skillRuns, { omit: ['seq'], onConflict: 'ignore' }),
    row: database.query((orm) =>
      orm
        .select()
        .from(skillRuns)
        .where(eq(skillRuns.runId, named('runId'))),
    ),
    // One statement: of any number that try at once, one changes the row.
    claimWaiting: database.prepare<[string, string, string]>(
      `UPDATE skill_runs SET status = 'running', holder = ?, updated_at = ? WHERE run_id = ? AND status = 'waiting'`,
    ),
    takeOver: database.prepare<[string, string, string, string | null, string]>(
      `UPDATE skill_runs SET holder = ?, updated_at = ?
       WHERE run_id = ? AND status = 'running' AND holder IS NOT DISTINCT FROM ? AND updated_at = ?`,
    ),
    journal: database.prepare<[string, string, string, string]>(
      `UPDATE skill_runs SET journal = ${withKey}, updated_at = ? WHERE run_id = ?`,
    ),
    asking: records(
      or(eq(skillRuns.status, 'waiting'), and(eq(skillRuns.status, 'running'), isNotNull(skillRuns.handoff))),
    ),
    ofTicket: records(eq(skillRuns.ticketId, named('ticketId'))),
    stats: database.prepare<[], SkillStats>(STATS),
    insertPack: insertInto(database, skillPacks, { onConflict: 'ignore' }),
    pack: database.query((orm) =>
      orm
        .select()
        .from(skillPacks)
        .where(eq(skillPacks.hash, named('hash'))),
    ),
  };
}

const used = (figure: string): string => `CAST(json_extract(usage, '$.${figure}') AS double precision)`;

/** Figures over all stored runs, by skill and version. A share of nothing is null. */
const STATS = `
    WITH callers AS (
      SELECT skill_id, skill_version, avg(CASE WHEN runs > 1 THEN 1.0 ELSE 0 END) AS again FROM (
        SELECT skill_id, skill_version, count(*) AS runs FROM skill_runs WHERE caller <> 'test'
        GROUP BY skill_id, skill_version, caller) each_caller GROUP BY skill_id, skill_version),
    rated AS (
      SELECT skill_id, skill_version, avg(helpful) AS helpful FROM (
        SELECT DISTINCT skill_id, skill_version, ticket_id FROM skill_runs WHERE caller <> 'test') asked
      JOIN ratings USING (ticket_id) GROUP BY skill_id, skill_version)
    SELECT skill_id AS skillId, skill_version AS skillVersion, count(*) FILTER (WHERE used) AS uses,
      count(*) FILTER (WHERE used AND status = 'failed') AS failed,
      coalesce(sum(handoffs) FILTER (WHERE used), 0) AS handoffs,
      coalesce(avg(duration_ms) FILTER (WHERE used AND status = 'done'), 0) AS meanDurationMs,
      coalesce(avg(${used('steps')}) FILTER (WHERE used AND status = 'done'), 0) AS meanSteps,
      coalesce(sum(${used('api_calls')}) FILTER (WHERE used), 0) AS apiCalls,
      coalesce(sum(${used('llm_calls')}) FILTER (WHERE used), 0) AS llmCalls,
      coalesce(sum(${used('prompt_tokens')} + ${used('completion_tokens')}) FILTER (WHERE used), 0) AS tokens,
      coalesce(sum(${used('cost_usd')}) FILTER (WHERE used), 0) AS costUsd,
      avg(correct) FILTER (WHERE used) AS accuracy, count(*) FILTER (WHERE used AND correct = 0) AS falsePositives,
      sum(${used('cache_hits')}) FILTER (WHERE used) * 1.0
        / nullif(sum(${used('cache_lookups')}) FILTER (WHERE used), 0) AS cacheHitRate,
      max(again) AS repeatUse, max(helpful) AS satisfaction,
      avg(correct) FILTER (WHERE NOT used) AS testsPassed,
      coalesce(max(updated_at) FILTER (WHERE used), max(updated_at)) AS lastUsedAt
    FROM (SELECT *, caller <> 'test' AS used FROM skill_runs) runs
      LEFT JOIN callers USING (skill_id, skill_version) LEFT JOIN rated USING (skill_id, skill_version)
    GROUP BY skill_id, skill_version ORDER BY skill_id, skill_version`;
