import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { markdownArticle } from '../../core/article-markdown.js';
import type { EntityWords } from '../../core/domain/entity.js';
import { languageAmong, primaryOf } from '../../core/domain/language.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import { NAME, readYaml } from '../yaml-file.js';
import { recordsSchema } from './schemas.js';

/** What customers want of a declared company without its saying so: to see records, to make a change, to look something up. */
interface DerivedIntent {
  readonly name: string;
  readonly group: 'knowledge' | 'account' | 'action';
  /** Null for the type that fits no other. */
  readonly issue_type: string | null;
  readonly route: string;
  readonly needs_sign_in: boolean;
  readonly tool: string | null;
  readonly entity: string | null;
  readonly byRule?: boolean;
}

/** A sentence that teaches an intent. */
export interface DerivedSentence {
  readonly text: string;
  readonly intent: string;
  readonly language: Language;
}

interface Derived {
  readonly intents: readonly DerivedIntent[];
  readonly sentences: readonly DerivedSentence[];
}

const frames = z.record(
  z.string(),
  z.strictObject({
    /** How the form that a request has ends, by the ending of the verb. */
    imperative: z.array(z.tuple([z.string(), z.string()])),
    kinds: z.array(z.string()),
    named: z.array(z.string()),
    records: z.array(z.string()),
    actions: z.array(z.string()),
    targets: z.array(z.string()),
    lookups: z.array(z.string()),
    articles: z.array(z.string()),
  }),
);
const FRAMES = fileURLToPath(new URL('../../../data/nlu/frames.yaml', import.meta.url));

/** Only what is needed here; the whole is checked where the tools are made. */
const entity = z.looseObject({
  records: z
    .looseObject({
      tool: recordsSchema.shape.tool,
      agents: recordsSchema.shape.agents,
      read: z.looseObject({ public: z.boolean().default(false) }).prefault({}),
    })
    .optional(),
});
const tool = z.looseObject({
  name: z.string().regex(NAME),
  label: z.record(z.string(), z.string()).default({}),
  agents: z.array(z.string()).optional(),
  access: z.string().default('customer'),
  issue_type: z.string().optional(),
  input: z.record(z.string(), z.looseObject({ entity: z.string().optional() })).default({}),
  target: z.looseObject({ input: z.string() }).optional(),
  says: z.record(z.string(), z.record(z.string(), z.string())).default({}),
});

/** Name of the intent of questions that articles answer, where a company declares no other. */
const ASK = 'ask_company';

/** The engine's tool for what should hold from now on, and the intent that follows from it: a few sentences would blur the company's own. */
const WISH = 'record_customer_preference';

/**
 * What follows from the entities, reads, actions and articles of a company in YAML. Where the company declares one intent of
 * a tool itself, the sentences that follow from the tool teach that one; where it declares several, only it can tell them apart.
 * @param own the intents of a tool that the company declares, and whether it declares one of a group
 */
export function derivedFrom(
  folder: string,
  languages: readonly Language[],
  entities: readonly EntityWords[],
  own: { intentsOf(tool: string): readonly string[]; hasGroup(name: string): boolean },
): Derived {
  const byLanguage = readYaml('frames', FRAMES, frames);
  const intents: DerivedIntent[] = [];
  const sentences: DerivedSentence[] = [];
  /** Adds what is wanted by a tool, if the company does not. @returns the intent that its sentences teach */
  const wanted = (intent: DerivedIntent): string | null => {
    const [declared = null, ...others] = own.intentsOf(intent.name);
    if (declared === null) intents.push(intent);
    return others.length > 0 ? null : (declared ?? intent.name);
  };
  const teach = (
    intent: string,
    kind: Exclude<keyof (typeof byLanguage)[string], 'imperative'>,
    fills: (language: Language) => readonly Readonly<Record<string, string>>[],
  ): void => {
    for (const language of languages)
      for (const frame of byLanguage[primaryOf(language)]?.[kind] ?? [])
        for (const fill of fills(language)) {
          const text = frame.replaceAll(/\{(\w+)\}/g, (_mark, name: string) => fill[name] ?? '');
          if (text.trim() !== '') sentences.push({ text, intent, language });
        }
  };
  for (const { id, nouns, also, kinds } of entities) {
    const { records } = readYaml('entity', join(folder, 'entities', `${id}.yaml`), entity);
    if (!records) continue;
    const listing = account(records.tool ?? `list_${id}`, records.agents[0] ?? 'account');
    const forAll = { group: 'knowledge', route: 'knowledge', needs_sign_in: false } as const;
    const name = wanted({ ...listing, entity: id, ...(records.read.public ? forAll : {}) });
    if (name === null) continue;
    teach(name, 'records', (language) =>
      [...(nouns[language] ?? []), ...(also[language] ?? [])].map((noun) => ({ noun })),
    );
    teach(name, 'kinds', (language) => (kinds[language] ?? []).map((kind) => ({ kind })));
  }
  for (const spec of toolsIn(folder, 'reads')) {
    const name = wanted({
      ...account(spec.name, spec.agents?.[0] ?? (spec.access === 'anyone' ? 'knowledge' : 'account')),
      needs_sign_in: spec.access === 'customer',
    });
    if (name === null) continue;
    teach(name, 'lookups', (language) => lowered(spec.label[language]).map((title) => ({ title })));
  }
  for (const spec of toolsIn(folder, 'actions')) {
    const name = wanted({
      ...account(spec.name, spec.agents?.[0] ?? 'action'),
      group: 'action',
      issue_type: spec.issue_type ?? null,
      entity: spec.input[spec.target?.input ?? '']?.entity ?? null,
    });
    if (name === null) continue;
    const words = entities.find(({ id }) => id === spec.input[spec.target?.input ?? '']?.entity);
    const asked = (language: Language) => [
      ...lowered(spec.says.request?.[language]),
      ...lowered(spec.label[language]),
    ];
    teach(name, 'actions', (language) => asked(language).map((request) => ({ request })));
    const verbs = (language: Language) => {
      const bare = asked(language).flatMap((request) => verbOf(request, words?.nouns[language] ?? []));
      const endings = byLanguage[primaryOf(language)]?.imperative ?? [];
      return [...new Set(bare.flatMap((verb) => [verb, ...imperativesOf(verb, endings)]))];
    };
    teach(name, 'targets', (language) => verbs(language).map((verb) => ({ verb })));
    teach(name, 'named', (language) =>
      verbs(language).flatMap((verb) => (words?.kinds[language] ?? []).map((kind) => ({ verb, kind }))),
    );
  }
  wanted({ ...account(WISH, 'action'), group: 'action', byRule: true });
  if (!own.hasGroup('knowledge')) {
    intents.push({ ...account(ASK, 'knowledge'), group: 'knowledge', tool: null, needs_sign_in: false });
    const articles = articlesIn(folder, languages);
    teach(ASK, 'articles', (language) =>
      articles.flatMap(({ title, language: own }) => (own === language ? [{ title }] : [])),
    );
    // What it says of its business is what it is asked about.
    for (const { sentences: said, language } of articles)
      for (const text of said) sentences.push({ text, intent: ASK, language });
  }
  return { intents, sentences };
}

function account(name: string, route: string): DerivedIntent {
  return { name, group: 'account', issue_type: null, route, needs_sign_in: true, tool: name, entity: null };
}

/** "Cancela" of "cancelar", "troca o endereço" of "trocar o endereço". */
function imperativesOf(verb: string, endings: readonly (readonly [string, string])[]): readonly string[] {
  const [first = '', ...rest] = verb.split(' ');
  return endings
    .filter(([ending]) => first.endsWith(ending))
    .map(([ending, form]) => [first.slice(0, -ending.length) + form, ...rest].join(' '));
}

/** "Cancel" of "cancel an order": what stands before the record, without its article. */
function verbOf(request: string, nouns: readonly string[]): readonly string[] {
  const at = nouns.map((noun) => request.search(new RegExp(`\\b${noun}`))).filter((index) => index > 0);
  const [verb = ''] = request.slice(0, Math.min(...at)).split(ARTICLE);
  return at.length === 0 || verb.trim() === '' ? [] : [verb.trim()];
}

const ARTICLE = / (?:an?|the|my|your|this|um|uma|o|os|as|meus?|minhas?|un|una|el|la|los|las|mis?|de) *$/;

function lowered(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text.charAt(0).toLowerCase() + text.slice(1)];
}

function toolsIn(folder: string, room: string) {
  const path = join(folder, room);
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
  return names.sort().map((name) => readYaml(room, join(path, name), tool));
}

/** Titles and first sentences of the articles: of very many, some from everywhere. */
function articlesIn(folder: string, languages: readonly Language[]) {
  const path = join(folder, 'articles');
  const names = existsSync(path) ? readdirSync(path).sort() : [];
  const lines = names.flatMap((name): readonly Readonly<Record<string, unknown>>[] => {
    if (name.endsWith('.md')) return [{ ...markdownArticle(readFileSync(join(path, name), 'utf8'), name) }];
    if (name !== 'knowledge.jsonl') return [];
    const rows = readFileSync(join(path, name), 'utf8').split('\n');
    return rows.filter((row) => row.trim() !== '').map((row) => parsedRow(row, join(path, name)));
  });
  const step = Math.max(1, lines.length / MOST_ARTICLES);
  const some = Array.from(
    { length: Math.min(lines.length, MOST_ARTICLES) },
    (_, at) => lines[Math.floor(at * step)],
  );
  return some.flatMap(({ title, content, language } = {}) => {
    const spoken = languageAmong(typeof language === 'string' ? language : 'en', languages);
    if (typeof title !== 'string' || !spoken) return [];
    return [{ title: title.toLowerCase(), language: spoken, sentences: sentencesOf(String(content ?? '')) }];
  });
}

/** @throws HubError `config_invalid` */
function parsedRow(row: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(row) as Readonly<Record<string, unknown>>;
  } catch {
    throw new HubError('config_invalid', `The file ${file} has a line that is no JSON.`, { file });
  }
}

const MOST_ARTICLES = 300;
const MOST_SENTENCES = 8;

function sentencesOf(content: string): readonly string[] {
  const prose = content.replaceAll(/^#.*$|[*_`>|]/gm, ' ').replaceAll(/\s+/g, ' ');
  return prose
    .split(/(?<=[.!?:]) /)
    .map((one) => one.trim())
    .filter((one) => one.length >= 20 && one.length <= 200)
    .slice(0, MOST_SENTENCES);
}
