import { expect, it } from 'vitest';
import { createRetrier, TransientFault } from '../../../../src/adapters/sources/fetch-text.js';

const { signal } = new AbortController();

it('[BYO-51] what took all its time is not asked again at once: neither other reads nor changes are kept from it', async () => {
  const retrier = createRetrier('shop');
  let asked = 0;
  const late = async (): Promise<never> => {
    asked += 1;
    throw TransientFault.timedOut(5_000);
  };
  const unavailable = { code: 'source_unavailable' };
  await expect(retrier.run(2, 'orders of Leo', signal, late)).rejects.toMatchObject(unavailable);
  expect(asked).toBe(1);
  await expect(retrier.run(2, 'orders of Leo', signal, late)).rejects.toMatchObject(unavailable);
  expect(asked).toBe(1);
  expect(await retrier.run(2, 'orders of Mia', signal, async () => 'hers')).toBe('hers');
  // A change is always sent: whether it took effect is found out afterwards.
  for (const sent of [2, 3]) {
    await expect(retrier.run(2, null, signal, late)).rejects.toMatchObject(unavailable);
    expect(asked).toBe(sent);
  }
});
