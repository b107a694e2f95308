import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { LANGUAGE_TAG } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { policySchema } from '../core/policy/policy.js';
import { checkArticles, checkSentences } from './check-texts.js';
import { checkUtterances, understoodIn, unreadFiles } from './check-utterances.js';
import { profileSchema } from './company.js';
import { actionSchema, customersSchema, lookupSchema, sourcesSchema } from './declared/schemas.js';
import { entitySchema } from './entities.js';
import { companyIntentsSchema, intentProblems } from './intents.js';
import { type CheckedYaml, type Finding, faultIn, isDeclared, readChecked } from './yaml-file.js';

/** What of a company could be read, for checks that continue from there. */
interface CheckedCompany {
  readonly languages: readonly Language[];
  readonly findings: readonly Finding[];
}

/**
 * Reads all files of a company that are no code, and says of each what is wrong or missing; nothing is thrown for it.
 * @param folder absolute path
 */
export function checkCompanyFiles(folder: string): CheckedCompany {
  const findings: Finding[] = [];
  const read = <Value>(name: string, schema: z.ZodType<Value>, fallback: Value): CheckedYaml<Value> => {
    const checked = readChecked(join(folder, name), schema);
    findings.push(...checked.findings);
    return { ...checked, value: checked.value ?? fallback };
  };
  const profile = readChecked(join(folder, 'company.yaml'), profileSchema);
  findings.push(...profile.findings);
  const logo = profile.value?.brand.logo;
  if (logo !== undefined && !existsSync(join(folder, logo)))
    findings.push(
      profile.fault(['brand', 'logo'], 'is no file of the folder', `Put ${logo} beside company.yaml.`),
    );
  const languages = profile.value?.languages ?? languagesIn(profile.raw);
  const entities = checkEntities(folder, languages);
  findings.push(...entities.findings);
  const declared = isDeclared(folder);
  const none = { engine_issue_types: {}, intents: [] };
  // What customers want of a company in YAML follows from its tools.
  const needed = !declared || existsSync(join(folder, 'intents', 'intents.yaml'));
  const intents = needed
    ? read('intents/intents.yaml', companyIntentsSchema, none)
    : unwritten(join(folder, 'intents'), none);
  if (profile.value !== null) {
    const known = profile.value.issue_types.map(({ id }) => id);
    for (const { path, message } of intentProblems(intents.value, known, entities.ids, languages))
      findings.push(intents.fault(path, message, remedyForIntent(message)));
  }
  // A company's own sections are held against the shape that its code gives them, where it has code.
  read('policy.yaml', policySchema.loose(), null);
  findings.push(
    ...checkUtterances(folder, languages, intents.value.intents, understoodIn(folder)),
    ...(declared ? [...checkDeclared(folder), ...unreadFiles(folder, languages)] : []),
    ...checkArticles(folder, languages),
  );
  // What keeps the sentences of a tool from being read is told of its file already.
  const reported = new Set(findings.map(({ file, problem }) => `${file} ${problem}`));
  findings.push(
    ...checkSentences(folder, languages).filter(({ file, problem }) => !reported.has(`${file} ${problem}`)),
  );
  return { languages, findings };
}

/** What stands for a file that need not be there. */
function unwritten<Value>(file: string, value: Value): CheckedYaml<Value> {
  return {
    value,
    findings: [],
    raw: null,
    fault: (_path, problem, remedy) => faultIn(file, null, problem, remedy),
  };
}

/** The languages of a profile that is wrong elsewhere. */
function languagesIn(raw: unknown): readonly Language[] {
  const listed = z.object({ languages: z.array(z.string().regex(LANGUAGE_TAG)) }).safeParse(raw);
  return listed.success ? listed.data.languages : [];
}

function checkEntities(folder: string, languages: readonly Language[]) {
  const path = join(folder, 'entities');
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
  const findings: Finding[] = [];
  const ids = names.sort().flatMap((name) => {
    const file = join(path, name);
    const { value, findings: faults, fault } = readChecked(file, entitySchema);
    findings.push(...faults);
    if (value === null) return [basename(name, '.yaml')];
    if (`${value.id}.yaml` !== name)
      findings.push(fault(['id'], 'is not the name of the file', `Call the file ${value.id}.yaml.`));
    for (const language of languages)
      if ((value.nouns[language] ?? []).length === 0)
        findings.push({
          ...fault(
            ['nouns'],
            `has no word in ${language}, so that its customers cannot name one`,
            `Add nouns.${language}.`,
          ),
          severity: 'warning',
        });
    return [value.id];
  });
  return { ids, findings };
}

function remedyForIntent(message: string): string {
  if (message.includes('issue type')) return 'Use an id of issue_types in company.yaml, or add it there.';
  if (message.includes('entity')) return 'Use the name of a file in entities/, or write that file.';
  if (message.includes('twice')) return 'Keep one of the two.';
  return 'Use the name of an intent that there is.';
}

/**
 * Says of each file of a company in YAML what does not fit its shape, by line. What only shows where the files meet, such as a
 * source that there is not, is found when the company is loaded.
 */
function checkDeclared(folder: string): readonly Finding[] {
  const of = (name: string, schema: z.ZodType): readonly Finding[] =>
    readChecked(join(folder, name), schema).findings;
  const all = (room: string, schema: z.ZodType): readonly Finding[] => {
    const path = join(folder, room);
    const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
    return names.sort().flatMap((name) => of(join(room, name), schema));
  };
  return [
    ...(existsSync(join(folder, 'customers.yaml')) ? of('customers.yaml', customersSchema) : []),
    ...(existsSync(join(folder, 'sources.yaml')) ? of('sources.yaml', sourcesSchema) : []),
    ...all('reads', lookupSchema),
    ...all('actions', actionSchema),
  ];
}
