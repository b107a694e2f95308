import type { IssueType, Priority, Route, Sentiment } from '../core/domain/taxonomy.js';
import type { LanguageGuess } from './language.js';
import type { DangerGuess, HumanReason } from './triage-rules.js';

/** What a customer wants, with the chance (0..1) that this is right. */
export interface IntentGuess {
  readonly intent: string;
  /** Calibrated: of the guesses with 0.7, about 70 % are right. */
  readonly confidence: number;
  /** Chance (0..1) that the text is no matter of this company's: weather, a joke, another trade. The mean of what its own head and the intents say. */
  readonly outOfScope: number;
  /** What it tells that is for people, whatever is wanted. */
  readonly danger: DangerGuess;
  /** The three likeliest intents. */
  readonly ranked: { readonly intent: string; readonly confidence: number }[];
}

/** Everything triage has to say of a message. */
export interface TriageGuess {
  readonly issueType: IssueType;
  readonly priority: Priority;
  readonly sentiment: Sentiment;
  readonly requiresHuman: boolean;
  readonly humanReason: HumanReason | null;
  readonly route: Route;
  readonly summary: string;
  /** Confidence of the intent, which decides type and route. */
  readonly confidence: number;
  readonly intent: IntentGuess;
  readonly language: LanguageGuess;
}
