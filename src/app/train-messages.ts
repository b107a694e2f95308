import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { ANONYMOUS } from '../core/domain/customer.js';
import { HubError } from '../core/errors.js';
import type { Log, LogEntry } from '../core/ports/system.js';
import { type TrainingExample, type TrainOptions, trainSoftmax } from '../core/softmax.js';
import {
  createMessageModel,
  MESSAGE_KINDS,
  type MessageFeatures,
  type MessageKind,
  type MessageModel,
  type MessageWeights,
  withBest,
} from '../dialogue/index.js';
import type { ArticleCandidate } from '../graph/article-candidates.js';
import { createApp } from './app.js';

/** One message of a conversation that was judged: what would have answered it best. */
interface LabelledTurn {
  readonly text: string;
  readonly kind: MessageKind | null;
  /** Articles that answer, without the ending of their language; the best first. */
  readonly articles?: readonly string[];
}

interface LabelledConversation {
  /** E-mail address; null for a visitor who was not signed in. */
  readonly customer: string | null;
  /** True where the messages were written for learning, as if the hub had answered well, and not to the hub. */
  readonly written?: boolean;
  readonly turns: readonly LabelledTurn[];
}

/** A labelled message with what was measured of it when it was said again. */
interface Measured {
  readonly turn: LabelledTurn;
  readonly conversation: number;
  readonly isWritten: boolean;
  readonly features: MessageFeatures;
  readonly candidates: readonly ArticleCandidate[];
}

/** When the conversations are held again. */
const HELD_AT = new Date('2026-11-26T12:00:00Z');
/** Of so many conversations one is held back to measure what was learned of the others; what ships learns of all. */
const FOLDS = 5;
/** Chosen by cross-validation over whole conversations. */
const TRAINING = { epochs: 60, rate: 0.05, l2: 0.008, seed: 1, balance: 0 } as const;
/** The same of articles: their features lean on each other, so that each is held back less. */
const ARTICLE_TRAINING = { ...TRAINING, epochs: 100, l2: 0.0005 } as const;
/** After so many conversations the customers have their records back, and it is said how far the measuring is. */
const ON_THE_SAME_DATA = 60;
/** What is said to the hub counts for more than what was written for learning. */
const WRITTEN_WEIGHT = 0.5;
/** A feature that fewer messages have says nothing about others. */
const LEAST_SEEN = 8;

/**
 * Learns what messages are answered with from the labelled conversations of a company (`intents/conversations.jsonl`): each is held again
 * with the hub as it is, without a model, and what is measured of every message is what is learned from.
 * @returns the weights
 * @throws HubError `config_invalid` where the company has no such file
 */
export async function trainMessages(config: Config, say: (line: string) => void): Promise<MessageWeights> {
  const file = join(config.company.folder, 'intents/conversations.jsonl');
  if (!existsSync(file))
    throw new HubError('config_invalid', `${file}: there are no labelled conversations to learn from`, {
      file,
    });
  const conversations = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledConversation);
  const measured = await measure(config, conversations, say);
  say(`${measured.length} messages of ${conversations.length} conversations`);
  report(measured, say);
  return learn(measured);
}

/** Holds the conversations again, in portions on fresh data: a booking can be cancelled once. */
async function measure(
  config: Config,
  conversations: readonly LabelledConversation[],
  say: (line: string) => void,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (let from = 0; from < conversations.length; from += ON_THE_SAME_DATA) {
    say(`${from} of ${conversations.length} conversations`);
    const portion = conversations.slice(from, from + ON_THE_SAME_DATA);
    measured.push(
      ...(await hold(config, portion)).map((one) => ({ ...one, conversation: from + one.conversation })),
    );
  }
  return measured;
}

async function hold(
  config: Config,
  conversations: readonly LabelledConversation[],
): Promise<readonly Measured[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-messages-'));
  let read: Readonly<Record<string, unknown>> | undefined;
  const ignore = (): void => undefined;
  const log: Log = {
    debug: (entry: LogEntry) => {
      if (entry.action === 'message_read') read = entry.details;
    },
    info: ignore,
    warn: ignore,
    error: ignore,
  };
  const app = await createApp(
    { ...config, dataDir, databaseUrl: undefined },
    { log, clock: { now: () => new Date(HELD_AT) } },
  );
  try {
    const measured: Measured[] = [];
    for (const [conversation, { customer, written: isWritten = false, turns }] of conversations.entries()) {
      const identity = customer === null ? ANONYMOUS : await app.signIn(customer);
      let threadId: string | undefined;
      for (const turn of turns) {
        read = undefined;
        const thread = threadId === undefined ? {} : { threadId };
        const reply = await app.handle({ identity, text: turn.text, channel: 'chat', ...thread });
        threadId = reply.threadId;
        const { features, candidates } = (read ?? {}) as Partial<Measured>;
        if (features && candidates && turn.kind)
          measured.push({ turn, conversation, isWritten, features, candidates });
      }
    }
    return measured;
  } finally {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function learn(measured: readonly Measured[]): MessageWeights {
  const article = learnArticle(measured);
  const model = createMessageModel({ kinds: { bias: [], weights: {} }, article });
  const kinds = measured.map(({ turn, isWritten, features, candidates }) => ({
    features: withBest(features, bestOf(model, candidates)?.chance ?? 0),
    label: MESSAGE_KINDS.indexOf(turn.kind ?? 'unknown'),
    weight: isWritten ? WRITTEN_WEIGHT : 1,
  }));
  const { bias, weights } = regression(kinds, MESSAGE_KINDS.length);
  return {
    kinds: {
      bias: bias.map(rounded),
      weights: Object.fromEntries(weights.map(([name, row]) => [name, row.map(rounded)])),
    },
    article,
  };
}

/** The likeliest of the articles. */
function bestOf(model: MessageModel, candidates: readonly ArticleCandidate[]) {
  return candidates
    .map(({ articleId, features }) => ({ articleId, chance: model.answers(features) }))
    .sort((one, other) => other.chance - one.chance)[0];
}

function rounded(value: number): number {
  return Math.round(value * 1e3) / 1e3;
}

function learnArticle(measured: readonly Measured[]): MessageWeights['article'] {
  const pairs = measured
    .filter(({ turn }) => turn.kind === 'article' && (turn.articles?.length ?? 0) > 0)
    .flatMap(({ turn, isWritten, candidates }) =>
      candidates.map(({ articleId, features }) => ({
        features,
        label: isNamed(turn, articleId) ? 1 : 0,
        weight: isWritten ? WRITTEN_WEIGHT : 1,
      })),
    );
  const { bias, weights } = regression(pairs, 2, ARTICLE_TRAINING);
  return {
    bias: rounded((bias[1] ?? 0) - (bias[0] ?? 0)),
    weights: Object.fromEntries(weights.map(([name, [no = 0, yes = 0]]) => [name, rounded(yes - no)])),
  };
}

function regression(
  examples: readonly {
    readonly features: MessageFeatures;
    readonly label: number;
    readonly weight: number;
  }[],
  classes: number,
  training: Omit<TrainOptions, 'classes' | 'features'> = TRAINING,
) {
  const seen = new Map<string, number>();
  for (const { features } of examples)
    for (const [name, value] of Object.entries(features))
      if (value !== 0) seen.set(name, (seen.get(name) ?? 0) + 1);
  const names = [...seen]
    .filter(([, count]) => count >= LEAST_SEEN)
    .map(([name]) => name)
    .sort();
  const numbers = new Map(names.map((name, at) => [name, at]));
  const vectors = examples.map(({ features, label, weight }): TrainingExample => {
    const known = Object.entries(features).filter(([name, value]) => numbers.has(name) && value !== 0);
    return {
      vector: {
        indices: known.map(([name]) => numbers.get(name) ?? 0),
        values: known.map(([, value]) => value),
      },
      label,
      weight,
    };
  });
  const trained = trainSoftmax(vectors, { ...training, classes, features: names.length });
  const row = (at: number): readonly number[] => [...trained.weights.slice(at * classes, (at + 1) * classes)];
  return {
    bias: [...trained.bias],
    weights: names.map((name, at): [string, readonly number[]] => [name, row(at)]),
  };
}

/** True where a label names the article, in whatever language. */
function isNamed({ articles = [] }: LabelledTurn, articleId: string): boolean {
  return articles.some((id) => articleId === id || articleId.startsWith(`${id}-`));
}

/** Reports the accuracy on the held-back messages that were written to the hub. */
function report(measured: readonly Measured[], say: (line: string) => void): void {
  let [kinds, sure, sureRight, asked, found] = [0, 0, 0, 0, 0];
  const said = measured.filter(({ isWritten }) => !isWritten);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const isIn = ({ conversation, isWritten }: Measured): boolean =>
      !isWritten && conversation % FOLDS === fold;
    const model = createMessageModel(learn(measured.filter((one) => !isIn(one))));
    for (const { turn, features, candidates } of measured.filter(isIn)) {
      const best = bestOf(model, candidates);
      const { kind, chance } = model.kindOf(withBest(features, best?.chance ?? 0));
      if (kind === turn.kind) kinds += 1;
      if (chance >= 0.6) [sure, sureRight] = [sure + 1, sureRight + (kind === turn.kind ? 1 : 0)];
      if (turn.kind !== 'article' || !turn.articles) continue;
      asked += 1;
      if (best && isNamed(turn, best.articleId)) found += 1;
    }
  }
  const share = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
  say(
    `held back: kind right ${share(kinds, said.length)}, where sure by 0.6 ${share(sureRight, sure)} of ${share(sure, said.length)}`,
  );
  say(`held back: article right ${share(found, asked)} of ${asked}`);
}

/** Writes the weights where the hub reads them. */
export function writeMessageWeights(weights: MessageWeights): void {
  writeFileSync(new URL('../../data/nlu/messages.json', import.meta.url), `${JSON.stringify(weights)}\n`);
}
