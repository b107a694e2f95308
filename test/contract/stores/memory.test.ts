import { createMemoryRunStore } from '../../../src/skills/run/detached-runs.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { skillRunStoreSuite } from './skill-run-store-suite.js';
import { SEEDED_AT } from './world.js';

skillRunStoreSuite('memory', async () => {
  const clock = createFixedClock(SEEDED_AT);
  const skillRuns = createMemoryRunStore(clock);
  return { stores: { skillRuns }, clock, another: async () => ({ skillRuns }), close: async () => undefined };
});
