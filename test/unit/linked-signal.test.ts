import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { linkSignals } from '../../src/core/signals.js';

describe('signals joined for one piece of work', () => {
  it('[PRF-04] end with the first of their sources, and with its reason', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals(one.signal, undefined, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort('enough');
    one.abort('too late');
    expect(signal.reason).toBe('enough');
    expect(linkSignals(undefined, one.signal).signal.reason).toBe('too late');
  });

  it('[PRF-04] let go of their sources', () => {
    const source = new AbortController();
    const { signal, release } = linkSignals(source.signal);
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(1);
    release();
    expect(getEventListeners(source.signal, 'abort')).toEqual([]);
    source.abort();
    expect(signal.aborted).toBe(false);
  });
});
