import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubStores } from '../../../data/udahub/stores.js';
import { createFixedClock, type FixedClock } from '../../support/fixed-clock.js';
import { createRecordingLog, type RecordingLog } from '../../support/recording-log.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { type CultpassStores, openStores } from '../../support/stores.js';

/** A fresh set of stores whose time the test controls. */
export interface World<Stores> {
  readonly stores: Stores;
  readonly clock: FixedClock;
  readonly log: RecordingLog;
  /** A second set of stores on the same data, as another process would have. */
  another(): Promise<Stores>;
  close(): Promise<void>;
}

/** The hub's own stores, on either engine. */
export type HubWorld = World<HubStores>;

/** All stores, seeded, on SQLite. */
export interface StoresWorld extends World<CultpassStores> {
  readonly dataDir: string;
}

/** What CultPass reads and does, seeded, on either engine. */
export type CompanyWorld = World<Pick<CultpassStores, 'customers' | 'customerWrites'>>;

/** What a conformance suite needs of an implementation. */
export type OpenHubWorld = () => Promise<HubWorld>;
export type OpenWorld = () => Promise<StoresWorld>;
export type OpenCompanyWorld = () => Promise<CompanyWorld>;

/** When the seed of every world was made, whatever its clock says later. */
export const SEEDED_AT = '2026-03-11T15:00:00.000Z';

export function makeTempDir(): string {
  return mkdtempSync(join(tmpdir(), 'hub-data-'));
}

let template: Promise<string> | null = null;

async function makeTemplate(): Promise<string> {
  const dataDir = makeTempDir();
  const stores = await openStores({
    dataDir,
    clock: createFixedClock(SEEDED_AT),
    ids: createSequentialIds('template'),
    log: createRecordingLog(),
  });
  await stores.close();
  return dataDir;
}

/** The SQLite implementation; seeds once a test file and copies from then on. */
export const openSqliteWorld: OpenWorld = async () => {
  template ??= makeTemplate();
  const dataDir = makeTempDir();
  cpSync(await template, dataDir, { recursive: true });
  const clock = createFixedClock(SEEDED_AT);
  const log = createRecordingLog();
  const opened: CultpassStores[] = [];
  const another = async (): Promise<CultpassStores> => {
    const stores = await openStores({ dataDir, clock, log, ids: createSequentialIds(`i${opened.length}`) });
    opened.push(stores);
    return stores;
  };
  const stores = await another();
  return {
    stores,
    clock,
    log,
    dataDir,
    another,
    async close() {
      for (const one of opened) await one.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

/** The code a promise was rejected with, or `resolved`. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'resolved';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
