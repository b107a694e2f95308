import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bytesOnDisk, longQuestion } from '../../../bench/checkpoint-growth.js';
import { openHub } from '../../support/hub.js';

/** Enough to tell a line from a curve: what a turn takes along of those before it is cut off long before. */
const TURNS = 100;
/** Of 400 turns, of which these have a quarter. */
const BYTES = 20_000_000;

it('[OPS-10] a conversation of turns of a kilobyte grows in a straight line, and stays under 20 MB on disk with 400 of them', async () => {
  const hub = await openHub({ checkpointer: 'sqlite' });
  const sizes: number[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await hub.say(null, longQuestion(turn), 'thr_long');
    if (turn % (TURNS / 4) === 0) sizes.push(bytesOnDisk(join(hub.dataDir, 'checkpoints.db')));
  }
  expect(hub.query('udahub', 'SELECT count(*) AS n FROM ticket_messages')[0]?.n).toBeGreaterThanOrEqual(
    2 * TURNS,
  );
  await hub.close();
  const [, second = 0, third = 0, last = 0] = sizes;
  expect(last).toBeLessThan(BYTES / 4);
  // A quadratic growth would make each quarter a good deal larger than the one before.
  expect(last - third).toBeLessThan(Math.max(BYTES / 80, 1.5 * (third - second)));
}, 600_000);
