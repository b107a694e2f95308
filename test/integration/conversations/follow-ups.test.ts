import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const BRUNO = 'bruno.lima@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('time words of small talk', () => {
  it.each([
    [BRUNO, 'good evening! hope you had a nice morning. what are my bookings?', /Your upcoming reservations/],
    [BRUNO, 'morning all! gorgeous afternoon here. what have I got coming up?', /Your upcoming reservations/],
    [BRUNO, 'bom dia! que noite linda ontem. o que tenho marcado?', /Suas próximas reservas/],
    [BRUNO, 'boa noite, tarde agitada hoje. quais são minhas reservas?', /Suas próximas reservas/],
    [null, "happy friday! what's on in Rio?", /I found in Rio de Janeiro:/],
    [null, 'boa tarde, que manhã corrida. o que tem em Recife?', /encontrei em Recife:/],
  ])('[FUP-01] narrow no list down: %s %s', async (who, said, expected) => {
    const { reply } = await hub.say(who, said);
    expect(reply).toMatch(expected);
  });

  it('[FUP-01] still count where they are what is asked for', async () => {
    await converse(hub, BRUNO, [
      ['what do I have on friday evening?', { says: ['City of God'], saysNot: ['Manguebeat'] }],
    ]);
  });
});
