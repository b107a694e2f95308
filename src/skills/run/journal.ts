import type { JsonValue } from '../../core/domain/json.js';
import type { SkillRunRecord, SkillRunStore } from '../../core/ports/skill-run-store.js';
import type { RunJournal } from './run-context.js';

/** The journal of a stored run: read from memory, written through to the store. */
export function createJournal(
  store: Pick<SkillRunStore, 'writeJournal'>,
  { runId, journal }: Pick<SkillRunRecord, 'runId' | 'journal'>,
): RunJournal {
  const entries = new Map(Object.entries(journal));
  return {
    read: (key) => entries.get(key),
    async write(key, value: JsonValue) {
      entries.set(key, value);
      await store.writeJournal(runId, key, value);
    },
  };
}
