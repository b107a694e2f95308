import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const CAIO = 'caio.nascimento@example.com';
const ANDRE = 'andre.vasconcelos@example.com';
const BRUNO = 'bruno.lima@example.com';
const FERNANDA = 'fernanda.silveira@example.com';
const EDUARDO = 'eduardo.ramos@example.com';
const VANESSA = 'vanessa.oliveira@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

/** Says one thing after the other in one conversation. @returns the last reply */
async function talk(email: string, thread: string, ...lines: readonly string[]) {
  const replies = [];
  for (const line of lines) replies.push(await hub.say(email, line, thread));
  const last = replies.at(-1);
  if (!last) throw new Error('Nothing was said');
  return last;
}
const statusOf = (id: string) =>
  hub.query('cultpass', 'SELECT status FROM reservations WHERE reservation_id = ?', id)[0]?.status;

describe('a yes to an open confirmation', () => {
  it('[DLG-08] is taken with the wish beside it, which is asked about in the same answer', async () => {
    const both = await talk(ANDRE, 'thr_1', 'cancel my modinhas booking', 'yes — and also pause my plan');
    expect(statusOf('res_127')).toBe('cancelled');
    expect(both.reply).toMatch(/^Done[\s\S]*Shall I pause your subscription/);
    expect(both.pending?.args).toEqual({ action: 'pause' });
  });

  it('[DLG-08] is taken with a question about when, and with another record of the same kind', async () => {
    const when = await talk(
      BRUNO,
      'thr_2',
      'cancela a Manguebeat',
      'sim, pode cancelar, e quando cai o dinheiro?',
    );
    expect(when.reply).toMatch(/^Pronto[\s\S]*dias úteis/);
    const other = 'sim, e cancela também a da Pinacoteca';
    const second = await talk(FERNANDA, 'thr_3', 'cancela a aula de carimbó', other);
    expect(statusOf('res_151')).toBe('cancelled');
    expect(second.pending?.args).toEqual({ reservation_id: 'res_152' });
  });

  it('[FUP-08] is asked for where an order stands beside a question about another record', async () => {
    const said = 'cancela o Auto da Compadecida e me diz quando é o Accordion Masters';
    const both = await talk(CAIO, 'thr_f10', said);
    expect(both.pending?.args).toEqual({ reservation_id: 'res_141' });
    expect(both.reply).toContain('10 de abril');
    await talk(CAIO, 'thr_f10', 'não');
  });

  it('[FUP-07] is taken where it orders in a sentence of its own, and the question after it is answered in the same text', async () => {
    const ana = 'ana.souza@example.com';
    const asked = await talk(
      ana,
      'thr_f7',
      'cancel Candlelight',
      'Yes please ask them dear. And shall I still go?',
    );
    expect(asked.reply).toMatch(/^I have asked our team[\s\S]*you keep your booking/);
    const paid = await talk(ana, 'thr_f8', 'cancela o samba', 'pode cancelar! e a Elis, quanto paguei?');
    expect(paid.reply).toMatch(/^Pronto: "Samba[\s\S]*R\$\s380,00 por "Elis/);
    expect([statusOf('res_001'), statusOf('res_002'), statusOf('res_004')]).toEqual([
      'reserved',
      'cancelled',
      'reserved',
    ]);
    const bare = await talk(ana, 'thr_f9', 'cancel Clarice', 'yes. are you sure?');
    expect(bare.pending?.kind).toBe('confirmation');
    expect(statusOf('res_003')).toBe('reserved');
  });

  it('[DLG-38] is taken beside a question about the next step where the change can be put back or the team decides it', async () => {
    const asked = await talk(
      'joao.cardoso@example.com',
      'thr_l1',
      'Cancel my museum tour for today please',
      'yes please. do i need to send a doctors note or something',
    );
    expect(asked.reply).toMatch(/^I have asked our team[\s\S]*document/);
    const paused = await talk(
      'felipe.araujo@example.com',
      'thr_l2',
      'pause my plan for 20 days',
      'Yes. And what happens to my tickets?',
    );
    expect(paused.reply).toMatch(/^Done: your subscription is paused[\s\S]*stay valid/);
    const doubt = 'yes, take the pause off. will I be charged today?';
    const resumed = await talk('felipe.araujo@example.com', 'thr_l2', 'resume my plan', doubt);
    expect(resumed.pending?.kind).toBe('confirmation');
    const done = await talk('felipe.araujo@example.com', 'thr_l2', 'ok. then yes take away the pause');
    expect(done.reply).toMatch(/^Done: your subscription is active/);
  });

  it('[DLG-08] says what it is about in the words of its record', async () => {
    await talk(EDUARDO, 'thr_4', 'cancel the coffee cupping workshop', 'yes, cancel the workshop please');
    expect(statusOf('res_147')).toBe('cancelled');
  });

  it('[DLG-08] answers a question beside the first of two, and comes back to the second', async () => {
    const asked = 'cancel carimbó dance class and cancel film club';
    const beside = await talk(VANESSA, 'thr_5', asked, 'yes, and how do I change my email address?');
    expect(statusOf('res_100')).toBe('cancelled');
    expect(beside.reply).toMatch(/^Done[\s\S]*Profile[\s\S]*Film Club/);
    expect(beside.pending?.args).toEqual({ reservation_id: 'res_096' });
  });

  it.each([
    'Yes please. It is the Saturday one.',
    'yes, the Clarice Lispector one please',
    'yes, as long as I get every cent of it',
    'yes?',
    'yes, pause it',
  ])('[DLG-07] is none in "%s"', async (said) => {
    const reply = await talk(CAIO, `thr_no ${said.length}`, 'cancel accordion masters', said);
    expect(statusOf('res_138')).toBe('reserved');
    expect(reply.pending?.kind).toBe('confirmation');
  });
});

describe('a question beside a yes', () => {
  it.each([
    [
      'felipe.araujo@example.com',
      'cancela o manguebeat',
      'sim. quanto volta pra mim?',
      [/Pronto: "Manguebeat/, '70,00'],
    ],
    [
      'sergio.almeida@example.com',
      'pause my plan for 2 months',
      'yes. and do I lose my 3 bookings?',
      ['is paused', 'stay valid'],
    ],
    [
      'tatiana.ribeiro@example.com',
      'cancel the one tomorrow',
      'yes please. will I get the 35 back?',
      ['asked our team', '35.00 back'],
    ],
  ])('[DLG-184] that was told already holds no yes back: %s', async (who, order, answer, says) => {
    await converse(hub, who, [
      [order, { pending: 'confirmation' }],
      [answer, { says }],
    ]);
  });

  it.each([
    ['cancel the forró night', 'yes but do I get my money back?'],
    ['cancel the forró night', 'yes if I get the 30 back'],
    ['cancel the forró night', 'yes. do I get 70 back?'],
    ['cancel the choro circle', 'yes please. do I get my money back?'],
    ['cancel my subscription', 'yes. do I get this month refunded?'],
  ])('[DLG-184] on which the yes may hang is answered first: %s, %s', async (order, answer) => {
    await converse(hub, 'zelia.moreira@example.com', [
      [order, { pending: 'confirmation' }],
      [answer, { saysNot: [/^Done/], pending: 'confirmation' }],
    ]);
  });
});
