import { fileURLToPath } from 'node:url';
import { loadCompany } from '../../src/company/company.js';
import { loadTexts } from '../../src/company/texts.js';

const { folder, profile } = loadCompany(fileURLToPath(new URL('../../companies/cultpass', import.meta.url)));

/** What the company that ships with the hub says, for tests that put a part together by themselves. */
export const TEXTS = loadTexts(folder, profile);
