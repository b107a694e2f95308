import { type Ended, runChild } from '../../support/child-process.js';
import { ANA } from './support.js';

const CHILD = new URL('../../support/turn-process.ts', import.meta.url);

/** Says the words in another process; see test/support/turn-process.ts. */
export function sayElsewhere(
  dataDir: string,
  threadId: string,
  moment: string,
  words: readonly string[],
  name = 'm',
): Promise<Ended> {
  return runChild(CHILD, [dataDir, threadId, name, moment, ANA, ...words]);
}
