import { LIST_LINE, TABLE_LINE } from './parts.js';

/** The least of an article that can answer by itself: a sentence, an item of a list with all its sentences, a row of a table. */
export interface Unit {
  readonly text: string;
  /** Place in the article, from 0. */
  readonly at: number;
  /** Number of the paragraph, list or table that it stands in. */
  readonly block: number;
  readonly kind: 'sentence' | 'step' | 'item' | 'row';
  /** True for the sentence that a list or table follows. */
  readonly leads: boolean;
}

const STEP = /^\s*\d{1,2}[.)]\s/u;
/** A sentence ends before a capital letter: "approx. 5 days" is one. */
const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}"“¿¡])/u;

/** Splits a content into its units, in order. */
export function unitsOf(content: string): readonly Unit[] {
  const units: { text: string; block: number; kind: Unit['kind'] }[] = [];
  let block = 0;
  let running: string[] = [];
  const flush = (): void => {
    for (const text of running.join(' ').split(SENTENCE_END)) units.push({ text, block, kind: 'sentence' });
    running = [];
  };
  let isOpen = false;
  for (const raw of content.split(/\r?\n/u)) {
    const line = raw.replace(/\s+/gu, ' ').trim();
    const kind = kindOf(line);
    const last = units.at(-1);
    if (line === '') {
      if (running.length > 0) flush();
      isOpen = false;
    } else if (kind !== 'sentence') {
      if (running.length > 0) flush();
      // Items that blank lines set apart are one list.
      if (units.at(-1)?.kind !== kind) block += 1;
      units.push({ text: line, block, kind });
      isOpen = true;
    } else if (isOpen && last && running.length === 0 && last.kind !== 'sentence' && /^\s{2,}/u.test(raw)) {
      last.text += ` ${line}`;
    } else {
      if (running.length === 0) block += 1;
      // A line that does not end a sentence goes on in the next one; a heading does not.
      else if (!/^\p{Ll}/u.test(line)) flush();
      running.push(line);
      isOpen = true;
    }
  }
  if (running.length > 0) flush();
  return units.map((unit, at) => {
    const next = units[at + 1];
    const leads = unit.kind === 'sentence' && next !== undefined && next.kind !== 'sentence';
    return { ...unit, at, leads };
  });
}

function kindOf(line: string): Unit['kind'] {
  if (STEP.test(line)) return 'step';
  if (LIST_LINE.test(line)) return 'item';
  return TABLE_LINE.test(line) ? 'row' : 'sentence';
}
