import { afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { ANA, auditRows, expectBooksToAgree, newRefunds, reservationStatus } from '../safety/books.js';
import { createDoor, OLGA, OTTO, said } from './support.js';

const CANCEL = { tool: 'cancel_reservation', args: { reservation_id: 'res_001' }, language: 'en' } as const;

let hub: Hub;
afterEach(async () => {
  expectBooksToAgree(hub);
  await hub.close();
});

async function claimed() {
  hub = await openHub();
  const { threadId, ticketId } = await hub.say(ANA, 'I want to talk to a person about my booking');
  await hub.app.desk.claim(ticketId, OLGA);
  return { threadId, ticketId };
}

describe('an action of the company, done by an operator', () => {
  it('[SHF-07] is offered with the records it may be done to', async () => {
    const { ticketId } = await claimed();
    const actions = await hub.app.desk.actionsFor(ticketId, 'en');
    expect(actions.map(({ tool }) => tool)).toEqual(
      expect.arrayContaining(['cancel_reservation', 'process_refund', 'update_subscription']),
    );
    const [field] = actions.find(({ tool }) => tool === 'cancel_reservation')?.fields ?? [];
    expect(field).toMatchObject({ name: 'reservation_id', required: true });
    expect(field?.records?.map(({ id }) => id)).toContain('res_001');
    const plan = actions.find(({ tool }) => tool === 'update_subscription')?.fields ?? [];
    expect(plan.find(({ name }) => name === 'action')?.options).toContain('pause');
  });

  it('[SHF-07] says first what would follow, then happens once, is audited, and the customer is told', async () => {
    const { threadId, ticketId } = await claimed();
    const { desk } = hub.app;
    const preview = await desk.act(ticketId, OLGA, { ...CANCEL, perform: false });
    expect(preview.outcome).toBeNull();
    expect(preview.consequences.length).toBeGreaterThan(0);
    expect(newRefunds(hub)).toHaveLength(0);
    const { outcome } = await desk.act(ticketId, OLGA, { ...CANCEL, perform: true });
    expect(outcome?.reply).toContain('Done');
    expect(reservationStatus(hub, 'res_001')).toBe('cancelled');
    expect(newRefunds(hub)).toHaveLength(1);
    expect(auditRows(hub)).toContainEqual(
      expect.objectContaining({ actor: 'operator:op_1', action: 'cancel_reservation', outcome: 'done' }),
    );
    expect(said(hub, threadId).at(-1)).toMatch(/^hub: Done/);
    // The rules refuse it the second time, in words.
    const again = desk.act(ticketId, OLGA, { ...CANCEL, perform: true });
    await expect(again).rejects.toMatchObject({ code: 'policy_denied' });
    expect(newRefunds(hub)).toHaveLength(1);
  });

  it('[SHF-203] answers the customer: the clock stops until they ask for something more', async () => {
    const { threadId, ticketId } = await claimed();
    const { desk } = hub.app;
    expect(await desk.clock(ticketId)).not.toBeNull();
    hub.clock.advance({ minutes: 5 });
    await desk.act(ticketId, OLGA, { ...CANCEL, perform: true });
    expect(await desk.clock(ticketId)).toBeNull();
    expect((await desk.ticket(ticketId, 'en')).ticket.status).toBe('waiting_customer');
    hub.clock.advance({ minutes: 5 });
    await hub.say(ANA, 'And when do I get the money?', threadId);
    expect(await desk.clock(ticketId)).not.toBeNull();
  });

  it('[SHF-132] has a name for every field in every language, and says why it cannot be done', async () => {
    const { ticketId } = await claimed();
    const { app } = hub;
    const fields = (await app.desk.actionsFor(ticketId, 'en')).flatMap((one) =>
      one.fields.map(({ name }) => name),
    );
    for (const language of ['en', 'pt-BR'] as const)
      expect(fields.filter((name) => app.argumentNames[name]?.[language] === undefined)).toEqual([]);
    const wish = { args: { payment_id: 'pay_010' }, language: 'en', perform: false } as const;
    const twice = app.desk.act(ticketId, OLGA, { ...wish, tool: 'refund_duplicate_charge' });
    await expect(twice).rejects.toThrow('The records hold only one such charge');
    const wrong = app.desk.act(ticketId, OLGA, { ...wish, tool: 'refund_wrong_charge', language: 'pt-BR' });
    await expect(wrong).rejects.toThrow('Pelos registros esta cobrança era devida');
  });

  it('[SHF-138] is chosen from what the rules let it be done to, by name, day and money, and asks for no id', async () => {
    const { ticketId } = await claimed();
    const { desk } = hub.app;
    const offered = async (language: 'en' | 'pt-BR') =>
      new Map((await desk.actionsFor(ticketId, language)).map(({ tool, fields }) => [tool, fields]));
    const before = await offered('en');
    expect(before.get('retry_refund')).toMatchObject([{ name: 'refund_id', records: [] }]);
    for (const [tool, fields] of before)
      for (const { name, records } of fields)
        if (name.endsWith('_id')) expect(records, `${tool}: ${name}`).not.toBeNull();
    await desk.act(ticketId, OLGA, { ...CANCEL, perform: true });
    hub.exec('cultpass', "UPDATE refunds SET status = 'failed' WHERE reservation_id = 'res_001'");
    const [refund] = (await offered('pt-BR')).get('retry_refund')?.[0]?.records ?? [];
    expect(refund).toMatchObject({ title: expect.any(String), amount: { currency: 'BRL' } });
    expect(refund?.amount?.minorUnits).toBeGreaterThan(0);
    const again = { tool: 'retry_refund', args: { refund_id: refund?.id }, language: 'en' } as const;
    const { outcome } = await desk.act(ticketId, OLGA, { ...again, perform: true });
    expect(outcome?.reply).toContain('Done');
    expect((await offered('en')).get('retry_refund')?.[0]?.records).toEqual([]);
  });

  it('[SHF-96] lifts a block, which is told, counts at once, and is nothing to do a second time', async () => {
    const { threadId, ticketId } = await claimed();
    const { desk } = hub.app;
    const unblock = { tool: 'unblock_account', args: {}, language: 'pt-BR' } as const;
    await expect(desk.act(ticketId, OLGA, { ...unblock, perform: true })).rejects.toMatchObject({
      code: 'policy_denied',
    });
    hub.exec('cultpass', "UPDATE users SET is_blocked = 1 WHERE user_id = 'usr_001'");
    const refused = desk.act(ticketId, OLGA, { ...CANCEL, perform: false });
    await expect(refused).rejects.toMatchObject({ code: 'policy_denied' });
    const preview = await desk.act(ticketId, OLGA, { ...unblock, perform: false });
    expect(preview.consequences[0]).toBe('Desbloquear a conta, de Ana Souza.');
    await desk.act(ticketId, OLGA, { ...unblock, perform: true });
    expect(said(hub, threadId).at(-1)).toContain('your account is no longer blocked');
    expect(auditRows(hub)).toContainEqual(
      expect.objectContaining({ actor: 'operator:op_1', action: 'unblock_account', outcome: 'done' }),
    );
    expect((await desk.act(ticketId, OLGA, { ...CANCEL, perform: false })).consequences).not.toEqual([]);
  });

  it('[SHF-150] is not offered where the rules refuse it, and says which rule stands against it', async () => {
    const { ticketId } = await claimed();
    const { desk } = hub.app;
    const offered = async (language: 'en' | 'pt-BR') =>
      new Map((await desk.actionsFor(ticketId, language)).map((one) => [one.tool, one]));
    const wish = { tool: 'unblock_account', args: {}, perform: false } as const;
    for (const language of ['en', 'pt-BR'] as const) {
      const said = (await offered(language)).get('unblock_account')?.refused;
      await expect(desk.act(ticketId, OLGA, { ...wish, language })).rejects.toThrow(said ?? 'no reason');
    }
    const active = await offered('en');
    const [change] = active.get('update_subscription')?.fields ?? [];
    expect(Object.keys(change?.refused ?? {})).toEqual(['resume']);
    const [booking] = active.get('cancel_reservation')?.fields ?? [];
    expect(Object.hasOwn(booking?.refused ?? {}, 'res_001')).toBe(false);
    // Whoever is blocked can be unblocked, and nothing else.
    hub.exec('cultpass', "UPDATE users SET is_blocked = 1 WHERE user_id = 'usr_001'");
    const blocked = await offered('en');
    expect(blocked.get('unblock_account')?.refused).toBeNull();
    const [left] = blocked.get('cancel_reservation')?.fields ?? [];
    expect(left?.records?.length).toBeGreaterThan(0);
    expect(Object.keys(left?.refused ?? {})).toEqual(left?.records?.map(({ id }) => id));
  });

  it('[SHF-191] is a refund too: of what was paid and cancelled, as the hub itself would pay it', async () => {
    hub = await openHub();
    const { ticketId } = await hub.say(
      'rafaela.martins@example.com',
      'my refund never came, a person please',
    );
    await hub.app.desk.claim(ticketId, OLGA);
    const refund = (await hub.app.desk.actionsFor(ticketId, 'en')).find(
      ({ tool }) => tool === 'process_refund',
    );
    const [field] = refund?.fields ?? [];
    expect(field?.records).toContainEqual(
      expect.objectContaining({ id: 'res_065', title: 'Giselle: A Night at the Ballet' }),
    );
    expect(field?.refused).not.toHaveProperty('res_065');
    const wish = { tool: 'process_refund', args: { reservation_id: 'res_065' }, language: 'en' } as const;
    const { outcome } = await hub.app.desk.act(ticketId, OLGA, { ...wish, perform: true });
    expect(outcome?.reply).toContain('R$ 320.00');
    expect(newRefunds(hub)).toHaveLength(1);
  });

  it('[SHF-19] is not done where a colleague takes the ticket over after it was planned', async () => {
    const planned = createDoor();
    hub = await openHub({
      overrides: {
        wrapStores: (stores) => ({
          ...stores,
          pending: {
            ...stores.pending,
            async decide(...given) {
              await planned.pass();
              return stores.pending.decide(...given);
            },
          },
        }),
      },
    });
    const { threadId, ticketId } = await hub.say(ANA, 'I want to talk to a person about my booking');
    const { desk } = hub.app;
    await desk.claim(ticketId, OLGA);
    planned.shut();
    const acting = desk.act(ticketId, OLGA, { ...CANCEL, perform: true });
    await planned.reached;
    await desk.takeFromColleague(ticketId, OTTO, 'I know this customer');
    planned.open();
    await expect(acting).rejects.toMatchObject({ code: 'not_claimed', fields: { operator: 'Otto' } });
    expect(newRefunds(hub)).toHaveLength(0);
    expect(reservationStatus(hub, 'res_001')).not.toBe('cancelled');
    expect(said(hub, threadId).at(-1)).toContain('Otto');
    // Nothing is left that a restart would carry out.
    expect(await (await hub.another()).app.conversations.recover()).toBe(0);
    expect(newRefunds(hub)).toHaveLength(0);
    expect(auditRows(hub)).toContainEqual(
      expect.objectContaining({ action: 'cancel_reservation', outcome: 'refused' }),
    );
  });

  it("[SHF-07] is refused to who has not claimed the ticket, for another customer's record, and for what is no input", async () => {
    const { ticketId } = await claimed();
    const { desk } = hub.app;
    const wish = { ...CANCEL, perform: true };
    await expect(desk.act(ticketId, OTTO, wish)).rejects.toMatchObject({ code: 'not_claimed' });
    const foreign = { ...wish, args: { reservation_id: 'res_042' } };
    await expect(desk.act(ticketId, OLGA, foreign)).rejects.toMatchObject({ code: 'policy_denied' });
    const odd = { ...wish, args: { reservation_id: 'res_001', amount_cents: 1 } };
    await expect(desk.act(ticketId, OLGA, odd)).rejects.toMatchObject({ code: 'input_invalid' });
    expect(newRefunds(hub)).toHaveLength(0);
  });
});
