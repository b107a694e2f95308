import { loadCompany } from '../company/company.js';
import type { Config } from '../config/config.js';
import type { CompanyProfile } from '../core/domain/company.js';

/** Whose hub this is, for what must say so before the application is open. @throws HubError `config_invalid` */
export function companyProfile({ company }: Config): CompanyProfile {
  return loadCompany(company.folder, company).profile;
}
