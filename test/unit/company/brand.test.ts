import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkCompanyFiles } from '../../../src/company/check.js';
import { loadCompany } from '../../../src/company/company.js';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { pageRoutes } from '../../../src/surfaces/http/pages.js';
import { makeTempDir } from '../../support/hub.js';

const SHOP = new URL('../../../companies/shop', import.meta.url).pathname;
const room = makeTempDir();
afterAll(() => rmSync(room, { recursive: true }));

const labels = { accounts: true, answer_in_words: [], tools: {}, arguments: {}, entities: {}, skills: {} };

it('[BYO-18] colour and logo of a company are told to its pages, and the logo is served', async () => {
  const web = join(room, 'web');
  mkdirSync(web);
  writeFileSync(join(web, 'facts.html'), '<meta content="%facts%" />');
  const router = pageRoutes(web, { company: loadCompany(SHOP).profile, ...labels });
  const page = await (await router.request('/facts.html')).text();
  expect(page.replaceAll('&quot;', '"')).toContain('"brand":{"color":"#8a4b2a","logo":"/brand/logo.svg"}');
  const logo = await router.request('/brand/logo.svg');
  expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(await logo.text()).toContain('<svg');
});

it('[BYO-18] a new company takes its colour from the command; a logo that is not there is a fault at its line', () => {
  const folder = join(room, 'plain');
  writeNewCompany(folder, { name: 'Plain', color: '#2a6f97' });
  expect(loadCompany(folder).profile.brand).toEqual({ color: '#2a6f97', logo: null });
  expect(() => writeNewCompany(join(room, 'red'), { name: 'Red', color: 'red' })).toThrow(/#2a6f97/);
  const broken = join(room, 'broken');
  cpSync(SHOP, broken, { recursive: true });
  rmSync(join(broken, 'logo.svg'));
  expect(() => loadCompany(broken)).toThrow(/brand\.logo.*no file logo\.svg/);
  const faults = checkCompanyFiles(broken).findings.filter(({ problem }) => problem.includes('brand.logo'));
  expect(faults).toMatchObject([{ severity: 'fault', line: expect.any(Number) }]);
});
