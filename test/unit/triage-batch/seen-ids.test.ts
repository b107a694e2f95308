import { expect, test } from 'vitest';
import { SeenIds } from '../../../src/triage-batch/read-tickets.js';

test('ids are new once, however many there are', () => {
  const seen = new SeenIds();
  for (let at = 0; at < 20_000; at += 1) expect(seen.add(`t${at}`)).toBe(true);
  for (let at = 0; at < 20_000; at += 97) expect(seen.add(`t${at}`)).toBe(false);
  expect(seen.size).toBe(20_000);
});
