import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ATTRIBUTE_KINDS, type EntityAttribute, type EntityWords } from '../core/domain/entity.js';
import { LANGUAGE_TAG } from '../core/domain/language.js';
import type { Language, Translated } from '../core/domain/taxonomy.js';
import { type RecordsSpec, recordsSchema, translated } from './declared/schemas.js';
import { NAME, readYaml, wrongAt } from './yaml-file.js';

const WHAT = 'entity';

const word = z.string().regex(/^[a-z][a-z' -]{0,39}$/, 'must be lower case, without accents');
const words = z.array(word);
const tag = z.string().regex(LANGUAGE_TAG, 'must be a language tag such as pt-BR');
const byLanguage = z.record(tag, words);
const pattern = z
  .string()
  .max(400)
  .superRefine((source, { addIssue }) => {
    const fault = patternFault(source);
    if (fault) addIssue({ code: 'custom', message: fault });
  });
/** Classes of words, with `-` before one that must not be there and `?` after one that may be. */
const RULE = /^-?[a-z_]+\??(?: -?[a-z_]+\??)*$/;
const prefix = z.string().regex(/^[a-z]{1,12}$/, 'must be lower case letters');

/** The shape of a file in `entities/`. */
export const entitySchema = z.strictObject({
  /** How a customer's are read, where YAML says it. */
  records: recordsSchema.optional(),
  id: z.string().regex(NAME, 'must be lower case with underscores'),
  /** What its records are called together, where `records` does not say it. */
  label: translated.optional(),
  nouns: z.record(tag, words.min(1)),
  also: byLanguage.default({}),
  kinds: byLanguage.default({}),
  parts: z.record(z.string().regex(NAME), byLanguage).default({}),
  single: z.boolean().default(false),
  ids: z
    .strictObject({
      prefixes: z.tuple([prefix], prefix),
      letter: z
        .string()
        .regex(/^[a-z]$/)
        .nullable()
        .default(null),
      digits: z.int().min(1).max(9),
    })
    .nullable()
    .default(null),
  /** Regular expressions, like what is asked below. */
  said: z.record(z.string().regex(NAME), z.record(tag, z.array(pattern))).default({}),
  /** What is spoken of in questions about the customer's own, and the questions as classes of words: see EntityWords. */
  topics: z.record(z.string().regex(NAME), z.record(tag, z.array(pattern))).default({}),
  asks: z.record(z.string().regex(NAME), z.array(z.string().regex(RULE))).default({}),
  asks_person: z.array(z.string().regex(NAME)).default([]),
  asks_article: z.array(z.string().regex(NAME)).default([]),
  asks_named: z.array(z.string().regex(NAME)).default([]),
  asks_not: z.array(z.string().regex(NAME)).default([]),
  asks_on: z.array(z.string().regex(NAME)).default([]),
  titles: z
    .strictObject({
      same: z.array(words.min(2)).default([]),
      common: words.default([]),
      never: words.default([]),
    })
    .default({ same: [], common: [], never: [] }),
  places: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(60),
        also: words.default([]),
        in: z.record(tag, z.string().min(1).max(60)).default({}),
      }),
    )
    .default([]),
  attributes: z
    .array(
      z.strictObject({
        id: z.string().regex(NAME),
        of: z.string().regex(NAME),
        as: z.enum(ATTRIBUTE_KINDS),
        asked: z.record(tag, z.array(pattern)),
        told: z.array(pattern).default([]),
        told_only: z.boolean().default(false),
        facet: z.boolean().default(false),
        goes_on: z.record(tag, z.array(pattern)).default({}),
        only: z.string().regex(NAME).nullable().default(null),
        says: z.record(tag, z.string().min(1).max(400)).optional(),
      }),
    )
    .default([]),
  /** What it is for, and which of that one's attributes are asked about it too. */
  stands_for: z
    .strictObject({ entity: z.string().regex(NAME), attributes: z.array(z.string().regex(NAME)).min(1) })
    .optional(),
});

/** What is wrong with a pattern; null where it is good. */
function patternFault(source: string): string | null {
  try {
    new RegExp(source);
  } catch {
    return 'must be a regular expression';
  }
  // Messages are compared so: anything else would never be found in one.
  if (/[\p{Lu}]|[^\p{ASCII}]/u.test(source))
    return 'must be a regular expression over lower case without accents, as messages are compared: `situacao` for "Situação"';
  // Repeats of repeats could take for ever.
  if (/[*+]|\{\d+,\}/.test(source))
    return 'must be a regular expression without `*`, `+` and `{n,}`: write how many there may be, such as `.{0,20}` for `.*`';
  return null;
}

/**
 * Reads what customers call the records of a company; none where it has no folder `entities`.
 * @param folder absolute path of the company
 * @throws HubError `config_invalid` with one line that names the file, the key and what is wrong
 */
export function readEntities(folder: string): readonly EntityWords[] {
  const entities = join(folder, 'entities');
  if (!existsSync(entities)) return [];
  const files = readdirSync(entities)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const path = join(entities, file);
      const entity = readYaml(WHAT, path, entitySchema);
      if (`${entity.id}.yaml` !== file) throw wrongAt(WHAT, path, 'id', 'must be the name of the file');
      return { path, entity };
    });
  const own = new Map(files.map(({ entity }) => [entity.id, attributesOf(entity)]));
  return files.map(({ path, entity: { records, label = records?.label, stands_for: other, ...entity } }) => {
    const shared = (other?.attributes ?? []).map((id) => {
      const found = own.get(other?.entity ?? '')?.find((attribute) => attribute.id === id);
      if (found) return found;
      throw wrongAt(WHAT, path, 'stands_for', `there is no attribute ${id} of ${other?.entity}`);
    });
    return { ...entity, ...(label && { label }), attributes: [...(own.get(entity.id) ?? []), ...shared] };
  });
}

function attributesOf({ attributes }: z.infer<typeof entitySchema>): readonly EntityAttribute[] {
  return attributes.map(({ told_only: toldOnly, goes_on: goesOn, ...attribute }) => ({
    ...attribute,
    toldOnly,
    goesOn,
  }));
}

/** How a customer's records of an entity are read; null where no file says it. @throws HubError `config_invalid` */
export function readRecords(folder: string, entity: string): RecordsSpec | null {
  return readYaml(WHAT, join(folder, 'entities', `${entity}.yaml`), entitySchema).records ?? null;
}

/**
 * What the records of each entity are called together, in every language of the company: by its label, else by its first noun.
 * @param entities how each is spoken of
 */
export function entityNames(
  entities: readonly Pick<EntityWords, 'id' | 'label' | 'nouns'>[],
  languages: readonly Language[],
): Readonly<Record<string, Translated>> {
  const named = entities.map(({ id, label, nouns }) => {
    const nameIn = (language: Language): string => {
      const [noun = id.replaceAll('_', ' ')] = nouns[language] ?? [];
      return label?.[language] ?? noun.charAt(0).toUpperCase() + noun.slice(1);
    };
    return [id, Object.fromEntries(languages.map((one) => [one, nameIn(one)]))];
  });
  return Object.fromEntries(named);
}
