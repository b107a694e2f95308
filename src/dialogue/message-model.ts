import { readFileSync } from 'node:fs';
import { softmax } from '../core/softmax.js';
import { foldText } from '../nlu/slots/text.js';

/** What the best reply to a message is made of. */
export const MESSAGE_KINDS = [
  'article',
  'record',
  'order',
  'programme',
  'trouble',
  'case',
  'person',
  'talk',
  'answer',
  'unknown',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** What is measured of a message, by name: chances and signs from 0 to 1, log-odds within -1 and 1. Absent: 0. */
export type MessageFeatures = Readonly<Record<string, number>>;

/** A kind with its chance, 0 to 1: of those with 0.8 about 80 % are right. */
export interface MessageGuess {
  readonly kind: MessageKind;
  readonly chance: number;
  chanceOf(...kinds: readonly MessageKind[]): number;
}

/** Weights of two logistic regressions, by the name of a feature: easy to read, and to learn anew. */
export interface MessageWeights {
  /** A weight for each of {@link MESSAGE_KINDS}. */
  readonly kinds: {
    readonly bias: readonly number[];
    readonly weights: Readonly<Record<string, readonly number[]>>;
  };
  readonly article: { readonly bias: number; readonly weights: MessageFeatures };
}

/** Decides, over what all other readers make of a message in its conversation, what it is answered with. */
export interface MessageModel {
  kindOf(message: MessageFeatures): MessageGuess;
  /** The chance that one article answers a message that articles answer. */
  answers(candidate: MessageFeatures): number;
}

/** Log-odds of a chance, within -1 and 1. */
export function oddsOf(chance: number): number {
  return Math.log((chance + 0.02) / (1.02 - chance)) / 4;
}

/** What is measured of a message, with how sure the likeliest article answers it. */
export function withBest(message: MessageFeatures, chance: number): MessageFeatures {
  return { ...message, 'search.best': chance, 'search.best_odds': oddsOf(chance) };
}

/** How much the words of a message count beside what is measured of it, and words of a message that are looked at. */
const [WORDS_WEIGHT, MOST_WORDS] = [2, 60];

/** The words of a message and their pairs, each by its name; together of one length, so that a story drowns nothing. */
export function wordFeatures(text: string): MessageFeatures {
  const words = (foldText(text).match(/[\p{L}\p{N}']+|[?!]/gu) ?? []).slice(0, MOST_WORDS);
  const framed = ['^', ...words, '$'];
  const pairs = words.map((word, at) => `${framed[at]} ${word}`);
  const names = new Set([...words, ...pairs, `${words.at(-1) ?? ''} $`]);
  const value = WORDS_WEIGHT / Math.sqrt(names.size);
  return Object.fromEntries([...names].map((name) => [`says ${name}`, value]));
}

const FILE = new URL('../../data/nlu/messages.json', import.meta.url);

/** Reads the weights that `npm run train:messages` learned. @throws Error where they are missing or damaged */
export function readMessageModel(file: URL | string = FILE): MessageModel {
  return createMessageModel(JSON.parse(readFileSync(file, 'utf8')) as MessageWeights);
}

export function createMessageModel({ kinds, article }: MessageWeights): MessageModel {
  return {
    kindOf(message) {
      const logits = Float32Array.from(kinds.bias);
      for (const [name, value] of Object.entries(message))
        for (const [at, weight] of (kinds.weights[name] ?? []).entries())
          logits[at] = (logits[at] ?? 0) + value * weight;
      const chances = softmax(logits, 1);
      const best = chances.indexOf(Math.max(...chances));
      return {
        kind: MESSAGE_KINDS[best] ?? 'unknown',
        chance: chances[best] ?? 0,
        chanceOf: (...some) =>
          some.reduce((sum, kind) => sum + (chances[MESSAGE_KINDS.indexOf(kind)] ?? 0), 0),
      };
    },
    answers(candidate) {
      const sum = Object.entries(candidate).reduce(
        (total, [name, value]) => total + value * (article.weights[name] ?? 0),
        article.bias,
      );
      return 1 / (1 + Math.exp(-sum));
    },
  };
}
