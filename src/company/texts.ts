import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IntlMessageFormat } from 'intl-messageformat';
import type { CompanyProfile } from '../core/domain/company.js';
import { inLanguage, languageName } from '../core/domain/language.js';
import type { Language, Translated } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import {
  ENGINE_TEXTS,
  formatMoney,
  type Sentences,
  STANDING_VALUES,
  TEXT_FAMILIES,
  type Texts,
  type TextValues,
} from '../core/i18n/index.js';
import {
  compileMessage,
  declaredIn,
  declaredSentences,
  messageValues,
  readMessage,
} from './declared/sentences.js';
import { parseYaml } from './yaml-text.js';

/** The engine's own sentences: what every company says until it has words of its own. */
const ENGINE_FOLDER = fileURLToPath(new URL('./texts', import.meta.url));

/** The languages in which the engine's own sentences are there. */
export function engineLanguages(): readonly Language[] {
  return readdirSync(ENGINE_FOLDER).sort();
}

/** True where the engine's own sentences are there in a language. */
export function hasEngineTexts(language: Language): boolean {
  return existsSync(join(ENGINE_FOLDER, language));
}

/** A sentence as it is in a file. */
interface Source {
  readonly file: string;
  readonly text: string;
}

type Sources = ReadonlyMap<string, Source>;

/** What is wrong with a text file. */
export interface TextProblem {
  /** The file, or the folder of the language where no file has the sentence. */
  readonly file: string;
  readonly key: string;
  readonly language: string;
  /** What is missing or wrong, as a part of a sentence. */
  readonly problem: string;
}

/** Where the sentences of a company stand. */
export interface TextFolders {
  /** The company's folder. */
  readonly folder: string;
  readonly languages: readonly string[];
}

type Speaker = Pick<CompanyProfile, 'name' | 'timeZoneName' | 'currency' | 'languages'>;

/** The sentences of a company's files. */
export interface CompanyTexts extends Texts {
  /**
   * The same with what tools bring along, by key; where a file has the key too, the file's is said.
   * @param able whether the hub looks at customers' accounts, and changes something, so that it says so
   * @throws HubError `config_invalid` where one of them lacks a language of the company
   */
  with(brought: Brought, able?: TextValues): CompanyTexts;
}

/** Sentences that stand with the tool that says them, by key (`NAME.PART`). */
type Brought = ReadonlyMap<string, Translated>;

const ABLE: TextValues = { accounts: true, changes: true };

/**
 * Reads the sentences of the engine and of a company; each is compiled when it is first said.
 * @param folder the company's
 * @throws HubError `config_invalid` where a file cannot be read or a language lacks a sentence, naming the first
 */
export function loadTexts(folder: string, profile: Speaker): CompanyTexts {
  const { languages } = profile;
  // What the engine does not say yet in a language it says in English; `checkTexts` names it.
  const english = readFolder(join(ENGINE_FOLDER, 'en'));
  const sources = [...readAll({ folder, languages })];
  const whole = sources.map(([tag, texts]) => [tag, new Map([...english, ...texts])] as const);
  return companyTexts(folder, profile, new Map(whole));
}

function companyTexts(
  folder: string,
  profile: Speaker,
  sources: ReadonlyMap<string, Sources>,
  able = ABLE,
): CompanyTexts {
  const { languages } = profile;
  const [missing] = missingKeys(folder, sources);
  if (missing) {
    const { file, key, language, problem } = missing;
    throw new HubError('config_invalid', `${file}: ${key} ${problem}`, { file, key, language });
  }
  const made = new Map<string, Sentences>();
  return {
    languages,
    for(language) {
      const known = sources.has(language) ? language : languages[0];
      const found = made.get(known ?? '');
      if (found) return found;
      const texts = known && sources.get(known);
      if (!texts) throw new HubError('config_invalid', `The company speaks no ${language}.`, { language });
      const sentences = speak(known, texts, profile, able);
      made.set(known, sentences);
      return sentences;
    },
    with: (brought, now = able) => companyTexts(folder, profile, withBrought(sources, brought), now),
  };
}

/** The sentences of files beside those that come with tools. */
function withBrought(sources: ReadonlyMap<string, Sources>, brought: Brought) {
  return new Map(
    [...sources].map(([language, texts]) => {
      const own = [...brought].flatMap(([key, { [language]: text }]) =>
        text === undefined ? [] : [[key, { file: `the definition of ${key}`, text }] as const],
      );
      return [language, new Map([...own, ...texts])] as const;
    }),
  );
}

/**
 * Holds every sentence of every language against what it must be: there, an ICU message, and filled with what is known
 * where it is said. A company's own sentences are held against each other, language by language.
 * @param brought what its tools say beside the files
 * @throws HubError `config_invalid` where a file is no YAML
 */
export function checkTexts(folders: TextFolders, brought: Brought = new Map()): readonly TextProblem[] {
  const sources = withBrought(readAll(folders), brought);
  const problems = [...missingKeys(folders.folder, sources)];
  const names = new Map<string, ReadonlySet<string>>();
  for (const [language, texts] of sources) {
    for (const [key, { file, text }] of texts) {
      const wrong = (problem: string) => problems.push({ file, key, language, problem });
      let used: readonly string[];
      try {
        const { names: all, choosesByTrue } = readMessage(text, language);
        used = all.filter((name) => !STANDING_VALUES.includes(name));
        if (choosesByTrue) wrong('chooses by true or false, which are written yes and no in a select');
      } catch (error) {
        wrong(`is no ICU message: ${error instanceof Error ? error.message : String(error)}`);
        continue;
      }
      const given = valuesOf(key);
      for (const name of used)
        if (given && !given.includes(name)) wrong(`is filled with {${name}}, which it is not given`);
      if (given) continue;
      const before = names.get(key);
      if (!before) names.set(key, new Set(used));
      else if (before.size !== used.length || used.some((name) => !before.has(name)))
        wrong(`is filled with ${listed(used)}, and in another language with ${listed([...before])}`);
    }
  }
  return problems;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.map((name) => `{${name}}`).join(', ');
}

/** True of a sentence of the engine's own. */
export function isEngineText(key: string): boolean {
  return valuesOf(key) !== undefined;
}

/** What a sentence of the engine is given; undefined for the company's own. */
function valuesOf(key: string): readonly string[] | undefined {
  if (Object.hasOwn(ENGINE_TEXTS, key)) return ENGINE_TEXTS[key as keyof typeof ENGINE_TEXTS];
  return TEXT_FAMILIES.some((family) => key.startsWith(`${family}.`)) ? [] : undefined;
}

/**
 * The sentences in the text files of a company in YAML that are of no name that anything says, and the names that there are.
 * @throws HubError `config_invalid` where a file is no YAML
 */
export function unsaidTexts({ folder, languages }: TextFolders) {
  const declared = [...declaredSentences(folder, languages).values()].flatMap((texts) => [...texts.keys()]);
  const said = new Set([...Object.keys(ENGINE_TEXTS), ...declared]);
  const unsaid = languages.flatMap((language) =>
    [...readFolder(join(folder, 'texts', language))].flatMap(([key, { file }]) =>
      said.has(key) || isEngineText(key) ? [] : [{ file, key }],
    ),
  );
  return { unsaid, said: [...said] };
}

/** What a language lacks that the engine says, or that the company says in another one. */
function missingKeys(folder: string, sources: ReadonlyMap<string, Sources>): readonly TextProblem[] {
  const all = new Set<string>(Object.keys(ENGINE_TEXTS));
  for (const texts of sources.values()) for (const key of texts.keys()) all.add(key);
  return [...sources].flatMap(([language, texts]) =>
    [...all]
      .filter((key) => !texts.has(key))
      .map((key) => ({
        file:
          declaredIn(
            folder,
            [...sources.values()].flatMap((texts) => texts.get(key)?.file ?? []),
          ) ?? join(folder, 'texts', language),
        key,
        language,
        problem: 'is missing',
      })),
  );
}

function readAll({ folder, languages }: TextFolders): ReadonlyMap<string, Sources> {
  return new Map(
    [...declaredSentences(folder, languages)].map(([language, declared]) => {
      const own = readFolder(join(folder, 'texts', language));
      const engine = readFolder(join(ENGINE_FOLDER, language));
      return [language, new Map([...engine, ...declared, ...own])];
    }),
  );
}

/** A folder that is not there has no sentences. @throws HubError `config_invalid` */
function readFolder(folder: string): Sources {
  const texts = new Map<string, Source>();
  if (!existsSync(folder)) return texts;
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  for (const name of names.sort()) {
    const file = join(folder, name);
    for (const [key, text] of flatten(readYaml(file), file)) {
      const twice = texts.get(key);
      if (twice)
        throw new HubError('config_invalid', `${file}: ${key} stands in ${twice.file} too`, { file, key });
      texts.set(key, { file, text });
    }
  }
  return texts;
}

function readYaml(file: string): unknown {
  try {
    return parseYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new HubError('config_invalid', `The text file ${file} cannot be read: ${reason}`, { file });
  }
}

/** Sections become the first part of a key: `refusal.not_found`. */
function flatten(value: unknown, file: string, key = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, inner]) =>
      flatten(inner, file, key === '' ? name : `${key}.${name}`),
    );
  throw new HubError('config_invalid', `${file}: ${key || 'the file'} must be a text or a section of texts`, {
    file,
    key,
  });
}

function speak(language: Language, sources: Sources, profile: Speaker, able: TextValues): Sentences {
  const compiled = new Map<string, IntlMessageFormat>();
  const lists = new Intl.ListFormat(language, { type: 'conjunction' });
  const standing: TextValues = {
    company: profile.name,
    time_zone_name: inLanguage(profile.timeZoneName, language) ?? '',
    languages: lists.format(profile.languages.map((one) => languageName(one, language))),
    language_name: languageName(language, language),
    ...able,
  };
  const fill = (key: string, values: TextValues): string => {
    const source = sources.get(key);
    if (!source)
      throw new HubError('config_invalid', `There is no text ${key} in ${language}.`, { key, language });
    const message = compiled.get(key) ?? compileMessage(source.text, language);
    compiled.set(key, message);
    return String(message.format(messageValues({ ...standing, ...values })));
  };
  return {
    language,
    say: (key, ...[values]) => fill(key, values ?? {}),
    sayOf(family, member) {
      const key = [`${family}.${member}`, `${family}.other`].find((one) => sources.has(one));
      return key === undefined ? '' : fill(key, {});
    },
    sayOwn: (key, values = {}) => fill(key, values),
    money: (minorUnits) => formatMoney(minorUnits, language, profile.currency),
    list: (items) => lists.format(items),
  };
}
