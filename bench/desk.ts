import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { chromium, type Page } from 'playwright-core';
import { barred, type Measure, plain } from './report.js';
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

/** The operators' desk in a browser, with a queue and a conversation of thousands. */
export async function desk(quick: boolean): Promise<readonly Measure[]> {
  const executablePath = BROWSERS.find(existsSync);
  if (executablePath === undefined) return [plain('desk: no browser is installed', 0, '')];
  const tickets = quick ? 500 : 5_000;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    return await withServer(async ({ url }, dataDir) => {
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
