import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IntentTable } from '../core/domain/intent.js';
import { primaryOf } from '../core/domain/language.js';
import { type IssueType, SENTIMENTS } from '../core/domain/taxonomy.js';
import { taughtNames } from './phrase-intents.js';

/** A sentence that the language model of a company learns from, or is measured by. */
export interface Utterance {
  text: string;
  /** Null where the sentence teaches its mood and language alone. */
  intent: string | null;
  /** True where it is about another trade (a flight, a parcel), whatever is wanted. */
  foreign: boolean;
  issue_type: string;
  sentiment: string;
  /** What is held back measures what was learnt. */
  split: 'train' | 'heldout';
  /** `grammar` where composed from parts; such rows are too alike to measure anything by. */
  source?: string;
  /** ISO 639-1. */
  language: string;
}

type Row = Pick<Utterance, 'text'> & Partial<Utterance>;

/** What a company gives to learn from. */
interface Written {
  readonly intents: IntentTable;
  readonly modelFile: string;
  /** Sentences that follow from what it declares elsewhere; `language` is a tag. */
  readonly sentences?: readonly {
    readonly text: string;
    readonly intent: string;
    readonly language: string;
  }[];
}

const ENGINE = fileURLToPath(new URL('../../data/nlu/', import.meta.url));

/**
 * Digest of all that the model of a company is learnt from: what it gives itself, and the sentences and word lists of the engine.
 * Another one means that its model is stale.
 * @param engine the folder of the engine's sentences
 */
export function contentOf(given: Written, languages: readonly string[], engine = ENGINE): string {
  const read = (folder: string, names: readonly string[]) =>
    names
      .map((name) => join(folder, name))
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'));
  const rows = languages.flatMap((language) => [
    language,
    ...read(dirname(given.modelFile), [`utterances.${language}.jsonl`, `questions.${language}.tsv`]),
    ...read(engine, [`engine-utterances.${language}.jsonl`, `signals.${language}.json`]),
  ]);
  const shared = read(engine, ['concepts.json', 'dressing.yaml']);
  return createHash('sha256')
    .update(JSON.stringify([taughtNames(given.intents), rows, given.sentences ?? [], shared]))
    .digest('hex');
}

/**
 * Reads what is written for a company's intents in `utterances.LANGUAGE.jsonl` (ISO 639-1) beside its model, and the engine's words for
 * those of its own intents of which this file says less than they: sentences in a company's YAML stand beside them. A row is `{text,
 * intent}`; its issue type is the intent's, its sentiment neutral, and it is learnt from, where the row says nothing else. A row
 * without an intent teaches its mood alone.
 * @returns none where the company writes nothing in this language
 */
export function readUtterances(
  language: Utterance['language'],
  { intents, modelFile, sentences = [] }: Written,
): readonly Utterance[] {
  const written = readLines(join(dirname(modelFile), `utterances.${language}.jsonl`), language, intents);
  const derived = sentences.filter((sentence) => primaryOf(sentence.language) === language);
  const own = [...written, ...derived.map(({ text, intent }) => rowOf({ text, intent }, language, intents))];
  if (own.length === 0) return [];
  const engine = readLines(join(ENGINE, `engine-utterances.${language}.jsonl`), language, intents);
  const countOf = (rows: readonly Utterance[], intent: string | null) =>
    rows.filter((row) => row.intent === intent).length;
  // A few of a company's own say less than the engine's, and stand beside them.
  const taught = new Set(
    [...new Set(written.map(({ intent }) => intent))].filter(
      (intent) => countOf(written, intent) >= countOf(engine, intent),
    ),
  );
  return [...own, ...engine.filter(({ intent }) => !taught.has(intent))];
}

function readLines(
  file: string,
  language: Utterance['language'],
  intents: IntentTable,
): readonly Utterance[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => rowOf(JSON.parse(line) as Row, language, intents));
}

function rowOf(row: Row, language: Utterance['language'], intents: IntentTable): Utterance {
  const intent = row.intent ?? null;
  const issueType = intent !== null && intents.has(intent) ? intents.of(intent).issueType : '';
  const foreign = intent === 'out_of_scope';
  return { issue_type: issueType, sentiment: 'neutral', split: 'train', foreign, ...row, intent, language };
}

/** Heads of a model file, in this order. Intents, issue types and languages (ISO 639-1) are the company's. */
export function headsFor(
  intents: IntentTable,
  issueTypes: readonly IssueType[],
  languages: readonly string[],
): Readonly<Record<'intent' | 'issue_type' | 'sentiment' | 'language' | 'scope', readonly string[]>> {
  return {
    intent: taughtNames(intents),
    issue_type: issueTypes,
    sentiment: SENTIMENTS,
    language: languages,
    scope: ['own', 'foreign'],
  };
}
