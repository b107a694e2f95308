import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import { expectAccessible, openBrowser, openTab, PHONE, type Tab } from '../support/browser.js';
import { openServer, type TestServer } from '../support/server.js';
import { colleague, customerSays, type DeskPage, deskOn } from './web-desk-page.js';

const PERSON = 'I want to talk to a human now, please';

let browser: Browser;
let webDir: string;
let at: TestServer;
let tab: Tab;
let desk: DeskPage;

beforeAll(async () => {
  webDir = (await ensureWebBuilt()).dir;
  browser = await openBrowser();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  at = await openServer({ webDir, checkpointer: 'sqlite', env: { HUB_DEMO: '1' } });
  tab = await openTab(browser, { colorScheme: 'dark' });
  desk = deskOn(tab.page, at);
});
afterEach(async () => {
  const { errors } = tab;
  await tab.context.close();
  await at.close();
  expect(errors).toEqual([]);
});

/** Where the focus is, and whether the open window has a field that is filled in. */
const FOCUS = `(() => {
  const inside = document.querySelector('dialog[open]')?.contains(document.activeElement) ?? false;
  const fields = [...document.querySelectorAll('dialog[open] .dialog__body :is(input[type=text], input[type=datetime-local], select, textarea)')];
  return { inside, field: fields.length === 0 || document.activeElement === fields[0] };
})()`;

/** An open window takes what is typed, has no fault of access, and is closed with Escape. */
async function expectWindow(page: Page, name: string): Promise<void> {
  await page.locator('dialog[open]').waitFor();
  expect(await page.evaluate(FOCUS), name).toEqual({ inside: true, field: true });
  await expectAccessible(page, `window-${name}`);
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
}

describe('the windows of the desk', () => {
  it('[SHF-50 SHF-145 SHF-159] of a ticket take keys at once, are within reach of everybody and close with Escape', async () => {
    const { ticketId } = await customerSays(at, 'bruno.lima@example.com', PERSON);
    const other = await customerSays(at, 'bruno.lima@example.com', PERSON);
    const { page } = tab;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
    const rui = await colleague(at, 'Rui');
    await rui('/api/desk/presence', { ticket_id: null, typing: false });
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await press('Claim');
    await page.getByText('You have this ticket').waitFor();
    for (const key of ['?', 'Control+k']) {
      await page.keyboard.press(key);
      await expectWindow(page, key);
    }
    for (const name of ['Return', 'Resolve', 'Snooze', 'Macros']) {
      await press(name);
      await expectWindow(page, name);
    }
    // The seeded moment is Wednesday noon: tomorrow is when the team comes in, and any other time may be named.
    await press('Snooze');
    await page.getByRole('button', { name: /^Tomorrow\s+Thu 09:00$/ }).waitFor();
    expect(await page.getByLabel('Until another time').inputValue()).toBe('2026-03-12T09:00');
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await press('Give to a colleague');
    await expectWindow(page, 'reassign');
    await press('Act');
    await page.locator('dialog[open] select').waitFor();
    // What is read only once the window is open gets the keys too.
    expect(await page.evaluate(FOCUS), 'act').toEqual({ inside: true, field: true });
    await page.locator('dialog[open] select').selectOption({ index: 1 });
    await page.locator('dialog[open] select').nth(1).waitFor();
    const refused = page.locator('dialog[open] optgroup option');
    const reasons = await refused.allInnerTexts();
    expect(reasons).toContain('Send a failed refund again');
    // What the rules refuse says which rule it is.
    expect(reasons.find((one) => one.startsWith('Unblock the account'))).toMatch(/: .*not blocked/);
    expect(await refused.evaluateAll((all) => all.every((one) => one.matches(':disabled')))).toBe(true);
    await expectAccessible(page, 'window-act');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Everything with this customer' }).click();
    await page.getByRole('button', { name: /^Merge into \w{3}-\w{3}$/ }).click();
    await expectWindow(page, 'merge');
    await rui(`/api/desk/tickets/${other.ticketId}/claim`);
    await desk.open(`#/tickets/${other.ticketId}`);
    await press('Take over');
    await expectWindow(page, 'take-over');
    await page.keyboard.press('2');
    await page.locator('.row__mark input').first().check();
    await page.locator('.bulk').getByRole('button', { name: 'Resolve' }).click();
    await expectWindow(page, 'bulk-resolve');
  });

  it('[SHF-139] of a merged ticket leads to the one in which its customer is answered', async () => {
    const { ticketId } = await customerSays(at, 'bruno.lima@example.com', PERSON);
    const { ticketId: into } = await customerSays(at, 'bruno.lima@example.com', PERSON);
    await (await colleague(at, 'Olga'))(`/api/desk/tickets/${ticketId}/merge`, { into });
    const { page } = tab;
    await desk.signIn('Olga');
    for (const from of ['.composer', '.timeline']) {
      await desk.open(`#/tickets/${ticketId}`);
      await page.locator('.composer', { hasText: 'This ticket was merged' }).waitFor();
      if (from === '.timeline')
        await page.getByRole('heading', { name: 'Everything with this customer' }).click();
      await page.locator(from).getByRole('link', { name: 'Open that ticket' }).click();
      await page.waitForURL(`**/desk#/tickets/${into}`);
    }
  });

  it('[SHF-50 SHF-09] of approvals, customers and articles do so too', async () => {
    await customerSays(at, 'joao.cardoso@example.com', 'cancel my reservation res_042', 'yes');
    at.hub.exec(
      'cultpass',
      `UPDATE experiences SET starts_at = '2026-03-11T23:30:00.000Z' WHERE experience_id =
         (SELECT experience_id FROM reservations WHERE reservation_id = 'res_001')`,
    );
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open('#/approvals');
    await page.locator('.approval').getByRole('button', { name: 'Reject' }).click();
    await expectWindow(page, 'reject');
    await desk.open('#/customers/usr_001');
    await page.getByText('ana.souza@example.com').first().waitFor();
    await page.getByRole('heading', { name: 'Ana Souza' }).waitFor();
    await expectAccessible(page, 'customer');
    // By the company's clock, and not without its day.
    await page.getByText('today, 20:30').first().waitFor();
    await desk.open('#/knowledge');
    await page.locator('.split__list li a').first().click();
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await expectWindow(page, 'unpublish');
    await page.getByLabel('Text', { exact: true }).fill('Something else.');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await expectWindow(page, 'discard');
  });

  it('[SHF-52] leave room to answer on a screen enlarged to 200 %', async () => {
    const { ticketId } = await customerSays(at, 'bruno.lima@example.com', PERSON);
    const { page } = tab;
    await page.setViewportSize({ width: 640, height: 360 });
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: 'Claim' }).click();
    await desk.field.pressSequentially('Hello Bruno');
    const send = page.getByRole('button', { name: 'Send reply' });
    await send.scrollIntoViewIfNeeded();
    const box = await send.boundingBox();
    const [x = 0, y = 0] = box === null ? [] : [box.x + box.width / 2, box.y + box.height / 2];
    // What a finger meets there is the button, not a bar over it.
    expect(await page.evaluate(`document.elementFromPoint(${x}, ${y}).closest('button')?.innerText`)).toBe(
      'Send reply',
    );
    await expectAccessible(page, 'enlarged');
    await page.keyboard.press('Control+Enter');
    await desk.said('Hello Bruno');
  });

  it('[SHF-53 SHF-141 SHF-201] leave room for the tickets below the filters', async () => {
    const { page } = tab;
    await customerSays(at, 'bruno.lima@example.com', PERSON);
    await page.setViewportSize({ width: 1280, height: 720 });
    await desk.signIn('Olga');
    await page.keyboard.press('0');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const filters = page.locator('.filters__panel select, .facets select');
    await expect.poll(() => filters.count()).toBeGreaterThan(8);
    const widths = await filters.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThan(100);
    const buttons = await page
      .locator('.filters__panel .button')
      .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
    expect(buttons).toEqual([0, 0]);
    const list = await page.locator('.queue__list').boundingBox();
    expect(list?.height).toBeGreaterThan(3 * 64);
    await expectAccessible(page, 'filters');
    // What is set takes one line, however much it is, in its own list alone, and goes with one press.
    const set = page.getByRole('group', { name: 'Set filters' });
    for (const [name, value] of [
      ['Priority', 'medium'],
      ['Subject', 'general'],
      ['Order', 'oldest'],
      ['Opened', '7'],
    ] as const)
      await page.getByRole('combobox', { name, exact: true }).selectOption(value);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    expect(await set.getByRole('listitem').count()).toBe(4);
    expect((await set.boundingBox())?.height).toBeLessThan(40);
    await expectAccessible(page, 'set-filters');
    await page.keyboard.press('1');
    await set.waitFor({ state: 'detached' });
    await page.keyboard.press('0');
    await set.getByRole('button', { name: 'Clear search and filters' }).click();
    await set.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    // On a telephone they are folded: what is looked for has its first results in the upper half, and one press shows all.
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('searchbox').fill('human');
    await desk.rows.first().waitFor();
    expect((await page.locator('.queue__list').boundingBox())?.y).toBeLessThan(PHONE.height / 2);
    expect(await filters.evaluateAll((all) => all.filter((one) => one.checkVisibility()))).toEqual([]);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await expect
      .poll(() => filters.evaluateAll((all) => all.filter((one) => one.checkVisibility()).length))
      .toBeGreaterThan(8);
    await page.setViewportSize({ width: 1280, height: 720 });
    // The menu covers no more of the desk than it needs.
    await page.getByRole('button', { name: 'Language and appearance' }).click();
    expect((await page.locator('.menu__panel').boundingBox())?.width).toBeLessThan(400);
    await expectAccessible(page, 'menu');
  });
});
