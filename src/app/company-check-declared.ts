import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgents } from '../../agents/index.js';
import { loadCompany } from '../company/company.js';
import { checkNames } from '../company/declared/check-names.js';
import { changedInEarnest, declaredProblems } from '../company/declared/declare.js';
import { customersSchema, sourcesSchema } from '../company/declared/schemas.js';
import { loadTexts } from '../company/texts.js';
import { type Finding, faultIn, lineAt, readChecked } from '../company/yaml-file.js';
import type { Config } from '../config/config.js';
import { issueTypeIds } from '../core/domain/company.js';
import { type ErrorCode, HubError, messageOf } from '../core/errors.js';
import { didYouMean } from '../core/spelling.js';
import { readSuites, suiteFiles, unknownNames } from '../eval/run-suites.js';
import type { ToolFacts } from '../eval/scenario.js';
import type { AnyTool } from '../runtime/define-tool.js';
import { EXPRESSIONS } from '../skills/expressions/placeholders.js';
import type { LoadedCompany } from './company.js';
import { openCompanyFiles } from './company-check-files.js';

/** What is wrong with a file that could not be read, by its line where the error says the place. */
export function ofError(error: unknown, folder: string): Finding {
  const code = join(folder, 'company.ts');
  const home = existsSync(code) ? code : join(folder, 'company.yaml');
  if (!(error instanceof HubError)) {
    const reason = messageOf(error);
    return home === code
      ? faultIn(code, null, `Its code cannot be run: ${reason}`, 'Mend the code.')
      : faultIn(home, null, `The company cannot be read: ${reason}`, 'Correct what the sentence names.');
  }
  const { file, where } = error.fields;
  const remedy = 'Correct what the sentence names.';
  const at =
    typeof file === 'string' ? file : typeof where === 'string' ? join(folder, 'company.yaml') : home;
  if (typeof where === 'string' && at.endsWith('.yaml'))
    return faultIn(at, lineAt(at, where.split('.')), error.message, remedy);
  return faultIn(at, null, error.message, remedy);
}

/**
 * Names in the files of a company in YAML that do not exist, and faults that keep its files from being read.
 * @throws HubError `config_invalid`
 */
export function declaredFindings(config: Config): readonly Finding[] {
  const { folder } = config.company;
  const { profile, nlu } = loadCompany(folder);
  const texts = loadTexts(folder, profile).for(profile.languages[0] ?? 'en');
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-company-names-'));
  const engine = createAgents({});
  const agents = engine.map(({ name }) => name);
  const needy = engine.filter(
    ({ name, access }) => access === 'customer' && !profile.off.agents.includes(name),
  );
  const file = join(folder, 'company.yaml');
  const files = openCompanyFiles(config);
  try {
    const hasRefusal = (code: ErrorCode) => texts.sayOf('refusal', code) !== texts.sayOf('refusal', 'other');
    const known = { hasRefusal, issueTypes: issueTypeIds(profile), agents, files };
    const described = Object.keys(profile.agents).filter((name) => !agents.includes(name));
    const slips = [
      ...(existsSync(join(folder, 'customers.yaml')) || needy.length === 0
        ? []
        : [
            faultIn(
              join(folder, 'customers.yaml'),
              null,
              'There is no such file, so that nobody can sign in.',
              `Write it, or add to company.yaml: off: { agents: [${needy.map(({ name }) => name).join(', ')}] }`,
            ),
          ]),
      ...described.map((name) =>
        faultIn(
          file,
          lineAt(file, ['agents', name]),
          `agents.${name} describes an agent that there is not.`,
          `Correct the name.${didYouMean(name, agents)}`,
        ),
      ),
      ...files.findings,
      ...checkNames(folder, EXPRESSIONS, known, dataDir),
    ];
    // A file of which something is said may be worse than that, but not so that its author would not see it then.
    const beside = declaredProblems(folder, nlu.entities, EXPRESSIONS)
      .map((error) => ofError(error, folder))
      .filter((found) => !slips.some((one) => one.severity === 'fault' && one.file === found.file));
    const found = [...slips, ...beside, ...unsetVariables(config), ...signInFindings(config)];
    // What changes in earnest is read of files that hold no fault.
    const isSound = found.every(({ severity }) => severity !== 'fault');
    return isSound ? [...found, ...inEarnest(folder, profile.off)] : found;
  } finally {
    files.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Variables that sources take a setting from, which are not set here: they may be where the hub runs. */
function unsetVariables({ company: { folder }, skills }: Config): readonly Finding[] {
  const file = join(folder, 'sources.yaml');
  if (!existsSync(file)) return [];
  const { value, fault } = readChecked(file, sourcesSchema);
  const settings = settingsIn(value?.sources ?? {}, ['sources']);
  return settings.flatMap(({ path, text }) =>
    [...text.matchAll(/env:([A-Za-z0-9_]+)(:-)?/g)].flatMap(
      ([, name = '', otherwise]): readonly Finding[] => {
        if (otherwise !== undefined || skills.secret(name) !== undefined) return [];
        const remedy = `Set ${name} where the hub runs, or correct the name.`;
        const found = fault(path, `takes its value from ${name}, which is not set here`, remedy);
        return [{ ...found, severity: 'warning' }];
      },
    ),
  );
}

/** Where there are conversations to play: systems that these would change in earnest, so that none is played. */
function inEarnest(folder: string, off: Parameters<typeof changedInEarnest>[1]): readonly Finding[] {
  const file = join(folder, 'sources.yaml');
  if (suiteFiles(join(folder, 'eval'), []).length === 0) return [];
  return changedInEarnest(folder, off).map((source) => {
    const problem = `Nothing stands in for ${source}, which actions change: eval and replay refuse to run.`;
    const remedy =
      'Give it a stand_in (docs/evaluation.md), or run them with --real-sources over a system that is there to be tried out.';
    return { ...faultIn(file, lineAt(file, ['sources', source]), problem, remedy), severity: 'warning' };
  });
}

/** Where tokens identify customers, their issuer must be configured. */
function signInFindings({ company: { folder }, server }: Config): readonly Finding[] {
  const file = join(folder, 'customers.yaml');
  if (!existsSync(file) || server.companySignIn !== undefined) return [];
  const { value, fault } = readChecked(file, customersSchema);
  if (!value?.by_claims) return [];
  const remedy = 'Set HUB_AUTH_JWKS_URL and HUB_AUTH_AUDIENCE where the hub runs.';
  const found = fault(
    ['by_claims'],
    'needs a sign-in whose tokens are verified, and none is set here',
    remedy,
  );
  return [{ ...found, severity: 'warning' }];
}

function settingsIn(
  value: unknown,
  path: readonly string[],
): readonly { readonly path: readonly string[]; readonly text: string }[] {
  if (typeof value === 'string') return value.startsWith('env:') ? [{ path, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => settingsIn(inner, [...path, key]));
}

/** What is wrong with the conversations of a company's evaluation. */
export function suiteFindings(
  { folder, profile: { languages } }: LoadedCompany,
  tools: readonly AnyTool[],
): readonly Finding[] {
  const { scenarios, problems } = readSuites(suiteFiles(join(folder, 'eval'), []));
  const known = tools.map(({ name, effect }): [string, ToolFacts] => [
    name,
    { agents: [], routes: [], changes: effect === 'irreversible' },
  ]);
  const unknown = unknownNames(scenarios, { languages, tools: Object.fromEntries(known) });
  return [...problems, ...unknown].map((told) => {
    const [, file = join(folder, 'eval'), line, problem = told] = /^(.+?):(\d+): (.*)$/s.exec(told) ?? [];
    const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`.replace(/\.?$/, '.');
    return faultIn(
      file,
      line === undefined ? null : Number(line),
      sentence,
      'Correct it; docs/evaluation.md says what a scenario holds.',
    );
  });
}
