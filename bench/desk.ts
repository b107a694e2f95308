import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type Browser, chromium, type Page } from 'playwright-core';
import { barred, type Measure, plain, spread } from './report.js';
import { withServer } from './server.js';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const MESSAGES = 2_000;
/** Pixels of a turn of the wheel. */
const STEP = 1_600;

/** Tickets that wait for the team, of a minute each, and one conversation of very many messages. */
function seed(dataDir: string, tickets: number): void {
  const rows = (count: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  const at = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (n.i + 1) || ' minutes')`;
  const database = new Database(`${dataDir}/udahub.db`);
  // The triggers of the search call it; nothing is looked for here.
  database.function('search_words', { deterministic: true }, (text) => String(text ?? ''));
  database.exec(`BEGIN;
    ${rows(tickets)} INSERT INTO tickets (ticket_id, customer_id, thread_id, channel, status, owner, created_at, updated_at)
      SELECT 'tkt_' || i, 'usr_001', 'thr_' || i, 'http', 'waiting_operator', 'operator', ${at}, ${at} FROM n;
    ${rows(tickets)} INSERT INTO ticket_messages (message_id, ticket_id, role, content, created_at)
      SELECT 'msg_' || i, 'tkt_' || i, 'customer', 'Where is my refund number ' || i, ${at} FROM n;
    ${rows(MESSAGES)} INSERT INTO ticket_messages (message_id, ticket_id, role, content, created_at)
      SELECT 'long_' || i, 'tkt_0', iif(i % 2 = 0, 'customer', 'hub'), 'Message number ' || i,
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (${MESSAGES} - n.i) || ' seconds') FROM n;
    COMMIT;`);
  database.close();
}

/** Opens the desk as an operator. */
async function openDesk(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/desk`);
  await page.locator('form').first().locator('button[type=submit]').click();
  await page.locator('.row').first().waitFor();
}

/** Scrolls the list to its end. @returns frames a second, and the longest task */
async function scroll(page: Page, tickets: number): Promise<{ readonly fps: number; readonly task: number }> {
  await page.evaluate(`(() => {
    window.seen = { frames: 0, task: 0 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.task = Math.max(seen.task, duration);
    }).observe({ entryTypes: ['longtask'] });
    const frame = () => { seen.frames += 1; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
  })()`);
  await page.locator('.queue__list').hover();
  const began = performance.now();
  const height = tickets * 64;
  for (;;) {
    await page.mouse.wheel(0, STEP);
    await page.evaluate('new Promise(requestAnimationFrame)');
    const top = (await page.evaluate(`(() => {
      const { scrollTop, clientHeight } = document.querySelector('.queue__list');
      return scrollTop + clientHeight;
    })()`)) as number;
    if (top >= height) break;
  }
  const seconds = (performance.now() - began) / 1_000;
  const seen = (await page.evaluate('seen')) as { readonly frames: number; readonly task: number };
  return { fps: seen.frames / seconds, task: seen.task };
}

/** A slow telephone on a slow line: what is loaded counts, and what is computed. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const SLOWER_CPU = 4;
const LOADS = 3;

/**
 * Loads a place again, slowly and with nothing kept, as one who is there for the first time today.
 * @param shown stands on the page once it is of use
 * @returns when the largest part of it was painted, milliseconds after the start; the median of a few loads
 */
async function largestPaint(page: Page, place: string, shown: string): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await cdp.send('Network.emulateNetworkConditions', SLOW);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU });
  const times: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    // A change of the hash alone would load nothing.
    await page.goto('about:blank');
    await page.goto(place);
    await page.locator(shown).first().waitFor();
    const time = await page.evaluate(`new Promise((done) => new PerformanceObserver((list) =>
      done(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`);
    times.push(Number(time));
  }
  await cdp.detach();
  return spread(times).median;
}

/** The pages as they are first seen. */
async function firstPaints(browser: Browser, url: string): Promise<readonly Measure[]> {
  const visit = await browser.newPage({ viewport: { width: 390, height: 780 } });
  visit.setDefaultTimeout(120_000);
  const chat = await largestPaint(visit, `${url}/`, '#composer');
  await visit.close();
  const page = await browser.newPage({ viewport: { width: 1_280, height: 720 } });
  page.setDefaultTimeout(120_000);
  await openDesk(page, url);
  const queue = await largestPaint(page, `${url}/desk`, '.row');
  const dashboard = await largestPaint(page, `${url}/desk#/dashboard`, 'canvas');
  await page.close();
  const about = '150 ms, 1.6 Mbit/s, CPU x4: largest contentful paint';
  return [
    barred(`chat: ${about}`, chat, 'ms', { atMost: 2_000 }),
    barred(`desk: ${about}`, queue, 'ms', { atMost: 3_000 }),
    barred(`dashboard: ${about}`, dashboard, 'ms', { atMost: 3_500 }),
  ];
}

/** The operators' desk in a browser, with a queue and a conversation of thousands. */
export async function desk(quick: boolean): Promise<readonly Measure[]> {
  const executablePath = BROWSERS.find(existsSync);
  if (executablePath === undefined) return [plain('desk: no browser is installed', 0, '')];
  const tickets = quick ? 500 : 5_000;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    return await withServer(async ({ url }, dataDir) => {
      const paints = await firstPaints(browser, url);
      seed(dataDir, tickets);
      const page = await browser.newPage({ viewport: { width: 1_280, height: 720 } });
      page.setDefaultTimeout(300_000);
      const began = performance.now();
      await openDesk(page, url);
      const opened = performance.now() - began;
      const { fps, task } = await scroll(page, tickets);
      const pressed = performance.now();
      await page.evaluate(`location.hash = '#/tickets/tkt_0'`);
      await page.locator('.msg', { hasText: `Message number ${MESSAGES - 1}` }).waitFor();
      const shown = performance.now() - pressed;
      const list = `desk: ${tickets} tickets`;
      return [
        ...paints,
        plain(`${list}: signed in and the first rows drawn`, opened, 'ms'),
        barred(`${list}: scrolled to the end, frames a second`, fps, '', { atLeast: 50 }),
        barred(`${list}: scrolled to the end, longest task`, task, 'ms', { atMost: 200 }),
        barred(`desk: a conversation of ${MESSAGES} messages opened`, shown, 'ms', { atMost: 500 }),
      ];
    });
  } finally {
    await browser.close();
  }
}
