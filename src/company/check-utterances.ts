import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import { didYouMean } from '../core/spelling.js';
import { type Company, loadCompany } from './company.js';
import { type companyIntentsSchema, engineIntents } from './intents.js';
import { type Finding, faultIn, isDeclared, readLines, warningIn } from './yaml-file.js';

/** The files of a company in YAML that stand beside its folders. */
const FILES = ['company.yaml', 'policy.yaml', 'sources.yaml', 'customers.yaml'] as const;
/** Its folders. */
const ROOMS = [
  'entities',
  'reads',
  'actions',
  'articles',
  'data',
  'intents',
  'texts',
  'eval',
  'skills',
  /** What is left to decide of what was imported. */
  'drafts',
] as const;
const isYaml = (name: string): boolean => /\.ya?ml$/i.test(name);

/**
 * Files and folders of a company in YAML that nothing reads, because of their name or place. What is no file of its kind, such
 * as a README or a program of a source, is left alone.
 * @param folder absolute path
 */
export function unreadFiles(folder: string, languages: readonly Language[]): readonly Finding[] {
  const unread = (path: string, remedy: string): Finding =>
    warningIn(join(folder, path), null, 'Nothing reads it.', remedy);
  const entriesOf = (room: string) => {
    const path = join(folder, room);
    return existsSync(path)
      ? readdirSync(path, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
      : [];
  };
  /** Entries of a room that are not as they must be called. */
  const others = (room: string, isRead: (name: string, isFolder: boolean) => boolean, remedy: string) =>
    entriesOf(room).flatMap((entry) =>
      isRead(entry.name, entry.isDirectory()) ? [] : [unread(join(room, entry.name), remedy)],
    );
  const yamlOnly = (room: string) =>
    others(
      room,
      (name, isFolder) => !isFolder && extname(name) === '.yaml',
      `Give it a name that ends in .yaml, in ${room}/ itself.`,
    );
  const spoken = languages.map((one) => `utterances.${primaryOf(one)}.jsonl`);
  return [
    ...entriesOf('.').flatMap((entry): readonly Finding[] => {
      const { name } = entry;
      if (entry.isDirectory())
        return ROOMS.some((room) => room === name) || name === 'node_modules'
          ? []
          : [unread(name, `Correct the name of the folder.${didYouMean(name, ROOMS)}`)];
      return !isYaml(name) || FILES.some((file) => file === name)
        ? []
        : [unread(name, `Correct the name of the file.${didYouMean(name, FILES)}`)];
    }),
    ...['entities', 'reads', 'actions'].flatMap(yamlOnly),
    ...others(
      'articles',
      (name, isFolder) => !isFolder && (name.endsWith('.md') || name === 'knowledge.jsonl'),
      'Articles are NAME.LANGUAGE.md or knowledge.jsonl, in articles/ itself.',
    ),
    ...others(
      'data',
      (name, isFolder) => isFolder && (name === 'tables' || name === 'seed'),
      'Scripts stand in data/tables/ and data/seed/.',
    ),
    ...['data/tables', 'data/seed'].flatMap((room) =>
      others(
        room,
        (name, isFolder) => !isFolder && name.endsWith('.sql'),
        'Give it a name that ends in .sql.',
      ),
    ),
    ...others(
      'texts',
      (name, isFolder) => isFolder && languages.includes(name),
      `Sentences stand in texts/LANGUAGE/, of ${languages.join(', ')}.`,
    ),
    ...others(
      'intents',
      (name) =>
        !(isYaml(name) && name !== 'intents.yaml') && !(/^utterances\./.test(name) && !spoken.includes(name)),
      `It reads intents.yaml, and sentences of ${spoken.join(', ')}.`,
    ),
  ];
}

const utterance = z.object({ text: z.string().min(1), intent: z.string().nullish() });

type TaughtIntent = Pick<z.infer<typeof companyIntentsSchema>['intents'][number], 'name' | 'sentences'>;

/** What customers of a company in YAML want, with what follows from its tools; null of one that cannot be read yet. */
export function understoodIn(folder: string): Company['nlu'] | null {
  if (!isDeclared(folder)) return null;
  try {
    return loadCompany(folder).nlu;
  } catch (error) {
    if (error instanceof HubError) return null;
    throw error;
  }
}

/**
 * Says which sentences of `intents/utterances.*.jsonl` are no row or of no intent, and which intents no sentence says.
 * @param understood with the intents that nobody has to declare; their names are not judged where they are not known
 */
export function checkUtterances(
  folder: string,
  languages: readonly Language[],
  intents: readonly TaughtIntent[],
  understood: Company['nlu'] | null,
) {
  const known = new Set([...intents, ...engineIntents()].map(({ name }) => name));
  const isKnown = (intent: string): boolean =>
    known.has(intent) || (understood ? understood.intents.has(intent) : isDeclared(folder));
  const train = `Then run npm run train:nlu -- --company ${folder}.`;
  const findings = languages.flatMap((language): readonly Finding[] => {
    const file = join(folder, 'intents', `utterances.${primaryOf(language)}.jsonl`);
    const { rows, findings: faults } = readLines(file, utterance);
    const strange = rows.flatMap(({ line, value }) =>
      value.intent == null || isKnown(value.intent)
        ? []
        : [
            faultIn(
              file,
              line,
              `There is no intent "${value.intent}".`,
              'Correct it, or declare it in intents.yaml; npm run company -- show names those that there are.',
            ),
          ],
    );
    const taught = understood?.sentences.filter((one) => one.language === language) ?? [];
    const written = new Set([
      ...rows.map(({ value }) => value.intent),
      ...taught.map(({ intent }) => intent),
    ]);
    const silent = intents
      .filter(({ name, sentences }) => !written.has(name) && !sentences[language]?.length)
      .map(({ name }) => name);
    const gap = `No sentence in ${language} says ${silent.join(', ')}, so that without a model it is not understood.`;
    return [
      ...faults,
      ...strange,
      ...(silent.length === 0
        ? []
        : [
            warningIn(
              file,
              null,
              gap,
              `Write a dozen sentences for each as {"text","intent"}, or under its \`sentences\` in intents.yaml. ${train}`,
            ),
          ]),
    ];
  });
  const model = join(folder, 'intents', 'model.bin');
  return existsSync(model) || isDeclared(folder)
    ? findings
    : [
        ...findings,
        faultIn(model, null, 'There is no trained model of the intents.', train.replace('Then run', 'Run')),
      ];
}
