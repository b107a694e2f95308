import type { IntentInfo } from '../core/domain/intent.js';
import {
  type IssueType,
  type Priority,
  type Route,
  SENTIMENTS,
  type Sentiment,
} from '../core/domain/taxonomy.js';
import type { Signals } from './signals.js';

/** Why a person must take over. */
export type HumanReason = 'customer_request' | 'legal' | 'sentiment_priority' | 'requires_human';

/**
 * What a message may tell that is for people, whatever it asks beside that: somebody was hurt or is in danger (`harm`), wants to
 * die or is close to one who does (`self_harm`), was treated worse for who they are, goes to law, has lost their account or card to
 * a stranger, asks for the press, or demands what is kept of them. `calm` is everything else.
 */
export const DANGER_KINDS = [
  ...['calm', 'harm', 'self_harm', 'discrimination', 'legal', 'account', 'press', 'privacy'],
] as const;
export type DangerKind = (typeof DANGER_KINDS)[number];

/** What is heard in a message. */
export interface DangerGuess {
  /** The likeliest kind but `calm`. */
  readonly kind: DangerKind;
  /** Chance (0..1) that it is for people; of few words little is believed. */
  readonly chance: number;
  /** True where hardly anything in it is, so that what intents or single words take for danger is none. */
  readonly isCalm: boolean;
}

/** What the rules look at. */
export interface TriageFacts {
  readonly intent: RankedIntent & { readonly danger: DangerGuess };
  /** What is known of that intent. */
  readonly info: Pick<IntentInfo, 'group' | 'route'>;
  readonly issueType: IssueType;
  readonly sentiment: Sentiment;
  readonly priority: Priority;
  readonly signals: Signals;
}

interface RankedIntent {
  readonly intent: string;
  readonly confidence: number;
  readonly ranked: { readonly intent: string; readonly confidence: number }[];
}

/** Chance from which a message is for people. */
export const HEARD = 0.6;

/** Smallest confidence at which the classifier alone may call a person. */
const SURE = 0.5;

/** From here on the classifier calls a person although the words are glad ones. */
const SURE_DESPITE_PRAISE = 0.75;

/** Of 4,284 sentences held back that tell of no danger 7 reach this, and of 132 that do 72. */
export const SURE_DANGER = 0.62;

/** The intent of one who was attacked or hurt, or may harm themselves. */
export const DANGER = 'safety_incident';

/** From here on a text may be about danger, whatever is likelier. */
const HINT_OF_DANGER = 0.05;

/** Confidence from which words for people call one where something else was rather meant. */
const ASIDE = 0.45;

/** True where a text may be about danger, however little. */
export function hintsAtDanger({ ranked, danger }: TriageFacts['intent']): boolean {
  const hint = ranked.find(({ intent }) => intent === DANGER);
  return danger.chance >= HEARD || (hint?.confidence ?? 0) >= HINT_OF_DANGER;
}

/** A one-word answer of pure punctuation or symbols is no support matter. */
export function refineIntent(guess: RankedIntent, tokens: readonly string[], signals: Signals): RankedIntent {
  const [, second] = guess.ranked;
  // Whom to call in an emergency is not told on a guess.
  if (guess.intent === DANGER && guess.confidence < SURE_DANGER && second)
    return { ...guess, intent: second.intent, confidence: second.confidence };
  const words = tokens.some((token) => /[a-z]/.test(token) && !token.startsWith('_'));
  if (words || signals.happyFaces > 0) return guess;
  const confidence = Math.min(guess.confidence, 0.3);
  return {
    intent: 'out_of_scope',
    confidence,
    ranked: [{ intent: 'out_of_scope', confidence }, ...guess.ranked.slice(0, 2)],
  };
}

/**
 * Sentiment by the trained head, corrected where the signs are plain: insults, shouting and repeated
 * contact are frustration whatever the topic; praise without a bad word is positive.
 */
export function decideSentiment(
  probabilities: Float32Array,
  signals: Signals,
  intent: RankedIntent,
  info: Pick<IntentInfo, 'group'>,
): Sentiment {
  const { counts } = signals;
  const heat =
    counts.anger +
    counts.repeated * 0.8 +
    signals.angryFaces * 0.8 +
    (signals.capitals > 0.6 ? 0.9 : 0) +
    (signals.exclamations >= 3 ? 0.6 : signals.exclamations === 2 ? 0.3 : 0) +
    Math.min(counts.negative, 2) * 0.2;
  const [positive = 0, neutral = 0, negative = 0, frustrated = 0] = probabilities;
  // Who talks of something else, and says no hard word, has nothing to be frustrated with: "tell me a joke".
  const calm = info.group === 'out_of_scope' ? 0 : 0.6;
  const scores = [
    positive * (counts.anger > 0 ? 0.2 : 1) +
      (intent.intent === 'praise' && heat < 1 ? intent.confidence : 0),
    // Who reports a symptom is not content with it, however calmly it is told.
    neutral * (heat >= 1 ? 0.5 : 1) * (info.group === 'symptom' ? 0.4 : 1),
    negative,
    frustrated * (heat < 0.5 ? calm : 1 + heat) * (signals.happyFaces > 0 ? 0.3 : 1),
  ];
  // Insults with shouting, or anger on top of repeated contact, leave no doubt.
  if (heat >= 1) scores[3] = (scores[3] ?? 0) + (heat >= 1.5 ? 1 : 0.3);
  const best = scores.indexOf(Math.max(...scores));
  return SENTIMENTS[best] ?? 'neutral';
}

/**
 * Whether a person must take over, and why: legal matters first, then what endangers a person or an account, then a customer who
 * asks for a person, then anger together with urgency.
 */
export function decideHuman(facts: TriageFacts): HumanReason | null {
  const { intent, signals } = facts;
  const sure = intent.confidence >= SURE;
  const { chance, isCalm } = intent.danger;
  // Who is glad of the people of a place accuses none of them.
  const isGlad =
    chance < HEARD &&
    facts.sentiment === 'positive' &&
    signals.counts.negative === 0 &&
    intent.confidence < SURE_DESPITE_PRAISE;
  const is = (name: string) => intent.intent === name && !isGlad && (sure || intent.confidence >= 0.35);
  if (is('legal_threat') || is('discrimination') || is('privacy_request')) return 'legal';
  if (!isCalm && signals.counts.discrimination > 0 && intent.intent !== 'out_of_scope') return 'legal';
  // Words of the law are of many other things too ("at the court entrance"): what is heard in the whole message decides.
  if (
    !isCalm &&
    intent.danger.kind === 'legal' &&
    signals.counts.legal > 0 &&
    (facts.sentiment === 'negative' || facts.sentiment === 'frustrated')
  )
    return 'legal';
  if (signals.counts.privacy > 0 && intent.intent !== 'ask_privacy') return 'legal';
  if (is('security_incident') || is(DANGER)) return 'requires_human';
  if (
    !isCalm &&
    signals.counts.security > 0 &&
    facts.sentiment !== 'positive' &&
    facts.info.group !== 'knowledge'
  ) {
    return 'requires_human';
  }
  if (is('talk_to_human')) return 'customer_request';
  // Who asks whether a person answers, or what people are made of, does not ask for one.
  const aside = intent.intent === 'about_assistant' || facts.info.group === 'out_of_scope';
  const asked = intent.ranked.find((other) => other.intent === 'talk_to_human');
  if (signals.counts.human > 0 && asked && asked.confidence >= (aside ? ASIDE : 0)) return 'customer_request';
  if (facts.sentiment === 'frustrated' && (facts.priority === 'high' || facts.priority === 'urgent'))
    return 'sentiment_priority';
  return null;
}

/** Escalation where a person must take over, otherwise the agent that serves the intent. */
export function decideRoute(facts: TriageFacts, reason: HumanReason | null): Route {
  if (reason !== null) return 'escalation';
  const { route } = facts.info;
  return route === 'escalation' ? 'knowledge' : route;
}
