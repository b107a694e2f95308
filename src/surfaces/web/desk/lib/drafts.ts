import { tabStorage } from '../../shared/storage.js';

/** What an operator is writing: to the customer, or for colleagues. */
export type DraftKind = 'reply' | 'note';

const key = (ticketId: string, kind: DraftKind): string => `hub.desk.draft.${kind}.${ticketId}`;

/** A text that was begun on a ticket; empty where none was. It outlives a reload, not the tab. */
export function readDraft(ticketId: string, kind: DraftKind): string {
  return tabStorage.get(key(ticketId, kind)) ?? '';
}

/** Keeps a text, or forgets it where it is empty. */
export function keepDraft(ticketId: string, kind: DraftKind, text: string): void {
  tabStorage.set(key(ticketId, kind), text === '' ? null : text);
}
