import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CompanyProfile, issueTypeIds, issueTypeOf } from '../core/domain/company.js';
import type { EntityWords } from '../core/domain/entity.js';
import {
  createIntentTable,
  INTENT_GROUPS,
  type IntentInfo,
  type IntentTable,
} from '../core/domain/intent.js';
import { type Language, PRIORITIES } from '../core/domain/taxonomy.js';
import { type DerivedSentence, derivedFrom } from './declared/derived.js';
import { isDeclared, NAME, readYaml, wrongAt } from './yaml-file.js';

const ENGINE_FILE = fileURLToPath(new URL('../../data/nlu/engine-intents.yaml', import.meta.url));
const WHAT = 'intents';

const name = z.string().regex(NAME, 'must be lower case with underscores');

const engineSchema = z.strictObject({
  intents: z.array(
    z.strictObject({
      name,
      group: z.enum(INTENT_GROUPS),
      route: name,
      priority: z.enum(PRIORITIES).nullable().default(null),
    }),
  ),
});

const askedPattern = z
  .string()
  .max(500)
  .refine(
    (source) => !/[*+]|\{\d+,\}|[A-Z]/.test(source),
    'must be over lower case, with bounded repeats only',
  )
  .refine(isRegExp, 'must be a regular expression');

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source) !== null;
  } catch {
    return false;
  }
}

/** The shape of `intents.yaml`. */
export const companyIntentsSchema = z.strictObject({
  engine_issue_types: z.record(name, name).default({}),
  intents: z.array(
    z.strictObject({
      name,
      group: z.enum(['knowledge', 'account', 'action', 'symptom']),
      issue_type: name,
      route: name,
      needs_sign_in: z.boolean().default(false),
      tool: name.nullable().default(null),
      args: z.record(name, z.union([z.string(), z.number(), z.boolean()])).default({}),
      slots: z.record(name, z.enum(['days', 'start'])).default({}),
      instead: name.nullable().default(null),
      entity: name.nullable().default(null),
      self_service: z.boolean().default(false),
      asked: z.array(askedPattern).default([]),
      covers: z.array(name).default([]),
      sentences: z.record(z.string(), z.array(z.string().min(1).max(500))).default({}),
      priority: z.enum(PRIORITIES).nullable().default(null),
      pressing: z.boolean().default(false),
      today: z.enum(['always', 'problem', 'never']).optional(),
    }),
  ),
});

/** The intents that any company has. */
export function engineIntents() {
  return readYaml(WHAT, ENGINE_FILE, engineSchema).intents;
}

/** What is wrong with the intents of a company, and where: by name for a sentence, by path in the file. */
interface IntentProblem {
  readonly where: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Holds the intents of a company against what it declares elsewhere.
 * @param issueTypes ids of its issue types
 * @param entities ids of its entities
 * @param languages its languages
 */
export function intentProblems(
  given: z.infer<typeof companyIntentsSchema>,
  issueTypes: readonly string[],
  entities: readonly string[],
  languages: readonly Language[],
): readonly IntentProblem[] {
  const problems: IntentProblem[] = [];
  const ownNames = new Set(engineIntents().map(({ name }) => name));
  for (const [intent, issueType] of Object.entries(given.engine_issue_types)) {
    const path = ['engine_issue_types', intent];
    const wrong = (message: string) => problems.push({ where: path.join('.'), path, message });
    if (!ownNames.has(intent)) wrong('the engine has no such intent');
    if (!issueTypes.includes(issueType)) wrong(noIssueType(issueType));
  }
  const seen = new Set<string>();
  for (const [at, { name, issue_type, entity, instead, sentences }] of given.intents.entries()) {
    const wrong = (key: string, message: string) =>
      problems.push({ where: name, path: ['intents', at, key], message });
    if (ownNames.has(name)) wrong('name', 'is one of the engine, which has it already');
    if (seen.has(name)) wrong('name', 'is there twice');
    if (!issueTypes.includes(issue_type)) wrong('issue_type', noIssueType(issue_type));
    if (entity !== null && !entities.includes(entity)) wrong('entity', `there is no entity "${entity}"`);
    if (instead !== null && !given.intents.some((other) => other.name === instead))
      wrong('instead', `there is no intent "${instead}"`);
    for (const language of Object.keys(sentences))
      if (!languages.includes(language))
        wrong('sentences', `the company speaks no ${language}, but ${languages.join(', ')}`);
    seen.add(name);
  }
  return problems;
}

/**
 * Reads the intents of a company and puts the engine's own beside them, and, where its tools are in YAML, those that follow
 * from them with the sentences that teach them.
 * @param folder absolute path of the company
 * @throws HubError `config_invalid` with one line that names the file, the intent and what is wrong
 */
export function readIntents(
  folder: string,
  profile: Pick<CompanyProfile, 'issueTypes' | 'languages'>,
  entities: readonly EntityWords[],
): { readonly table: IntentTable; readonly sentences: readonly DerivedSentence[] } {
  const file = join(folder, 'intents', 'intents.yaml');
  const own = engineIntents();
  const declared = isDeclared(folder);
  const given = readYaml(WHAT, file, companyIntentsSchema, declared ? { intents: [] } : undefined);
  const ids = entities.map(({ id }) => id);
  const [problem] = intentProblems(given, issueTypeIds(profile), ids, profile.languages);
  if (problem) throw wrongAt(WHAT, file, problem.where, problem.message);
  const otherwise = issueTypeOf(profile, '').id;
  const derived = declared
    ? derivedFrom(folder, profile.languages, entities, {
        intentsOf: (wanted) => given.intents.flatMap(({ name, tool }) => (tool === wanted ? [name] : [])),
        hasGroup: (group) => given.intents.some((intent) => intent.group === group),
      })
    : { intents: [], sentences: [] };
  const table = createIntentTable([
    ...own.map((intent) => ({
      ...ENGINE_DEFAULTS,
      ...intent,
      issueType: given.engine_issue_types[intent.name] ?? otherwise,
    })),
    ...given.intents.map(
      ({ issue_type, needs_sign_in, self_service, today, sentences: _, ...intent }): IntentInfo => ({
        ...intent,
        issueType: issue_type,
        needsSignIn: needs_sign_in,
        selfService: self_service,
        today: today ?? (intent.group === 'action' ? 'always' : 'never'),
      }),
    ),
    ...derived.intents.map(
      ({ issue_type, needs_sign_in, ...intent }): IntentInfo => ({
        ...{ ...ENGINE_DEFAULTS, priority: null, ...intent },
        issueType: issue_type ?? otherwise,
        needsSignIn: needs_sign_in,
        today: intent.group === 'action' ? 'always' : 'never',
      }),
    ),
  ]);
  const written = given.intents.flatMap(({ name: intent, sentences }) =>
    Object.entries(sentences).flatMap(([language, texts]) =>
      texts.map((text) => ({ text, intent, language })),
    ),
  );
  return { table, sentences: [...derived.sentences, ...written] };
}

const ENGINE_DEFAULTS = {
  needsSignIn: false,
  tool: null,
  args: {},
  slots: {},
  instead: null,
  entity: null,
  selfService: false,
  asked: [],
  covers: [],
  pressing: false,
  today: 'never',
} as const;

function noIssueType(id: string): string {
  return `company.yaml has no issue type "${id}"`;
}
