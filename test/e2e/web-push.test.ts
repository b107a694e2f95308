import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import { openBrowser, openTab } from '../support/browser.js';
import { openServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { chatOn } from './web-chat-page.js';

const ANA = 'ana.souza@example.com';
const LANGUAGES = [
  ['en-US', 'Show a notification of the browser', 'There is a new answer for you.'],
  ['pt-BR', 'Mostrar uma notificação do navegador', 'Há uma nova resposta para você.'],
] as const;

let browser: Awaited<ReturnType<typeof openBrowser>>;
let at: TestServer;
beforeAll(async () => {
  const { dir: webDir } = await ensureWebBuilt();
  browser = await openBrowser({ whole: true });
  at = await openServer({ webDir, checkpointer: 'sqlite', env: { HUB_DEMO: '1' } });
});
afterAll(async () => {
  await browser?.close();
  await at?.close();
});

describe('the service worker of web push', () => {
  it.each(LANGUAGES)(
    '[PSH-04] says one sentence while no page shows the chat, and brings it back: %s',
    async (locale, box, sentence) => {
      const { context, page, errors } = await openTab(browser, { locale });
      await context.grantPermissions(['notifications'], { origin: at.url });
      const chat = chatOn(page, at);
      await chat.signIn(ANA);
      await chat.say(locale === 'en-US' ? 'Hello' : 'Olá');
      await page.locator('.message--hub').waitFor();
      await page.locator('.chat__header .menu button').first().click();
      await page.getByLabel(box).check();
      // This browser has no push service behind it: what one would send is handed to the worker itself.
      const cdp = await context.newCDPSession(page);
      const workers: { registrationId: string; scopeURL: string }[] = [];
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
        workers.push(...registrations),
      );
      await cdp.send('ServiceWorker.enable');
      await page.evaluate('navigator.serviceWorker.ready.then(() => null)');
      await until(() => workers.length > 0, 'a registered worker');
      const push = async (): Promise<void> =>
        void (await cdp.send('ServiceWorker.deliverPushMessage', {
          ...{ origin: at.url, registrationId: workers.at(-1)?.registrationId ?? '', data: '' },
        }));
      const shown = () =>
        page.evaluate(`navigator.serviceWorker.ready.then((one) => one.getNotifications())
        .then((all) => all.map(({ title, body, tag, lang }) => ({ title, body, tag, lang })))`);
      await push();
      await push();
      // The page is on the screen, and shows the answer itself.
      expect(await shown()).toEqual([]);
      await page.goto(`${at.url}/docs`);
      // On a busy machine the page before counts as open for a moment longer.
      await until(async () => {
        await push();
        return JSON.stringify(await shown()) !== '[]';
      }, 'a notification');
      await push();
      const lang = locale === 'en-US' ? 'en' : locale;
      await expect.poll(shown).toEqual([{ title: 'CultPass', body: sentence, tag: 'hub.chat', lang }]);
      // Where a press leads: to the newest conversation.
      await page.goto(`${at.url}/#/answered`);
      await page.locator('.message--hub').waitFor();
      expect(new URL(page.url()).hash).toMatch(/^#\/t\//);
      expect(errors).toEqual([]);
      await context.close();
    },
  );

  it('[PSH-04] is served under a policy that loads nothing, and the pages load workers of their own alone', async () => {
    const worker = await at.call('GET', '/push.js');
    expect(worker.status).toBe(200);
    expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    const { headers } = await at.call('GET', '/');
    expect(headers.get('content-security-policy')).toContain("worker-src 'self'");
    expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
  });
});
