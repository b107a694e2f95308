import { afterEach, expect, it, vi } from 'vitest';
import type { Peers } from '../../../src/core/ports/peers.js';
import { RemoteLiveEvents } from '../../../src/turns/remote-live-events.js';
import { createRecordingLog } from '../../support/recording-log.js';

afterEach(() => void vi.useRealTimers());

/** Other servers of one database, of which only events are heard. */
function others() {
  const listeners = new Set<(seq: number | null) => void>();
  const never = (): Promise<never> => Promise.reject(new Error('not asked for'));
  const peers: Peers = {
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ...{ follow: never, unfollow: never, isFollowedElsewhere: never, sweep: never },
  };
  const tell = (seq: number | null): void => {
    for (const listener of listeners) listener(seq);
  };
  return { peers, tell };
}

it('[PERF-15] hears of the first event of other servers at once, and of those that come with it once', () => {
  vi.useFakeTimers();
  const { peers, tell } = others();
  const heard: (number | null)[] = [];
  const leave = new RemoteLiveEvents(peers, createRecordingLog(), async () => undefined).watch((seq) =>
    heard.push(seq),
  );
  for (let seq = 1; seq <= 600; seq += 1) tell(seq);
  expect(heard).toEqual([1]);
  vi.advanceTimersByTime(100);
  expect(heard).toEqual([1, 600]);
  // It was quiet: nothing waits.
  tell(601);
  expect(heard).toEqual([1, 600, 601]);
  // Where some may have been missed, that is not forgotten for a number that came with it.
  tell(602);
  tell(null);
  tell(603);
  vi.advanceTimersByTime(100);
  expect(heard).toEqual([1, 600, 601, null]);
  tell(604);
  tell(605);
  leave();
  vi.advanceTimersByTime(100);
  expect(heard).toEqual([1, 600, 601, null, 604]);
});
