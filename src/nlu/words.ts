import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { languageAmong, primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';

/** What the engine knows of the languages: a folder each, so that a language is added by files alone. */
const WORDS = fileURLToPath(new URL('./words/', import.meta.url));

/**
 * What stands in each file, and what each schema made of it, kept for the process: the files are the program's own, a dozen
 * readers look into the same one, and every App builds its own readers. Nobody changes it.
 */
const contents = new Map<string, unknown>();
const shapes = new WeakMap<z.ZodType, Map<string, unknown>>();
let languages: readonly Language[] | undefined;

/** The languages that the engine reads, as their folders are called. */
export function readLanguages(): readonly Language[] {
  languages ??= readdirSync(WORDS).sort();
  return languages;
}

/** Names of the files that English has and this language does not: each is needed, since nobody reads one for another. */
export function lackingWords(language: Language): readonly string[] {
  const folder = `${WORDS}${languageAmong(language, readLanguages()) ?? language}`;
  const own = existsSync(folder) ? readdirSync(folder) : [];
  return readdirSync(`${WORDS}en`).filter((name) => !own.includes(name));
}

/**
 * Reads one of the files of a language.
 * @param name without its ending
 * @throws HubError `config_invalid` where it is missing or wrong, naming the file and what is wrong
 */
export function readWords<Shape>(language: Language, name: string, schema: z.ZodType<Shape>): Shape {
  const file = `${WORDS}${languageAmong(language, readLanguages()) ?? language}/${name}.yaml`;
  const shaped = shapes.get(schema) ?? new Map<string, unknown>();
  if (shaped.has(file)) return shaped.get(file) as Shape;
  const known = contents.has(file);
  if (!known && !existsSync(file))
    throw new HubError('config_invalid', `The engine has no words of ${language}: ${file} is missing`, {
      file,
      language,
    });
  if (!known) contents.set(file, parse(readFileSync(file, 'utf8')));
  const parsed = schema.safeParse(contents.get(file));
  if (parsed.success) {
    shapes.set(schema, shaped.set(file, parsed.data));
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const message = `${file} is wrong at ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? ''}`;
  throw new HubError('config_invalid', message, { file, language });
}

/** A pattern, given as the source of a regular expression over Unicode text. */
export const pattern = z.string().refine((source) => {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}, 'must be a regular expression');

const marksSchema = z.strictObject({
  words: z.string(),
  marks: pattern.optional(),
  attached: z
    .strictObject({
      pronouns: pattern,
      changed: z.array(z.tuple([z.string(), z.string()])),
      infinitives: z.array(z.string()),
    })
    .optional(),
  neighbours: z.array(z.string()).default([]),
  joints: z.array(z.string().regex(/^[\p{L} ]+$/u)).min(1),
  manner: z.array(pattern).min(1),
});

/** The forms that a verb may be of, its own first, and the pronoun at its end; null where it has none. */
export type AttachedReader = (
  word: string,
) => { readonly verbs: readonly string[]; readonly pronoun: string } | null;

/** What tells a language from the others. */
interface LanguageMarks {
  readonly language: Language;
  /** ISO 639-1. */
  readonly primary: string;
  /** Function words and short answers, folded. */
  readonly words: ReadonlySet<string>;
  /** Letters and endings that only this language writes; null where it has none. */
  readonly marks: RegExp | null;
  /** Takes the pronoun off a verb, folded; null where none is written at its end. */
  readonly attached: AttachedReader | null;
  /** Languages that a few words of this one are easily taken for. */
  readonly neighbours: readonly string[];
  /** Words that join one thing that happened to the next. */
  readonly joints: readonly string[];
  /** Asks how to do what was said before: the whole of a question, folded. */
  readonly manner: RegExp;
}

/** @throws HubError `config_invalid` where the engine does not know the language */
export function readMarks(language: Language): LanguageMarks {
  const { words, marks, attached, neighbours, joints, manner } = readWords(language, 'language', marksSchema);
  return {
    language,
    primary: primaryOf(language),
    words: new Set(words.split(/\s+/)),
    marks: marks === undefined ? null : new RegExp(marks, 'giu'),
    attached: attached === undefined ? null : attachedReader(attached),
    neighbours,
    joints,
    manner: new RegExp(`^(?:${manner.join('|')})$`),
  };
}

/** What a verb form ends in, beside its stem. */
const FORM = /(?:a|e|an|en)$/;

function attachedReader({
  pronouns,
  changed,
  infinitives,
}: NonNullable<z.infer<typeof marksSchema>['attached']>): AttachedReader {
  const ending = new RegExp(`^(\\p{L}{3,}?)(${pronouns})$`, 'u');
  return (word) => {
    const [, verb, pronoun] = ending.exec(word) ?? [];
    if (verb === undefined || pronoun === undefined) return null;
    const stem = verb.replace(FORM, '');
    const stems = [stem, ...changed.map(([said, written]) => stem.replace(said, written))];
    const whole = stems.flatMap((one) => infinitives.map((end) => `${one}${end}`));
    return { verbs: [verb, ...whole], pronoun };
  };
}

const fillersSchema = z.object({ fillers: z.array(z.string()) });

/** Words that may stand in any sentence and change nothing in it. @throws HubError `config_invalid` where the engine does not know the language */
export function readFillers(language: Language): readonly string[] {
  return readWords(language, 'dialogue', fillersSchema).fillers;
}
