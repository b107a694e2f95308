import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import { expectAccessible, expectPlainWords, openBrowser, openTab } from '../support/browser.js';
import { openServer, type TestServer } from '../support/server.js';
import { customerSays, deskOn } from './web-desk-page.js';

const LOOKS = [
  ['wide-light', { viewport: { width: 1280, height: 720 }, colorScheme: 'light', locale: 'en-US' }],
  ['wide-dark', { viewport: { width: 1280, height: 720 }, colorScheme: 'dark', locale: 'pt-BR' }],
  [
    'phone-dark',
    { viewport: { width: 360, height: 720 }, colorScheme: 'dark', locale: 'pt-BR', hasTouch: true },
  ],
] as const;
const PLACES = [
  'approvals',
  'customers',
  'customers/usr_001',
  'knowledge',
  'knowledge/new',
  'knowledge/kb-reset-password-en',
  'skills',
  'company',
  'dashboard',
  'dashboard/history',
  'dashboard/happened=opened',
];
const WORDS = {
  'en-US': {
    claim: 'Claim',
    macros: 'Macros',
    act: 'Act',
    snooze: 'Snooze',
    back: 'Return',
    resolve: 'Resolve',
  },
  'pt-BR': {
    claim: 'Assumir',
    macros: 'Macros',
    act: 'Agir',
    snooze: 'Adiar',
    back: 'Devolver',
    resolve: 'Resolver',
  },
} as const;

let browser: Browser;
let at: TestServer;
/** One that was investigated, and one that waits for an approval too. */
let tickets: readonly (readonly [string, string, string])[];
beforeAll(async () => {
  const { dir: webDir } = await ensureWebBuilt();
  browser = await openBrowser();
  at = await openServer({ webDir, checkpointer: 'sqlite', env: { HUB_DEMO: '1' } });
  const person = 'I want to talk to a human now, please';
  const booking = 'cancel my booking for Elis: The Musical';
  const waits = await customerSays(at, 'ana.souza@example.com', booking, 'yes', person);
  const refund = 'I cancelled a booking but never got my money back';
  const investigated = await customerSays(at, 'gabriela.nunes@example.com', refund, 'yes');
  tickets = [
    ['approval', waits.ticketId, '.approval'],
    ['investigated', investigated.ticketId, '.run'],
  ];
});
afterAll(async () => {
  await browser?.close();
  await at?.close();
});

/** What can be used or read and stands beyond the right edge, but in what is scrolled; words broken into letters; round marks drawn long. */
const MISFITS = `(() => {
  const shown = (one) => one.checkVisibility() && !one.closest('.visually-hidden');
  const scrolled = (one) => one !== null && (/auto|scroll/.test(getComputedStyle(one).overflowX)
    && one.scrollWidth > one.clientWidth && one.matches('[tabindex]') || scrolled(one.parentElement));
  const cut = [...document.querySelectorAll('h1, h2, h3, p, button, a, input, select, textarea')]
    .filter((one) => shown(one) && one.getBoundingClientRect().right > innerWidth + 1 && !scrolled(one));
  const letters = [...document.querySelectorAll('th, .call__name')]
    .filter((one) => shown(one) && one.getBoundingClientRect().height > 4 * parseFloat(getComputedStyle(one).fontSize) * 1.7);
  const long = [...document.querySelectorAll('.button--icon')]
    .filter((one) => shown(one) && one.getBoundingClientRect().width > 60);
  return [...cut, ...letters, ...long].map((one) => one.outerHTML.slice(0, 120));
})()`;

/** Nothing is wider than the screen, and nothing is cut off. */
async function expectFits(page: Page, name: string): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBe(0);
  expect(await page.evaluate(MISFITS), name).toEqual([]);
}

describe('every page and state of the desk has no fault of access and fits', () => {
  it.each(LOOKS)('[DUI-12 SHF-50 SHF-12] %s', async (look, options) => {
    const { ticketId } = await customerSays(
      at,
      'bruno.lima@example.com',
      'This is the third time I write and nobody helps!!! I am furious',
    );
    const { context, page, errors } = await openTab(browser, options);
    const desk = deskOn(page, at);
    const words = WORDS[options.locale];
    const seen = async (state: string): Promise<void> => {
      await page.locator('.spinner').first().waitFor({ state: 'detached' });
      await expectAccessible(page, `${look}-${state}`);
      await expectFits(page, `${look}-${state}`);
      if (look.startsWith('wide')) await expectPlainWords(page, `${look}-${state}`);
    };
    await page.goto(`${at.url}/desk`);
    await page.locator('input[name=name]').waitFor();
    await seen('sign-in');
    await desk.signIn(`Olga ${look}`);
    await desk.rows.first().waitFor();
    await seen('queue');
    await page.getByRole('searchbox').fill('zzzz');
    await desk.rows.first().waitFor({ state: 'detached' });
    await seen('queue-empty');
    await page.getByRole('searchbox').fill('');
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: words.claim, exact: true }).first().click();
    await desk.field.waitFor();
    await page.locator('.why summary').first().click();
    await seen('ticket');
    for (const name of [words.macros, words.act, words.snooze, words.back, words.resolve]) {
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.locator('dialog[open]').waitFor();
      await seen(`window-${name}`);
      await page.keyboard.press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    }
    for (const [name, id, part] of tickets) {
      await desk.open(`#/tickets/${id}`);
      await page.locator(part).first().waitFor({ state: 'attached' });
      await seen(`ticket-${name}`);
    }
    await page.locator('body').press('?');
    await page.locator('dialog[open]').waitFor();
    await seen('help');
    await page.keyboard.press('Escape');
    for (const place of PLACES) {
      await desk.open(`#/${place}`);
      await page.locator('main').waitFor();
      await seen(place.replace(/[/=]/g, '-'));
    }
    await desk.open('#/tickets/unknown');
    await page.getByRole('alert').waitFor();
    await seen('not-found');
    // A second try would find nothing either.
    expect(await page.getByRole('alert').locator('..').getByRole('button').count()).toBe(0);
    await page.locator('.menu button').first().click();
    await seen('menu');
    await page.keyboard.press('Escape');
    await context.setOffline(true);
    await page.locator('.bar__live--lost').waitFor();
    await seen('offline');
    await context.close();
    expect(errors).toEqual([]);
  });
});
