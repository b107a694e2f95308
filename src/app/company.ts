import { loadCompany } from '../company/company.js';
import { loadTexts } from '../company/texts.js';
import type { Config } from '../config/config.js';
import type { CompanyProfile } from '../core/domain/company.js';
import type { Texts } from '../core/i18n/index.js';

/** Whose hub this is, for what must say so before the application is open. @throws HubError `config_invalid` */
export function companyProfile({ company }: Config): CompanyProfile {
  return loadCompany(company.folder, company).profile;
}

/** What the company says, for a command that opens no application. @throws HubError `config_invalid` */
export function companyTexts({ company }: Config): Texts {
  return loadTexts(company.folder, loadCompany(company.folder, company).profile);
}
