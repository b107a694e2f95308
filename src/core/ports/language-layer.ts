import type { Choice } from '../domain/session.js';
import type { Language, Route } from '../domain/taxonomy.js';

/** How the customer answered an open yes/no question. */
export interface YesNoAnswer {
  readonly kind: 'yes' | 'no' | 'unclear' | 'other';
  /** What else the text says, e.g. "the Friday one" in "no, the Friday one". */
  readonly rest: string;
}

export interface LanguageGuess {
  readonly language: Language;
  /** ISO 639-1 of what was detected, `und` where nothing was. */
  readonly detected: string;
  readonly supported: boolean;
}

/** One part of a message as the local language layer reads it. */
export interface RequestGuess {
  readonly text: string;
  readonly intent: string;
  readonly route: Route | null;
  readonly confidence: number;
}

/** What the hub asked last. */
export interface OpenQuestion {
  readonly choices: readonly Choice[];
  readonly now: Date;
}

/** What can be read from a text locally, without a model: deterministic, well under a millisecond. */
export interface LanguageLayer {
  detectLanguage(text: string, previous?: Language): LanguageGuess;
  readYesNo(text: string, language: Language): YesNoAnswer;
  /** The requests in a text, in order; empty for smalltalk. */
  requests(text: string, language: Language): readonly RequestGuess[];
  /**
   * True where the text reads as a reply to a question just asked ("the second one", "30 days", "yes") and not
   * as a request of its own. Where there was something to choose from, it must choose, or name what it wants.
   */
  isReply(text: string, language: Language, question: OpenQuestion): boolean;
}
