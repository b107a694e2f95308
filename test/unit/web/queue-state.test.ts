import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

// Of the page only the facts of the company are read on import; this one has none.
vi.stubGlobal('document', { querySelector: () => null });
const { clearFilter, clearQueue, isNarrowed, lookFor, queueChoice, setFilters, showList } = await import(
  '../../../src/surfaces/web/desk/queue/queue-state.js'
);
afterAll(() => vi.unstubAllGlobals());

const shown = () => {
  const choice = queueChoice.get();
  return [choice.view, ...setFilters(choice).map((name) => choice[name])];
};

beforeEach(() => {
  for (const view of ['all', 'mine', 'unassigned'] as const) {
    showList(view);
    clearQueue();
  }
});

describe('what a list of the desk is narrowed by', () => {
  it('[SHF-201] stays with its list, and is there again with it', () => {
    queueChoice.update((old) => ({ ...old, priority: 'urgent', sort: 'oldest' }));
    showList('mine');
    expect(shown()).toEqual(['mine']);
    queueChoice.update((old) => ({ ...old, tag: 'vip' }));
    showList('unassigned');
    expect(shown()).toEqual(['unassigned', 'urgent', 'oldest']);
    clearFilter('priority');
    showList('mine');
    expect(shown()).toEqual(['mine', 'vip']);
    clearQueue();
    expect(isNarrowed(queueChoice.get())).toBe(false);
    showList('unassigned');
    expect(shown()).toEqual(['unassigned', 'oldest']);
  });

  it('[SHF-201] narrows no search in all conversations, which narrows no list in turn', () => {
    showList('mine');
    queueChoice.update((old) => ({ ...old, priority: 'high' }));
    lookFor('refund');
    expect(shown()).toEqual(['all']);
    queueChoice.update((old) => ({ ...old, status: 'resolved', period: 'range', from: '2026-03-01' }));
    expect(shown()).toEqual(['all', 'resolved', 'range']);
    clearFilter('period');
    expect(queueChoice.get().from).toBe('');
    lookFor('');
    expect(shown()).toEqual(['mine', 'high']);
    showList('all');
    expect(shown()).toEqual(['all']);
    // Who narrows all conversations first and then looks for words wants both.
    queueChoice.update((old) => ({ ...old, channel: 'email' }));
    lookFor('refund');
    expect(shown()).toEqual(['all', 'email']);
    lookFor('');
    expect(shown()).toEqual(['all', 'email']);
  });
});
