import type { Nlu } from './nlu.js';

/** A sentence with what it should be taken for. */
export interface LabelledText {
  readonly text: string;
  readonly intent: string;
  readonly issue_type: string;
  readonly sentiment: string;
  /** ISO 639-1 */
  readonly language: string;
}

/** How often the layer was right, and one line for each sentence whose intent or mood it got wrong. */
export interface Evaluation {
  readonly right: Readonly<Record<'intent' | 'issue_type' | 'sentiment' | 'route' | 'language', number>>;
  readonly mistakes: readonly string[];
}

/** Runs triage over labelled sentences. The route counted is that of the intent, before any escalation. */
export function evaluate(nlu: Nlu, rows: readonly LabelledText[]): Evaluation {
  const right = { intent: 0, issue_type: 0, sentiment: 0, route: 0, language: 0 };
  const mistakes: string[] = [];
  for (const row of rows) {
    const guess = nlu.triage(row.text);
    const intent = guess.intent.intent;
    const route = nlu.intents.has(row.intent) ? nlu.intents.of(row.intent).route : undefined;
    right.intent += Number(intent === row.intent);
    right.issue_type += Number(guess.issueType === row.issue_type);
    right.sentiment += Number(guess.sentiment === row.sentiment);
    right.route += Number(nlu.intents.of(intent).route === route);
    right.language += Number(guess.language.detected === row.language);
    const shown = row.text.slice(0, 110).replaceAll('\n', ' / ');
    if (intent !== row.intent)
      mistakes.push(`${row.intent} -> ${intent} ${guess.confidence.toFixed(2)} | ${shown}`);
    if (guess.sentiment !== row.sentiment) mistakes.push(`${row.sentiment} -> ${guess.sentiment} | ${shown}`);
  }
  return { right, mistakes };
}
