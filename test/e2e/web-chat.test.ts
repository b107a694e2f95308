import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/config.js';
import { type HttpServer, startServer } from '../../src/surfaces/http/server.js';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import { DESKTOP, expectAccessible, openBrowser, openTab, PHONE, type Tab } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { GatedIndex } from '../support/gated-index.js';
import { openServer, SECRET, type TestServer } from '../support/server.js';
import { type ChatPage, chatOn, deskOf, threadOf } from './web-chat-page.js';
import { deskOn } from './web-desk-page.js';

const ANA = 'ana.souza@example.com';
const JOAO = 'joao.cardoso@example.com';

let browser: Browser;
let webDir: string;
let index: GatedIndex;
let port: number;
let at: TestServer;
let tab: Tab;
let chat: ChatPage;

beforeAll(async () => {
  webDir = (await ensureWebBuilt()).dir;
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const env = (): Record<string, string> => ({
  PORT: String(port),
  HUB_DEMO: '1',
  HUB_LINK_HOSTS: 'help.example.com',
});

beforeEach(async () => {
  index = new GatedIndex();
  port = await freePort();
  at = await openServer({ webDir, checkpointer: 'sqlite', env: env(), overrides: { index } });
  tab = await openTab(browser);
  chat = chatOn(tab.page, at);
});
afterEach(async () => {
  index.release();
  const { errors } = tab;
  await tab.context.close();
  await at.close();
  expect(errors).toEqual([]);
});

describe('a conversation in the browser', () => {
  it('[SHF-29 SHF-30] asks nobody who it is before the first question, and goes on as the customer who signs in', async () => {
    const { page, context } = tab;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${at.url}/`);
    await page.locator('.hello__sign-in').waitFor();
    expect(asked.filter((path) => path.startsWith('/api') && path !== '/api/config')).toEqual([]);
    await chat.say('How long does a refund take?');
    await chat.answered('business days');
    await page.reload();
    await chat.answered('business days');
    const thread = threadOf(page);
    // A second tab finds what was said, and has it no longer once the first has signed in.
    const second = await context.newPage();
    await second.goto(`${at.url}/#/t/${thread}`);
    await chatOn(second, at).answered('business days');
    await page.bringToFront();
    await chat.say('What are my upcoming reservations?');
    await page.locator('.offer').waitFor();
    await page.reload();
    await page.locator('.offer button').click();
    await page.getByRole('button', { name: 'Ana Souza' }).click();
    await chat.answered('Candlelight');
    expect(threadOf(page)).toBe(thread);
    expect(await page.locator('.offer, .chat__sign-in').count()).toBe(0);
    await second.reload();
    await second.getByText('does not exist, or it belongs to another account').waitFor();
    expect(await second.getByText('Candlelight').count()).toBe(0);
    await second.close();
    // Who comes next to this browser begins with nothing of it.
    await page.getByRole('button', { name: 'Language and appearance' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.hello__sign-in').waitFor();
    expect(await page.locator('.thread').count()).toBe(0);
  });

  it.each([
    { begun: 'nothing was asked before', asks: null },
    { begun: 'a conversation is taken along', asks: 'How long does a refund take?' },
  ])('[SHF-30] sends what is written while somebody is being signed in, once: $begun', async ({ asks }) => {
    const { page } = tab;
    let goOn = (): void => {};
    const written = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/api/session', async (route) => {
      if (route.request().method() === 'GET') await written;
      await route.continue();
    });
    await page.goto(`${at.url}/`);
    await page.locator('.hello__sign-in button').waitFor();
    if (asks !== null) {
      await chat.say(asks);
      await chat.answered('business days');
    }
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await page.getByRole('button', { name: 'Ana Souza' }).click();
    await page.locator('.chat__sign-in').waitFor({ state: 'detached' });
    await chat.say('What are my upcoming reservations?');
    goOn();
    await chat.answered('Candlelight');
    expect(await page.locator('.message--customer', { hasText: 'upcoming reservations' }).count()).toBe(1);
  });

  it('[WEB-01 WEB-02] shows a demo customer in, streams an answer and opens its source beside it', async () => {
    const { page } = tab;
    await page.goto(`${at.url}/`);
    await page.locator('.hello__sign-in button').click();
    await page.getByRole('button', { name: 'Ana Souza' }).click();
    await page.getByRole('heading', { name: 'Hello, Ana' }).waitFor();
    index.hold();
    await chat.say('How long does a refund take?');
    await page.locator('.activity', { hasText: 'Searching the help articles' }).waitFor();
    index.release();
    await chat.answered('business days');
    expect(await page.locator('.activity, .message--preview').count()).toBe(0);
    await page.getByRole('link', { name: 'How long a refund takes to arrive' }).click();
    const dialog = page.getByRole('dialog', { name: 'How long a refund takes to arrive' });
    await dialog.getByRole('article').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement?.className')).toContain('source');
  });

  it('[WEB-03 SHF-16 SHF-140] asks by a card whose button releases the change once, and says what became of it', async () => {
    await chat.signIn(ANA);
    await chat.say('cancel my samba night booking');
    const card = tab.page.locator('.ask');
    await card.getByRole('button', { name: 'Keep the booking' }).waitFor();
    // No line is broken between the sign of an amount and its number.
    expect(await card.innerText()).toMatch(/Samba Night[\s\S]*R\$\u00a060\.00/);
    const before = await card.innerText();
    expect(await tab.page.locator('.messages').innerText()).not.toContain('yes or no');
    await tab.page.reload();
    await card.getByRole('button', { name: 'Cancel, R$ 60.00 back' }).waitFor();
    expect(await card.innerText()).toBe(before);
    await card.getByRole('button', { name: 'Cancel, R$ 60.00 back' }).click();
    await card.getByText('You said yes').waitFor();
    await tab.page.locator('.message--customer', { hasText: 'Cancel, R$ 60.00 back' }).waitFor();
    await chat.answered('Done');
    expect(await card.getByRole('button').count()).toBe(0);
    expect(await tab.page.evaluate('document.activeElement?.id')).toBe('composer');
    expect(
      at.hub.query(
        'cultpass',
        "SELECT * FROM reservations WHERE user_id = 'usr_001' AND status = 'cancelled'",
      ),
    ).not.toHaveLength(0);
  });

  it('[WEB-03] keeps a question open that was asked while the page asked for the whole conversation', async () => {
    const { page } = tab;
    let show = () => {};
    const shown = new Promise<void>((resolve) => {
      show = resolve;
    });
    let answered = 0;
    await page.route(/\/api\/threads\/thr_[^/]+$/, async (route) => {
      const response = await route.fetch();
      await shown;
      // As it was read before the question was asked.
      const json = { ...(await response.json()), ...(answered === 0 ? { pending: null } : {}) };
      await route.fulfill({ response, json });
      answered += 1;
    });
    await chat.signIn(ANA);
    await chat.say('cancel my samba night booking');
    const keep = page.locator('.ask').getByRole('button', { name: 'Keep the booking' });
    await keep.waitFor();
    show();
    await expect.poll(() => answered).toBeGreaterThan(1);
    await page.unrouteAll({ behavior: 'wait' });
    await keep.click();
    await chat.answered('not changed anything');
  });

  it('[WEB-03] takes a typed no as well as a pressed one, and the card shows it', async () => {
    await chat.signIn(ANA);
    await chat.say('cancel my samba night booking');
    await tab.page.locator('.ask__answers').waitFor();
    await chat.say('no');
    await tab.page.locator('.ask').getByText('You said no').waitFor();
    await chat.answered('not changed anything');
  });

  it('[WEB-04] shows what waits for the team, and that it was approved', async () => {
    await chat.signIn(JOAO);
    await chat.say('cancel my reservation res_042');
    await tab.page
      .locator('.ask')
      .getByRole('button', { name: /^Ask the team/ })
      .click();
    const card = tab.page.locator('.ask--waiting');
    await card.getByText('Our team is available until 18:00 today').waitFor();
    const order = await tab.page.evaluate(
      "[...document.querySelectorAll('.messages .message')].map((one) => one.classList[1])",
    );
    expect(order).toEqual(['message--customer', 'message--hub', 'message--customer', 'message--hub']);
    await (await deskOf(at)).decide('approve');
    await tab.page.getByText('Approved by our team').waitFor();
    await chat.answered('Done');
  });

  it('[WEB-05 SHF-158] says that a person is waited for, who answers, and when it is handed back', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    await chat.say('I want to talk to a person');
    await page.getByText('Waiting for a person from our team').waitFor();
    await page.getByText('Our team is available until 18:00 today').waitFor();
    await page.getByText('Our team reads what you write here.').waitFor();
    // By what number the team and the hub find it, from the moment it is with the team.
    const told = page.locator('.owner').getByText(/^Request \w{3}-\w{3}$/);
    await told.waitFor();
    const number = await told.innerText();
    const desk = await deskOf(at);
    await desk.act(threadOf(page), 'claim');
    await page.getByText('You are talking with Marina Duarte').waitFor();
    await page.locator('.owner').getByText(number).waitFor();
    await desk.act(threadOf(page), 'reply', { text: 'Hello Ana, I have read everything.' });
    await page.locator('.message--operator', { hasText: 'I have read everything' }).waitFor();
    await chat.say('thank you');
    await page.locator('.message--system', { hasText: 'Marina Duarte' }).waitFor();
    await desk.act(threadOf(page), 'return');
    await page.getByText('The assistant is answering again').waitFor();
    await page.reload();
    await page.locator('.message--operator', { hasText: 'I have read everything' }).waitFor();
  });

  it('[WEB-06] goes on with a turn that runs while the page is loaded again', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    index.hold();
    await chat.say('How long does a refund take?');
    await page.locator('.activity').waitFor();
    await page.reload();
    await page.locator('.message--customer').waitFor();
    await page.locator('.activity').waitFor();
    index.release();
    await chat.answered('business days');
    expect(await page.locator('.message--customer').count()).toBe(1);
    expect(await page.locator('.message--hub').count()).toBe(1);
  });

  it('[WEB-07] shows messages typed meanwhile as on their way, and each is sent once and in order', async () => {
    await chat.signIn(ANA);
    index.hold();
    await chat.say('How long does a refund take?');
    await chat.say('And by Pix?');
    await chat.say('Thank you');
    expect(await tab.page.locator('.message--customer').allInnerTexts()).toEqual([
      expect.stringContaining('How long'),
      expect.stringContaining('Pix'),
      expect.stringContaining('Thank you'),
    ]);
    index.release();
    await tab.page.locator('.message--hub:not(.message--preview)').first().waitFor();
    await tab.page.locator('.message--sending').first().waitFor({ state: 'detached' });
    const stored = at.hub.query(
      'udahub',
      "SELECT content FROM ticket_messages WHERE role = 'customer' ORDER BY rowid",
    );
    expect(stored.map(({ content }) => content)).toEqual([
      'How long does a refund take?',
      'And by Pix?',
      'Thank you',
    ]);
  });

  it('[WEB-08] reconnects after the server was away and sends what was written meanwhile once', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    await chat.say('How do I cancel a reservation?');
    await chat.answered(/./);
    await at.server.close();
    await page.getByText('Connection lost').waitFor();
    await chat.say('How long does a refund take?');
    await page.locator('.message--sending').waitFor();
    const config = parseConfig({
      HUB_DATA_DIR: at.hub.dataDir,
      HUB_MODEL_PROVIDER: 'offline',
      HUB_AUTH_SECRET: SECRET,
      ...env(),
    });
    const again: HttpServer = await startServer(at.hub.app, config, { webDir });
    try {
      await chat.answered('business days');
      await page.getByText('Connection lost').waitFor({ state: 'detached' });
      expect(
        at.hub.query(
          'udahub',
          "SELECT 1 FROM ticket_messages WHERE content = 'How long does a refund take?'",
        ),
      ).toHaveLength(1);
    } finally {
      await again.close();
    }
  });

  it('[WEB-08] tries a failed message again as the same message', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    let ids: string[] = [];
    await page.route('**/messages', async (route) => {
      ids = [
        ...ids,
        String((route.request().postDataJSON() as { client_message_id: string }).client_message_id),
      ];
      const detail = 'Messages are refused in this test.';
      await route.fulfill({
        status: 422,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 422, code: 'refused', detail }),
      });
    });
    await chat.say('How long does a refund take?');
    const failed = page.locator('.message--failed');
    await failed.getByText('Messages are refused in this test.').waitFor();
    await page.unroute('**/messages');
    const sent = page.waitForRequest('**/messages');
    await failed.getByRole('button', { name: 'Try again' }).click();
    ids = [...ids, String(((await sent).postDataJSON() as { client_message_id: string }).client_message_id)];
    await chat.answered('business days');
    expect(ids[0]).toBe(ids[1]);
    expect(await page.locator('.message--customer').count()).toBe(1);
  });

  it('[SHF-75] sends a message again by itself that a server under load did not come to read', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    let ids: readonly unknown[] = [];
    await page.route('**/messages', async (route) => {
      ids = [...ids, (route.request().postDataJSON() as { client_message_id: string }).client_message_id];
      if (ids.length > 1) return route.continue();
      const body = JSON.stringify({ status: 408, code: 'input_invalid', detail: 'Cannot be read.' });
      return route.fulfill({ status: 408, contentType: 'application/problem+json', body });
    });
    await chat.say('How long does a refund take?');
    await chat.answered('business days');
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await page.locator('.message--customer').count()).toBe(1);
  });

  it('[WEB-09] asks to sign in again when the session has ended, and continues where it was', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    await chat.say('How do I cancel a reservation?');
    await chat.answered(/./);
    // Written before the session ends, and sent after: the page learns of the end by itself, whatever is being typed.
    await chat.composer.fill('How long does a refund take?');
    at.hub.clock.advance({ hours: 9 });
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
    await dialog.getByLabel('E-mail').fill(ANA);
    await dialog.locator('button[type=submit]').click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => chat.composer.inputValue()).toBe('How long does a refund take?');
    await chat.composer.press('Enter');
    await chat.answered('business days');
    expect(await page.locator('.message--customer').count()).toBe(2);
  });

  it('[WEB-10] lists conversations, opens an old one and begins a new one; an unknown one says so', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    await chat.say('How long does a refund take?');
    await chat.answered('business days');
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('button', { name: 'New conversation', exact: true }).click();
    await page.locator('.hello').waitFor();
    await list.getByRole('button', { name: 'How long does a refund take?' }).click();
    await chat.answered('business days');
    await page.goto(`${at.url}/#/t/thr_of_somebody_else`);
    await page.getByText('does not exist, or it belongs to another account').waitFor();
  });

  it('[WEB-11] keeps the rating of an answer, with what was missing', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    await chat.say('How long does a refund take?');
    await page.getByRole('button', { name: 'No, this was not helpful' }).click();
    await page.getByLabel('What was missing?').fill('the exact day');
    await page.locator('.rating').getByRole('button', { name: 'Send' }).click();
    await page.getByText('Thank you for telling us.').waitFor();
    expect(JSON.stringify(at.hub.dump('udahub'))).toContain('the exact day');
  });

  it('[WEB-12] follows the language of the conversation, and a chosen one stays', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    await chat.say('Quanto tempo leva um reembolso?');
    await page.getByText('Isso ajudou?').waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR');
    await page.getByRole('button', { name: 'Idioma e aparência' }).click();
    await page.getByLabel('English').check();
    await page.getByLabel('Dark').check();
    await page.reload();
    await page.getByText('Was this helpful?').waitFor();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  it('[WEB-13] shows markup, very long words and direction marks of a message as the text they are', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    const text = `<img src=x onerror="document.title='pwned'"> **bold** [x](javascript:alert(1)) \u202Eabc 🎭 ${'x'.repeat(3_000)}`;
    await chat.say(text);
    await page.locator('.message--hub:not(.message--preview)').waitFor();
    expect(await page.locator('.message--customer').innerText()).toContain('<img src=x onerror=');
    expect(await page.locator('.messages img, .messages .message--customer a').count()).toBe(0);
    expect(await page.title()).not.toBe('pwned');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('[WEB-13] an article links only to allowed hosts by https, and shows its HTML as text', async () => {
    const { page } = tab;
    at.hub.exec(
      'udahub',
      "UPDATE knowledge SET content = '# Times' || char(10) || char(10) || '[good](https://help.example.com/a) [bad](https://evil.example/a) [plain](http://help.example.com/) [script](javascript:alert(1)) <b id=\"raw\">raw</b> ![pic](https://evil.example/p.png)' WHERE article_id = 'kb-refund-times-en'",
    );
    await chat.signIn(ANA);
    await chat.say('How long does a refund take?');
    await page.locator('.source').first().click();
    const article = page.getByRole('dialog').getByRole('article');
    await article.getByRole('heading', { name: 'Times' }).waitFor();
    expect(
      await page.evaluate("[...document.querySelectorAll('dialog article a')].map((one) => one.href)"),
    ).toEqual(['https://help.example.com/a']);
    expect(await article.locator('img, b').count()).toBe(0);
    expect(await article.innerText()).toContain('<b id="raw">raw</b>');
  });

  it('[SHF-43] keeps a sign-in for other tabs and a restart where that was asked, and leaves in every tab', async () => {
    const { page, context } = tab;
    const kept = () => page.evaluate<string | null>("localStorage.getItem('hub.token.customer')");
    const signOut = async (on: Page) => {
      await on.getByRole('button', { name: 'Language and appearance' }).click();
      await on.getByRole('button', { name: 'Sign out' }).click();
    };
    const signedOut = (on: Page) => on.locator('.hello__sign-in').waitFor();
    // Off unless it is asked for: the device may be shared.
    await chat.signIn(ANA);
    expect(await kept()).toBeNull();
    const second = await context.newPage();
    await second.goto(`${at.url}/`);
    await signedOut(second);
    await signOut(page);
    await signedOut(page);

    await page.locator('.hello__sign-in button').click();
    await page.getByLabel('Keep me signed in on this device').check();
    await page.getByRole('button', { name: 'Ana Souza' }).click();
    await page.locator('.hello__sign-in').waitFor({ state: 'detached' });
    await chat.say('What are my upcoming reservations?');
    await chat.answered('Candlelight');
    const thread = threadOf(page);
    await second.reload();
    await second.goto(`${at.url}/#/t/${thread}`);
    await second.reload();
    await chatOn(second, at).answered('Candlelight');
    // A browser that starts again has what the device keeps, and nothing of its tabs.
    const again = await openTab(browser, { storageState: await context.storageState() });
    const restarted = again.page;
    await restarted.goto(`${at.url}/#/t/${thread}`);
    await chatOn(restarted, at).answered('Candlelight');
    // What is too old is not taken.
    await restarted.evaluate(`sessionStorage.clear();
      localStorage.setItem('hub.token.customer', localStorage.getItem('hub.token.customer').replace(/^[0-9]+/, '1000'))`);
    await restarted.goto(`${at.url}/`);
    await restarted.reload();
    await signedOut(restarted);
    await again.context.close();

    await signOut(page);
    await signedOut(second);
    expect(await second.getByText('Candlelight').count()).toBe(0);
    expect(await kept()).toBeNull();
    await second.close();
  });

  it('[SHF-43] keeps the sign-in of an operator too, until one of the tabs signs out', async () => {
    const { context } = tab;
    const desk = deskOn(tab.page, at);
    await desk.page.goto(`${at.url}/desk`);
    await desk.page.getByLabel('Keep me signed in on this device').check();
    await desk.page.locator('input[name=name]').fill('Marina Duarte');
    await desk.page.locator('input[name=name]').press('Enter');
    await desk.page.locator('.bar__nav').waitFor();
    const second = deskOn(await context.newPage(), at);
    await second.page.goto(`${at.url}/desk`);
    await second.page.locator('.bar__nav').waitFor();
    // Signing out of one leaves in the other.
    await second.page.getByRole('button', { name: 'Language and appearance' }).click();
    await second.page.getByRole('button', { name: 'Sign out' }).click();
    await desk.page.locator('input[name=name]').waitFor();
    await second.page.close();
  });

  it('[SHF-42] counts in the title what is answered while the page lies behind another', async () => {
    const { page } = tab;
    const lie = (state: 'hidden' | 'visible') =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await chat.signIn(ANA);
    const title = await page.title();
    await chat.say('How long does a refund take?');
    await chat.answered('business days');
    expect(await page.title()).toBe(title);
    await chat.say('I want to talk to a person');
    await page.locator('.owner--waiting').waitFor();
    await lie('hidden');
    const desk = await deskOf(at);
    await desk.act(threadOf(page), 'claim');
    await desk.act(threadOf(page), 'reply', { text: 'Hello Ana, I have read everything.' });
    await expect.poll(() => page.title()).toBe(`(1) ${title}`);
    await desk.act(threadOf(page), 'reply', { text: 'Are you there?' });
    await expect.poll(() => page.title()).toBe(`(2) ${title}`);
    await lie('visible');
    expect(await page.title()).toBe(title);
  });

  it('[SHF-134] tells above the open conversation of an answer in another one, until that was read', async () => {
    const { page } = tab;
    // What is asked every twenty seconds is asked at once here.
    await page.addInitScript(`const every = window.setInterval;
      window.setInterval = (work, ms) => every(work, ms === 20000 ? 300 : ms);`);
    await chat.signIn(ANA);
    await chat.say('I want to talk to a person');
    await page.locator('.owner--waiting').waitFor();
    const asked = threadOf(page);
    await page.getByRole('button', { name: 'New conversation' }).click();
    await chat.say('How long does a refund take?');
    await chat.answered('business days');
    const desk = await deskOf(at);
    await desk.act(asked, 'claim');
    await desk.act(asked, 'reply', { text: 'Hello Ana, I have read everything.' });
    const news = page.getByRole('button', {
      name: 'There is an answer in your conversation “I want to talk to a person”',
    });
    await news.waitFor();
    await page.setViewportSize(PHONE);
    await expectAccessible(page, 'elsewhere');
    await news.click();
    await page.getByText('Hello Ana, I have read everything.').waitFor();
    await news.waitFor({ state: 'detached' });
    await page.setViewportSize(DESKTOP);
    await page.locator('.thread', { hasText: 'How long' }).click();
    await chat.answered('business days');
    expect(await news.count()).toBe(0);
  });

  it('[SHF-122] offers who comes back in another browser the conversation in which the team answered', async () => {
    await chat.signIn(ANA);
    await chat.say('I want to talk to a person');
    await tab.page.locator('.owner--waiting').waitFor();
    const thread = threadOf(tab.page);
    const desk = await deskOf(at);
    await desk.act(thread, 'claim');
    await tab.page.close();
    await desk.act(thread, 'reply', { text: 'Hello Ana, your refund is on its way.' });
    const other = await openTab(browser, { viewport: PHONE });
    await chatOn(other.page, at).signIn(ANA);
    const expected = other.page.getByRole('region', { name: 'Go on where you were' });
    await expectAccessible(other.page, 'expected');
    await expected.getByRole('button', { name: /I want to talk.*Marina Duarte.*1 new/s }).click();
    await other.page.getByText('your refund is on its way').waitFor();
    expect(other.errors).toEqual([]);
    await other.context.close();
  });

  it('[SHF-46] tells of an answer out of sight as the customer asked for it, and of nothing before', async () => {
    const { page, context } = tab;
    await context.grantPermissions(['notifications']);
    await page.addInitScript(`
      window.told = [];
      const Shown = window.Notification, Heard = window.AudioContext;
      window.Notification = class extends Shown {
        constructor(title, options) { super(title, options); told.push(options.body); }
      };
      ServiceWorkerRegistration.prototype.showNotification = (title, options) => { told.push(options.body); };
      window.AudioContext = class extends Heard { constructor() { super(); told.push('sound'); } };`);
    const lie = (state: 'hidden' | 'visible') =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await chat.signIn(ANA);
    await chat.say('I want to talk to a person');
    await page.locator('.owner--waiting').waitFor();
    const title = await page.title();
    const desk = await deskOf(at);
    await desk.act(threadOf(page), 'claim');
    await lie('hidden');
    await desk.act(threadOf(page), 'reply', { text: 'A secret.' });
    await expect.poll(() => page.title()).toBe(`(1) ${title}`);
    expect(await page.evaluate('told')).toEqual([]);
    await lie('visible');
    await page.getByRole('button', { name: 'Language and appearance' }).click();
    await page.getByLabel('Play a sound').check();
    await page.getByLabel('Show a notification of the browser').check();
    await desk.act(threadOf(page), 'reply', { text: 'You are looking.' });
    await page.locator('.message--operator', { hasText: 'You are looking.' }).waitFor();
    expect(await page.evaluate('told')).toEqual([]);
    await lie('hidden');
    await desk.act(threadOf(page), 'reply', { text: 'Another secret.' });
    await expect.poll(() => page.evaluate('told')).toEqual(['sound', 'There is a new answer for you.']);
    // It is kept on this device.
    await lie('visible');
    await page.reload();
    await page.getByRole('button', { name: 'Language and appearance' }).click();
    expect(await page.getByLabel('Play a sound').isChecked()).toBe(true);
  });

  it('[WEB-13 SHF-41] shows the marks and allowed links of an operator on both sides, and no HTML or foreign link', async () => {
    const { page } = tab;
    await chat.signIn(ANA);
    await chat.say('**I want** to talk to a person');
    await page.locator('.owner--waiting').waitFor();
    const desk = await deskOf(at);
    await desk.act(threadOf(page), 'claim');
    const text = [
      'Please do **this**, *now*:',
      '',
      '1. open https://help.example.com/a.',
      '2. read [the page](https://help.example.com/b), type `x`',
      '',
      '[bank](https://evil.example/a) https://evil.example/b [run](javascript:alert(1))',
      '<img src=x onerror="document.title=\'pwned\'"> <b id="raw">raw</b>',
    ].join('\n');
    await desk.act(threadOf(page), 'reply', { text });
    const links = ['https://help.example.com/a', 'https://help.example.com/b'];
    const expectShown = async (on: Page, message: string): Promise<void> => {
      const said = on.locator(message, { hasText: 'Please do' });
      await said.locator('strong', { hasText: 'this' }).waitFor();
      expect(await said.locator('em, ol li, code').allInnerTexts()).toEqual([
        'now',
        'open https://help.example.com/a.',
        'read the page, type x',
        'x',
      ]);
      const found = said.locator('a');
      expect(await Promise.all([0, 1].map((at) => found.nth(at).getAttribute('href')))).toEqual(links);
      expect(await found.count()).toBe(2);
      expect(await found.first().getAttribute('rel')).toContain('noopener');
      expect(await said.innerText()).toContain('[bank](https://evil.example/a) https://evil.example/b');
      expect(await said.innerText()).toContain('<b id="raw">raw</b>');
      expect(await said.locator('img, b').count()).toBe(0);
      expect(await on.title()).not.toContain('pwned');
    };
    await expectShown(page, '.message--operator');
    expect(await page.locator('.message--customer').first().innerText()).toContain('**I want**');
    const other = await tab.context.newPage();
    const operator = deskOn(other, at);
    await operator.signIn('Marina Duarte');
    const [ticket] = at.hub.query('udahub', 'SELECT ticket_id FROM tickets');
    await operator.open(`#/tickets/${String(ticket?.ticket_id)}`);
    await expectShown(other, '.msg--operator');
    await other.locator('.msg--customer', { hasText: '**I want**' }).waitFor();
  });
});
