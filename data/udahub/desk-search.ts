import type { DatabaseHandle } from '../open-database.js';
import { allWords } from './full-text.js';

const MAX_ID = 200;
/** The newest messages that fit; a word that is in more of them says little. */
const NEWEST = 5_000;
/** Sorts after everything that begins with the same text. */
const LAST = '\u{10ffff}';

/** Gives `seq` of the tickets that fit, in no order; null where there is nothing to look for. */
export type TicketSearch = (text: string, customerIds: readonly string[]) => readonly number[] | null;

/** Prepares the search for tickets by text. */
export function prepareTicketSearch({ sqlite }: DatabaseHandle): TicketSearch {
  const inMessages = sqlite
    .prepare<[string, number], number>(
      `SELECT DISTINCT t.seq
       FROM (SELECT rowid AS seq FROM ticket_messages_fts WHERE ticket_messages_fts MATCH ? ORDER BY rowid DESC LIMIT ?) found
       JOIN ticket_messages m ON m.seq = found.seq JOIN tickets t ON t.ticket_id = m.ticket_id`,
    )
    .pluck();
  const inSummaries = sqlite
    .prepare<[string, number], number>(
      `SELECT rowid FROM ticket_summaries_fts WHERE ticket_summaries_fts MATCH ? ORDER BY rowid DESC LIMIT ?`,
    )
    .pluck();
  const byId = sqlite
    .prepare<[string, string, string], number>(
      'SELECT seq FROM tickets WHERE (ticket_id >= ? AND ticket_id < ?) OR thread_id = ?',
    )
    .pluck();
  const byCustomer = sqlite
    .prepare<[string], number>(
      'SELECT seq FROM tickets WHERE customer_id IN (SELECT value FROM json_each(?))',
    )
    .pluck();
  return (given, customerIds) => {
    const text = given.trim().slice(0, MAX_ID);
    if (text === '') return null;
    const words = allWords(given);
    const found = new Set(byId.all(text, `${text}${LAST}`, text));
    const add = (seqs: readonly number[]): void => {
      for (const seq of seqs) found.add(seq);
    };
    add(byCustomer.all(JSON.stringify([...customerIds, text])));
    if (words !== null) {
      add(inMessages.all(words, NEWEST));
      add(inSummaries.all(words, NEWEST));
    }
    return [...found];
  };
}
