import { tabStorage } from '../shared/storage.js';
import type { Card, ThreadState } from './thread-state.js';

const KEPT = 20;
const key = (threadId: string): string => `hub.chat.cards.${threadId}`;

/** What this tab remembers of a conversation that the server does not tell: old questions, and what was rated. */
export function keptCards(threadId: string): Pick<ThreadState, 'cards' | 'rated'> {
  try {
    const kept = JSON.parse(tabStorage.get(key(threadId)) ?? '{}') as Partial<ThreadState>;
    const cards = (Array.isArray(kept.cards) ? kept.cards : []).map((card: Card) =>
      card.status === 'answering' ? { ...card, status: 'open' as const } : card,
    );
    return { cards, rated: kept.rated ?? null };
  } catch {
    return { cards: [], rated: null };
  }
}

/** Remembers it, where there is anything. */
export function keepCards({ threadId, cards, rated }: ThreadState): void {
  if (threadId === null || (cards.length === 0 && rated === null)) return;
  const text = JSON.stringify({ cards: cards.slice(-KEPT), rated });
  if (tabStorage.get(key(threadId)) !== text) tabStorage.set(key(threadId), text);
}
