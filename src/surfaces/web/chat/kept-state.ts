import { tabStorage } from '../shared/storage.js';
import type { Card, ShownMessage, ThreadState } from './thread-state.js';

const CARDS = 20;

/** What this tab remembers of a conversation that the server does not know: old questions, ratings, unsent messages. */
export interface KeptState {
  readonly cards: readonly Card[];
  readonly rated: string | null;
  readonly unsent: readonly ShownMessage[];
}

const key = (threadId: string | null): string => `hub.chat.kept.${threadId ?? 'new'}`;

/** Reads it; what cannot be read is nothing. */
export function keptState(threadId: string | null): KeptState {
  try {
    const kept = JSON.parse(tabStorage.get(key(threadId)) ?? '{}') as Partial<KeptState>;
    return {
      cards: (kept.cards ?? []).map((card) =>
        card.status === 'answering' ? { ...card, status: 'open' } : card,
      ),
      rated: kept.rated ?? null,
      unsent: kept.unsent ?? [],
    };
  } catch {
    return { cards: [], rated: null, unsent: [] };
  }
}

/** Remembers it, where there is anything; called on every change. */
export function keepState({ threadId, cards, rated, messages }: ThreadState): void {
  const unsent = messages.filter(({ status }) => status !== 'sent');
  const nothing = cards.length === 0 && rated === null && unsent.length === 0;
  const text = nothing ? null : JSON.stringify({ cards: cards.slice(-CARDS), rated, unsent });
  if (tabStorage.get(key(threadId)) !== text) tabStorage.set(key(threadId), text);
}

/** A new conversation has got its id: what was kept of it goes along. */
export function forgetNew(): void {
  tabStorage.set(key(null), null);
}
