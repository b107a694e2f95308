import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import { expectAccessible, openBrowser, openTab, PHONE, type Tab } from '../support/browser.js';
import { companyWithFewConversations, FEW_CONVERSATIONS } from '../support/company.js';
import { openServer, type TestServer } from '../support/server.js';
import { type DeskPage, deskOn } from './web-desk-page.js';

let browser: Browser;
let at: TestServer;
let folder: string;
const tabs: Tab[] = [];

beforeAll(async () => {
  folder = companyWithFewConversations();
  const { dir: webDir } = await ensureWebBuilt();
  at = await openServer({ webDir, env: { HUB_COMPANY: folder } });
  browser = await openBrowser();
});
afterAll(async () => {
  for (const { context } of tabs) await context.close();
  await browser.close();
  await at.close();
  rmSync(folder, { recursive: true, force: true });
  expect(tabs.flatMap(({ errors }) => errors)).toEqual([]);
});

const onDisk = (): string => readFileSync(join(folder, 'policy.yaml'), 'utf8');

async function deskOf(name: string, options: Parameters<typeof openTab>[1] = {}): Promise<DeskPage> {
  const tab = await openTab(browser, options);
  tabs.push(tab);
  const desk = deskOn(tab.page, at);
  await desk.signIn(name);
  await desk.open('#/company');
  return desk;
}

it('[COF-05 COF-01 COF-04 COF-07 SHF-91 SHF-142 SHF-152] a change is written by one operator and approved by another one, in two languages and by keyboard', async () => {
  const before = onDisk();
  const { page } = await deskOf('Olga');
  await page.getByRole('link', { name: /^Rules and amounts/ }).focus();
  await page.keyboard.press('Enter');
  const text = page.getByLabel('Text of the file');
  await text.waitFor();
  await expectAccessible(page, 'company-file');
  const propose = page.getByRole('button', { name: 'Propose this change' });
  expect(await propose.isDisabled()).toBe(true);
  // However much it is, all that would be agreed to stands there, and no part of it scrolls by itself.
  await text.fill(before.replaceAll(/^(?=.)/gm, '# '));
  await page.locator('.versions__line ins').nth(40).waitFor();
  expect(
    await page.evaluate(
      `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.versions__diff'))`,
    ),
  ).toBeLessThanOrEqual(1);
  await text.fill(
    before.replace(/^claim_lapse_minutes:.*$|^(\s+)claim_lapse_minutes:.*$/m, '$1claim_lapse_minutes: 45'),
  );
  const lines = page.locator('.versions__line');
  await lines.filter({ hasText: 'claim_lapse_minutes: 45' }).locator('ins').waitFor();
  expect(await lines.locator('del').count()).toBe(1);
  await page.locator('.versions__left').first().waitFor();
  await page.getByLabel('Reason').fill('Fewer claims that nobody works on.');
  await page.keyboard.press('Enter');
  await page.getByText('A colleague has to approve this change').waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  await page.getByText('No fault was found.').waitFor();
  await expectAccessible(page, 'company-own-change');

  const rui = await deskOf('Rui', { locale: 'pt-BR', colorScheme: 'dark', viewport: PHONE });
  // It counts for who may decide it, and not for its author.
  const waiting = '.bar__link[href="#/company"] .bar__count';
  expect(await rui.page.locator(waiting).innerText()).toBe('1');
  expect(await page.locator(waiting).count()).toBe(0);
  // What a company calls its files are words of their author: titles are in the reader's language, and the path says which.
  const titles = await rui.page.locator('.company__list .pick strong').allInnerTexts();
  expect(titles).toEqual(
    expect.arrayContaining(['Registros: Experiências', 'Textos (Inglês)', 'O que os agentes leem: Triagem']),
  );
  const records = titles.filter((title) => title.startsWith('Registros'));
  expect(new Set(records).size).toBe(records.length);
  const english = /\b(?:experience|reservations?|subscription|account|conversation|record|own|desk)\b/i;
  expect(titles.filter((title) => english.test(title))).toEqual([]);
  await rui.page.getByRole('link', { name: /Fewer claims that nobody works on/ }).click();
  await rui.page.getByRole('button', { name: 'Fazer as conversas' }).click();
  await rui.page.locator('.company__figures').waitFor();
  const all = await rui.page.locator('.company__figures tr').nth(1).innerText();
  expect(all.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`Todas ${FEW_CONVERSATIONS} 100 ?% 100 ?%`));
  await expectAccessible(rui.page, 'company-change-phone');
  expect(await rui.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await rui.page.getByRole('button', { name: 'Aprovar', exact: true }).press('Enter');
  await rui.page.locator('dialog[open]').waitFor();
  await expectAccessible(rui.page, 'company-approve');
  expect(onDisk()).toBe(before);
  await rui.page.locator('dialog[open] button[type=submit]').press('Enter');
  await rui.page.getByText(/Rui aprovou \(/).waitFor();
  expect(onDisk()).toContain('claim_lapse_minutes: 45');
  await rui.page.locator(waiting).waitFor({ state: 'detached' });
  await rui.open('#/company');
  await rui.page.getByText('O hub passa a usá-lo depois de reiniciado.').waitFor();

  await rui.page.getByRole('link', { name: /^Regras e valores/ }).click();
  await rui.page.getByRole('link', { name: /Fewer claims that nobody works on/ }).click();
  await rui.page.getByRole('link', { name: 'Voltar ao texto anterior' }).click();
  await rui.page.locator('del', { hasText: 'claim_lapse_minutes: 45' }).waitFor();
  await rui.page.getByRole('button', { name: 'Propor esta mudança' }).click();
  await rui.page.getByText('Um colega precisa aprovar').waitFor();
});

it('[COF-05 COF-03] a fault is shown with its file and line, and keeps the change from being approved', async () => {
  const token = await at.operator('Marta');
  const before = onDisk();
  const text = before.replace(/^support:/m, 'suport:');
  await at.post('/api/desk/company/changes', token, { path: 'policy.yaml', before, text, note: 'A slip.' });
  const { page } = await deskOf('Nina');
  await page.getByRole('link', { name: /A slip/ }).click();
  await page.getByText('the hub would not start with this change').waitFor();
  await page
    .getByText(/Fault: policy\.yaml line \d+/)
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true);
  await expectAccessible(page, 'company-fault');
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.locator('dialog[open] button[type=submit]').click();
  await page.getByText(/Nina declined it/).waitFor();
  expect(onDisk()).toBe(before);
});
