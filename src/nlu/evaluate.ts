import { readFileSync } from 'node:fs';
import type { Nlu } from './nlu.js';
import { SURE_QUESTION } from './taught-questions.js';

/** A sentence with what it should be taken for. */
export interface LabelledText {
  readonly text: string;
  /** Null where only the mood and the language are known. */
  readonly intent: string | null;
  /** True where it is no matter of the company's. */
  readonly foreign: boolean;
  readonly issue_type: string;
  readonly sentiment: string;
  /** ISO 639-1 */
  readonly language: string;
}

/** How often the layer was right, and one line for each sentence whose intent or mood it got wrong. */
interface Evaluation {
  readonly right: Readonly<
    Record<'intent' | 'issue_type' | 'sentiment' | 'route' | 'language' | 'scope', number>
  >;
  readonly mistakes: readonly string[];
}

/** Runs triage over labelled sentences. The route counted is that of the intent, before any escalation. */
export function evaluate(nlu: Nlu, rows: readonly LabelledText[]): Evaluation {
  const right = { intent: 0, issue_type: 0, sentiment: 0, route: 0, language: 0, scope: 0 };
  const mistakes: string[] = [];
  for (const row of rows) {
    const guess = nlu.triage(row.text);
    const intent = guess.intent.intent;
    const wanted = row.intent;
    const route = wanted !== null && nlu.intents.has(wanted) ? nlu.intents.of(wanted).route : undefined;
    right.intent += Number(wanted === null || intent === wanted);
    right.issue_type += Number(wanted === null || guess.issueType === row.issue_type);
    right.scope += Number(guess.intent.outOfScope >= 0.5 === row.foreign);
    right.sentiment += Number(guess.sentiment === row.sentiment);
    right.route += Number(wanted === null || nlu.intents.of(intent).route === route);
    right.language += Number(guess.language.detected === row.language);
    const shown = row.text.slice(0, 110).replaceAll('\n', ' / ');
    if (wanted !== null && intent !== wanted)
      mistakes.push(`${wanted} -> ${intent} ${guess.confidence.toFixed(2)} | ${shown}`);
    if (guess.sentiment !== row.sentiment) mistakes.push(`${row.sentiment} -> ${guess.sentiment} | ${shown}`);
  }
  return { right, mistakes };
}

/** Reads labelled sentences from a file of JSON lines; what is out of scope is no matter of the company's. */
export function readLabelled(file: string | URL): LabelledText[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const row = JSON.parse(line) as Omit<LabelledText, 'intent' | 'foreign'> & Partial<LabelledText>;
    return { ...row, intent: row.intent ?? null, foreign: row.foreign ?? row.intent === 'out_of_scope' };
  });
}

/** How often a question about the customer's own records is told, and how often where it is believed; a line each. */
export function evaluateQuestions(
  nlu: Nlu,
  rows: readonly { readonly text: string; readonly question?: string; readonly language: string }[],
): readonly string[] {
  const told = rows.map(({ text, question, language }) => ({
    ...nlu.readQuestion(text),
    wanted: question,
    text,
    language,
  }));
  const share = (some: readonly unknown[], all: readonly unknown[]) =>
    `${((100 * some.length) / Math.max(1, all.length)).toFixed(1)} % of ${all.length}`;
  return [...new Set(rows.map(({ language }) => language))].map((language) => {
    const own = told.filter((one) => one.language === language);
    const right = own.filter(({ name, wanted }) => name === wanted);
    const sure = own.filter(({ chance = 0 }) => chance >= SURE_QUESTION);
    const surelyRight = sure.filter(({ name, wanted }) => name === wanted);
    return `${language} questions: right ${share(right, own)}; believed ${share(sure, own)}, right ${share(surelyRight, sure)}`;
  });
}
