import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestNumber } from '../../../src/core/domain/ticket.js';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const CARLA = 'carla.mendes@example.com';
const [SAMBA, CLARICE, ELIS] = ['res_002', 'res_003', 'res_004'];

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

const pendingOf = (replies: Awaited<ReturnType<typeof converse>>, at: number) => replies[at]?.pending?.args;

describe('what the hub offers', () => {
  it('[DLG-45] is a change that it can make, of the record that is named, where nobody can make the one that is asked for', async () => {
    for (const [said, yes] of [
      ['move my clarice booking to another day', 'yes please'],
      ['quero passar a leitura da clarice para outro dia', 'pode ser'],
    ] as const) {
      const replies = await converse(hub, ANA, [
        [said, { says: [/another day|outro dia/, 'Clarice Lispector'], pending: null, escalated: null }],
        [yes, { pending: 'confirmation' }],
      ]);
      expect(pendingOf(replies, 1)).toEqual({ reservation_id: CLARICE });
      expect(
        hub.query('cultpass', 'SELECT status FROM reservations WHERE reservation_id = ?', CLARICE),
      ).toEqual([{ status: 'reserved' }]);
    }
  });

  it('[DLG-45] asks for which record, and a yes to that is asked which once more', async () => {
    const replies = await converse(hub, ANA, [
      ['i want to move my booking', { says: ['which one'], pending: null }],
      ['yes', { says: ['1.', 'Samba Night'], pending: null }],
      ['the clarice one', { pending: 'confirmation' }],
    ]);
    expect(pendingOf(replies, 2)).toEqual({ reservation_id: CLARICE });
  });

  it('[DLG-45] is not offered to a question of how it goes', async () => {
    await converse(hub, ANA, [
      ['can bookings be moved to another date?', { cites: 'kb-cancel-reservation-en', pending: null }],
    ]);
  });

  it('[DLG-46] is taken up by a yes where its answer quotes the words to ask with', async () => {
    const replies = await converse(hub, CARLA, [
      ['when does my pause end', { says: ['"resume"'], pending: null }],
      ['do it', { pending: 'confirmation' }],
    ]);
    expect(pendingOf(replies, 1)).toEqual({ action: 'resume' });
  });

  it('[DLG-46] is taken up by no "ok", and by nothing after an article that quotes the buttons of an app', async () => {
    for (const said of ['ok', 'ok thanks', 'great'])
      await converse(hub, CARLA, [
        ['when does my pause end', { says: ['"resume"'] }],
        [said, { pending: null }],
      ]);
    await converse(hub, ANA, [
      ['how can somebody cancel a reservation?', { cites: 'kb-cancel-reservation-en' }],
      ['yes', { pending: null }],
      ['how do i pause my plan', { cites: 'kb-pause-subscription-en' }],
      ['yes', { pending: null }],
    ]);
  });
});

describe('several changes that one message asks for', () => {
  it('[DLG-47] are what "the second" and "the first" count in while they are asked about', async () => {
    for (const [corrected, id] of [
      ['no, only the second', ELIS],
      ['actually only the first one', SAMBA],
      ['na verdade só a última', ELIS],
    ] as const) {
      const replies = await converse(hub, ANA, [
        ['cancel the samba night and elis', { pending: 'confirmation', says: ['After that'] }],
        [corrected, { pending: 'confirmation', saysNot: ['After that'] }],
      ]);
      expect(pendingOf(replies, 0)).toEqual({ reservation_id: SAMBA });
      expect(pendingOf(replies, 1), corrected).toEqual({ reservation_id: id });
    }
  });

  it('[DLG-47] are asked about again among those that were listed, not among all', async () => {
    const [, asked] = await converse(hub, ANA, [
      ['cancel the samba or elis', { pending: null, says: ['Samba Night', 'Elis'], saysNot: ['Clarice'] }],
      ['yes', { pending: null, says: ['Samba Night', 'Elis'], saysNot: ['Clarice'] }],
    ]);
    expect(asked?.pending).toBeNull();
  });
});

describe('an answer that says again what was said', () => {
  it('[DLG-48] is the sentence of it that is asked for', async () => {
    const [first, second] = await converse(hub, ANA, [
      ['when will i be billed next', { says: ['next charge'] }],
      ['how much will it be', { says: ['R$ 119.90'], saysNot: ['still what I just told you'] }],
    ]);
    expect(first?.reply).toContain(second?.reply ?? '-');
    expect(second?.reply.length).toBeLessThan(first?.reply.length ?? 0);
  });
});

describe('a wish for one thing by e-mail', () => {
  it('[PREF-30] is no wish for every answer to come so', async () => {
    await converse(hub, ANA, [['me manda o ingresso por email', { saysNot: ['Anotado'] }]]);
    await converse(hub, ANA, [
      ['prefiro receber os ingressos por email daqui pra frente', { says: ['Anotado', 'e-mail'] }],
    ]);
  });
});

describe('a few words after an answer', () => {
  it('[DLG-49] are told what the answer rests on where they ask whether it is sure', async () => {
    await converse(hub, ANA, [
      ['how do i pause my plan', { cites: 'kb-pause-subscription-en' }],
      ['are you sure?', { says: ['help centre', 'Pausing your subscription'], escalated: null }],
      ['quantas visitas ainda tenho', { tool: 'get_customer_context' }],
      ['vc tem certeza?', { says: ['até onde consigo ver'], escalated: null }],
      // Agreement is no doubt.
      ['tá certo', { saysNot: ['até onde consigo ver'], escalated: null }],
    ]);
  });

  it('[DLG-49] say that steps did not help, and are taken for no record', async () => {
    await converse(hub, ANA, [
      ['the app crashes when i open it', { cites: 'kb-app-crashes-en' }],
      ['already reinstalled', { saysNot: ['Which one'], escalated: 'low_confidence' }],
    ]);
  });

  it('[DLG-49] are asked of the article before them where they name nothing', async () => {
    await converse(hub, ANA, [
      ['do you have a student discount?', { cites: 'kb-student-discount-en' }],
      ['how do I apply', { says: ['Student discount'], escalated: null }],
    ]);
  });

  it('[DLG-49 SHF-137] are given the number of the conversation where they ask for one', async () => {
    const [, asked] = await converse(hub, ANA, [
      ['quantas visitas ainda tenho', {}],
      [
        'qual é o protocolo?',
        { says: [/\b[0-9A-Z]{3}-[0-9A-Z]{3}\b/], saysNot: [/[a-z]+_\w+/], escalated: null },
      ],
    ]);
    expect(asked?.reply).toContain(requestNumber(asked?.ticketId ?? ''));
  });
});
