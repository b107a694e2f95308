import { readFileSync, writeFileSync } from 'node:fs';
import { logitsOf, type TrainingExample, trainSoftmax } from '../../core/softmax.js';
import {
  MENTION_ROLES,
  type Mention,
  type MentionRole,
  type MentionWords,
  mentionTokens,
  NAMED,
  type RoleWeights,
  readMentionWords,
  roleFeatures,
} from '../mention-roles.js';
import type { TrainingOptions } from '../train.js';

interface LabelledMessage {
  readonly tokens: readonly string[];
  /** The same where of each name only the last word is known: "the soirée of *Clarice*". */
  readonly hardlyKnown: readonly string[];
  readonly roles: readonly MentionRole[];
}

interface Example extends TrainingExample {
  readonly message: number;
}

const DATA = new URL('../../../data/nlu/', import.meta.url);
const ROLES: Readonly<Record<string, MentionRole>> = { W: 'wanted', K: 'kept', R: 'aside' };
const LAST_WORD = /\S+\s*$/u;
const MARKED = /\{([WKR]) ([^{}]+)\}/g;
/** Of so many messages one is held back to measure what was learned of the others; what ships learns of all. */
const FOLDS = 5;
/** A feature that fewer mentions bear tells nothing of another. */
const LEAST_SEEN = 2;
const TRAINING = { epochs: 20, rate: 0.05, l2: 0.004, seed: 1, balance: 0.2 } as const;
/** Smaller weights change nothing. */
const LEAST_WEIGHT = 0.2;
/** From here on a role is believed. */
const SURE = 0.8;

/**
 * Learns in which role messages name records, from data/nlu/mentions.tsv (a language and a message a line, in which each mention stands in
 * braces with its role), says how well, and writes data/nlu/mentions.json unless dry. Deterministic.
 */
export function trainMentions({ dry, say }: TrainingOptions): void {
  const words = readMentionWords();
  const messages = readFileSync(new URL('mentions.tsv', DATA), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [language = '', marked = ''] = line.split('\t');
      return parse(words, marked, language);
    });
  let [mentions, right, sure, sureRight, whole] = [0, 0, 0, 0, 0];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const model = learn(
      words,
      messages.filter((_, at) => at % FOLDS !== fold),
    );
    for (const { tokens, roles } of messages.filter((_, at) => at % FOLDS === fold)) {
      const guesses = model.read(tokens);
      const hits = guesses.map(({ role }, at) => role === roles[at]);
      mentions += roles.length;
      right += hits.filter(Boolean).length;
      whole += hits.every(Boolean) ? 1 : 0;
      sure += guesses.filter(({ chance }) => chance >= SURE).length;
      sureRight += guesses.filter(({ chance }, at) => chance >= SURE && hits[at]).length;
    }
  }
  const share = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
  say(`${messages.length} messages, held back: ${share(right, mentions)} of ${mentions} mentions right,`);
  say(
    `all of a message ${share(whole, messages.length)}; where sure ${share(sureRight, sure)} of ${share(sure, mentions)}`,
  );
  if (!dry)
    writeFileSync(new URL('mentions.json', DATA), `${JSON.stringify(learn(words, messages).weights)}\n`);
}

function parse(words: MentionWords, marked: string, language: string): LabelledMessage {
  const mentions: Mention[] = [];
  const last: Mention[] = [];
  const roles: MentionRole[] = [];
  let text = '';
  let done = 0;
  for (const { 0: whole, 1: role = '', 2: named = '', index } of marked.matchAll(MARKED)) {
    text += marked.slice(done, index);
    mentions.push({ start: text.length, end: text.length + named.length });
    last.push({ start: text.length + named.search(LAST_WORD), end: text.length + named.length });
    roles.push(ROLES[role] ?? 'wanted');
    text += named;
    done = index + whole.length;
  }
  text += marked.slice(done);
  return {
    tokens: mentionTokens(words, text, mentions, language),
    hardlyKnown: mentionTokens(words, text, last, language),
    roles,
  };
}

function learn(words: MentionWords, messages: readonly LabelledMessage[]) {
  const versions = messages.flatMap(({ tokens, hardlyKnown, roles }, message) => {
    const isSame = tokens.length === hardlyKnown.length;
    return [{ tokens, roles, message }, ...(isSame ? [] : [{ tokens: hardlyKnown, roles, message }])];
  });
  const read = versions.flatMap(({ tokens, roles, message }) => {
    let before: MentionRole | null = null;
    return tokens
      .flatMap((token, at) => (token === NAMED ? [at] : []))
      .map((at, mention) => {
        const role = roles[mention] ?? 'wanted';
        const features = roleFeatures(words, tokens, at, before);
        before = role;
        return { message, features, label: MENTION_ROLES.indexOf(role) };
      });
  });
  const seen = new Map<string, number>();
  for (const { features } of read) for (const name of features) seen.set(name, (seen.get(name) ?? 0) + 1);
  const names = [...seen]
    .filter(([, count]) => count >= LEAST_SEEN)
    .map(([name]) => name)
    .sort();
  const numbers = new Map(names.map((name, at) => [name, at]));
  const vectorOf = (features: readonly string[]) => {
    const indices = features.flatMap((name) => numbers.get(name) ?? []);
    return { indices, values: indices.map(() => 1) };
  };
  const examples = read.map(
    ({ message, features, label }): Example => ({ message, vector: vectorOf(features), label, weight: 1 }),
  );
  const classes = MENTION_ROLES.length;
  const trained = trainSoftmax(examples, { ...TRAINING, classes, features: names.length });
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  const weights: RoleWeights = {
    bias: [...trained.bias].map(rounded),
    weights: Object.fromEntries(
      names.flatMap((name, at) => {
        const row = [...trained.weights.slice(at * classes, (at + 1) * classes)].map(rounded);
        return row.some((weight) => Math.abs(weight) >= LEAST_WEIGHT) ? [[name, row]] : [];
      }),
    ),
  };
  return { weights, read: (tokens: readonly string[]) => guess(words, trained, tokens, vectorOf) };
}

function guess(
  words: MentionWords,
  trained: ReturnType<typeof trainSoftmax>,
  tokens: readonly string[],
  vectorOf: (features: readonly string[]) => TrainingExample['vector'],
) {
  let before: MentionRole | null = null;
  return tokens
    .flatMap((token, at) => (token === NAMED ? [at] : []))
    .map((at) => {
      const logits = logitsOf(
        trained,
        vectorOf(roleFeatures(words, tokens, at, before)),
        MENTION_ROLES.length,
      );
      const powers = [...logits].map((logit) => Math.exp(logit - Math.max(...logits)));
      const sum = powers.reduce((total, power) => total + power, 0);
      const best = logits.indexOf(Math.max(...logits));
      before = MENTION_ROLES[best] ?? 'wanted';
      return { role: before, chance: (powers[best] ?? 0) / sum };
    });
}
