import { customersOwn } from '../adapters/sources/settings.js';
import type { Config } from '../config/config.js';
import type { SkillPacks } from '../core/workbench.js';
import type { Catalog } from '../skills/pack/pack.js';
import { createPackTools, withFaultMessages } from '../skills/workbench.js';
import { customerScopes, loadSkills, readCompany, skillFolders } from './company.js';

/** The packs of the configured folders, without a database, an index or a model: for who writes them. */
export async function openSkillPacks(config: Config): Promise<SkillPacks> {
  const company = await readCompany(config);
  let known: Catalog | undefined;
  return createPackTools(skillFolders(config, company), customersOwn(customerScopes(company.code)), () => {
    known ??= withFaultMessages(loadSkills(config, company));
    return known;
  });
}
