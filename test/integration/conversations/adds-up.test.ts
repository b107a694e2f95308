import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const TATIANA = 'tatiana.ribeiro@example.com';
const MARIANA = 'mariana.pires@example.com';
const LUCAS = 'lucas.monteiro@example.com';
const SERGIO = 'sergio.almeida@example.com';
const BEATRIZ = 'beatriz.fonseca@example.com';
const DIEGO = 'diego.ferreira@example.com';
const WAGNER = 'wagner.pinto@example.com';
const BRUNO = 'bruno.lima@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('what is told of a record', () => {
  it('[DLG-230] lists every visit that is counted, however much was cancelled since, and says what was missed', async () => {
    for (const day of [4, 5, 6, 7, 8, 9]) {
      hub.exec(
        'cultpass',
        `INSERT INTO experiences (experience_id, title, description, location, starts_at, slots_available, is_premium, price_cents)
         VALUES ('exp_off_${day}', 'Called off ${day}', 'An evening.', 'Recife - Marco Zero', '2026-03-0${day}T20:00:00.000Z', 3, 0, 0);
         INSERT INTO reservations (reservation_id, user_id, experience_id, status, created_at, updated_at)
         VALUES ('res_off_${day}', 'usr_019', 'exp_off_${day}', 'cancelled', '2026-03-01T12:00:00.000Z', '2026-03-02T12:00:00.000Z')`,
      );
    }
    await converse(hub, TATIANA, [
      [
        'what did I use my visits on?',
        {
          says: ['4 of 5', 'The Little Prince', 'Improvised Theatre', 'Forró Night', 'Elis'],
          saysNot: ['Called off'],
        },
      ],
    ]);
    await converse(hub, MARIANA, [
      ['em que foram minhas visitas?', { says: ['5 de 5', /Chamamé.*você não foi; conta do mesmo jeito/] }],
    ]);
  });

  it('[DLG-231] is told of the monthly fee where that is what was charged twice or refused', async () => {
    await converse(hub, LUCAS, [
      [
        'you took the monthly fee from me two times',
        { says: ['9 March', '10 March', 'R$ 59.90', 'nothing was taken'] },
      ],
    ]);
    await converse(hub, LUCAS, [
      ['voces me cobraram 59,90 duas vezes', { says: ['9 de março', '10 de março', 'nada foi cobrado'] }],
    ]);
    await converse(hub, SERGIO, [
      ['I keep getting mails about a refused card', { says: ['Giselle', 'it is paid'] }],
      [
        "it came this morning, it's about the monthly fee",
        { says: ['None of your monthly fees was refused', '5 March'], saysNot: ['Giselle', 'sign out'] },
      ],
    ]);
    await converse(hub, BEATRIZ, [
      [
        'a mensalidade foi recusada?',
        { says: ['Nenhuma mensalidade', '3 de março'], saysNot: ['Little Prince'] },
      ],
    ]);
  });

  it('[DLG-232] gives the day of a charge and the day of the end to who had cancelled before they were charged', async () => {
    await converse(hub, DIEGO, [
      [
        'Why was I charged in January? I cancelled my subscription!',
        { says: ['30 January', '24 February'], saysNot: ['nothing left to cancel'], pending: null },
      ],
    ]);
    await converse(hub, DIEGO, [
      [
        'I had cancelled. why did you charge me in January?',
        { says: ['30 January', '24 February'], pending: null },
      ],
    ]);
    await converse(hub, DIEGO, [
      ['por que cobraram 119,90 em 30 de janeiro?', { says: ['30 de janeiro', '24 de fevereiro'] }],
    ]);
    await converse(hub, WAGNER, [
      [
        'why did you take money this month? I had already cancelled',
        { says: ['10 March', '27 February'], saysNot: ['Dom Casmurro'] },
      ],
    ]);
    await converse(hub, BRUNO, [
      [
        'why was i charged on 3 march? cancel my subscription',
        { says: ['3 March'], pending: 'confirmation' },
      ],
    ]);
  });

  it('[DLG-233] names what an amount that is pointed at was for', async () => {
    await converse(hub, SERGIO, [
      ['show me my payments', { says: ['240.00'] }],
      ["what's that 240?", { says: ['São Paulo Dance Company'], escalated: null }],
    ]);
    await converse(hub, BEATRIZ, [['o que é esse 110?', { says: ['Rock Gaúcho'] }]]);
  });
});
