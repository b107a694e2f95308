import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import {
  expectAccessible,
  expectPlainWords,
  openBrowser,
  openTab,
  PHONE,
  type Tab,
} from '../support/browser.js';
import { pdf, png } from '../support/files.js';
import { openServer, type TestServer } from '../support/server.js';
import { chatOn } from './web-chat-page.js';
import { colleague, customerSays, type DeskPage, deskOn } from './web-desk-page.js';

const BRUNO = 'bruno.lima@example.com';
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
  tab = await openTab(browser);
  desk = deskOn(tab.page, at);
});
afterEach(async () => {
  const { errors } = tab;
  await tab.context.close();
  await at.close();
  expect(errors).toEqual([]);
});

describe('a shift at the desk', () => {
  it('[SHF-01 SHF-10 SHF-131 SHF-136 SHF-146 SHF-168] has the reply field and Send on the screen after Claim, whatever the suggestion says', async () => {
    const { threadId, ticketId, token } = await customerSays(
      at,
      BRUNO,
      'How long does a refund take?',
      PERSON,
    );
    const { page } = tab;
    await page.setViewportSize({ width: 1280, height: 720 });
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByText('You have this ticket').waitFor();
    // The words that called for a person do not say what it is about.
    await page.locator('.handover p', { hasText: 'Asked: How long does a refund take' }).waitFor();
    // What came by mail says so.
    const byMail = { text: 'I write from the train', client_message_id: 'mail-4711' };
    await at.post(`/api/threads/${threadId}/messages`, token, byMail);
    await page.locator('.msg', { hasText: 'from the train' }).getByText('E-mail').waitFor();
    const suggestion = page.getByRole('region', { name: 'Suggested reply' });
    await suggestion.waitFor();
    const send = page.getByRole('button', { name: 'Send reply' });
    for (const size of [
      { width: 1280, height: 720 },
      { width: 1366, height: 768 },
    ]) {
      await page.setViewportSize(size);
      expect((await suggestion.boundingBox())?.height).toBeLessThan(50);
      await suggestion.getByRole('button', { name: 'Suggested reply' }).click();
      await suggestion.getByText('Written by').waitFor();
      for (const part of [desk.field, send]) expect(await isReachable(page, part)).toBe(true);
      await suggestion.getByRole('button', { name: 'Suggested reply' }).click();
      for (const part of [desk.field, send]) expect(await isReachable(page, part)).toBe(true);
    }
    // Where the words are longer, and the suggestion is put away, no button is broken within a word.
    await page.evaluate("localStorage.setItem('hub.language', 'pt-BR')");
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.reload();
    await page.getByRole('button', { name: 'Sugerir resposta' }).waitFor();
    expect((await page.locator('.composer__top').boundingBox())?.height).toBeLessThan(50);
    for (const button of await page.locator('.composer .button, .head__buttons .button').all())
      expect((await button.boundingBox())?.height, await button.innerText()).toBeLessThan(46);
    await page.evaluate("localStorage.setItem('hub.language', 'en')");
    await page.reload();
    await desk.field.fill('A long reply.\n'.repeat(40));
    const sendAndResolve = page.getByRole('button', { name: 'Send and resolve' });
    for (const part of [send, sendAndResolve]) expect(await isReachable(page, part)).toBe(true);
    await page.setViewportSize({ width: 390, height: 800 });
    for (const part of [desk.field, send, sendAndResolve]) expect(await isReachable(page, part)).toBe(true);
    await desk.field.fill('Short');
    for (const words of ['en', 'pt-BR']) {
      await page.evaluate(`localStorage.setItem('hub.language', '${words}')`);
      await page.reload();
      await desk.field.waitFor();
      expect((await page.locator('.talk').boundingBox())?.height, words).toBeGreaterThan(400);
      for (const tool of await page.locator('.composer__tools .button').all())
        expect(await isReachable(page, tool), words).toBe(true);
      expect((await page.locator('.composer__top').boundingBox())?.height, words).toBeLessThan(50);
      await expectAccessible(page, `phone-ticket-${words}`);
    }
    await page.locator('.ticket__switch button').last().click();
    await page.getByText(/Atendimento [0-9A-Z]{3}-[0-9A-Z]{3} · /).waitFor();
    await page.locator('.ticket__switch button').first().click();
    await page.evaluate("localStorage.setItem('hub.language', 'en')");
    await page.reload();
    await desk.field.fill('A long reply.');
    await sendAndResolve.click();
    await page.getByText('This ticket is resolved').waitFor();
    await desk.said('A long reply.');
  });

  it('[SHF-73 SHF-74 SHF-200] leaves the conversation its place on a low screen, and says when an action waits for an operator', async () => {
    const { ticketId } = await customerSays(
      at,
      'joao.cardoso@example.com',
      'cancel my reservation res_042',
      'yes',
    );
    const { page } = tab;
    await page.setViewportSize({ width: 1280, height: 720 });
    await desk.signIn('Olga');
    await page.evaluate("localStorage.setItem('hub.language', 'pt-BR')");
    await desk.open(`#/tickets/${ticketId}`);
    await page.reload();
    const holder = page.locator('.head__holder');
    await holder.getByText('Esperando a decisão de um atendente').waitFor();
    await page.getByRole('button', { name: 'Assumir' }).click();
    await holder.getByText('Este ticket está com você').waitFor();
    await page.getByRole('region', { name: 'Resposta sugerida' }).waitFor();
    const heightOf = async (part: string) => (await page.locator(part).boundingBox())?.height ?? 0;
    expect(await heightOf('.head__line')).toBeLessThan(50);
    const share = async () => (await heightOf('.talk')) / (await heightOf('.ticket__main'));
    expect(await share()).toBeGreaterThan(0.44);
    // A suggestion and a long reply scroll within themselves.
    await page.locator('.suggestion__toggle').click();
    const whole = page.locator('.suggestion__whole');
    expect((await whole.boundingBox())?.height).toBeGreaterThan(50);
    for (const draft of ['', 'A long reply.\n'.repeat(40)]) {
      await desk.field.fill(draft);
      expect(await share(), draft).toBeGreaterThan(0.44);
    }
    await expectAccessible(page, 'low-screen');
  });

  it('[SHF-45 SHF-210] shows each side that the other one types, until it stops or is sent', async () => {
    const { page } = tab;
    const other = await openTab(browser);
    const chat = chatOn(other.page, at);
    const sent: string[] = [];
    other.page.on('request', (request) => {
      if (/\/typing$/.test(request.url())) sent.push(request.postData() ?? '');
    });
    await chat.signIn(BRUNO);
    await chat.composer.pressSequentially('Nobody has it yet');
    await chat.say(PERSON);
    await chat.answered(/person|team/);
    expect(sent).toEqual([]);
    await desk.signIn('Olga');
    await desk.rows.first().click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await other.page.getByText('You are talking with Olga').waitFor();
    await chat.composer.pressSequentially('My secret');
    const customer = page.locator('.watcher', { hasText: 'Bruno Lima is writing' });
    await customer.waitFor();
    expect(new Set(sent)).toEqual(new Set(['{}']));
    await expectAccessible(page, 'customer-types');
    await customer.waitFor({ state: 'detached' });
    await desk.field.pressSequentially('Hello');
    const operator = other.page.getByText('Olga is typing');
    await operator.waitFor();
    await expectAccessible(other.page, 'operator-types');
    expect(await customer.count()).toBe(0);
    await operator.waitFor({ state: 'detached' });
    // What is sent is typed no longer.
    await desk.field.pressSequentially(' Bruno');
    await operator.waitFor();
    const attended = page.waitForRequest('**/api/desk/presence');
    await page.getByRole('button', { name: 'Send reply' }).click();
    await other.page.locator('.message--operator', { hasText: 'Hello Bruno' }).waitFor();
    expect(await operator.count()).toBe(0);
    // Nor is it said again a moment later, because the last key was pressed a moment ago.
    expect((await attended).postDataJSON()).toMatchObject({ typing: false });
    await chat.composer.pressSequentially('Thank you so much');
    await customer.waitFor();
    await chat.composer.press('Enter');
    await desk.said('Thank you so much');
    expect(await customer.count()).toBe(0);
    expect(other.errors).toEqual([]);
    await other.context.close();
  });

  it('[CSA-01 SHF-175] asks the customer once how the help of the operator was, and shows the answer on the ticket', async () => {
    const { page } = tab;
    const other = await openTab(browser, { viewport: PHONE });
    const chat = chatOn(other.page, at);
    await chat.signIn(BRUNO);
    await chat.say(PERSON);
    await chat.answered(/person|team/);
    await desk.signIn('Olga');
    await desk.rows.first().click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await desk.field.fill('Your visit is booked again.');
    await page.getByRole('button', { name: 'Send and resolve' }).click();
    const asked = other.page.getByRole('group', { name: 'How was the help from Olga?' });
    await asked.waitFor();
    await expectAccessible(other.page, 'rating-asked');
    await asked.getByRole('button', { name: 'It was good', exact: true }).click();
    await page.getByText('The customer rated the help as good').waitFor();
    const comment = other.page.getByLabel('Would you like to add something?');
    // On a phone the form is longer than what stood there, and all of it in sight.
    const send = other.page.locator('.rating--form .button').first();
    expect(await isReachable(other.page, send)).toBe(true);
    await comment.fill('Very quick.');
    await expectAccessible(other.page, 'rating-comment');
    await comment.press('Enter');
    await other.page.getByText('Thank you for telling us.').waitFor();
    const rated = page.getByText('The customer rated the help as good: Very quick.');
    await rated.waitFor();
    await expect.poll(() => isReachable(page, rated)).toBe(true);
    await expectAccessible(page, 'rated-ticket');
    await other.page.reload();
    await other.page.locator('.message--operator', { hasText: 'Your visit is booked again.' }).waitFor();
    expect(await asked.count()).toBe(0);
    expect(other.errors).toEqual([]);
    await other.context.close();
  });

  it('[SHF-02 SHF-04 SHF-48 SHF-49 SHF-51 SHF-72 SHF-120 SHF-130 SHF-166] shows who looks and who writes, and lets a colleague take a ticket over or be given one', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    await customerSays(at, 'ana.souza@example.com', PERSON);
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: 'Claim' }).click();
    const second = await openTab(browser);
    const rui = deskOn(second.page, at);
    await rui.signIn('Rui Costa');
    // Who is there is answered late: an event that came meanwhile knows more.
    let answer = () => {};
    const answers = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await second.page.route('**/api/desk/presence', async (route) => {
      const response = await route.fetch();
      await answers;
      await route.fulfill({ response });
    });
    await rui.open(`#/tickets/${ticketId}`);
    await page.getByText('Rui Costa is looking at this').waitFor();
    await desk.field.pressSequentially('Hello');
    const writing = second.page.getByText('Olga is writing');
    await writing.waitFor();
    const late = second.page.waitForResponse('**/api/desk/presence');
    answer();
    await late;
    expect(await writing.isVisible()).toBe(true);
    await second.page.unrouteAll({ behavior: 'wait' });
    await second.page.getByRole('button', { name: 'Take over' }).click();
    const dialog = second.page.getByRole('dialog', { name: 'Take over the ticket' });
    await dialog.getByLabel('Why you take it over').fill('Olga has gone home.');
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await second.page.getByText('You have this ticket').waitFor();
    await page
      .getByText('Rui Costa has taken over the ticket of Bruno Lima from you: Olga has gone home.')
      .waitFor();
    await page
      .locator('.mark-line', {
        hasText: 'Rui Costa has taken the conversation over from Olga: Olga has gone home.',
      })
      .waitFor();
    expect(await desk.field.inputValue()).toBe('Hello');
    await second.page.getByRole('button', { name: 'Language and appearance' }).click();
    await second.page.getByLabel('Your shift ends at').fill('23:45');
    await second.page.getByLabel('Your shift ends at').press('Tab');
    await expectAccessible(second.page, 'shift-end');
    await second.page.reload();
    await second.page.getByRole('button', { name: 'Language and appearance' }).click();
    await expect.poll(() => second.page.getByLabel('Your shift ends at').inputValue()).toBe('23:45');
    await second.page.keyboard.press('Escape');
    // Named in a note, the colleague hears of it wherever they are; the customer does not.
    await desk.open('#/tickets');
    await second.page.getByRole('button', { name: 'Note', exact: true }).click();
    await second.page.getByRole('button', { name: 'Mention Olga' }).click();
    await rui.field.pressSequentially('do you know the venue?');
    await expectAccessible(second.page, 'mention');
    await second.page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('Rui Costa mentions you: @Olga do you know the venue?').waitFor();
    expect(await second.page.getByText('mentions you').count()).toBe(0);
    await page.getByRole('button', { name: 'Mentions 1' }).click();
    await desk.rows.filter({ hasText: 'Bruno Lima' }).waitFor();
    expect(await second.page.getByRole('button', { name: /^Mentions/ }).count()).toBe(0);
    await desk.open('#/knowledge');
    await second.page.getByRole('button', { name: 'Reply', exact: true }).click();
    await second.page.getByRole('button', { name: 'Give to a colleague' }).click();
    const giving = second.page.getByRole('dialog', { name: 'Give to a colleague' });
    await giving.getByLabel('Colleague', { exact: true }).selectOption({ label: 'Olga' });
    await giving.getByLabel('Note for the colleague').fill('You know the venue.');
    await giving.getByRole('button', { name: 'Give' }).click();
    await page.getByText('Rui Costa has given you the ticket of Bruno Lima: You know the venue.').waitFor();
    // What was given away needs its giver no more: the next ticket opens.
    await second.page.locator('.head__name', { hasText: 'Ana Souza' }).waitFor();
    await rui.open(`#/tickets/${ticketId}`);
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByText('You have this ticket').waitFor();
    await page
      .locator('.mark-line', { hasText: 'Rui Costa has given the conversation to Olga: You know the venue.' })
      .waitFor();
    // Who gave it away is not told that it was taken, nor twice who has it.
    await second.page.getByText('Olga has this ticket', { exact: true }).waitFor();
    expect(await second.page.getByText('Olga has taken over').count()).toBe(0);
    expect(await second.page.getByText('Olga is looking at this').count()).toBe(0);
    // Whose ticket is taken hears of it on any other page too.
    await desk.open('#/knowledge');
    await second.page.getByRole('button', { name: 'Take over' }).click();
    await dialog.getByLabel('Why you take it over').fill('Olga is at lunch.');
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await page
      .getByText('Rui Costa has taken over the ticket of Bruno Lima from you: Olga is at lunch.')
      .waitFor();
    await second.context.close();
    expect(second.errors).toEqual([]);
    // Whose page is closed is not at the desk any more, and writes nothing.
    await desk.open('#/tickets');
    at.hub.clock.advance({ minutes: 2 });
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByText('Rui Costa has this ticket, and is not at the desk').waitFor();
    expect(await page.getByText('Rui Costa is writing').count()).toBe(0);
  });
});

describe('a shift that ends', () => {
  it('[SHF-172] is told to its operator with each ticket that goes back into the queue', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByText('You have this ticket').waitFor();
    await (await colleague(at, 'Olga'))('/api/desk/shift/end');
    await page
      .locator('.toast', {
        hasText: 'Your shift has ended: the ticket of Bruno Lima went back into the queue',
      })
      .waitFor();
    await page.getByText('Waiting for an operator to claim it').waitFor();
  });
});

describe('an operator who comes back', () => {
  it('[SHF-183] reads once whose ticket came or went meanwhile and what waits, and opens it from there', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    await (await colleague(at, 'Olga'))(`/api/desk/tickets/${ticketId}/claim`);
    const { page } = tab;
    const attended = page.waitForResponse('**/api/desk/presence');
    await desk.signIn('Olga');
    await attended;
    await page.goto('about:blank');
    at.hub.clock.advance({ minutes: 1 });
    const reason = { take_over: 'Olga is at lunch' };
    await (await colleague(at, 'Rui'))(`/api/desk/tickets/${ticketId}/claim`, reason);
    await customerSays(at, 'ana.souza@example.com', PERSON);
    at.hub.clock.advance({ minutes: 12 });
    await page.goto(`${at.url}/desk`);
    const dialog = page.getByRole('dialog', { name: 'While you were away' });
    await dialog.getByText('Rui took over the ticket of Bruno Lima from you: Olga is at lunch').waitFor();
    await dialog.getByText('Rui has it now').waitFor();
    await dialog.getByText(/^Meanwhile \d+ tickets? came to the team/).waitFor();
    await expectAccessible(page, 'desk-away');
    await expectPlainWords(page, 'desk-away');
    await dialog.getByRole('link', { name: /Bruno Lima/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Rui has this ticket').first().waitFor();
    await page.reload();
    await page.getByText('Rui has this ticket').first().waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

describe('what a team does with many tickets', () => {
  it('[SHF-26 SHF-28 SHF-21 SHF-22 SHF-23 SHF-24 SHF-135 SHF-151 SHF-157 SHF-204 SHF-205] is in reach of the keyboard: commands by words, macros, marks, team and timeline, without a fault of access', async () => {
    const { ticketId } = await customerSays(at, BRUNO, 'How long does a refund take?', PERSON);
    const other = await customerSays(at, BRUNO, PERSON);
    const third = await customerSays(at, 'ana.souza@example.com', PERSON);
    const others = [other, await customerSays(at, BRUNO, `${PERSON} It is about my refund.`)];
    const { page } = tab;
    await page.setViewportSize({ width: 1280, height: 720 });
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    // Every command by its words.
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await page.keyboard.type('clai');
    await palette.getByRole('option', { name: 'Claim the ticket' }).waitFor();
    await expectAccessible(page, 'desk-palette');
    await page.keyboard.press('Enter');
    await page.getByText('You have this ticket').waitFor();

    // Whatever can be done with a held ticket has a key, by which it is found too.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const commands = await palette.getByRole('option').allInnerTexts();
    const named = (key: string) => commands.filter((one) => one.endsWith(`\n${key}`)).length;
    expect(['e', 's', 'a', 'g', 'b', 'u', 'm', 'r', 'n'].map(named)).toEqual(Array(9).fill(1));
    expect(named('c')).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.talk__box').focus();
    for (const [key, name] of [
      ['e', 'Resolve the ticket'],
      ['s', 'Put the ticket aside'],
      ['a', 'Act for the customer'],
      ['g', 'Give to a colleague'],
      ['b', 'Return to the hub'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name }).waitFor({ state: 'detached' });
      await page.locator('.talk__box').focus();
    }

    // A macro is written, and sends words and tags in one.
    await page.getByRole('button', { name: 'Macros' }).click();
    const macros = page.getByRole('dialog', { name: 'Macros' });
    await macros.getByRole('button', { name: 'New macro' }).click();
    await macros.getByLabel('Name').fill('Checking');
    await macros.getByLabel('Text').fill('Hello {customer.first_name}, I am checking it.');
    await macros.getByLabel('Tags').fill('checking');
    await expectAccessible(page, 'desk-macro-form');
    await macros.getByRole('button', { name: 'Save macro' }).click();
    await macros.getByRole('button', { name: 'Checking Hello Bruno' }).click();
    await page.getByText('Adds the tags: checking.').waitFor();
    const send = page.getByRole('button', { name: 'Send reply' });
    expect(await isReachable(page, send)).toBe(true);
    await send.click();
    await desk.said('Hello Bruno, I am checking it.');

    // The customer across tickets, and the team of this one.
    // Which other ones of the customer wait, and what each is about.
    const numberOf = async (id: string) =>
      String((await at.get(`/api/desk/tickets/${id}`, await at.operator('Rui'))).body['number']);
    const flags = page.locator('.head__flags').getByRole('link');
    await flags.nth(1).waitFor();
    for (const { ticketId: id } of others)
      expect(await flags.filter({ hasText: `Also waits: ${await numberOf(id)} · ` }).count()).toBe(1);
    await page.getByRole('heading', { name: 'Everything with this customer' }).click();
    await page.locator('.timeline__event', { hasText: 'Asked' }).nth(1).waitFor();
    for (const { ticketId: id } of others)
      await page.getByRole('button', { name: `Merge into ${await numberOf(id)}` }).waitFor();
    await page.getByRole('heading', { name: 'Team', exact: true }).click();
    await page.getByRole('combobox', { name: 'Team', exact: true }).selectOption('technical');
    await expect.poll(() => teamOf(ticketId)).toBe('technical');

    // The way of an answer, step by step.
    const why = page.locator('.why').first();
    await why.locator('summary').first().click();
    await why.getByRole('button', { name: 'Replay' }).click();
    await why.getByText('Step 1 of').waitFor();
    await why.locator('[aria-current=step]').waitFor();
    await expectAccessible(page, 'desk-way');

    // Marked with a key and with a press, changed at once.
    await page.keyboard.press('Escape');
    await page.locator('.head__name').click();
    await page.keyboard.press('1');
    await desk.rows.nth(1).waitFor();
    for (const row of [0, 1]) await desk.rows.nth(row).getByRole('checkbox').check();
    await page.getByText('2 tickets marked').waitFor();
    await expectAccessible(page, 'desk-marked');
    await page.getByRole('button', { name: 'Add tags' }).click();
    const tagging = page.getByRole('dialog', { name: 'Add tags' });
    await tagging.getByRole('textbox', { name: 'Tags' }).fill('storm');
    await tagging.getByRole('button', { name: 'Do it for all' }).click();
    await page.getByText('Done for 2 tickets').waitFor();
    for (const id of [third.ticketId, other.ticketId]) expect(await tagsOf(id)).toContain('storm');
    expect(await page.getByText('tickets marked').count()).toBe(0);
    // What is tagged says so in its row; what is marked goes to any colleague.
    await desk.rows.nth(1).locator('.row__tags', { hasText: '#storm' }).waitFor();
    const rui = await colleague(at, 'Rui Costa');
    await rui('/api/desk/presence', { ticket_id: null, typing: false });
    await page.reload();
    await desk.rows.nth(1).waitFor();
    for (const row of [0, 1]) await desk.rows.nth(row).getByRole('checkbox').check();
    await page.getByRole('combobox', { name: 'Assign to…' }).selectOption({ label: 'Rui Costa' });
    await page.getByText('Done for 2 tickets').waitFor();
    for (const id of [third.ticketId, other.ticketId])
      expect((await shown(id)).operator).toMatchObject({ name: 'Rui Costa' });
    // A ticket is gone to by the number that its customer was told; its tags are typed in a row; it is merged from here.
    await page.keyboard.press('Control+k');
    await page.keyboard.type(await numberOf(ticketId));
    await palette.getByRole('option', { name: /^Go to ticket .* · Bruno Lima/ }).waitFor();
    await expectAccessible(page, 'desk-palette-tickets');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**#/tickets/${ticketId}`);
    await page.getByText('You have this ticket').waitFor();
    await page.keyboard.press('t');
    const tags = page.getByRole('dialog', { name: 'Tags' });
    await tags.getByRole('textbox').fill('late, vip');
    await page.keyboard.press('Enter');
    await expect.poll(() => tagsOf(ticketId)).toEqual(expect.arrayContaining(['late', 'vip']));
    await expectAccessible(page, 'desk-tags');
    await page.keyboard.press('Escape');
    await tags.waitFor({ state: 'detached' });
    const [, { ticketId: target }] = others as [unknown, { ticketId: string }];
    await page.keyboard.press('Control+k');
    await page.keyboard.type('merge');
    await palette.getByRole('option', { name: 'Merge the ticket into another one' }).click();
    const merging = page.getByRole('dialog', { name: 'Merge the tickets' });
    await expectAccessible(page, 'desk-merge');
    await merging.getByRole('combobox').selectOption(target);
    await merging.getByRole('button', { name: 'Merge' }).click();
    await page.waitForURL(`**#/tickets/${target}`);
    expect((await shown(ticketId)).merged_into).toBe(target);
  });
});

describe('much at the desk', () => {
  it('[SHF-60] changes the row of a message: the rest of the list is not sent again', async () => {
    const { threadId, token } = await customerSays(at, BRUNO, PERSON);
    await customerSays(at, 'ana.souza@example.com', PERSON);
    await customerSays(at, 'gabriela.nunes@example.com', PERSON);
    const lists: { order: string[] | null; tickets: unknown[] }[] = [];
    tab.page.on('response', async (response) => {
      if (response.url().includes('/api/desk/tickets?')) lists.push(await response.json());
    });
    await desk.signIn('Olga');
    // All is read at first, and once more when the line is open.
    const whole = () => lists.filter(({ tickets }) => tickets.length === 3).length;
    await expect.poll(whole).toBeGreaterThanOrEqual(2);
    const before = whole();
    const wrote = await at.post(`/api/threads/${threadId}/messages`, token, { text: 'The door is locked' });
    expect(wrote.status).toBe(200);
    await desk.rows.filter({ hasText: 'The door is locked' }).waitFor();
    expect(await desk.rows.count()).toBe(3);
    expect(whole()).toBe(before);
    const [news] = lists.filter(({ tickets }) => JSON.stringify(tickets).includes('The door is locked'));
    expect([news?.order?.length, news?.tickets.length]).toEqual([3, 1]);
  });

  it('[SHF-65] shows what is read though more is said before it comes, and the last word in the end', async () => {
    const { threadId, token } = await customerSays(at, BRUNO, PERSON);
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.rows.first().waitFor();
    // From now on the customer has written again before an answer comes, as on a busy day.
    const said: string[] = [];
    const say = async (): Promise<void> => {
      said.push(`The door is locked ${said.length}`);
      await at.post(`/api/threads/${threadId}/messages`, token, { text: said.at(-1) });
    };
    let isBusy = true;
    await page.route(/tickets\?view=unassigned/, async (route) => {
      const answer = await route.fetch();
      if (isBusy) await say();
      await route.fulfill({ response: answer });
    });
    await say();
    await desk.rows.filter({ hasText: /locked [2-9]/ }).waitFor();
    isBusy = false;
    await expect.poll(() => desk.rows.first().textContent()).toContain(said.at(-1));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('[SHF-115] reads again what could not be read in passing, without a word about it', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.rows.first().waitFor();
    await page.evaluate(`(() => {
      window.told = 0;
      new MutationObserver(() => { told += document.querySelectorAll('.notice--bad').length })
        .observe(document.body, { childList: true, subtree: true });
    })()`);
    let failing = 2;
    await page.route(`**/api/desk/tickets/${ticketId}?*`, async (route) => {
      failing -= 1;
      await (failing < 0 ? route.continue() : route.fulfill({ status: 503, json: { code: 'internal' } }));
    });
    await desk.open(`#/tickets/${ticketId}`);
    await desk.said(PERSON);
    expect(await page.evaluate('told')).toBe(0);
  });

  it('[SHF-116] shows a ticket that was read before at once, unless something was said of it since', async () => {
    const { ticketId, threadId, token } = await customerSays(at, BRUNO, PERSON);
    const other = await customerSays(at, 'ana.souza@example.com', PERSON);
    const { page } = tab;
    const name = page.locator('.head__name');
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await name.filter({ hasText: 'Bruno Lima' }).waitFor();
    await desk.open(`#/tickets/${other.ticketId}`);
    await name.filter({ hasText: 'Ana Souza' }).waitFor();
    let goOn = (): void => {};
    const hold = () =>
      page.route(`**/api/desk/tickets/${ticketId}?*`, async (route) => {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await route.continue();
      });
    await hold();
    const asked = page.waitForRequest(`**/api/desk/tickets/${ticketId}?*`);
    await desk.open(`#/tickets/${ticketId}`);
    await Promise.all([asked, name.filter({ hasText: 'Bruno Lima' }).waitFor()]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    goOn();

    await desk.open(`#/tickets/${other.ticketId}`);
    await name.filter({ hasText: 'Ana Souza' }).waitFor();
    await at.post(`/api/threads/${threadId}/messages`, token, { text: 'The door is locked' });
    await desk.rows.filter({ hasText: 'The door is locked' }).waitFor();
    await hold();
    await desk.open(`#/tickets/${ticketId}`);
    await page.locator('.busy').waitFor();
    expect(await name.count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    goOn();
    await desk.said('The door is locked');
  });

  it('[SHF-117] leaves what is known of the customer in place while messages come, and reads the timeline once it is wanted', async () => {
    const { ticketId, threadId, token } = await customerSays(at, BRUNO, PERSON);
    const { page } = tab;
    const timelines: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/timeline')) timelines.push(request.url());
    });
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.locator('.record__name').waitFor();
    await page.evaluate(`document.querySelector('.record__name').dataset.seen = 'yes'`);
    await at.post(`/api/threads/${threadId}/messages`, token, { text: 'The door is locked' });
    await desk.said('The door is locked');
    const claim = await colleague(at, 'Marina');
    await claim(`/api/desk/tickets/${ticketId}/claim`);
    await page.getByText('Marina').first().waitFor();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.locator('.record__name[data-seen]').count()).toBe(1);
    expect(timelines).toEqual([]);
    await page.getByRole('heading', { name: 'Everything with this customer' }).click();
    await page.locator('.timeline__event', { hasText: 'Asked' }).first().waitFor();
  });

  it('[SHF-62] draws of a long list what is in sight, and reads each row once on the way to its end', async () => {
    const { threadId, token, ticketId } = await customerSays(at, BRUNO, PERSON);
    const count = 560;
    at.hub.exec(
      'udahub',
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
       INSERT INTO tickets (ticket_id, customer_id, thread_id, channel, status, owner, created_at, updated_at)
       SELECT 'tkt_' || i, 'usr_001', 'thr_' || i, 'http', 'waiting_operator', 'operator', created_at, updated_at
       FROM n, tickets WHERE ticket_id = '${ticketId}'`,
    );
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.rows.first().waitFor();
    await page.evaluate('new Promise((done) => setTimeout(done))');
    const sent: string[] = [];
    page.on('response', async (response) => {
      if (!response.url().includes('/api/desk/tickets?')) return;
      const { tickets } = (await response.json()) as { readonly tickets: readonly { ticket_id: string }[] };
      sent.push(...tickets.map(({ ticket_id }) => ticket_id));
    });
    const last = page.locator(`.row[aria-posinset="${count}"][aria-setsize="${count}"]`);
    await expect
      .poll(async () => {
        await page.evaluate(`document.querySelector('.queue__list').scrollTo(0, 1e9)`);
        return last.count();
      })
      .toBe(1);
    expect(await desk.rows.count()).toBeLessThan(100);
    expect(sent.length).toBe(new Set(sent).size);
    // Far down the list a message still changes its row alone.
    sent.length = 0;
    await at.post(`/api/threads/${threadId}/messages`, token, { text: 'The door is locked' });
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    expect(sent).toEqual([ticketId]);
    // The keys come to a row that is not drawn.
    await page.keyboard.press('j');
    await page.locator('.row--selected[aria-posinset="1"]').waitFor();
  });

  it('[SHF-61] opens a long conversation at its end with the newest hundred messages, and shows earlier ones in place', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    const olga = await colleague(at, 'Olga');
    for (let note = 1; note <= 120; note += 1)
      await olga(`/api/desk/tickets/${ticketId}/note`, { text: `Note number ${note}.` });
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await desk.said('Note number 120.');
    const messages = page.locator('.talk__log > *');
    expect(await messages.count()).toBe(100);
    const oldest = page.locator('.msg', { hasText: 'Note number 21.' });
    await oldest.scrollIntoViewIfNeeded();
    const before = await oldest.boundingBox();
    await page.getByRole('button', { name: 'Show earlier messages' }).click();
    await page.locator('.msg--customer', { hasText: PERSON }).waitFor({ state: 'attached' });
    const after = await oldest.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(80);
    expect(await page.getByRole('button', { name: 'Show earlier messages' }).count()).toBe(0);
    await expectAccessible(page, 'desk-long-conversation');
  });
});

describe('a search at the desk', () => {
  it('[SHF-33 SHF-169] finds what is nowhere in the list, says where it is, is narrowed by counted facets, and goes back to the list', async () => {
    const mine = await customerSays(at, 'ana.souza@example.com', PERSON);
    const ruis = await customerSays(at, BRUNO, PERSON);
    const done = await customerSays(at, 'joao.cardoso@example.com', PERSON);
    await customerSays(at, 'gabriela.nunes@example.com', PERSON);
    const rui = await colleague(at, 'Rui Costa');
    for (const { ticketId } of [ruis, done]) await rui(`/api/desk/tickets/${ticketId}/claim`);
    await rui(`/api/desk/tickets/${done.ticketId}/resolve`);
    const { page } = tab;
    await desk.signIn('Olga');
    await (await colleague(at, 'Olga'))(`/api/desk/tickets/${mine.ticketId}/claim`);
    await expect.poll(() => desk.rows.count()).toBe(1);
    await page.getByRole('searchbox').fill('human');
    await expect.poll(() => desk.rows.count()).toBe(4);
    for (const [name, place] of [
      ['Ana Souza', 'Mine'],
      ['Bruno Lima', 'With Rui Costa'],
      ['João Pedro Cardoso', 'Resolved'],
      ['Gabriela Nunes', 'Unassigned'],
    ] as const)
      await desk.rows.filter({ hasText: name }).locator('.row__place', { hasText: place }).waitFor();
    for (const name of await page.locator('.row__name').all())
      expect(await name.evaluate((one) => one.scrollWidth <= one.clientWidth), await name.innerText()).toBe(
        true,
      );
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const status = page.getByRole('combobox', { name: 'Status' });
    expect(await status.locator('option').allInnerTexts()).toEqual([
      'Status',
      'Waiting for an operator (3)',
      'Resolved (1)',
    ]);
    await expectAccessible(page, 'desk-found');
    await expectPlainWords(page, 'desk-found');
    await page.getByRole('combobox', { name: 'Operator' }).selectOption({ label: 'Rui Costa (2)' });
    await expect.poll(() => desk.rows.count()).toBe(2);
    await status.selectOption({ label: 'Resolved (1)' });
    await expect.poll(() => desk.rows.count()).toBe(1);
    await page.getByRole('combobox', { name: 'Opened' }).selectOption({ label: 'From day to day' });
    await page.getByLabel('To', { exact: true }).fill('2026-03-10');
    await page.getByText('No matches').waitFor();
    // A list that is pressed is looked into alone; once nothing is looked for, it is whole.
    await page.getByRole('button', { name: /^Mine/ }).click();
    await expect.poll(() => desk.rows.allInnerTexts()).toEqual([expect.stringContaining('Ana Souza')]);
    const whole = page.waitForRequest((one) => /view=mine/.test(one.url()) && !/[?&]q=/.test(one.url()));
    await page.getByRole('searchbox').fill('');
    await whole;
    await page.getByRole('searchbox').fill('Bruno');
    await desk.rows.filter({ hasText: 'Bruno Lima' }).waitFor();
    await page.getByRole('searchbox').fill('');
    await page.locator('.tabs__tab[aria-current]', { hasText: 'Mine' }).waitFor();
  });
});

const shown = async (ticketId: string) =>
  (await at.get(`/api/desk/tickets/${ticketId}`, await at.operator())).body;
const teamOf = async (ticketId: string) => (await shown(ticketId)).team;
const tagsOf = async (ticketId: string) => (await shown(ticketId)).tags;

describe('a customer who writes on a claimed ticket', () => {
  it('[ATT-01 ATT-04 ATT-10] sees the files of the customer in the chat and sends some, by button, drop and paste', async () => {
    const { page } = tab;
    const other = await openTab(browser);
    const chat = chatOn(other.page, at);
    await chat.signIn(BRUNO);
    const name = 'broken door.png';
    const picture = { name, mimeType: 'image/png', buffer: png(60, 40) };
    const chooser = other.page.locator('.composer input[type=file]');
    await chooser.setInputFiles([picture, { name: 'page.html', mimeType: 'text/html', buffer: pdf() }]);
    const problem = other.page.locator('.attachments__problem');
    await problem.getByText('page.html is not taken. What you can send: png, jpg').waitFor();
    await other.page.locator('.attachment__size').waitFor();
    await expectAccessible(other.page, 'chat-files-chosen');
    await chooser.setInputFiles({ name: 'false.png', mimeType: 'image/png', buffer: Buffer.from('<p>') });
    await problem.getByText('false.png is not taken.').waitFor();
    await other.page.getByRole('button', { name: `Remove ${name}` }).click();
    await drop(other.page, '.conversation', name, picture.buffer);
    await other.page.locator('.attachment__size').waitFor();
    await other.page.getByRole('button', { name: 'Send' }).click();
    await chat.answered('I cannot look inside files');
    await other.page.locator('.message--customer .picture img').waitFor();
    await chat.say(PERSON);
    await other.page.locator('.owner--waiting').waitFor();
    // What is shown is the same after a reload.
    await other.page.reload();
    await other.page.getByRole('button', { name: `Open the picture ${name}` }).click();
    const large = other.page.getByRole('dialog', { name });
    await large.locator('img').waitFor();
    await expectAccessible(other.page, 'chat-picture');
    await other.page.keyboard.press('Escape');

    await desk.signIn('Olga');
    await desk.open('#/tickets');
    await desk.rows
      .first()
      .getByText(/human|broken door/)
      .waitFor();
    await desk.rows.first().locator('a').first().click();
    await page.locator('.msg--customer .picture img').waitFor();
    await page.getByRole('button', { name: 'Claim' }).click();
    await desk.field.waitFor();
    await paste(page, '.composer__field', 'voucher.pdf', pdf());
    await page.locator('.attachment__size').waitFor();
    await expectAccessible(page, 'desk-files');
    await page.getByRole('button', { name: 'Send reply' }).click();
    await page.locator('.msg--operator .file').waitFor();
    expect(await page.locator('.attachment').count()).toBe(0);
    const saved = other.page.waitForEvent('download');
    await other.page.getByRole('button', { name: 'Save voucher.pdf' }).click();
    expect((await saved).suggestedFilename()).toBe('voucher.pdf');
    const { errors } = other;
    await other.context.close();
    expect(errors).toEqual([]);
  });

  it('[SHF-05 SHF-06] is heard: toast, title, unread mark and words in a row of 64 pixels; after Resolve the next opens', async () => {
    const first = await customerSays(at, BRUNO, PERSON);
    const second = await customerSays(at, 'ana.souza@example.com', PERSON);
    const { page } = tab;
    // What is seen only because everything is read again once a minute is seen too late.
    await page.addInitScript('window.setInterval = () => 0');
    await desk.signIn('Olga');
    for (const { ticketId } of [first, second]) {
      await desk.open(`#/tickets/${ticketId}`);
      await page.getByRole('button', { name: 'Claim' }).click();
      await page.getByText('You have this ticket').waitFor();
    }
    await expect.poll(() => page.title()).not.toMatch(/^\(/);
    at.hub.clock.advance({ minutes: 1 });
    const text = 'This is urgent, I am waiting at the door!';
    await at.post(`/api/threads/${first.threadId}/messages`, first.token, { text });
    await page.locator('.toast', { hasText: `Bruno Lima: ${text}` }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    await page.getByRole('button', { name: /^Mine/ }).click();
    const row = page.locator('.row--unread');
    await row.getByText(text).waitFor();
    // What it was about stands beside the last words.
    await row.locator('.row__topic', { hasText: PERSON }).waitFor();
    expect(await row.innerText()).toMatch(/1 unread message[\s\S]*High/);
    expect((await row.boundingBox())?.height).toBe(64);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
    // The next of the list is Bruno's: it opens, and its words are read.
    await page.getByRole('heading', { name: 'Bruno Lima', level: 2 }).waitFor();
    await expect.poll(() => page.title()).not.toMatch(/^\(/);
    expect(await page.locator('.row--unread').count()).toBe(0);
  });
});

describe('a desk whose line opens late', () => {
  it('[SHF-05] shows what came after the page had read and before the line was open', async () => {
    const { page } = tab;
    let open = (): void => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route('**/api/desk/events*', async (route) => {
      await held;
      await route.continue();
    });
    await desk.signIn('Olga');
    await page.getByText('No tickets waiting').first().waitFor();
    await customerSays(at, BRUNO, PERSON);
    open();
    await page.locator('.row', { hasText: 'Bruno Lima' }).waitFor({ timeout: 30_000 });
  });
});

describe('a visitor who asks for a person', () => {
  it('[SHF-177] is called a visitor where a sentence says whose ticket has come', async () => {
    const { page } = tab;
    await desk.signIn('Olga');
    await page.getByText('No tickets waiting').first().waitFor();
    const opened = await fetch(`${at.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ visitor: true }),
    });
    const { token } = (await opened.json()) as { readonly token: string };
    await at.post(`/api/threads/${await at.thread(token)}/messages`, token, { text: PERSON });
    await page.locator('.toast', { hasText: 'New ticket from a visitor' }).waitFor();
  });
});

describe('an operator who acts', () => {
  it('[SHF-07 SHF-08 SHF-09 SHF-171] sees what stands against the customer, is told the rule, does it, and reads times of the company', async () => {
    at.hub.exec(
      'cultpass',
      "UPDATE users SET is_blocked = 1 WHERE user_id = 'usr_001'; UPDATE subscriptions SET status = 'paused' WHERE user_id = 'usr_001'",
    );
    const { ticketId } = await customerSays(at, 'ana.souza@example.com', PERSON);
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.locator('.head').getByText('Blocked').waitFor();
    await page.locator('.head').getByText('Subscription: Paused').waitFor();
    // The seeded moment is 15:00 UTC, noon in Brasília; this browser stands elsewhere.
    await page.getByText('Brasília time', { exact: true }).waitFor();
    expect(await page.locator('.msg__time').first().innerText()).toBe('12:00');
    // Where the customer's clock shows another time, it stands beside the company's.
    at.hub.exec('udahub', "UPDATE threads SET time_zone = 'America/Manaus'");
    await page.reload();
    await page.getByText("Customer's time 11:00").waitFor();
    expect(await page.locator('.msg__time').first().innerText()).toBe('12:00 · 11:00 for the customer');
    await page.getByRole('button', { name: 'Claim' }).click();
    const act = page.getByRole('button', { name: 'Act', exact: true });
    await act.click();
    const dialog = page.getByRole('dialog', { name: 'Act for the customer' });
    const cancels = dialog.locator('optgroup option', { hasText: 'Cancel a reservation' });
    await cancels.waitFor({ state: 'attached' });
    expect(await cancels.evaluate((one) => one.matches(':disabled'))).toBe(true);
    await dialog.getByText('Why some are not possible').click();
    await dialog
      .locator('dd')
      .filter({ hasText: /^“.*blocked/i })
      .first()
      .waitFor();
    // Whose words these are is said, and what there is nothing for stands there too.
    await dialog.getByText('In quotation marks: how it is said to customers.').waitFor();
    await dialog.locator('dd', { hasText: 'nothing that this could be done to' }).waitFor();
    await page.keyboard.press('Escape');
    const block = (is: 0 | 1): void =>
      at.hub.exec('cultpass', `UPDATE users SET is_blocked = ${is} WHERE user_id = 'usr_001'`);
    block(0);
    await act.click();
    await dialog.getByLabel('Action').selectOption({ label: 'Cancel a reservation' });
    await dialog.getByLabel('Reservation').selectOption('res_001');
    // What came in between is told when it is looked at again.
    block(1);
    await dialog.getByRole('button', { name: 'See what happens' }).click();
    await dialog
      .getByRole('alert')
      .filter({ hasText: /blocked/i })
      .waitFor();
    block(0);
    await dialog.getByRole('button', { name: 'See what happens' }).click();
    await dialog.getByText('goes back to the payment method').waitFor();
    await dialog.getByRole('button', { name: 'Do it now' }).click();
    await desk.said(/Done/);
    const refunds = at.hub.query('cultpass', "SELECT 1 FROM refunds WHERE reservation_id = 'res_001'");
    expect(refunds).toHaveLength(1);
  });
});

/** True where the whole box is on the screen, and a click in its middle meets it. */
async function isReachable(page: Page, part: Locator): Promise<boolean> {
  const box = await part.boundingBox();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  if (box === null || box.y < 0 || box.x < 0 || box.y + box.height > height || box.x + box.width > width)
    return false;
  return part.evaluate((element) => {
    const { x, y, width: w, height: h } = element.getBoundingClientRect();
    const hit = element.ownerDocument.elementFromPoint(x + w / 2, y + h / 2);
    return hit !== null && element.contains(hit);
  });
}

/** A transfer of the browser that holds a file; there is no other way to make one. */
const transfer = (name: string, content: Buffer): string => `(() => {
  const data = new DataTransfer();
  const bytes = Uint8Array.from(atob(${JSON.stringify(content.toString('base64'))}), (char) => char.charCodeAt(0));
  data.items.add(new File([bytes], ${JSON.stringify(name)}, { type: 'image/png' }));
  return data;
})()`;

async function drop(page: Page, selector: string, name: string, content: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(transfer(name, content));
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent(selector, type, { dataTransfer });
}

async function paste(page: Page, selector: string, name: string, content: Buffer): Promise<void> {
  await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: ${transfer(name, content)}, bubbles: true, cancelable: true }))`);
}
