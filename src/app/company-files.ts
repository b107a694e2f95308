import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { triageAgent } from '../../agents/triage/agent.js';
import { createCompanyTrials } from '../adapters/processes/company-trials.js';
import { readSources, readStandIns } from '../company/declared/declare.js';
import { copyForTrial, openCompanyFolder } from '../company/editable-files.js';
import type { Finding } from '../company/yaml-file.js';
import { type Config, isThisMachineAlone } from '../config/config.js';
import type { CompanyDesk } from '../core/company-changes.js';
import type { CompanyProfile } from '../core/domain/company.js';
import { createCompanyDesk } from '../desk/company-desk.js';
import { SUGGEST_PROMPT } from '../desk/suggest.js';
import { SUPERVISOR_PROMPT } from '../graph/supervisor.js';
import type { AgentDefinition } from '../runtime/agent-definition.js';
import { promptName } from '../runtime/build-agent.js';
import type { Parts } from './parts.js';

/** Opens what operators do with the company's files. */
export function openCompanyDesk(
  { company: where, server, skills }: Config,
  { company: { folder }, stores, graph, log }: Pick<Parts, 'company' | 'stores' | 'graph' | 'log'>,
): CompanyDesk {
  const { policyFile, timeZone } = where;
  const trials = createCompanyTrials({
    copy: (path, text) => copyForTrial(folder, path, text),
    mayPlay: () => readSources(join(folder, 'sources.yaml')).size === readStandIns(folder).length,
    settings: {
      HUB_SKILLS_DIR: skills.dirs.join(delimiter),
      ...(policyFile === undefined ? {} : { HUB_POLICY_FILE: policyFile }),
      ...(timeZone === undefined ? {} : { HUB_TIME_ZONE: timeZone }),
    },
  });
  return createCompanyDesk({
    ...{ trials, store: stores.companyChanges, audit: stores.audit, log },
    ...{ clock: graph.tools.clock, ids: graph.ids },
    folder: openCompanyFolder(folder, policyFile !== undefined, enginePrompts(graph.agents.all)),
    openToAnybody: server.demo && !isThisMachineAlone(server),
  });
}

/** Filled in every prompt. */
const ALWAYS: readonly string[] = ['company', 'about', 'time_zone', 'issue_types', 'agents', 'routes'];

type Agents = readonly Pick<AgentDefinition, 'prompt'>[];

/** The prompts of the engine that a company may say in its own words: their texts, by the file of the company's folder. */
export function enginePrompts(agents: Agents): ReadonlyMap<string, string> {
  const files = [
    triageAgent.prompt,
    SUPERVISOR_PROMPT,
    ...agents.map(({ prompt }) => prompt),
    SUGGEST_PROMPT,
  ];
  return new Map(files.map((file) => [`prompts/${promptName(file)}.md`, readFileSync(file, 'utf8')]));
}

/** What is wrong with a company's own words for prompts of the engine. */
export function promptFindings(
  folder: string,
  { prompts = {} }: Pick<CompanyProfile, 'prompts'>,
  agents: Agents,
): readonly Finding[] {
  const known = enginePrompts(agents);
  return Object.entries(prompts).flatMap(([name, text]): readonly Finding[] => {
    const path = `prompts/${name}.md`;
    const fault = (problem: string, remedy: string): Finding => {
      return { severity: 'fault', file: join(folder, path), line: null, problem, remedy };
    };
    const engine = known.get(path);
    const names = [...known.keys()].map((one) => one.slice('prompts/'.length, -'.md'.length));
    if (engine === undefined)
      return [fault(`The engine has no prompt ${name}.`, `Name the file after one of ${names.join(', ')}.`)];
    const filled = [...ALWAYS, ...placesOf(engine)];
    const unknown = placesOf(text).filter((place) => !filled.includes(place));
    if (text.trim() === '') return [fault('The prompt is empty.', 'Write it, or delete the file.')];
    return unknown.map((place) =>
      fault(`Nothing fills in {{${place}}}.`, `Use one of ${[...new Set(filled)].join(', ')}.`),
    );
  });
}

function placesOf(text: string): readonly string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, place = '']) => place);
}
