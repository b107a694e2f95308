import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFixedClock } from './fixed-clock.js';
import { createRecordingLog } from './recording-log.js';
import { createSequentialIds } from './sequential-ids.js';
import { openStores } from './stores.js';

/** A data directory with freshly seeded databases and nobody who has them open. */
export interface SeededDir {
  readonly path: string;
  remove(): void;
}

/** @param now when it was seeded; the default is that of the fixed clock */
export async function seedDataDir(now?: string): Promise<SeededDir> {
  const path = mkdtempSync(join(tmpdir(), 'hub-seeded-'));
  const stores = await openStores({
    dataDir: path,
    clock: createFixedClock(now),
    ids: createSequentialIds(),
    log: createRecordingLog(),
  });
  await stores.close();
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
