import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestNumber } from '../../../src/core/domain/ticket.js';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const FELIPE = 'felipe.araujo@example.com';
const GABRIELA = 'gabriela.nunes@example.com';
const JOAO = 'joao.cardoso@example.com';
const ZELIA = 'zelia.moreira@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

const statusOf = (userId: string) =>
  hub.query('cultpass', 'SELECT status FROM subscriptions WHERE user_id = ?', userId)[0]?.status;

describe('a question beside what waits for a yes', () => {
  it.each([
    ['cancel my samba night', 'if it was a card, how many days is that?', ['5 to 10'], ['do nothing']],
    ['cancela meu samba', 'no cartão são quantos dias?', ['5 a 10'], ['não fizer nada']],
    ['cancel elis', 'how long do they usually need?', ['one business day'], ['380']],
    ['cancela elis', 'e se eles recusarem?', ['continua valendo'], ['dia útil']],
  ])('[DLG-17] is answered to the point: %s / %s', async (wish, question, says, unsaid) => {
    const [, told] = await converse(hub, ANA, [
      [wish, { pending: 'confirmation' }],
      [question, { says, pending: 'confirmation', escalated: null }],
      ['no, forget it', { pending: null }],
    ]);
    for (const words of unsaid) expect(told?.reply).not.toContain(words);
  });

  it.each([
    ['end my subscription', 'how do pausing and cancelling differ?', ['During the pause', 'ends at once']],
    [
      'quero encerrar minha assinatura',
      'pausar ou cancelar, qual a diferença?',
      ['Durante a pausa', 'termina na hora'],
    ],
  ])('[DLG-18] compares changes by what would come of each: %s', async (wish, question, says) => {
    await converse(hub, BRUNO, [
      [wish, { pending: 'confirmation' }],
      [question, { says, pending: 'confirmation', escalated: null }],
      ['no, forget it', { pending: null }],
    ]);
  });

  it.each([
    [
      'cancel my plan',
      'maybe a pause is wiser. would that cost me?',
      'ok pause it for a month',
      'not charged',
      'yes',
    ],
    [
      'cancela meu plano',
      'talvez seja melhor pausar... pago algo?',
      'tá, pausa por um mês então',
      'não há cobrança',
      'sim',
    ],
  ])('[DLG-19] takes no other change for a yes: %s', async (wish, question, other, says, yes) => {
    const own = await openHub();
    await converse(own, BRUNO, [
      [wish, { pending: 'confirmation' }],
      [question, { says: [says], pending: 'confirmation', escalated: null }],
      [other, { says: ['30'], pending: 'confirmation' }],
      [yes, { pending: null }],
    ]);
    const [row] = own.query('cultpass', "SELECT status FROM subscriptions WHERE user_id = 'usr_002'");
    expect(row?.status).toBe('paused');
    await own.close();
  });

  it('[DLG-19] nor what only resembles one', async () => {
    await converse(hub, FELIPE, [
      ['pause my plan for 20 days', { pending: 'confirmation' }],
      ['yes cancel it', { pending: 'confirmation' }],
      ['no', { pending: null }],
    ]);
    expect(statusOf('usr_006')).toBe('active');
  });

  it.each([
    ['cancel clarice', 'do it. is the pinacoteca open on mondays?', 'is cancelled'],
    ['cancela a clarice', 'faz isso. a pinacoteca abre na segunda?', 'foi cancelada'],
  ])(
    '[DLG-20] does what is agreed to, and then answers what is asked apart: %s',
    async (wish, both, done) => {
      const own = await openHub();
      const [, told] = await converse(own, ANA, [
        [wish, { pending: 'confirmation' }],
        [both, { says: [done], pending: null }],
      ]);
      expect(told?.reply.split('\n\n').length).toBeGreaterThan(1);
      await own.close();
    },
  );
});

describe('what a message goes on about', () => {
  it.each([
    [ANA, 'tell me about my Clarice booking', "I don't think I want it any more", 'Clarice'],
    [BRUNO, 'when is Manguebeat?', "hmm, I'd rather not go to that", 'Manguebeat'],
    [ANA, 'me fala da minha reserva da Clarice', 'acho que não quero mais não', 'Clarice'],
    [BRUNO, 'quando é o manguebeat?', 'ah, nesse eu não vou mais', 'Manguebeat'],
  ])(
    '[DLG-21] takes what is not wanted any more for the wish to cancel what was spoken of: %s %s %s',
    async (who, about, unwanted, title) => {
      await converse(hub, who, [
        [about, { says: [title], pending: null }],
        [unwanted, { says: [title], pending: 'confirmation', escalated: null }],
        ['no', { pending: null }],
      ]);
    },
  );

  it('[DLG-21] and asks about nothing where nothing was spoken of', async () => {
    await converse(hub, ANA, [['I do not want it any more', { pending: null }]]);
  });

  it.each([
    [ANA, 'cancela a do samba e pausa depois', 'Samba', 'pausa depois', 'sim', 'pausar sua assinatura'],
    [
      ANA,
      'drop the samba, and afterwards put my plan on hold',
      'Samba',
      'put my plan on hold',
      'yes',
      'pause your subscription',
    ],
  ])('[DLG-22] does two things one after the other: %s %s', async (who, wish, first, queued, yes, next) => {
    const own = await openHub();
    await converse(own, who, [
      [wish, { says: [first, queued], pending: 'confirmation' }],
      [yes, { says: [next], pending: 'confirmation' }],
    ]);
    await own.close();
  });

  it.each([
    [
      ZELIA,
      'Note that I use a wheelchair, and cancel the minas electronic show for me.',
      ['I use a wheelchair', 'Minas'],
    ],
    [FELIPE, 'anota aí que eu uso muletas, e cancela o manguebeat', ['eu uso muletas', 'Manguebeat']],
  ])(
    '[DLG-23] keeps what is told for the future, and does what is asked beside it: %s',
    async (who, text, says) => {
      const own = await openHub();
      await converse(own, who, [[text, { says, pending: 'confirmation' }]]);
      await own.close();
    },
  );

  it.each([
    [ANA, 'which plan am I on?', 'and what does it cost me', '119.90'],
    [ANA, 'qual é o meu plano?', 'e quanto me custa', '119,90'],
  ])(
    '[DLG-24] asks on of the plan that was spoken of, and of no booking: %s %s',
    async (who, first, next, says) => {
      await converse(hub, who, [
        [first, { says: ['Premium'] }],
        [next, { says: [says] }],
      ]);
    },
  );

  it.each([
    ['do you operate in Curitiba?', 'and Campinas?', 'nothing in Campinas'],
    ['vocês atendem Curitiba?', 'e Campinas?', 'não temos nada em Campinas'],
  ])(
    '[DLG-25] asks the same of another place, which may be none of the company’s: %s',
    async (first, next, says) => {
      await converse(hub, null, [
        [first, { says: ['Curitiba'] }],
        [next, { says: [says], escalated: null }],
      ]);
    },
  );

  it('[DLG-26] does what is asked after a word that the last answer was none', async () => {
    await converse(hub, CARLA, [
      ['quando a pausa acaba?', { says: ['31 de março'] }],
      ['You only answered half. Resume it.', { pending: 'confirmation' }],
      ['no', { pending: null }],
      ['vc só respondeu metade! reativa meu plano', { pending: 'confirmation' }],
      ['não', { pending: null }],
    ]);
  });
});

describe('money of a month', () => {
  it.each([
    ['how much did I pay in february?', 'In all', 'and in january?', 'January'],
    ['quanto eu paguei em fevereiro?', 'Ao todo', 'e em janeiro?', 'janeiro'],
  ])('[DLG-37] is added up, and is of no one booking: %s', async (first, says, next, month) => {
    await converse(hub, ANA, [
      [first, { says: [says] }],
      [next, { says: [month] }],
    ]);
  });
});

describe('after an escalation', () => {
  it.each([
    [
      GABRIELA,
      'I want to complain. A guard shouted at me',
      'it was at the Blue Note on tuesday, around 9 pm',
      'have added this',
      'where is my protocol number?',
    ],
    [
      JOAO,
      'quero reclamar, o segurança gritou comigo na entrada',
      'foi na terça, umas 21h, no crachá tava Marcos',
      'Juntei isto',
      'cadê o número do protocolo?',
    ],
  ])(
    '[DLG-27 SHF-137] adds what is told of it, says so, and tells its number: %s',
    async (who, complaint, detail, says, number) => {
      const [asked, told, numbered] = await converse(hub, who, [
        [complaint, { escalated: 'customer_request' }],
        [detail, { says: [says] }],
        [number, { escalated: null }],
      ]);
      expect(told?.reply.match(/[.!?](?=\s|$)/g)).toHaveLength(1);
      expect(numbered?.reply).toContain(requestNumber(asked?.ticketId ?? ''));
      expect(`${asked?.reply} ${numbered?.reply}`).not.toMatch(/[a-z]{3}_\w+/);
      const stored = hub.query(
        'udahub',
        'SELECT content FROM ticket_messages WHERE ticket_id = ?',
        asked?.ticketId,
      );
      expect(stored.map(({ content }) => content)).toContain(detail);
    },
  );

  it.each([
    [ANA, "I'd like a copy of all the data you hold about me", 'Get my data', 'kb-data-export-en'],
    [ANA, 'quero uma cópia de todos os meus dados', 'Obter meus dados', 'kb-data-export-pt'],
  ])(
    '[DLG-28] tells the way to one’s own data before it goes to a person: %s %s',
    async (who, text, says, article) => {
      const [told] = await converse(hub, who, [[text, { says: [says], escalated: 'legal' }]]);
      expect(told?.citations.map(({ articleId }) => articleId)).toContain(article);
    },
  );

  it.each([
    'Hello! How are you? I do hope they let you rest sometimes',
    'Oi! Tudo bem com você? Espero que te deixem descansar',
  ])('[DLG-29] answers kind words, and calls nobody for them: %s', async (text) => {
    await converse(hub, ANA, [[text, { escalated: null }]]);
  });
});
