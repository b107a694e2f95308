import { describe, expect, it } from 'vitest';
import type { Stores } from '../../../data/index.js';
import { openHub } from '../../support/hub.js';
import { ANA } from '../safety/books.js';
import { said, ticketsOf } from './support.js';

const QUESTION = 'How do I pause my plan?';

/** Stops the first that comes for good, and lets the others through. */
function createTrap(): () => Promise<void> {
  let isSet = true;
  return async () => {
    if (!isSet) return;
    isSet = false;
    await new Promise<never>(() => undefined);
  };
}

/** Stores that never answer what a turn asks first of them: what is remembered of its customer, or keeping its subject. */
const STUCK = {
  intake: ({ memory, ...others }: Stores): Stores => {
    const trap = createTrap();
    return {
      ...others,
      memory: { ...memory, recall: (...given) => trap().then(() => memory.recall(...given)) },
    };
  },
  triage: ({ tickets, ...others }: Stores): Stores => {
    const trap = createTrap();
    return {
      ...others,
      tickets: {
        ...tickets,
        saveClassification: (...given) => trap().then(() => tickets.saveClassification(...given)),
      },
    };
  },
};

describe('a turn that takes all its time', () => {
  it.each(['intake', 'triage'] as const)(
    '[SHF-70] is answered with a sentence and goes to operators, from the first message on: stuck at %s',
    async (place) => {
      const hub = await openHub({
        env: { HUB_TURN_TIMEOUT_MS: '100' },
        overrides: { wrapStores: STUCK[place] },
      });
      try {
        const reply = await hub.say(ANA, QUESTION);
        expect(reply.escalated).toBe(true);
        expect(reply.escalation).toMatchObject({ reason: 'fault', summary: QUESTION });
        expect(said(hub, reply.threadId)).toEqual([`customer: ${QUESTION}`, `hub: ${reply.reply}`]);
        expect(ticketsOf(hub, reply.threadId)).toMatchObject([{ owner: 'operator' }]);
      } finally {
        await hub.close();
      }
    },
  );
});
