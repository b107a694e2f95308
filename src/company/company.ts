import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { CompanyProfile } from '../core/domain/company.js';
import type { EntityWords } from '../core/domain/entity.js';
import type { IntentTable } from '../core/domain/intent.js';
import { LANGUAGE_TAG, primaryOf } from '../core/domain/language.js';
import { HubError } from '../core/errors.js';
import { type Policy, policySchema } from '../core/policy/policy.js';
import type { DerivedSentence } from './declared/derived.js';
import { readEntities } from './entities.js';
import { readIntents } from './intents.js';
import { NAME, readYaml, wrongAt } from './yaml-file.js';
import { zoneName } from './zone-name.js';

/** One business, as its folder in `companies/` describes it. */
export interface Company {
  /** The folder's name. */
  readonly id: string;
  /** Absolute path. */
  readonly folder: string;
  readonly profile: CompanyProfile;
  /** Ids of shipped packs that ask other systems and are used here. */
  readonly sharedSkills: readonly string[];
  /** Absolute path of its own rules; read with the shape that its code gives them. */
  readonly policyFile: string;
  /** What its customers want, and what was trained to tell it. */
  readonly nlu: {
    readonly intents: IntentTable;
    readonly entities: readonly EntityWords[];
    readonly company: CompanyProfile;
    /** Absolute path; the classes of its intents are those of the table. */
    readonly modelFile: string;
    /** Sentences that follow from its entities, tools and articles; it may write more. */
    readonly sentences: readonly DerivedSentence[];
  };
}

interface CompanyOptions {
  /** Another time zone than the company's. */
  readonly timeZone?: string | undefined;
}

const tag = z.string().regex(LANGUAGE_TAG, 'must be a language tag such as pt-BR');

const translated = z.record(tag, z.string().min(1));

/** What of a profile is read in the customer's or the operator's language, by where it stands. */
type Labels = readonly (readonly [
  path: readonly (string | number)[],
  given: Readonly<Record<string, unknown>>,
])[];

const NO_CURRENCY = 'must be an ISO 4217 code such as EUR';

/** One that amounts can be written in. */
export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, { message: NO_CURRENCY, abort: true })
  .refine((code) => Intl.supportedValuesOf('currency').includes(code), NO_CURRENCY);

const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Lisbon');

const id = z.string().regex(NAME, 'must be lower case with underscores');

/** As its pages are tinted. */
export const brandColor = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as "#2a6f97"');

/** A colour and a picture beside the other files of the company. */
const brand = z.strictObject({
  color: brandColor.optional(),
  logo: z
    .string()
    .regex(/^[\w-]+\.(?:svg|png)$/, "must be the name of an SVG or PNG file in the company's folder")
    .optional(),
});

const issueType = z.strictObject({
  id,
  label: translated,
  about: z.string().min(1).max(200).optional(),
  ask: translated,
  option: translated.optional(),
  explained: z.boolean().default(false),
  offered: z.boolean().default(false),
  escalates: z.enum(['legal', 'requires_human']).optional(),
  otherwise: z.boolean().default(false),
});

/** People of the desk who take the tickets of these issue types. */
const team = z.strictObject({ id, label: translated, issue_types: z.array(id).default([]) });

/** Questions that can be asked with one press. */
const starters = z.array(z.string().min(1).max(100)).max(6);

const issueTypes = z
  .array(issueType)
  .refine((types) => new Set(types.map((type) => type.id)).size === types.length, 'has an id twice')
  .refine(
    (types) => types.filter(({ otherwise }) => otherwise).length === 1,
    'needs exactly one with `otherwise: true`, for what fits no other',
  );

/** The shape of `company.yaml`. */
const profileShape = z.strictObject({
  name: z.string().min(1).max(60),
  about: translated,
  languages: z
    .array(tag)
    .min(1)
    .refine((tags) => new Set(tags.map(primaryOf)).size === tags.length, 'names a language twice'),
  time_zone: timeZone,
  time_zone_name: translated,
  currency: currencyCode,
  welcome: z.strictObject({ text: translated, starters: z.record(tag, starters) }).optional(),
  brand: brand.default({}),
  issue_types: issueTypes,
  teams: z.array(team).max(20).default([]),
  /** Packs of `skills/` that ask other systems and are used here. */
  shared_skills: z.array(id).max(100).default([]),
  /** Agents and tools that are not used, of those that every company has and of its own. */
  off: z
    .strictObject({ agents: z.array(id).default([]), tools: z.array(id).default([]) })
    .default({ agents: [], tools: [] }),
  agents: z
    .record(
      id,
      z.strictObject({
        description: z.string().min(1).max(300),
        takes: z.string().min(1).max(200).optional(),
      }),
    )
    .default({}),
});

/** A label in every language that the company lists. */
export const profileSchema = profileShape.superRefine(({ languages, ...profile }, context) => {
  const labels: Labels = [
    [['about'], profile.about],
    [['time_zone_name'], profile.time_zone_name],
    ...(profile.welcome === undefined
      ? []
      : ([
          [['welcome', 'text'], profile.welcome.text],
          [['welcome', 'starters'], profile.welcome.starters],
        ] as const)),
    ...profile.issue_types.flatMap(({ label, ask, option }, at) => [
      [['issue_types', at, 'label'], label] as const,
      ...(option === undefined ? [] : [[['issue_types', at, 'option'], option] as const]),
      [['issue_types', at, 'ask'], ask] as const,
    ]),
    ...profile.teams.map(({ label }, at) => [['teams', at, 'label'], label] as const),
  ];
  const taken = new Map<string, string>();
  for (const [at, { id, issue_types }] of profile.teams.entries()) {
    const refuse = (message: string): void =>
      context.addIssue({ code: 'custom', path: ['teams', at], message });
    if (profile.teams.findIndex((one) => one.id === id) !== at) refuse(`has the id ${id} twice`);
    for (const type of issue_types) {
      if (!profile.issue_types.some((one) => one.id === type)) refuse(`names no issue type: ${type}`);
      else if (taken.has(type)) refuse(`takes ${type}, which ${taken.get(type)} takes already`);
      taken.set(type, id);
    }
  }
  for (const [path, given] of labels)
    for (const language of languages)
      if (!Object.hasOwn(given, language))
        context.addIssue({
          code: 'custom',
          path: [...path, language],
          message: 'is missing, and the company speaks that language',
        });
});

/**
 * Reads a company from its folder.
 * @param folder absolute path
 * @throws HubError `config_invalid` with one line that names the file, the key and what is wrong
 */
export function loadCompany(folder: string, options: CompanyOptions = {}): Company {
  const file = join(folder, 'company.yaml');
  if (!existsSync(file)) {
    throw new HubError('config_invalid', `HUB_COMPANY leads to ${folder}, where there is no company.yaml`, {
      variable: 'HUB_COMPANY',
      file,
    });
  }
  const {
    name,
    about,
    languages,
    time_zone,
    time_zone_name,
    currency,
    welcome = null,
    brand: { color = null, logo = null },
    issue_types,
    teams,
    agents,
    off,
    shared_skills: sharedSkills,
  } = readYaml('company', file, profileSchema);
  if (logo !== null && !existsSync(join(folder, logo)))
    throw wrongAt('company', file, 'brand.logo', `there is no file ${logo} in the folder`);
  const entities = readEntities(folder);
  const profile = Object.freeze({
    name,
    about,
    languages,
    timeZone: options.timeZone ?? time_zone,
    // The company's own name is that of its own zone.
    timeZoneName:
      options.timeZone === undefined || options.timeZone === time_zone
        ? time_zone_name
        : Object.fromEntries(languages.map((one) => [one, zoneName(one, options.timeZone ?? time_zone)])),
    currency,
    agents,
    prompts: Object.freeze(readPrompts(folder)),
    off,
    welcome,
    brand: Object.freeze({ color, logo: logo === null ? null : join(folder, logo) }),
    records: entities,
    teams: teams.map(({ issue_types: issueTypes, ...team }) => Object.freeze({ ...team, issueTypes })),
    issueTypes: issue_types.map(({ about = null, option = null, escalates = null, ...type }) =>
      Object.freeze({ ...type, about, option, escalates }),
    ),
  });
  const { table, sentences } = readIntents(folder, profile, entities);
  return Object.freeze({
    id: basename(folder),
    folder,
    profile,
    sharedSkills,
    policyFile: join(folder, 'policy.yaml'),
    nlu: Object.freeze({
      intents: table,
      sentences,
      entities,
      company: profile,
      modelFile: join(folder, 'intents', 'model.bin'),
    }),
  });
}

/** Its own words for prompts of the engine, by their names. */
function readPrompts(folder: string): Record<string, string> {
  const room = join(folder, 'prompts');
  if (!existsSync(room)) return {};
  const files = readdirSync(room).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(
    files.map((name) => [basename(name, '.md'), readFileSync(join(room, name), 'utf8')]),
  );
}

/**
 * Reads the windows and amounts of the business rules.
 * @param own shape of the company's own sections, beside those that every company has
 * @throws HubError `config_invalid` with one line that names the file, the key and what is wrong
 */
export function readPolicy(file: string, own: z.ZodObject = z.strictObject({})): Policy {
  const read: Readonly<Record<string, unknown>> = readYaml('policy', file, own.extend(policySchema.shape));
  const sections = (engine: boolean) =>
    Object.fromEntries(
      Object.entries(read).filter(([section]) => Object.hasOwn(policySchema.shape, section) === engine),
    );
  const shared = sections(true) as z.infer<typeof policySchema>;
  return Object.freeze({ ...shared, company: Object.freeze(sections(false)) });
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
