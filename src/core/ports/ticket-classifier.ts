import type { Language, ProviderName } from '../domain/taxonomy.js';
import type { Classification } from '../domain/ticket.js';
import type { Usage } from '../domain/turn.js';

export interface ClassifierContext {
  /** Language of the conversation so far, kept for texts too short to tell. */
  readonly language?: Language;
  /** What the hub last asked, where a question is open; helps to read short replies. */
  readonly openQuestion?: string;
  /** What the customer wrote before; makes "and for Premium?" understandable. */
  readonly previousMessage?: string;
  /** What may be named that says nothing of what is wanted: titles of what the customer has booked. */
  readonly names?: readonly string[];
  /** Named in the log and in traces. */
  readonly ticketId?: string;
  /** Aborts a slow provider. */
  readonly signal?: AbortSignal;
}

export interface TriageResult {
  readonly classification: Classification;
  readonly provider: ProviderName;
  readonly usage: Usage;
}

/**
 * Triage of one message: at most one model call. Falls back to the offline language layer where the provider
 * does not answer, and says so in `provider`. Any text is accepted; never throws for bad input.
 */
export interface TicketClassifier {
  classify(text: string, context?: ClassifierContext): Promise<TriageResult>;
}
