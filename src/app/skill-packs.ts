import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { customersOwn } from '../adapters/sources/settings.js';
import { skillSubject } from '../company/declared/skill-subject.js';
import { isDeclared } from '../company/yaml-file.js';
import type { Config } from '../config/config.js';
import type { SkillPacks } from '../core/workbench.js';
import type { Catalog } from '../skills/pack/pack.js';
import { createPackTools, withFaultMessages } from '../skills/workbench.js';
import { customerScopes, loadSkills, readCompany, skillFolders } from './company.js';

/** The packs of the configured folders, without a database, an index or a model: for who writes them. */
export async function openSkillPacks(config: Config): Promise<SkillPacks> {
  const company = await readCompany(config);
  let known: Catalog | undefined;
  const catalog = (): Catalog => {
    known ??= withFaultMessages(loadSkills(config, company));
    return known;
  };
  const dirs = skillFolders(config, company);
  const isOwn = customersOwn(customerScopes(company.code));
  return createPackTools(dirs, isOwn, catalog, undefined, newSkillsOf(config));
}

/** Where a new pack is written, and what it starts from: a company in YAML has its own. */
export function newSkillsOf({ company: { folder }, skills }: Config) {
  return {
    ...(skills.withCompany && isDeclared(folder) ? { home: join(folder, 'skills') } : {}),
    subjectOf: (dir: string, skill: string) => {
      const of = dirname(resolve(dir));
      return existsSync(join(of, 'company.yaml')) ? skillSubject(of, skill) : null;
    },
  };
}
