import type { JsonValue } from '../../core/domain/json.js';
import type { Clock } from '../../core/ports/clock.js';
import type { SkillRunRecord, SkillRunStore } from '../../core/ports/skill-run-store.js';
import { statsOf } from './run-stats.js';

/**
 * Runs in memory: a test case's own world, which leaves nothing behind.
 * @param clock where absent, a record keeps the time it was made at
 */
export function createMemoryRunStore(clock?: Clock): SkillRunStore {
  const runs = new Map<string, SkillRunRecord>();
  const packs = new Map<string, Readonly<Record<string, string>>>();
  const change = (runId: string, update: Partial<SkillRunRecord>): void => {
    const record = runs.get(runId);
    // Copied, as a database would: nobody changes what is stored by changing what they stored.
    if (!record) return;
    const updatedAt = clock?.now().toISOString() ?? record.updatedAt;
    runs.set(runId, structuredClone({ ...record, ...update, updatedAt }));
  };
  const top = (of: (record: SkillRunRecord) => boolean): readonly SkillRunRecord[] =>
    [...runs.values()].filter((record) => record.parentRunId === null && of(record));
  return {
    async create(record) {
      if (runs.has(record.runId)) return false;
      runs.set(record.runId, structuredClone(record));
      return true;
    },
    get: async (runId) => runs.get(runId) ?? null,
    update: async (runId, update) => change(runId, update),
    async claim(runId, of = 'waiting') {
      // No process can die and leave its runs here: what runs is run by whoever asks.
      if (runs.get(runId)?.status !== of) return false;
      change(runId, { status: 'running' });
      return true;
    },
    async writeJournal(runId, key, value: JsonValue) {
      change(runId, { journal: { ...runs.get(runId)?.journal, [key]: value } });
    },
    listWaiting: async (limit) => top(({ status }) => status === 'waiting').slice(0, limit),
    listByTicket: async (ticketId) => top((record) => record.ticketId === ticketId),
    stats: async () => statsOf([...runs.values()]),
    async savePack(hash, files) {
      if (!packs.has(hash)) packs.set(hash, { ...files });
    },
    getPack: async (hash) => packs.get(hash) ?? null,
  };
}
