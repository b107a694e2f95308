import { delimiter, join } from 'node:path';
import { createCompanyTrials } from '../adapters/processes/company-trials.js';
import { readSources, readStandIns } from '../company/declared/declare.js';
import { copyForTrial, openCompanyFolder } from '../company/editable-files.js';
import { type Config, isThisMachineAlone } from '../config/config.js';
import type { CompanyDesk } from '../core/company-changes.js';
import { createCompanyDesk } from '../desk/company-desk.js';
import { enginePrompts } from './company-prompts.js';
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
