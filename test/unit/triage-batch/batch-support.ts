import { Readable } from 'node:stream';
import { NO_USAGE } from '../../../src/core/domain/turn.js';
import type { TicketClassifier, TriageResult } from '../../../src/core/ports/chat-models.js';
import { type ReadOptions, readTickets } from '../../../src/triage-batch/read-tickets.js';
import type { ResultSink } from '../../../src/triage-batch/result-files.js';
import type { InputItem } from '../../../src/triage-batch/ticket-input.js';

/** Bytes as they come from a file, cut into chunks of any size. */
export function bytesOf(content: string | Uint8Array, chunk = 7): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(content);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunk) parts.push(bytes.subarray(at, at + chunk));
  return Readable.from(parts);
}

/** All rows of an input. */
export async function readAll(
  content: string | Uint8Array,
  options: ReadOptions = {},
  chunk = 7,
): Promise<InputItem[]> {
  const items: InputItem[] = [];
  for await (const batch of readTickets(bytesOf(content, chunk), options)) items.push(...batch);
  return items;
}

/** A row in short: `id=text`, or `!line reason`. */
export function brief(item: InputItem): string {
  return item.kind === 'ticket' ? `${item.id}=${item.text}` : `!${item.line} ${item.reason}`;
}

/** A classifier that answers from the text alone, so that the same input gives the same rows. */
export function stubClassifier(work: (text: string) => Promise<void> = async () => {}): TicketClassifier {
  return {
    async classify(text) {
      await work(text);
      return resultOf(text);
    },
  };
}

/** The classification the stub gives. */
function resultOf(text: string): TriageResult {
  const angry = text.includes('!');
  return {
    classification: {
      issueType: text.includes('refund') ? 'refund' : 'general',
      priority: angry ? 'high' : 'low',
      sentiment: angry ? 'frustrated' : 'neutral',
      requiresHuman: angry,
      summary: `About: ${text}`,
      confidence: 0.87654321,
      language: 'en',
      route: angry ? 'escalation' : 'knowledge',
      humanReason: angry ? 'sentiment_priority' : null,
      requests: [],
    },
    provider: 'offline',
    usage: NO_USAGE,
  };
}

/** Keeps in memory what a batch writes. */
export function memorySink(): ResultSink & { readonly rows: string[]; readonly errors: string[] } {
  const rows: string[] = [];
  const errors: string[] = [];
  return {
    rows,
    errors,
    append(row, error) {
      if (row !== '') rows.push(row);
      if (error !== '') errors.push(error);
    },
    async ready() {},
    async close() {},
  };
}
