import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { seededRandom } from '../core/softmax.js';

const FILE = new URL('../../data/nlu/dressing.yaml', import.meta.url);
const phrases = z.array(z.string()).min(1);
const schema = z.record(z.string(), z.strictObject({ openings: phrases, closings: phrases }));

/** What people put before and after the matter itself, by language. */
export type Dressing = z.infer<typeof schema>;

/** Reads it from data/nlu/dressing.yaml. */
export function readDressing(): Dressing {
  return schema.parse(parse(readFileSync(FILE, 'utf8')));
}

/** Texts this short stand on their own; with an opening they would mean something else. */
const SHORTEST = 12;

/** The text with a slip in every fourth of its longer words: a letter left out, doubled, or changed places with the next. */
export function misspell(text: string, random: () => number): string {
  return text
    .split(' ')
    .map((word) => {
      if (word.length < 5 || random() > 0.25 || !/^\p{L}+$/u.test(word)) return word;
      const at = 1 + Math.floor(random() * (word.length - 3));
      const kind = random();
      const head = word.slice(0, at);
      if (kind < 0.35) return head + word.slice(at + 1);
      if (kind < 0.7) return head + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
      return head + (word[at] ?? '') + word.slice(at);
    })
    .join(' ');
}

/** Whose text is dressed, and in what. */
export interface Dressed {
  readonly language: string;
  readonly company: string;
  readonly dressing: Dressing;
}

/**
 * The text itself, and a copy that is misspelt and dressed as people dress their messages. Deterministic by `seed`.
 */
export function augment(text: string, seed: number, { language, company, dressing }: Dressed): string[] {
  const random = seededRandom(seed * 2654435761 + (language === 'en' ? 1 : 2));
  if (text.length < SHORTEST) return [text];
  const pick = (list: readonly string[] = []) => list[Math.floor(random() * list.length)] ?? '';
  const { openings, closings } = dressing[language] ?? {};
  const opening = pick(openings).replace('{{company}}', company);
  const dressed = `${opening}${misspell(text, random)}${random() < 0.5 ? pick(closings) : ''}`;
  return [text, dressed];
}
