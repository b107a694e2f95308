import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runRecord, storeAsking } from './skill-run-records.js';
import type { OpenWorld, StoresWorld } from './world.js';

/** What a SkillRunStore must do that outlives the processes which work on its runs. */
export function skillRunRecoverySuite(name: string, open: OpenWorld): void {
  describe(`SkillRunStore, after processes died: ${name}`, () => {
    let world: StoresWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const store = () => world.stores.skillRuns;
    const record = (runId: string) => runRecord(world, runId);
    const asking = (runId: string) => storeAsking(world, runId);
    /** Makes a run look as if a process that is gone by now had worked on it. */
    const orphan = (runId: string) => {
      const child = spawnSync(process.execPath, ['-e', 'process.stdout.write(String(process.pid))']);
      const db = new BetterSqlite3(join(world.dataDir, 'udahub.db'), { timeout: 5_000 });
      const { holder } = db.prepare('SELECT holder FROM skill_runs WHERE run_id = ?').get(runId) as {
        holder: string;
      };
      const [scope, , id] = holder.split('|');
      db.prepare('UPDATE skill_runs SET holder = ? WHERE run_id = ?').run(
        `${scope}|${child.stdout.toString()}|${id}`,
        runId,
      );
      db.close();
    };

    it('[SKT-04] opens a question again whose answer died with its process', async () => {
      await asking('r1');
      const other = (await world.another()).skillRuns;
      expect(await other.claim('r1')).toBe(true);
      expect(await store().claim('r1')).toBe(false);
      expect(await store().listWaiting(10)).toEqual([]);
      orphan('r1');
      expect((await store().get('r1'))?.status).toBe('waiting');
      expect(await store().listWaiting(10)).toMatchObject([{ runId: 'r1', status: 'waiting' }]);
      expect(await Promise.all([store().claim('r1'), other.claim('r1')])).toEqual([true, false]);
    });

    it('[SKT-04] opens it again after a time that no run takes, where nothing is known of the process', async () => {
      await asking('r1');
      const other = (await world.another()).skillRuns;
      await other.claim('r1');
      world.clock.advance({ minutes: 14 });
      expect(await store().claim('r1')).toBe(false);
      world.clock.advance({ minutes: 2 });
      expect(await store().claim('r1')).toBe(true);
      expect(await other.claim('r1')).toBe(false);
    });

    it('[SKC-03] gives a first run that was cut off to one who begins it anew, and a live one to nobody', async () => {
      await store().create(record('r1'));
      const other = (await world.another()).skillRuns;
      expect(await other.claim('r1', 'running')).toBe(false);
      // Its own process knows that it has let go of the run.
      expect(await store().claim('r1', 'running')).toBe(true);
      orphan('r1');
      expect((await other.get('r1'))?.status).toBe('running');
      expect(await other.claim('r1')).toBe(false);
      expect(await other.claim('r1', 'running')).toBe(true);
      expect(await store().claim('r1', 'running')).toBe(false);
    });
  });
}
