import { customersOwn } from '../adapters/sources/customers-own.js';
import type { Config } from '../config/config.js';
import type { SkillPacks } from '../core/workbench.js';
import { createPackTools } from '../skills/pack-tools.js';
import { CUSTOMER_SCOPES } from './customer-scopes.js';

/** The packs of the configured folders, without a database, an index or a model: for who writes them. */
export function openSkillPacks({ skills }: Config): SkillPacks {
  return createPackTools(skills.dirs, customersOwn(CUSTOMER_SCOPES));
}
