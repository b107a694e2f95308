import type { JsonValue } from '../../src/core/domain/json.js';
import { toHubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { Log } from '../../src/core/ports/log.js';
import type { SkillCache } from '../../src/core/ports/skill-cache.js';
import type { DatabaseHandle } from '../open-database.js';
import { unsynced } from '../statements.js';

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
