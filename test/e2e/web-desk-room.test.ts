import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import { expectAccessible, expectPlainWords, openBrowser, openTab, type Tab } from '../support/browser.js';
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

describe('the room at the desk', () => {
  it('[SHF-143] shows the saved views of an operator in every browser, and takes over once what one had kept', async () => {
    const { page } = tab;
    const old = [{ name: 'Old', choice: { view: 'all', priority: 'urgent' } }];
    await page.addInitScript((views) => {
      if (sessionStorage.getItem('begun') === null) localStorage.setItem('hub.desk.views', views);
      sessionStorage.setItem('begun', 'yes');
    }, JSON.stringify(old));
    await desk.signIn('Olga');
    const views = page.getByRole('list', { name: 'Your views' });
    await views.getByRole('button', { name: 'Old', exact: true }).waitFor();
    expect(await page.evaluate("localStorage.getItem('hub.desk.views')")).toBeNull();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Priority').selectOption('high');
    await page.getByLabel('Name for this view').fill('High');
    await page.getByRole('button', { name: 'Save view' }).click();
    await views.getByRole('button', { name: 'High', exact: true, pressed: true }).waitFor();
    await views.getByRole('button', { name: /Old/ }).last().click();
    await expect.poll(() => views.getByRole('button', { name: 'Old', exact: true }).count()).toBe(0);
    const other = await openTab(browser);
    const elsewhere = deskOn(other.page, at);
    await elsewhere.signIn('Olga');
    const there = other.page.getByRole('list', { name: 'Your views' });
    expect(await there.getByRole('listitem').allInnerTexts()).toEqual(['High']);
    await there.getByRole('button', { name: 'High', exact: true }).click();
    await expect.poll(() => other.page.getByLabel('Priority').inputValue()).toBe('high');
    await expectAccessible(other.page, 'saved-views');
    await other.context.close();
  });

  it('[SHF-90 SHF-95 SHF-121] keeps notices and what is done to many tickets off everything else, and opens what a notice is about', async () => {
    const first = await customerSays(at, BRUNO, PERSON);
    await customerSays(at, 'ana.souza@example.com', PERSON);
    await customerSays(at, 'gabriela.nunes@example.com', PERSON);
    const long = 'Gabriela Fernanda de Albuquerque Cavalcanti';
    at.hub.exec('cultpass', `UPDATE users SET full_name = '${long}' WHERE email LIKE 'gabriela.nunes%'`);
    const { page } = tab;
    await page.setViewportSize({ width: 1280, height: 720 });
    await desk.signIn('Olga');
    await page.evaluate("localStorage.setItem('hub.language', 'pt-BR')");
    await page.reload();
    for (const row of await desk.rows.all()) {
      const line = await boxOf(row);
      const subject = await boxOf(row.locator('.row__subject'));
      expect(subject.width).toBeGreaterThan(30);
      expect(subject.y + subject.height).toBeLessThan(line.y + line.height / 2 + 4);
    }
    // A row stays below the hand that marks it.
    const before = await boxOf(desk.rows.nth(1));
    await desk.rows.first().getByRole('checkbox').check();
    await page.getByText('1 ticket marcado').waitFor();
    expect(await boxOf(desk.rows.nth(1))).toEqual(before);
    await expectAccessible(page, 'bulk-bar');
    await desk.rows.first().getByRole('checkbox').uncheck();

    const rui = await colleague(at, 'Rui Costa');
    const mention = () =>
      rui(`/api/desk/tickets/${first.ticketId}/note`, { text: '@Olga who can mend this? '.repeat(4) });
    await desk.rows.last().locator('a').click();
    await page.getByRole('button', { name: 'Assumir' }).click();
    await page.getByRole('region', { name: 'Resposta sugerida' }).waitFor();
    await mention();
    const notice = page.locator('.toast', { hasText: 'Rui Costa' });
    await notice.waitFor();
    await expectAccessible(page, 'notice');
    const said = await boxOf(notice);
    const list = await boxOf(page.locator('.queue__list'));
    const ticket = await boxOf(page.locator('.ticket'));
    expect(said.x + said.width).toBeLessThanOrEqual(ticket.x);
    expect(list.y + list.height).toBeLessThanOrEqual(said.y);
    await page.locator('.toast__open').last().click();
    await page.locator('.head__name', { hasText: 'Bruno Lima' }).waitFor();
    expect(await page.locator('.toast', { hasText: 'Rui Costa' }).count()).toBe(0);

    // On a telephone the page begins below it, and what sends stays where it was.
    await page.setViewportSize({ width: 390, height: 800 });
    await desk.open('#/approvals');
    await desk.open(`#/tickets/${first.ticketId}`);
    await page.getByRole('button', { name: 'Assumir' }).click();
    const send = page.getByRole('button', { name: 'Enviar resposta' });
    await page.getByRole('region', { name: 'Resposta sugerida' }).waitFor();
    const sends = await boxOf(send);
    const other = await customerSays(at, 'carla.mendes@example.com', PERSON);
    await rui(`/api/desk/tickets/${other.ticketId}/note`, { text: '@Olga and this one?' });
    await notice.waitFor();
    // The page makes room as soon as the notice has been measured.
    await expect
      .poll(async () => {
        const above = await boxOf(notice);
        return (await boxOf(page.locator('.head'))).y - above.y - above.height;
      })
      .toBeGreaterThanOrEqual(0);
    expect(await boxOf(send)).toEqual(sends);
  });

  it('[SHF-213] says of an earlier ticket what it was about, though the memory has no word of how it ended', async () => {
    const { page } = tab;
    const earlier = await customerSays(
      at,
      BRUNO,
      'My ticket for the ballet is gone, I want to talk to a person',
    );
    const rui = await colleague(at, 'Rui Costa');
    await rui(`/api/desk/tickets/${earlier.ticketId}/claim`);
    await rui(`/api/desk/tickets/${earlier.ticketId}/resolve`, { text: 'It is back.' });
    at.hub.exec('udahub', 'DELETE FROM ticket_resolutions');
    const later = await customerSays(at, BRUNO, PERSON);
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${later.ticketId}`);
    const told = page.locator('.panel .ledger__what', { hasText: 'the ballet is gone' });
    await told.getByText('Resolved').waitFor();
    expect(await page.getByText('No earlier resolutions').count()).toBe(0);
  });

  it('[SHF-92 SHF-93 SHF-94 SHF-132 SHF-181 SHF-182 SHF-212] takes what an operator writes as it is meant: a day, a placeholder, the beginning of a name', async () => {
    const { ticketId } = await customerSays(at, BRUNO, PERSON);
    const paused = await customerSays(at, 'carla.mendes@example.com', PERSON);
    const { page } = tab;
    const second = await openTab(browser);
    const rui = deskOn(second.page, at);
    await rui.signIn('Rui Costa');
    await desk.signIn('Olga');
    await page.evaluate("localStorage.setItem('hub.language', 'pt-BR')");
    await desk.open(`#/tickets/${paused.ticketId}`);
    await page.reload();
    await page.getByRole('button', { name: 'Assumir' }).click();
    await page.getByRole('button', { name: 'Agir', exact: true }).click();
    const act = page.getByRole('dialog', { name: 'Agir pelo cliente' });
    const action = act.locator('select').first();

    // Records are named as people do, and money is written as money.
    await action.selectOption('refund_wrong_charge');
    const payments = await act.getByLabel('Pagamento').innerText();
    expect(payments).toMatch(/R\$\s\d/);
    expect(payments).not.toMatch(/[a-z]{3}_\d/);
    // How much it is stands with the payment: nobody types it.
    expect(await act.locator('input').count()).toBe(0);
    await expectPlainWords(page, 'act-payment');
    await page.keyboard.press('Escape');

    await desk.open(`#/tickets/${ticketId}`);
    await page.getByRole('button', { name: 'Assumir' }).click();

    // The day on which a pause begins is chosen as a day.
    await page.getByRole('button', { name: 'Agir', exact: true }).click();
    await action.selectOption({ label: 'Mudar a assinatura' });
    await act.locator('input[type=date]').waitFor();
    expect(await act.getByText('Pode ficar vazio').count()).toBe(2);
    await expectAccessible(page, 'act-fields');

    // What was done says with which choice, beside the ticket and across tickets.
    await act.getByLabel('O que fazer').selectOption('pause');
    // What is wrong with a field stands beside it, in the words of the desk, until it is changed.
    const wrong = act.locator('.field', { hasText: 'Dias' }).locator('.field__error');
    await act.getByLabel('Dias').fill('9000');
    await act.getByRole('button', { name: 'Ver o que acontece' }).click();
    await wrong.getByText('Deve ser um número de').waitFor();
    await expectAccessible(page, 'act-wrong');
    await act.getByLabel('Dias').fill('10');
    await wrong.waitFor({ state: 'detached' });
    await act.getByRole('button', { name: 'Ver o que acontece' }).click();
    await act.getByRole('button', { name: 'Fazer agora' }).click();
    await act.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'O que foi feito' }).click();
    await page.locator('.call summary', { hasText: 'Mudar a assinatura' }).getByText('Pausar').waitFor();
    await page.locator('.call summary', { hasText: 'Dias: 10' }).waitFor();
    await page.getByRole('heading', { name: 'Tudo com este cliente' }).click();
    await page.locator('.timeline__event', { hasText: 'Dias: 10' }).waitFor();
    await expectAccessible(page, 'done-with-choice');
    // This ticket is none of the earlier ones.
    await page.getByText('Nenhuma resolução anterior').waitFor({ state: 'attached' });

    // What is no placeholder is said once, in the desk's language; two braces are as good as one.
    await page.getByRole('button', { name: 'Macros' }).click();
    const macros = page.getByRole('dialog', { name: 'Macros' });
    await macros.getByRole('button', { name: 'Nova macro' }).click();
    await macros.getByLabel('Nome').fill('A caminho');
    const text = macros.getByLabel('Texto');
    await text.fill('Olá {{customer.first_name}}, {nope}.');
    await macros.getByRole('button', { name: 'Salvar macro' }).click();
    await macros.getByText('{nope} não é um espaço reservado').waitFor();
    expect(await macros.innerText()).not.toContain('is no variable');
    await expectAccessible(page, 'macro-refused');
    await text.fill('Olá ');
    await macros.getByRole('button', { name: 'primeiro nome do cliente' }).click();
    expect(await text.inputValue()).toBe('Olá {primeiro nome do cliente}');
    await text.fill('Olá {{ customer.first_name }}, tudo certo. {seu primeiro nome}');
    await macros.getByRole('button', { name: 'Salvar macro' }).click();
    // What is stored in other words is edited in these.
    await macros.getByRole('button', { name: 'Editar a macro A caminho' }).click();
    expect(await text.inputValue()).toBe('Olá {primeiro nome do cliente}, tudo certo. {seu primeiro nome}');
    await macros.getByRole('button', { name: 'Salvar macro' }).click();
    await macros.getByRole('button', { name: 'A caminho', exact: false }).first().click();
    await expect.poll(() => desk.field.inputValue()).toBe('Olá Bruno, tudo certo. Olga');

    // A name that was begun is not written twice.
    await page.getByRole('button', { name: 'Nota', exact: true }).click();
    await desk.field.fill('Veja isto, @ru');
    await page.locator('.composer__mentions button', { hasText: '@Rui Costa' }).click();
    expect(await desk.field.inputValue()).toBe('Veja isto, @Rui Costa ');
    await desk.field.fill('Veja isto, @xy');
    await page.locator('.composer__mentions button').waitFor({ state: 'detached' });
    expect(second.errors).toEqual([]);
    await second.context.close();
  });

  it('[SHF-99] tells the customer when the team answers by what a server says that was away and is back', async () => {
    const { page } = tab;
    // A line that breaks, as where the server ends.
    await page.addInitScript(`(() => {
      const real = window.fetch.bind(window);
      const lines = [];
      window.cutLines = () => lines.splice(0).forEach((line) => line.abort());
      window.fetch = (to, init = {}) => {
        if (!String(to?.url ?? to).includes('/events')) return real(to, init);
        const line = new AbortController();
        lines.push(line);
        return real(to, { ...init, signal: AbortSignal.any([line.signal, ...(init.signal ? [init.signal] : [])]) });
      };
    })()`);
    const chat = chatOn(page, at);
    await chat.signIn(BRUNO);
    await chat.say(PERSON);
    await chat.answered(/person|team/);
    await page.getByText('Our team is available until 18:00 today').waitFor();
    await page.route('**/api/config', async (route) => {
      const response = await route.fetch();
      const config = (await response.json()) as { readonly support_hours: object };
      await route.fulfill({
        response,
        json: { ...config, support_hours: { ...config.support_hours, closes: '23:11' } },
      });
    });
    await page.evaluate('cutLines()');
    await page.getByText('Our team is available until 23:11 today').waitFor();
  });

  it('[SHF-97 SHF-98 SHF-100] says on the ticket what an investigation recommended and was done since, and what stands against the customer', async () => {
    const { ticketId } = await customerSays(
      at,
      'gabriela.nunes@example.com',
      'I cancelled a booking but never got my money back',
      'yes',
      PERSON,
    );
    at.hub.exec('cultpass', "UPDATE users SET is_blocked = 1 WHERE user_id = 'usr_007'");
    const { page } = tab;
    await desk.signIn('Olga');
    await desk.open(`#/tickets/${ticketId}`);
    await page.locator('.run__advice', { hasText: 'Pay a refund' }).getByText('Done since then:').waitFor();
    await expectAccessible(page, 'recommended-done');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('.head').getByText('Blocked').waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.evaluate("localStorage.setItem('hub.language', 'pt-BR')");
    await page.reload();
    await page.locator('.run__head', { hasText: 'Um reembolso não chegou' }).waitFor();
    await desk.open('#/skills');
    await page.getByRole('heading', { name: 'Um reembolso não chegou' }).waitFor();
  });
});

async function boxOf(part: Locator): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  const box = await part.boundingBox();
  if (box === null) throw new Error('not on the page');
  return box;
}
