import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadSkillFolders } from '../../../../src/skills/pack/index.js';
import { TREE, writeFiles } from './rules/pack-files.js';

/** Of the processor, which other work on the machine does not use up; the benchmark measures the figure itself. */
const MOST_MS = 2_500;

describe('[SKX-06] loading', () => {
  it('[SKX-06] two hundred packs of different text are loaded and validated in about a second', () => {
    const files = Array.from({ length: 200 }, (_, at) =>
      Object.entries(TREE).map(([path, text]): [string, string] => [
        `pack_${at}/${path}`,
        path === 'skill.yaml'
          ? text.replace('id: late_parcel', `id: late_parcel_${at}`)
          : `${text}\n${path.endsWith('.sql') ? '--' : '#'} ${at}\n`,
      ]),
    );
    const dir = writeFiles(Object.fromEntries(files.flat()));
    try {
      const began = process.cpuUsage();
      const { catalog, faults, packs } = loadSkillFolders([dir]);
      const { user, system } = process.cpuUsage(began);
      const took = (user + system) / 1_000;
      expect(faults).toEqual([]);
      expect([packs, catalog.list().length]).toEqual([200, 200]);
      expect(took).toBeLessThan(MOST_MS);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
