import { readFileSync, writeFileSync } from 'node:fs';
import { type TrainingExample, trainSoftmax } from '../../core/softmax.js';
import { loadWordVectors } from '../analysis.js';
import {
  CLAUSE_ROLES,
  type ClauseJoints,
  type ClauseRole,
  type ClauseWeights,
  clauseFeatures,
  clausesIn,
  createClauseReader,
  readClauseJoints,
} from '../clause-roles.js';
import type { TrainingOptions } from '../train.js';
import type { WordVectors } from '../word-vectors.js';

/** A message by its clauses, each with its role. */
interface LabelledMessage {
  readonly clauses: readonly string[];
  readonly roles: readonly ClauseRole[];
}

const DATA = new URL('../../../data/nlu/', import.meta.url);
const ROLES: Readonly<Record<string, ClauseRole>> = { q: 'asked', n: 'needed', a: 'aside' };
const MARKED = /\{([qna]) ([^{}]*)\}/g;
/** Of so many messages one is held back to measure what was learned of the others; what ships learns of all. */
const FOLDS = 5;
/** A feature that fewer clauses have tells nothing of another. */
const LEAST_SEEN = 3;
const TRAINING = { epochs: 30, rate: 0.05, l2: 0.002, seed: 1, balance: 0.2 } as const;
/** Smaller weights change nothing. */
const LEAST_WEIGHT = 0.1;

/**
 * Learns what of a message asks and what is an aside, from data/nlu/clauses.tsv (a language and a message a line, of which each clause stands
 * in braces with its role), says how well, and writes data/nlu/clauses.json unless dry. Deterministic.
 */
export async function trainClauses({ dry, errors, say }: TrainingOptions): Promise<void> {
  const [joints, vectors] = [readClauseJoints(), await loadWordVectors()];
  const messages = readFileSync(new URL('clauses.tsv', DATA), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parse(joints, line.split('\t')[1] ?? ''));
  const counts = { clauses: 0, right: 0, cut: 0, asked: 0, needed: 0, left: 0, asides: 0 };
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const reader = createClauseReader(
      learn(
        vectors,
        messages.filter((_, at) => at % FOLDS !== fold),
      ),
      vectors,
    );
    for (const message of messages.filter((_, at) => at % FOLDS === fold))
      measure(reader, message, counts, errors ? say : null);
  }
  const share = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
  say(
    `${messages.length} messages, held back: ${share(counts.right, counts.clauses)} of ${counts.clauses} clauses right;`,
  );
  say(
    `of ${counts.cut} that were cut as asides ${counts.asked} asked and ${counts.needed} were needed; ${counts.left} of ${counts.asides} asides were left`,
  );
  if (!dry) writeFileSync(new URL('clauses.json', DATA), `${JSON.stringify(learn(vectors, messages))}\n`);
}

function measure(
  reader: ReturnType<typeof createClauseReader>,
  { clauses, roles }: LabelledMessage,
  counts: Record<'clauses' | 'right' | 'cut' | 'asked' | 'needed' | 'left' | 'asides', number>,
  say: ((line: string) => void) | null,
): void {
  const text = clauses.join('');
  const read = reader.rolesOf(clauses);
  const kept = reader.withoutAsides(text);
  for (const [at, role] of roles.entries()) {
    const chances = read[at]?.chances ?? [];
    const guess = CLAUSE_ROLES[chances.indexOf(Math.max(...chances))];
    const isCut = !kept.includes((clauses[at] ?? '').trim());
    counts.clauses += 1;
    if (guess === role) counts.right += 1;
    if (role === 'aside') counts.asides += 1;
    if (isCut) counts.cut += 1;
    if (isCut && role === 'asked') counts.asked += 1;
    if (isCut && role === 'needed') counts.needed += 1;
    if (!isCut && role === 'aside') counts.left += 1;
    if (isCut && role !== 'aside') say?.(`cut ${role}: ${clauses[at]} | ${text}`);
  }
}

/** @returns the clauses as they are cut when a message is read, each with the role of the part that it is of */
function parse(joints: ClauseJoints, marked: string): LabelledMessage {
  const clauses: string[] = [];
  const roles: ClauseRole[] = [];
  for (const [, role = '', part = ''] of marked.matchAll(MARKED)) {
    for (const clause of clausesIn(joints, part)) {
      clauses.push(clause);
      roles.push(ROLES[role] ?? 'needed');
    }
  }
  return { clauses, roles };
}

function learn(vectors: WordVectors, messages: readonly LabelledMessage[]): ClauseWeights {
  const read = messages.flatMap(({ clauses, roles }) =>
    roles.map((role, at) => ({
      features: clauseFeatures(vectors, clauses, at),
      label: CLAUSE_ROLES.indexOf(role),
    })),
  );
  const seen = new Map<string, number>();
  for (const { features } of read)
    for (const name of features.keys()) seen.set(name, (seen.get(name) ?? 0) + 1);
  const names = [...seen]
    .filter(([, count]) => count >= LEAST_SEEN)
    .map(([name]) => name)
    .sort();
  const numbers = new Map(names.map((name, at) => [name, at]));
  const examples = read.map(({ features, label }): TrainingExample => {
    const known = [...features].flatMap(([name, value]) => {
      const index = numbers.get(name);
      return index === undefined ? [] : [{ index, value }];
    });
    const vector = { indices: known.map(({ index }) => index), values: known.map(({ value }) => value) };
    return { vector, label, weight: 1 };
  });
  const classes = CLAUSE_ROLES.length;
  const trained = trainSoftmax(examples, { ...TRAINING, classes, features: names.length });
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  return {
    bias: [...trained.bias].map(rounded),
    weights: Object.fromEntries(
      names.flatMap((name, at) => {
        const row = [...trained.weights.slice(at * classes, (at + 1) * classes)].map(rounded);
        return row.some((weight) => Math.abs(weight) >= LEAST_WEIGHT) ? [[name, row]] : [];
      }),
    ),
  };
}
