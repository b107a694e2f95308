import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import {
  expectAccessible,
  expectNotEnglish,
  expectPlainWords,
  openBrowser,
  openTab,
  type Tab,
} from '../support/browser.js';
import { openServer, type TestServer } from '../support/server.js';
import { chatOn } from './web-chat-page.js';
import { colleague, customerSays, type DeskPage, deskOn } from './web-desk-page.js';

const ANA = 'ana.souza@example.com';
const JOAO = 'joao.cardoso@example.com';
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

describe('a customer and an operator', () => {
  it('[DUI-01 DUI-02 DUI-03 DUI-06 SHF-32] work on one case: asked, confirmed, escalated, claimed, approved, answered, handed back', async () => {
    const { page } = tab;
    await desk.signIn('Olga Prado');
    await page.getByText('No tickets waiting').waitFor();
    const customer = await openTab(browser);
    const chat = chatOn(customer.page, at);
    await chat.signIn(ANA);
    await chat.say('cancel my reservation res_001');
    await customer.page
      .locator('.ask')
      .getByRole('button', { name: /^Ask the team/ })
      .click();
    await customer.page.getByText('With our team for approval').first().waitFor();
    await chat.say(PERSON);

    // The queue shows it by itself, and its number stands in the title.
    await desk.rows.filter({ hasText: 'Ana Souza' }).waitFor();
    await page.waitForFunction("document.title.startsWith('(1)')");
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Ana Souza', level: 2 }).waitFor();
    await page.keyboard.press('c');
    await page.getByText('You have this ticket').waitFor();
    await customer.page.getByText('You are talking with Olga Prado').first().waitFor();

    await customer.page.locator('.message--customer', { hasText: 'Seen' }).waitFor();
    expect(await customer.page.getByText('Seen', { exact: true }).count()).toBe(1);

    // A reload in the middle loses neither the draft here nor the conversation there.
    await desk.field.fill('Hello Ana, I am Olga.');
    await page.reload();
    await customer.page.reload();
    await desk.said(PERSON);
    expect(await desk.field.inputValue()).toBe('Hello Ana, I am Olga.');
    await desk.field.press('Control+Enter');
    await desk.said('Hello Ana, I am Olga.');
    await customer.page.locator('.message', { hasText: 'Hello Ana, I am Olga.' }).waitFor();
    expect(await desk.field.inputValue()).toBe('');
    await page.locator('.msg--operator', { hasText: 'Hello Ana, I am Olga.' }).getByText('Read').waitFor();

    // Exactly one refund comes of the approval, and the customer is told.
    await page.getByRole('button', { name: 'Approve' }).click();
    await page
      .locator('.msg', { hasText: /refund|R\$/i })
      .last()
      .waitFor();
    await expect.poll(() => refundsOf('res_001')).toBe(1);
    await customer.page
      .locator('.message', { hasText: /90\.00/ })
      .last()
      .waitFor();

    await page.locator('body').press('n');
    await desk.field.fill('Was friendly.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.msg--note', { hasText: 'Was friendly.' }).waitFor();
    await page.getByRole('button', { name: 'Return', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Refund is done.');
    await dialog.getByRole('button', { name: 'Return' }).click();
    await page.getByText('The hub is answering this conversation').waitFor();
    await chat.say('How many visits do I have left this month?');
    await chat.answered(/visits? left/);
    await desk.said(/visits? left/);
    expect(await customer.page.getByText('Was friendly.').count()).toBe(0);
    await customer.context.close();
  });

  it('[DUI-04] tells an operator whose ticket a colleague has taken, and keeps what was typed', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: 'Claim' }).click();
    await desk.field.fill('I was about to say');
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByText('Waiting for an operator to claim it').waitFor();
    await (await colleague(at, 'Rui Costa'))(`/api/desk/tickets/${ticketId}/claim`);
    await page.getByText('Rui Costa has this ticket, so only Rui Costa can reply').waitFor();
    expect(await desk.field.inputValue()).toBe('I was about to say');
    expect(await page.getByRole('button', { name: 'Send reply' }).isDisabled()).toBe(true);
  });

  it('[DUI-04] takes keys and words as soon as there is something to take them, also in a tab that is not painted', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    await customerSays(at, ANA, PERSON);
    const { page } = tab;
    // What is done comes right behind the change of the page, before any effect that waits for a frame.
    await page.addInitScript(`new MutationObserver((_, observer) => {
      const search = document.querySelector('input[type=search]');
      if (search === null) return;
      observer.disconnect();
      search.value = 'Bruno';
      search.dispatchEvent(new Event('input'));
      dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    }).observe(document, { childList: true, subtree: true })`);
    await desk.signIn('Olga');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await expect.poll(() => desk.rows.count()).toBe(1);
    expect(await page.getByRole('searchbox').inputValue()).toBe('Bruno');
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (![...document.querySelectorAll('button')].some(({ textContent }) => textContent === 'Claim')) return;
      observer.disconnect();
      dispatchEvent(new KeyboardEvent('keydown', { key: 'c' }));
    }).observe(document, { childList: true, subtree: true })`);
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByText('You have this ticket').waitFor();
  });

  it('[DUI-04 DUI-05] says who was faster where two claim or decide at once', async () => {
    const { ticketId } = await customerSays(at, ANA, 'cancel my reservation res_001', 'yes', PERSON);
    const { page } = tab;
    // This desk does not hear what the other one does.
    await page.route('**/api/desk/events', (route) => route.abort());
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    const rui = await colleague(at, 'Rui Costa');
    await rui(`/api/desk/tickets/${ticketId}/claim`);
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByRole('alert').filter({ hasText: 'Rui Costa has just claimed' }).waitFor();
    await page.getByText('Rui Costa has this ticket').first().waitFor();
    const { approvals } = (await at.get('/api/desk/approvals', await at.operator())).body as {
      readonly approvals: readonly { readonly id: string }[];
    };
    await rui(`/api/desk/approvals/${approvals[0]?.id}`, { decision: 'reject', reason: 'Too late.' });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page
      .getByText(/already (?:decided|rejected) this/)
      .first()
      .waitFor();
    expect(refundsOf('res_001')).toBe(0);
  });
});

describe('approvals', () => {
  it('[DUI-05 SHF-133] tells of an action that waits, shows it exactly with what follows, and rejects with a reason that the customer reads', async () => {
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open('#/knowledge');
    const { threadId, token } = await customerSays(at, JOAO, 'cancel my reservation res_042', 'yes');
    await page
      .getByRole('button', { name: 'A decision is needed for João Pedro Cardoso: Cancel a reservation' })
      .click();
    await page.locator('.talk__approval').getByRole('button', { name: 'Approve' }).waitFor();
    await desk.open('#/approvals');
    const card = page.locator('.approval');
    await card.getByText('Museum of Tomorrow: Small-Group Tour, ').waitFor();
    expect(await card.innerText()).toMatch(/Cancel a reservation[\s\S]*goes back to the payment method/);
    await card.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Reject action' }).click();
    await dialog.getByText('Say why, so that the customer can be told.').waitFor();
    await dialog.getByRole('textbox').fill('The venue has paid the artist.');
    await dialog.getByRole('button', { name: 'Reject action' }).click();
    await card.getByText('Decided: Rejected').waitFor();
    const { messages } = (await at.get(`/api/threads/${threadId}`, token)).body as {
      readonly messages: readonly { readonly content: string }[];
    };
    expect(messages.at(-1)?.content).toContain('The venue has paid the artist.');
    expect(refundsOf('res_042')).toBe(0);
  });

  it('[SHF-211] stand at the moment of their decision in the conversation, whole, and after a reload too', async () => {
    const { page } = tab;
    const { threadId, ticketId, token } = await customerSays(
      at,
      JOAO,
      'cancel my reservation res_042',
      'yes',
    );
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    const card = page.locator('.talk__approval');
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.getByText('Decided: ').waitFor();
    at.hub.clock.advance({ minutes: 2 });
    await at.post(`/api/threads/${threadId}/messages`, token, { text: 'When will I have the money?' });
    await desk.said('When will I have the money?');
    const order = async () => {
      const parts = await page.locator('.talk__log > *').allInnerTexts();
      const placeOf = (words: RegExp) => parts.findIndex((one) => words.test(one));
      return [/^yes$|\nyes$/m, /Cancel a reservation[\s\S]*Museum of Tomorrow/, /When will I have/].map(
        placeOf,
      );
    };
    const sorted = (places: readonly number[]) =>
      !places.includes(-1) && [...places].sort((a, b) => a - b).join() === places.join();
    await expect.poll(async () => sorted(await order())).toBe(true);
    await page.reload();
    await desk.said('When will I have the money?');
    await card.getByText('Olga').waitFor();
    expect(sorted(await order()), JSON.stringify(await order())).toBe(true);
    expect(await card.getByRole('button').count()).toBe(0);
    await expectAccessible(page, 'decided-approval');
  });
});

describe('the rest of the desk', () => {
  it('[DUI-07] writes an article, shows how it looks, publishes it, and the hub answers with it at once', async () => {
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open('#/knowledge/new');
    await page.getByLabel('Title').fill('Bringing a parrot to a concert');
    await page
      .getByLabel('Text')
      .fill(
        'Parrots are welcome at concerts in the open.\n\n<img src=x onerror=alert(1)> **Keep it** on a leash.',
      );
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.article__preview strong', { hasText: 'Keep it' }).waitFor();
    expect(await page.locator('.article__preview').innerText()).toContain('<img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published and indexed').waitFor();
    await page.locator('.pick', { hasText: 'parrot' }).getByText('Published').waitFor();
    const { token, threadId } = await customerSays(at, ANA, 'May I bring my parrot to a concert?');
    const { messages } = (await at.get(`/api/threads/${threadId}`, token)).body as {
      readonly messages: readonly { readonly content: string }[];
    };
    expect(messages.at(-1)?.content).toContain('Parrots are welcome');
  });

  it('[LED-03 LED-04] shows what changed between two versions of an article, goes back to one, and says where it was used', async () => {
    const { page } = tab;
    const { ticketId } = await customerSays(at, ANA, 'How do I cancel a reservation?');
    const [cited] = at.hub.query(
      'udahub',
      `SELECT json_extract(citations, '$[0].articleId') AS id FROM ticket_messages
       WHERE ticket_id = ? AND citations <> '[]'`,
      ticketId,
    ) as readonly { readonly id: string }[];
    await desk.signIn('Olga');
    await desk.open(`#/knowledge/${cited?.id}`);
    const old = await page.getByLabel('Text', { exact: true }).inputValue();
    await page.getByLabel('Text', { exact: true }).fill(`${old}\n\nA parrot helps.`);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published and indexed').waitFor();
    await page.getByRole('button', { name: 'Versions' }).click();
    await page.locator('ins', { hasText: 'A parrot helps.' }).waitFor();
    await expectAccessible(page, 'desk-article-versions');
    await page.getByRole('button', { name: 'Go back to version 1' }).click();
    await page.getByRole('button', { name: 'Make it the draft' }).click();
    await page.getByText('The old text is the draft now').waitFor();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe(old);
    await page.getByRole('button', { name: 'Used in' }).click();
    await page.getByText('1 ticket', { exact: true }).waitFor();
    await page.locator('.behind').getByRole('link', { name: 'Ana Souza' }).click();
    await desk.said('How do I cancel a reservation?');
  });

  it('[LED-05 SHF-132 SHF-164 SHF-195] tells who did what in sentences, by name and day, in the language of the desk, and saves it', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    const { page } = tab;
    const olga = await colleague(at, 'Olga');
    await olga(`/api/desk/tickets/${ticketId}/claim`);
    await olga(`/api/desk/tickets/${ticketId}/reply`, { text: 'I see to it.' });
    const pause = { tool: 'update_subscription', args: { action: 'pause', days: 10 }, perform: true };
    await olga(`/api/desk/tickets/${ticketId}/actions`, pause);
    await olga(`/api/desk/tickets/${ticketId}/resolve`);
    await customerSays(at, 'carla.mendes@example.com', "I can't book anything", 'yes');
    await desk.signIn('Rui');
    await desk.open('#/dashboard');
    await page.getByRole('link', { name: 'What was done' }).click();
    await page
      .getByText('Carla Mendes agreed to “Change the subscription (Resume)”, and it was done.')
      .waitFor();
    await page.getByText('Olga answered Bruno Lima.').waitFor();
    await page.getByText('Change the subscription (Pause, Days: 10)').waitFor();
    await page
      .getByText('The hub escalated the ticket of Bruno Lima: Customer asked for a person.')
      .waitFor();
    await expectAccessible(page, 'desk-history');
    await expectPlainWords(page, 'desk-history');
    await page.getByLabel('Operator').fill('olg');
    await page.getByText('The hub escalated').waitFor({ state: 'detached' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const sheet = readFileSync(await file.path(), 'utf8');
    expect(sheet).toMatch(/^\uFEFFWhen,Request,Who,Customer,What\r\n/);
    expect(sheet).toMatch(
      /\n\d{4}-\d\d-\d\d \d\d:\d\d,\w{3}-\w{3},Olga,Bruno Lima,Olga resolved the ticket of Bruno Lima\./,
    );
    await page.evaluate("localStorage.setItem('hub.language', 'pt-BR')");
    await page.reload();
    await page.getByText('Olga respondeu a Bruno Lima.').waitFor();
    await page.getByLabel('De', { exact: true }).fill('2026-01-01');
    await page.getByLabel('Até').fill('2026-01-02');
    await page.getByText('Nada foi feito').waitFor();
  });

  it('[LED-06] gives the tickets whose customers wait back to the queue as its operator signs out', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: 'Claim' }).click();
    await desk.field.waitFor();
    await page.getByRole('button', { name: 'Language and appearance' }).click();
    await page.getByText('Your tickets whose customers wait go back into the queue.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('input[name=name]').waitFor();
    await desk.signIn('Rui');
    await desk.open('#/tickets');
    await desk.rows.filter({ hasText: 'Bruno Lima' }).waitFor();
    await desk.open(`#/tickets/${ticketId}`);
    await page.getByText('Olga ended the shift').waitFor();
  });

  it('[DUI-08 SHF-13 SHF-31] shows what the hub did and knows: path and why, tools, evidence, record and memory', async () => {
    const { ticketId } = await customerSays(
      at,
      'gabriela.nunes@example.com',
      'I was charged twice for my subscription',
    );
    const { page } = tab;
    at.hub.exec(
      'udahub',
      `UPDATE ticket_turns SET guardrails = '[{"agent":"account","fault":"promise","outcome":"rewritten"}]'`,
    );
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    const panel = page.getByRole('complementary', { name: 'Details' });
    await panel.getByText('Look at the account').waitFor();
    await panel.getByText('Refused attempt and one charge', { exact: false }).first().waitFor();
    await panel.getByText('gabriela.nunes@example.com').waitFor();
    // Beside the answer itself stands why it is what it is.
    const answer = page.locator('.msg--hub').first();
    await answer.locator('.why', { hasText: 'Because a symptom needs to be diagnosed.' }).waitFor();
    await answer.getByText('Why this answer?').click();
    expect(await answer.innerText()).toMatch(
      /Investigation\s+after [\d.]+ m?s\s+Because a symptom[\s\S]*worked[\s\S]*Written by the hub’s rules \(offline\) · took [\d.]+ m?s · 0 model calls · \$0\.00/,
    );
    const guarded = answer.getByRole('list', { name: 'What was not sent as it was written' });
    expect(await guarded.innerText()).toBe(
      'Account: The draft promised something that no rule says. It was written again.',
    );
    await panel.getByText('Path and tools').click();
    expect(await panel.locator('.path').first().innerText()).toMatch(
      /Investigation\s+after [\d.]+ m?s\s+Because a symptom/,
    );
    await page.getByRole('button', { name: 'Suggest a reply' }).click();
    await page.locator('.suggestion', { hasText: 'Written by' }).waitFor();
    await page.getByRole('button', { name: 'Use it' }).click();
    expect((await desk.field.inputValue()).length).toBeGreaterThan(20);
  });

  it('[DUI-08 SHF-12 SHF-119] offers what an investigation asks as buttons, and goes on with the choice', async () => {
    at.hub.exec(
      'cultpass',
      `INSERT INTO payments (payment_id, user_id, reservation_id, amount_cents, currency, status, created_at)
       SELECT 'pay_twice', user_id, reservation_id, amount_cents, currency, status, created_at
       FROM payments WHERE user_id = 'usr_001' AND reservation_id = 'res_001' LIMIT 1`,
    );
    const { ticketId } = await customerSays(at, ANA, 'I was charged twice for the same booking');
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.locator('.choose__question').waitFor();
    await expectAccessible(page, 'desk-investigation');
    await page.evaluate("localStorage.setItem('hub.language', 'pt-BR')");
    await page.reload();
    const run = page.locator('.run', { hasText: 'foi paga 2 vezes, em' });
    await run.getByText(/Pode-se recomendar .*\?/).waitFor({ timeout: 30_000 });
    await run.getByText('Confirme com a operadora de pagamento').waitFor({ timeout: 30_000 });
    await expectNotEnglish(page, '.run');
    await page.getByRole('button', { name: /^Escolher A/ }).click();
    await page.locator('.run', { hasText: 'Terminada' }).waitFor();
    await expectNotEnglish(page, '.run');
    await page.evaluate("localStorage.setItem('hub.language', 'en')");
    await page.reload();
    await page.locator('.run', { hasText: 'Finished' }).waitFor();
    expect(await page.locator('.choose').count()).toBe(0);
    await page.locator('.mark-line', { hasText: 'Olga chose option A' }).waitFor();
    await expectPlainWords(page, 'desk-chosen');
    // The same in Portuguese, with what is stored of every kind, also by an earlier version.
    for (const [at_, content] of [
      'Olga chose A (run_29c8kq1p).',
      'Olga took the conversation over.\nRui foi para casa.',
      'Olga put the conversation back into the queue.',
      'Olga was not heard of for too long: the conversation is back in the queue.',
      'Olga handed the conversation back to the hub.',
      'Olga merged another ticket of this customer into this one.',
      'Olga resolved the ticket.',
      'Left to do by hand: Reembolsar.',
      'Asked again while it waits: "Onde está?"',
      'The customer withdrew the request for cancel_reservation {"reservation_id":"res_001"}. Nothing was changed. Their words: "Deixe."',
      'The hub stopped before it could answer.',
    ].entries())
      at.hub.exec(
        'udahub',
        `INSERT INTO ticket_messages (message_id, ticket_id, role, audience, content, created_at)
         VALUES ('msg_old${at_}', '${ticketId}', 'system', 'desk', '${content}', '2026-03-11T15:00:00.000Z')`,
      );
    at.hub.exec(
      'udahub',
      `INSERT INTO customer_preferences (customer_id, key, value, updated_at)
       VALUES ('usr_001', 'contact_method', 'phone', '2026-03-11T15:00:00.000Z');
       UPDATE ticket_turns SET tool_calls = json_array(json_object('agent', 'action', 'tool', 'cancel_reservation',
         'args', json('{}'), 'ok', json('false'), 'code', 'policy_denied', 'ms', 1)) WHERE ticket_id = '${ticketId}'`,
    );
    await page.evaluate("localStorage.setItem('hub.language', 'pt-BR')");
    await page.reload();
    await page.locator('.mark-line', { hasText: 'Olga escolheu a opção A' }).first().waitFor();
    await expectNotEnglish(page, '.mark-line');
    await expectPlainWords(page, 'desk-chosen-pt');
  });

  it('[DUI-09] draws the figures, gives them as tables too, and says where there are none', async () => {
    await customerSays(at, BRUNO, PERSON);
    await customerSays(at, ANA, 'How do I cancel a reservation?');
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open('#/dashboard');
    const volume = page.getByRole('figure', { name: 'Tickets per day, by subject' });
    await volume.locator('canvas').waitFor();
    await expect
      .poll(() =>
        page.evaluate(`(() => {
          const canvas = document.querySelector('.plot canvas');
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size;
        })()`),
      )
      .toBeGreaterThan(5);
    await volume.getByText('Show as a table').click();
    expect(await volume.locator('tbody tr').count()).toBe(30);
    expect(await volume.locator('tbody tr').last().innerText()).toMatch(/Mar 11.*1/);
    await page.getByRole('radio', { name: '7 days' }).check();
    await expect.poll(() => volume.locator('tbody tr').count()).toBe(7);
    await page
      .getByRole('figure', { name: 'Model cost, per day' })
      .getByText('No data for this period')
      .waitFor();
  });

  it('[LED-01 LED-02] says what each operator did with the meaning beside it, and opens the tickets behind a number', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    const { page } = tab;
    const olga = await colleague(at, 'Olga');
    await olga(`/api/desk/tickets/${ticketId}/claim`);
    await olga(`/api/desk/tickets/${ticketId}/reply`, { text: 'I see to it.' });
    await olga(`/api/desk/tickets/${ticketId}/resolve`);
    await desk.signIn('Olga');
    await desk.open('#/dashboard');
    const row = page.getByRole('row', { name: /^Olga/ });
    await row.waitFor();
    const deflected = page.locator('.tile', { hasText: 'Deflected' });
    await deflected.getByText('What this means').click();
    await deflected.getByText('without an operator and whose customer did not write again').waitFor();
    await page.getByText('What these figures mean').click();
    await page.getByText('Tickets in which the operator wrote to the customer').waitFor();
    expect(await row.locator('td').first().innerText()).toBe('1');
    await row.locator('td a').first().click();
    await page.getByRole('heading', { name: 'Tickets behind this figure' }).waitFor();
    await page.getByText('answered by an operator · Olga').waitFor();
    await page.getByText('1 ticket', { exact: true }).waitFor();
    await expectAccessible(page, 'desk-behind-figure');
    await page.locator('.behind').getByRole('link', { name: 'Bruno Lima' }).click();
    await desk.said('I see to it.');
    // A bar of a chart leads to the same place as its cell.
    await desk.open('#/dashboard');
    const reasons = page.getByRole('figure', { name: 'Why tickets were escalated' }).locator('canvas');
    await reasons.scrollIntoViewIfNeeded();
    await reasons.click();
    await page.getByText('escalated · Customer asked for a person').waitFor();
    await page.getByText('1 ticket', { exact: true }).waitFor();
  });

  it('[DUI-10 SHF-18 SHF-195] is worked by keys alone, searches tickets and customers, and speaks Portuguese', async () => {
    await customerSays(at, BRUNO, PERSON);
    await customerSays(at, ANA, PERSON);
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.rows.nth(1).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('ana.souza');
    await page.locator('.found__link', { hasText: 'Ana Souza' }).waitFor();
    await expect.poll(() => desk.rows.count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the list as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('All conversations.csv');
    expect(readFileSync(await file.path(), 'utf8').split('\r\n')[1]).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d,\w{3}-\w{3},Ana Souza,General,.*now, please/,
    );
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await desk.rows.nth(1).waitFor();
    await page.locator('body').press('j');
    await page.keyboard.press('j');
    await page.locator('.row').nth(1).locator('[aria-current]').waitFor();
    await page.keyboard.press('k');
    await page.locator('.row').nth(0).locator('[aria-current]').waitFor();
    await page.getByRole('button', { name: 'Language and appearance' }).click();
    await page.getByRole('radio', { name: 'Português' }).check();
    await page.getByRole('button', { name: 'Assumir' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR');
  });

  it('[DUI-11] takes a token from the address and hides it, and refuses that of a customer', async () => {
    const { page } = tab;
    await page.goto(`${at.url}/desk#token=${await at.token(ANA)}`);
    await page.getByText('The desk is for operators').waitFor();
    await page.goto(`${at.url}/desk#token=${await at.operator('Olga')}`);
    await page.locator('.bar__nav').waitFor();
    expect(page.url()).not.toContain('token');
  });
});

/** Refunds that were paid for a reservation. */
function refundsOf(reservationId: string): number {
  return at.hub.query('cultpass', 'SELECT 1 FROM refunds WHERE reservation_id = ?', reservationId).length;
}
