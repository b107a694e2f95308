import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { SkillSubject } from '../../core/workbench.js';

const FILE = new URL('./scaffolds/keywords.yaml', import.meta.url);
const phrases = z.array(z.string()).min(1);
const schema = z.record(z.string(), z.strictObject({ named: phrases, records: phrases }));
const ENGLISH = 'en';

/**
 * What a new skill is found by: `late_parcel` is a late parcel, a parcel that is late, or late; and in each language of the company a
 * problem with a record that the skill looks at.
 * @param subject the company's, where the skill is one of its own
 */
export function keywordsOf(id: string, subject: SkillSubject | null): readonly string[] {
  const frames = schema.parse(parse(readFileSync(FILE, 'utf8')));
  const words = id.split('_').filter((word) => word !== '');
  const [first = id, ...others] = words;
  const rest = others.join(' ');
  const { named = [] } = frames[languageOf(words, subject)] ?? frames[ENGLISH] ?? {};
  const told = rest === '' ? [first] : named.map((frame) => filled(frame, { first, rest }));
  const asked = Object.entries(subject?.records?.noun ?? {}).flatMap(([tag, noun]) =>
    (frames[tag]?.records ?? []).map((frame) => filled(frame, { noun })),
  );
  return [...new Set([...told, ...asked])];
}

/** The language of an id: the one in which it names a record, or English where the company speaks it. */
function languageOf(words: readonly string[], subject: SkillSubject | null): string {
  const languages = subject?.languages ?? [ENGLISH];
  const naming = languages.find((tag) => words.includes(subject?.records?.noun[tag] ?? ''));
  return naming ?? (languages.includes(ENGLISH) ? ENGLISH : (languages[0] ?? ENGLISH));
}

const filled = (frame: string, values: Readonly<Record<string, string>>): string =>
  frame.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '');
