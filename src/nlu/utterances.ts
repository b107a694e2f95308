import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IntentTable } from '../core/domain/intent.js';
import { type IssueType, SENTIMENTS } from '../core/domain/taxonomy.js';

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

const ENGINE = new URL('../../data/nlu/', import.meta.url);

/**
 * Reads what is written for a company's intents in `utterances.LANGUAGE.jsonl` (ISO 639-1) beside its model, and the engine's words for
 * those of its own intents that the company writes nothing for. A row is `{text, intent}`; its issue type is the intent's,
 * its sentiment neutral, and it is learnt from, where the row says nothing else. A row without an intent teaches its mood alone.
 * @returns none where the company writes nothing in this language
 */
export function readUtterances(
  language: Utterance['language'],
  { intents, modelFile }: { readonly intents: IntentTable; readonly modelFile: string },
): readonly Utterance[] {
  const own = readLines(join(dirname(modelFile), `utterances.${language}.jsonl`), language, intents);
  if (own.length === 0) return [];
  const written = new Set(own.map(({ intent }) => intent));
  const engine = fileURLToPath(new URL(`engine-utterances.${language}.jsonl`, ENGINE));
  return [...own, ...readLines(engine, language, intents).filter(({ intent }) => !written.has(intent))];
}

function readLines(
  file: string,
  language: Utterance['language'],
  intents: IntentTable,
): readonly Utterance[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const row = JSON.parse(line) as Pick<Utterance, 'text'> & Partial<Utterance>;
    const intent = row.intent ?? null;
    const issueType = intent !== null && intents.has(intent) ? intents.of(intent).issueType : '';
    const foreign = intent === 'out_of_scope';
    return { issue_type: issueType, sentiment: 'neutral', split: 'train', foreign, ...row, intent, language };
  });
}

/** Heads of a model file, in this order. Intents, issue types and languages (ISO 639-1) are the company's. */
export function headsFor(
  intents: IntentTable,
  issueTypes: readonly IssueType[],
  languages: readonly string[],
): Readonly<Record<'intent' | 'issue_type' | 'sentiment' | 'language' | 'scope', readonly string[]>> {
  return {
    intent: intents.names,
    issue_type: issueTypes,
    sentiment: SENTIMENTS,
    language: languages,
    scope: ['own', 'foreign'],
  };
}
