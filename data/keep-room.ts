import type { DatabaseHandle } from './open-database.js';
import { translated } from './storage-errors.js';

/** What is stored of an effect after it (audit, answer, events, outcome) takes a few of these, with their indexes. */
const FREE_PAGES = 40;

/**
 * Makes room in the hub's own database for what must be stored of an effect: money that moved and could not be spoken of
 * would be a turn that failed and did something all the same. Rows of other requests that come in between take some of it
 * too, so this is asked for before every effect.
 */
export function keepRoom({ sqlite }: DatabaseHandle): () => void {
  const add = sqlite.prepare<[number]>(
    `INSERT INTO idempotency_keys (caller, key, request_hash, body, created_at)
     VALUES ('hub', 'room', '', zeroblob(?), '')`,
  );
  const remove = sqlite.prepare(`DELETE FROM idempotency_keys WHERE caller = 'hub' AND key = 'room'`);
  const pageSize = Number(sqlite.pragma('page_size', { simple: true }));
  const grow = sqlite.transaction(() => {
    add.run(FREE_PAGES * pageSize);
    remove.run();
  });
  const makeRoom = (): void => {
    // What a row leaves behind when it is deleted is free for others; the file does not shrink.
    if (Number(sqlite.pragma('freelist_count', { simple: true })) < FREE_PAGES) grow.immediate();
  };
  return () => translated(makeRoom, { database: 'udahub' });
}
