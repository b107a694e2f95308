import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import { expectAccessible, openBrowser, openTab, PHONE, type Tab } from '../support/browser.js';
import { GatedIndex } from '../support/gated-index.js';
import { openServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { chatOn, deskOf } from './web-chat-page.js';

const ANA = 'ana.souza@example.com';

let browser: Browser;
let shop: Server;
let shopUrl: string;
let attributes = '';
let at: TestServer;
let tab: Tab | undefined;
const index = new GatedIndex();

beforeAll(async () => {
  const webDir = (await ensureWebBuilt()).dir;
  browser = await openBrowser();
  shop = createServer((_request, response) => {
    // The page of somebody who is as strict as possible: no inline style and no script but the one line.
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'self'; script-src ${at.url}; frame-src ${at.url}`,
    });
    response.end(
      `<!doctype html><html lang="en"><head><title>A theatre</title></head><body><main><h1>A theatre</h1></main><script id="hub" src="${at.url}/embed.js" async ${attributes}></script></body></html>`,
    );
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  at = await openServer({ webDir, env: { HUB_DEMO: '1', HUB_EMBED_ORIGINS: shopUrl }, overrides: { index } });
});
afterAll(async () => {
  await browser?.close();
  shop?.close();
  await at?.close();
});
afterEach(async () => {
  attributes = '';
  const errors = tab?.errors ?? [];
  await tab?.context.close();
  expect(errors).toEqual([]);
});

describe('one line on any page', () => {
  it('[WEB-15] puts a button and a panel there, by keyboard too, and leaves no name behind', async () => {
    tab = await openTab(browser);
    const { page } = tab;
    await page.addInitScript('globalThis.before = Object.getOwnPropertyNames(globalThis)');
    attributes = 'data-language="pt-BR" data-color="#ffd400"';
    await page.goto(shopUrl);
    const launcher = page.getByRole('button', { name: 'Abrir o chat de atendimento' });
    await launcher.waitFor();
    const left = 'Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name))';
    expect(await page.evaluate(left)).toEqual(['before']);
    expect(await page.locator('iframe').count()).toBe(0);
    await expectAccessible(page, 'embed-closed');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const frame = page.frameLocator('iframe');
    await frame.locator('.hello__sign-in button').click();
    await frame.getByRole('button', { name: 'Ana Souza' }).click();
    await frame.getByRole('heading', { name: 'Olá, Ana' }).waitFor();
    await expectAccessible(page, 'embed-open');
    await frame.locator('#composer').press('Escape');
    await page.locator('.panel').waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.className')).toBe('button');
  });

  it('[WEB-15] takes the token the page gives it, counts what is unread, and hears only its own page', async () => {
    attributes = `data-token="${await at.token(ANA)}"`;
    tab = await openTab(browser, { viewport: PHONE });
    const { page } = tab;
    await page.goto(shopUrl);
    await page.getByRole('button', { name: 'Open support chat' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Hello, Ana' }).waitFor();
    const bruno = await at.token('bruno.lima@example.com');
    // Another frame of the same page is not the page.
    await page.evaluate(`window.dispatchEvent(new MessageEvent('message', {
      data: { type: 'hub:unread', count: 5 }, origin: ${JSON.stringify(at.url)}, source: window }))`);
    const chat = page.frames()[1];
    await chat?.evaluate(`window.dispatchEvent(new MessageEvent('message', {
      data: { type: 'hub:token', token: ${JSON.stringify(bruno)} }, origin: 'https://evil.example', source: window.parent }))`);
    await frame.locator('#composer').fill('How long does a refund take?');
    index.hold();
    await frame.locator('#composer').press('Enter');
    await frame.locator('.message--customer').waitFor();
    await frame.getByRole('button', { name: 'Close chat' }).click();
    index.release();
    await page.getByRole('button', { name: 'Open support chat (1 unread)' }).waitFor();
    await page.getByRole('button', { name: 'Open support chat (1 unread)' }).click();
    await page.locator('.badge').waitFor({ state: 'hidden' });
    expect(at.hub.query('udahub', 'SELECT DISTINCT customer_id FROM tickets')).toEqual([
      { customer_id: 'usr_001' },
    ]);
  });

  it('[SHF-44] counts the answers that came while no page was open, before it is opened, and opens with them', async () => {
    attributes = `data-token="${await at.token('carla.mendes@example.com')}"`;
    tab = await openTab(browser);
    const { page } = tab;
    await page.goto(shopUrl);
    await page.getByRole('button', { name: 'Open support chat' }).click();
    const frame = page.frameLocator('iframe');
    await frame.locator('#composer').fill('I want to talk to a person');
    await frame.locator('#composer').press('Enter');
    await frame.locator('.message--hub:not(.message--preview)').waitFor();
    const read = `SELECT thread_id FROM threads WHERE customer_id = 'usr_003' AND customer_read_id IS NOT NULL`;
    const threadId = await until(() => at.hub.query('udahub', read)[0]?.['thread_id'], 'the answer was read');
    await page.goto('about:blank');
    const desk = await deskOf(at);
    await desk.act(String(threadId), 'claim');
    await desk.act(String(threadId), 'reply', { text: 'The seats are kept for you.' });
    const history = await page.evaluate('history.length');
    await page.goto(shopUrl);
    await page.getByRole('button', { name: 'Open support chat (1 unread)' }).waitFor();
    expect(await page.locator('.panel').isVisible()).toBe(false);
    // Nothing was read, and the way back is still the page's own.
    expect(await page.evaluate('history.length')).toBe(Number(history) + 1);
    await desk.act(String(threadId), 'reply', { text: 'Row four.' });
    await page.getByRole('button', { name: 'Open support chat (2 unread)' }).click();
    await frame.locator('.message--operator', { hasText: 'Row four.' }).waitFor();
    await frame.getByRole('button', { name: 'Close chat' }).click();
    await page.getByRole('button', { name: 'Open support chat', exact: true }).waitFor();
    // Where nobody has ever talked, nothing but the button is loaded.
    attributes = '';
    await page.evaluate('localStorage.clear()');
    await page.goto(shopUrl);
    await page.getByRole('button', { name: 'Open support chat', exact: true }).waitFor();
    await page.evaluate('new Promise((idle) => requestIdleCallback(() => requestIdleCallback(idle)))');
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('[WEB-15] is framed only by pages the operator of the hub has named', async () => {
    const chat = await fetch(`${at.url}/`);
    expect(chat.headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${shopUrl}`);
  });
});

/** Of the viewer's own markup, which is not ours to change. */
const SWAGGER_UI = [
  'heading-order',
  'landmark-unique',
  'region',
  'scrollable-region-focusable',
  'select-name',
];

describe('the reference of the API', () => {
  it.each([
    ['desktop-light', { colorScheme: 'light' }],
    ['phone-dark', { colorScheme: 'dark', viewport: PHONE, locale: 'pt-BR' }],
  ] as const)('[WEB-16] shows every operation of the document, %s', async (look, options) => {
    tab = await openTab(browser, options);
    const { page } = tab;
    const document = (await at.get('/openapi.json')).body as { readonly paths: Record<string, object> };
    const count = Object.values(document.paths).flatMap((item) => Object.keys(item)).length;
    await page.goto(`${at.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock').count()).toBe(count);
    await page.locator('#operations-Conversations-sendMessage .opblock-summary-control').click();
    await page.locator('#operations-Conversations-sendMessage .opblock-body').waitFor();
    await expectAccessible(page, `docs-${look}`, SWAGGER_UI);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  it('[PAGE-02] sends a request that is tried out, under the policy of the pages and to this server alone', async () => {
    tab = await openTab(browser);
    const { page } = tab;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${at.url}/docs`);
    const operation = page.locator('#operations-Operations-getHealth');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([at.url]));
  });
});

describe('a site that is no demo', () => {
  it('[WEB-18 SHF-29] where visitors are not answered, asks for an address and the code that was sent to it', async () => {
    const webDir = (await ensureWebBuilt()).dir;
    const site = await openServer({ webDir, env: { HUB_DEMO: '0', HUB_CHAT_VISITORS: '0' } });
    try {
      tab = await openTab(browser);
      const { page } = tab;
      await page.goto(`${site.url}/`);
      expect(await page.locator('.person').count()).toBe(0);
      await page.getByLabel('E-mail').fill('no address');
      await page.getByRole('button', { name: 'Send me a code' }).click();
      await page.getByText('Please type an e-mail address').waitFor();
      await page.getByLabel('E-mail').fill(ANA);
      await page.getByRole('button', { name: 'Send me a code' }).click();
      const field = page.getByLabel('Code from the e-mail');
      await field.waitFor();
      const mail = site.hub.log.entries.findLast(({ action }) => action === 'mail_logged');
      const code = /\b\d{6}\b/.exec(String(mail?.details?.text))?.[0] ?? '';
      await field.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('This code is wrong or no longer valid').waitFor();
      await expectAccessible(page, 'code');
      await page.getByRole('button', { name: 'Send a new code' }).click();
      await page.getByText('That was too soon. Please wait 60 seconds, then try again.').waitFor();
      await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Hello, Ana' }).waitFor();
      await chatOn(page, site).say('How many visits do I have left?');
      await page.locator('.message--hub:not(.message--preview)').waitFor();
    } finally {
      await site.close();
    }
  });
});
