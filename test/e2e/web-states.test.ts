import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import {
  DESKTOP,
  expectAccessible,
  expectPlainWords,
  openBrowser,
  openTab,
  PHONE,
} from '../support/browser.js';
import { GatedIndex } from '../support/gated-index.js';
import { openServer, type TestServer } from '../support/server.js';
import { chatOn, deskOf, threadOf } from './web-chat-page.js';

const JOAO = 'joao.cardoso@example.com';
const LOOKS = [
  ['desktop-light', { viewport: DESKTOP, colorScheme: 'light', locale: 'en-US' }],
  ['desktop-dark', { viewport: DESKTOP, colorScheme: 'dark', locale: 'pt-BR' }],
  ['phone-light', { viewport: PHONE, colorScheme: 'light', locale: 'pt-BR', hasTouch: true }],
  ['phone-dark', { viewport: PHONE, colorScheme: 'dark', locale: 'en-US', hasTouch: true }],
  ['narrow-light', { viewport: { width: 320, height: 568 }, colorScheme: 'light', locale: 'en-US' }],
] as const;
const SAYS = {
  'en-US': [
    'How long does a refund take?',
    'cancel my booking for the Museum of Tomorrow',
    'I want to talk to a person',
    'What are my bookings?',
  ],
  'pt-BR': [
    'Quanto tempo leva um reembolso?',
    'quero cancelar minha reserva do Museum of Tomorrow',
    'quero falar com uma pessoa',
    'Quais são as minhas reservas?',
  ],
} as const;

let browser: Browser;
let webDir: string;
const index = new GatedIndex();
let at: TestServer;

beforeAll(async () => {
  webDir = (await ensureWebBuilt()).dir;
  browser = await openBrowser();
  at = await openServer({ webDir, checkpointer: 'sqlite', env: { HUB_DEMO: '1' }, overrides: { index } });
});
afterAll(async () => {
  await browser?.close();
  await at?.close();
});

/** Nothing is wider than the screen, and what is pressed is large enough for a finger. */
async function expectFits(page: Page, name: string): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBe(0);
  const small = await page.evaluate(`[...document.querySelectorAll('button, a[href], input, textarea')]
    .filter((one) => one.checkVisibility() && !one.closest('.skip-link, .article, .choices'))
    .map((one) => [(one.closest('label') ?? one).getBoundingClientRect(), one.outerHTML.slice(0, 120)])
    .filter(([box]) => box.height < 43.5 || box.width < 43.5).map(([, html]) => html)`);
  expect(small, name).toEqual([]);
}

describe('every state of the chat has no axe violation and fits', () => {
  it.each(LOOKS)('[WEB-14 SHF-12] %s', async (look, options) => {
    const { context, page, errors } = await openTab(browser, options);
    const chat = chatOn(page, at);
    const [question, change, person, own] = SAYS[options.locale];
    const seen = async (state: string): Promise<void> => {
      await expectAccessible(page, `${look}-${state}`);
      await expectFits(page, `${look}-${state}`);
      if (look.startsWith('desktop')) await expectPlainWords(page, `${look}-${state}`);
    };
    await page.goto(`${at.url}/`);
    await page.locator('.hello__sign-in').waitFor();
    await seen('0-visitor');
    await chat.say(own);
    await page.locator('.offer').waitFor();
    await seen('1-offer');
    await page.locator('.offer button').click();
    await page.locator('.person').first().waitFor();
    await seen('1-sign-in');
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await chat.signIn(JOAO);
    await seen('2-empty');
    index.hold();
    await chat.say(question);
    await page.locator('.activity').waitFor();
    await seen('3-working');
    index.release();
    await page.locator('.rating').waitFor();
    await seen('4-sources');
    await page.locator('.source').first().click();
    await page.locator('.article').waitFor();
    await seen('5-article');
    await page.keyboard.press('Escape');
    await chat.say(change);
    await page.locator('.ask__answers').waitFor();
    await seen('6-card');
    await page.locator('.ask__answers .button--outline').click();
    await page.locator('.ask__outcome').waitFor();
    await chat.say(person);
    await page.locator('.owner--waiting').waitFor();
    await seen('7-waiting');
    const desk = await deskOf(at);
    await desk.act(threadOf(page), 'claim');
    await desk.act(threadOf(page), 'reply', { text: 'Olá João, aqui é a Marina.' });
    await page.locator('.message--operator').waitFor();
    await seen('8-person');
    await page.locator('.chat__header .menu button').first().click();
    await seen('9-menu');
    await context.close();
    expect(errors).toEqual([]);
  });
});

describe('what the pages weigh', () => {
  it.each(['en-US', 'pt-BR'])(
    '[WEB-17] the chat loads less than 60 kB of compressed script with its texts, all of it its own: %s',
    async (locale) => {
      const html = readFileSync(join(webDir, 'index.html'), 'utf8');
      expect(html).not.toMatch(/https?:\/\/|<style|style=|<script>|\son\w+=/);
      const { context, page } = await openTab(browser, { locale });
      const scripts = new Set<string>();
      page.on('request', (request) => {
        if (request.resourceType() === 'script') scripts.add(request.url());
      });
      await chatOn(page, at).signIn(JOAO);
      await context.close();
      const bytes = [...scripts].map((url) => {
        expect(url.startsWith(`${at.url}/assets/`), url).toBe(true);
        return gzipSync(readFileSync(join(webDir, new URL(url).pathname)), { level: 9 }).length;
      });
      // The texts of the language are a script of their own.
      expect([...scripts].join(' ')).toContain(`/assets/${locale === 'en-US' ? 'en' : locale}-`);
      expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(60_000);
    },
  );

  it('[WEB-17] somebody can write after few requests', async () => {
    const { context, page } = await openTab(browser);
    await chatOn(page, at).signIn(JOAO);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload({ waitUntil: 'commit' });
    await page.locator('#composer').waitFor();
    await context.close();
    expect(asked.length, asked.join(' ')).toBeLessThan(15);
  });

  it('[WEB-13] no source of the pages makes HTML from text', () => {
    const root = new URL('../../src/surfaces/web/', import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    expect(files.length).toBeGreaterThan(40);
    for (const name of files) {
      const text = readFileSync(new URL(name, root), 'utf8');
      expect(text, name).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|\beval\(|new Function/,
      );
    }
  });
});
