import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgents } from '../../agents/index.js';
import { openStores } from '../../data/index.js';
import { engineTools } from '../../tools/index.js';
import { createRandomIds, createSystemClock } from '../adapters/system.js';
import { createLog } from '../adapters/telemetry/pino-log.js';
import { checkCompanyFiles } from '../company/check.js';
import type { CompanyBackend } from '../company/company-code.js';
import { openTrialDatabase } from '../company/declared/check-formulas.js';
import { checkTexts } from '../company/texts.js';
import { type Finding, isDeclared } from '../company/yaml-file.js';
import type { Config } from '../config/config.js';
import { languageAmong } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { createNlu } from '../nlu/index.js';
import { lackingWords, readLanguages } from '../nlu/words.js';
import type { ActionTool, AnyTool } from '../runtime/define-tool.js';
import { sentencesOf, type ToolsByAgent, toolsOf, withTools } from '../runtime/roster.js';
import { EXPRESSIONS } from '../skills/expressions/placeholders.js';
import {
  companyRosterProblems,
  companySources,
  customerScopes,
  type LoadedCompany,
  openCompany,
  readCompany,
  skillFolders,
  storageOf,
  withRoster,
} from './company.js';
import { declaredFindings, ofError, suiteFindings } from './company-check-declared.js';
import { openCompanyFiles } from './company-check-files.js';
import { patternFindings } from './company-check-patterns.js';
import { checkOwnSkills, type TreeSurroundings } from './company-check-skills.js';
import { promptFindings } from './company-files.js';

export type { Finding } from '../company/yaml-file.js';

/**
 * Everything that is wrong with a company or missing in it, by file: its YAML, sentences, utterances and articles, and, where
 * these hold no fault, its code: the model, the routes and tools that its intents name, labels of its tools, entities that
 * no tool reads. Nothing of it is thrown, and no data directory is touched.
 */
export async function checkCompany(config: Config): Promise<readonly Finding[]> {
  const { folder } = config.company;
  const { languages, findings } = checkCompanyFiles(folder);
  const unread = languages.flatMap((language) => unreadIn(folder, language));
  const all = [...findings, ...unread];
  // What is built from broken files would only say the same again.
  return all.some(({ severity }) => severity === 'fault') ? all : [...all, ...(await checkCode(config))];
}

/** What the engine lacks of a language, so that it cannot read it. */
function unreadIn(folder: string, language: Language): readonly Finding[] {
  const file = join(folder, 'company.yaml');
  const home = `src/nlu/words/${language}`;
  const lacking = lackingWords(language);
  if (languageAmong(language, readLanguages()) === undefined)
    return [
      fault(
        file,
        `The engine cannot read ${language}.`,
        `Translate the ${lacking.length} files of src/nlu/words/en into ${home}.`,
      ),
    ];
  if (lacking.length === 0) return [];
  return [
    fault(
      file,
      `${home} lacks ${lacking.join(', ')}.`,
      'Translate those of src/nlu/words/en: each is needed.',
    ),
  ];
}

async function checkCode(config: Config): Promise<readonly Finding[]> {
  const { folder } = config.company;
  let company: LoadedCompany;
  const slips: Finding[] = [];
  try {
    if (isDeclared(folder)) slips.push(...declaredFindings(config));
    if (slips.some(({ severity }) => severity === 'fault')) return slips;
    company = await readCompany(config);
    // The model of a company in YAML follows from what was checked, and is made when it is needed.
    if (!isDeclared(folder)) await createNlu(company.nlu);
  } catch (error) {
    return [ofError(error, folder)];
  }
  try {
    const own = await checkTools(config, company);
    return [...slips, ...(isDeclared(folder) ? patternFindings(folder) : []), ...own];
  } catch (error) {
    return [...slips, ofError(error, folder)];
  }
}

function skillFindings(
  config: Config,
  company: LoadedCompany,
  tools: readonly AnyTool[],
): readonly Finding[] {
  const { folder, nlu, code, id } = company;
  const inputs = tools.flatMap(({ name, input, effect }) =>
    effect === 'irreversible' ? [[name, Object.keys(input.shape)] as const] : [],
  );
  const symptoms = nlu.intents.names.filter((name) => nlu.intents.of(name).group === 'symptom');
  const check = (databases: TreeSurroundings['databases']) =>
    checkOwnSkills(
      folder,
      skillFolders(config, company),
      { actions: new Map(inputs), databases, languages: company.profile.languages },
      Object.keys(customerScopes(code)),
      symptoms,
    );
  if (!isDeclared(folder)) return check(null);
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-company-trees-'));
  const trial = openTrialDatabase(folder, EXPRESSIONS, dataDir);
  const files = openCompanyFiles(config);
  try {
    const own = { ...trial, home: 'customers.yaml', scope: code.scope };
    return check(new Map([[id, own], ...files.forSkills]));
  } finally {
    files.close();
    trial.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * Works with a company's agents and tools, over an empty database that is gone afterwards.
 * @throws HubError `config_invalid`
 */
export async function withCompanyTools<Value>(
  config: Config,
  read: LoadedCompany,
  work: (made: {
    readonly own: ToolsByAgent;
    readonly operatorActions: readonly ActionTool[];
    readonly agents: ReturnType<typeof createAgents>;
    /** With what these bring along. */
    readonly company: LoadedCompany;
    /** Its data, as they are in a fresh start. */
    readonly backend: CompanyBackend;
  }) => Promise<Value>,
): Promise<Value> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-company-check-'));
  const clock = createSystemClock();
  const ids = createRandomIds();
  const log = createLog({ level: 'error', file: join(dataDir, 'check.log'), clock });
  const sources = companySources(config, log);
  try {
    const stores = await openStores({
      dataDir,
      demo: isDeclared(read.folder),
      clock,
      ids,
      log,
      company: storageOf(read),
    });
    try {
      const backend = openCompany(read, { stores, clock, ids, log, sources });
      const { tools: own, operatorActions = [] } = backend;
      const entities = read.nlu.entities.map(({ id }) => id);
      const agents = createAgents(withTools(engineTools({ entities }), own), read.profile);
      const company = withRoster(read, { agents, operatorActions, own });
      return await work({ own, operatorActions, agents, company, backend });
    } finally {
      await stores.close();
    }
  } finally {
    await sources.close();
    log.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Holds intents, entities and languages against the tools and agents there are. */
function checkTools(config: Config, read: LoadedCompany): Promise<readonly Finding[]> {
  return withCompanyTools(config, read, async ({ own, operatorActions, agents, company }) => {
    const tools = [
      ...new Map(agents.flatMap((agent) => agent.tools.map((tool) => [tool.name, tool]))).values(),
    ];
    const routes = [...new Set(agents.map(({ route }) => route))];
    return [
      ...rosterFindings(company, { agents, operatorActions, routes }),
      ...entityFindings(company, tools),
      ...idleFindings(company, own, tools),
      ...labelFindings(company, Object.values(own).flatMap(toolsOf)),
      ...sentenceFindings(company, sentencesOf([...tools, ...operatorActions], agents)),
      ...suiteFindings(company, tools),
      ...promptFindings(company.folder, company.profile, agents),
      ...skillFindings(config, read, tools),
    ];
  });
}

function rosterFindings(
  company: LoadedCompany,
  parts: Parameters<typeof companyRosterProblems>[1],
): readonly Finding[] {
  const { folder } = company;
  const files = { intent: join(folder, 'intents', 'intents.yaml'), tool: join(folder, 'tools') };
  return companyRosterProblems(company, parts).map(({ of, problem, remedy }) =>
    fault(files[of], problem, remedy),
  );
}

/** Records that nothing reads are never answered about. */
function entityFindings({ folder, nlu }: LoadedCompany, tools: readonly AnyTool[]): readonly Finding[] {
  const read = new Set(tools.flatMap(({ lists, ...tool }) => [lists?.entity, targetOf(tool)]));
  return nlu.entities
    .filter(({ id, ids }) => ids !== null && !read.has(id))
    .map(({ id }) =>
      warning(
        join(folder, 'entities', `${id}.yaml`),
        `No tool lists a ${id}, so that the hub finds none of a customer's.`,
        `Give a tool \`lists\` for the entity ${id}, or delete the file.`,
      ),
    );
}

/** Tools that cannot be called because all their agents are switched off. */
function idleFindings(
  { folder, profile }: LoadedCompany,
  own: ToolsByAgent,
  tools: readonly AnyTool[],
): readonly Finding[] {
  const on = new Set([...tools.map(({ name }) => name), ...profile.off.tools]);
  const names = Object.values(own).flatMap((given) => toolsOf(given).map(({ name }) => name));
  return [...new Set(names)]
    .filter((name) => !on.has(name))
    .map((name) => {
      const remedy = 'Give it to an agent that is on, name it under off.tools, or delete its file.';
      const file = join(folder, 'company.yaml');
      return warning(file, `All agents that have the tool ${name} are off, so that it is not used.`, remedy);
    });
}

function targetOf(tool: object): string | undefined {
  return 'target' in tool ? (tool.target as { readonly entity?: string } | undefined)?.entity : undefined;
}

function labelFindings(
  { folder, profile, texts }: LoadedCompany,
  tools: readonly AnyTool[],
): readonly Finding[] {
  const own = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
  return own.flatMap(({ name, label, activity }) =>
    profile.languages.flatMap((language) =>
      (['tool', 'activity'] as const)
        .filter(
          (family) =>
            (family === 'tool' ? label : activity)?.[language] === undefined &&
            texts.for(language).sayOf(family, name) === '',
        )
        .map((family) =>
          warning(
            join(folder, 'texts', language),
            `The tool ${name} has no ${family === 'tool' ? 'name' : 'activity'} in ${language}.`,
            `Add ${family}.${name} to a file there, or ${family === 'tool' ? 'label' : 'activity'} in the tool.`,
          ),
        ),
    ),
  );
}

/** Sentences that stand with their tools and agents. */
function sentenceFindings(
  { folder, profile }: LoadedCompany,
  brought: ReturnType<typeof sentencesOf>,
): readonly Finding[] {
  return checkTexts({ folder, languages: profile.languages }, brought)
    .filter(({ key }) => brought.has(key))
    .map(({ file, key, language, problem }) =>
      fault(file, `${key} in ${language} ${problem}.`, 'Correct it in the tool or the agent.'),
    );
}

function fault(file: string, problem: string, remedy: string): Finding {
  return { severity: 'fault', file, line: null, problem, remedy };
}

function warning(file: string, problem: string, remedy: string): Finding {
  return { severity: 'warning', file, line: null, problem, remedy };
}
