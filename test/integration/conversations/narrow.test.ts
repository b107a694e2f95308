import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
/** Who has no booking. */
const [ISABELA, PAULO] = ['isabela.teixeira@example.com', 'paulo.santos@example.com'];

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('a narrow question about the own record', () => {
  it('[DLG-270] is told in a sentence, by yes or no where that is asked', async () => {
    await converse(hub, ANA, [
      ['am I on premium?', { says: [/^Yes, you are on Premium: 5 visits a month/] }],
      ['when did I join?', { says: [/^Your Premium subscription began on/] }],
    ]);
    await converse(hub, BRUNO, [
      ['tô no premium?', { says: [/^Não, você está no Basic/] }],
      ['quais visitas eu usei esse mês?', { says: ['visitas contadas neste mês', 'Manguebeat'] }],
    ]);
    await converse(hub, 'sergio.almeida@example.com', [
      ['Quais pagamentos eu fiz esse mês?', { says: ['Seus pagamentos em março'] }],
      ['e em fevereiro?', { says: ['Seus pagamentos em fevereiro'] }],
    ]);
    await converse(hub, 'tatiana.ribeiro@example.com', [
      ['vale mais a pena o basic?', { saysNot: ['continua valendo'] }],
    ]);
  });

  it('[DLG-271] of a booking is told when it was made, and that there is none on a day', async () => {
    await converse(hub, ANA, [
      ['is Elis confirmed?', { says: ['Yes'] }],
      ['when did I book it?', { says: ['You booked "Elis: The Musical" on'] }],
    ]);
    await converse(hub, ANA, [
      ['is my booking for tomorrow confirmed?', { says: ['no reservation on 12 March'], saysNot: [/^Yes/] }],
    ]);
    await converse(hub, ANA, [
      ['minha reserva de amanhã tá confirmada?', { says: ['nenhuma reserva em 12 de março'] }],
    ]);
  });

  it('[DLG-346] of a month is told of that month, however the month is named', async () => {
    for (const words of ['cancel my July booking', 'cancel all the October ones', 'cancel the September one'])
      await converse(hub, BRUNO, [[words, { says: ['no reservation in'], saysNot: ['Shall I'] }]]);
    await converse(hub, BRUNO, [
      ['cancel my March bookings', { says: ['Film Club: City of God'], saysNot: ['no reservation'] }],
    ]);
  });

  it('[DLG-347] of another account by its address is answered with whose account it is', async () => {
    await converse(hub, BRUNO, [
      [`show me the payments of ${ANA}`, { says: ['the account you are signed in with'], saysNot: ['R$'] }],
      [`cancela a reserva de ${ANA}`, { says: ['a conta em que você entrou'], saysNot: ['Posso cancelar'] }],
    ]);
    await converse(hub, BRUNO, [[`my payments please, I am ${BRUNO}`, { says: ['Your latest payments'] }]]);
    await converse(hub, BRUNO, [
      ['I want to change my email to b.lima@example.org', { says: ['Profile'], saysNot: ['signed in with'] }],
    ]);
  });

  it('[DLG-348] who calls for help in haste is heard, and who asks for a joke is not pitied', async () => {
    await converse(hub, BRUNO, [['I need your help right now!', { says: ['I am here'] }]]);
    await converse(hub, BRUNO, [['preciso de ajuda agora!', { says: ['estou aqui'] }]]);
    await converse(hub, BRUNO, [['tell me a joke', { saysNot: ['frustrating'] }]]);
  });

  it('[DLG-272] for the larger plan is told what it costs, or that they have it', async () => {
    await converse(hub, ANA, [
      ['upgrade me to premium please', { says: [/^You are on Premium already/], saysNot: ['Yes'] }],
    ]);
    await converse(hub, BRUNO, [
      ['me passa pro premium', { says: ['R$ 60,00 a mais', 'Mudar de plano'], pending: null }],
      ['quanto ia dar hoje?', { says: ['R$ 44,52'], escalated: null }],
    ]);
  });
});

describe('somebody without a booking', () => {
  it('[DLG-273] is helped with what was lost', async () => {
    await converse(hub, PAULO, [
      [
        'I left my scarf at the museum on Saturday, can you help?',
        { cites: 'kb-lost-property-en', saysNot: ['visits left'] },
      ],
      ['it was MASP', { escalated: 'customer_request' }],
    ]);
    await converse(hub, ISABELA, [
      [
        'fui no teatro semana passada e esqueci meu casaco lá, vcs conseguem ver pra mim?',
        { cites: 'kb-lost-property-pt', saysNot: ['não tem reservas'] },
      ],
    ]);
  });

  it('[DLG-274] who was turned away is asked for details, which reach the team', async () => {
    await converse(hub, PAULO, [
      ['fui barrado na porta ontem no masp', { says: ['conte aqui no chat'], escalated: null }],
      ['Mas eu reservei sim, tenho o email aqui', { escalated: 'customer_request' }],
      ['foi no sábado de manhã', { says: ['Juntei isto ao seu pedido'] }],
    ]);
  });
});

describe('the hours of people', () => {
  it.each([
    [ANA, 'What time can I speak to a real human?', 'kb-contact-support-en'],
    [null, 'at what time can I talk to somebody?', 'kb-contact-support-en'],
    [BRUNO, 'que horas posso falar com uma pessoa de verdade?', 'kb-contact-support-pt'],
  ])('[DLG-277] are told, and nobody is called: %s "%s"', async (who, text, article) => {
    await converse(hub, who, [[text, { cites: article, escalated: null }]]);
  });
});

describe('an ending', () => {
  it('[DLG-275] is thanks and no plain yes to what waits for one', async () => {
    await converse(hub, BRUNO, [
      ['cancela o film club', { pending: 'confirmation' }],
      ['fechou, vlw', { pending: 'confirmation', saysNot: ['Pronto'] }],
      ['sim', { says: ['Pronto'], pending: null }],
      ['cancela o manguebeat', { pending: 'confirmation' }],
      ['ok cool ta', { pending: 'confirmation', saysNot: ['Pronto'] }],
      ['não', { pending: null }],
    ]);
    await converse(hub, ANA, [
      ['cancel the samba night', { pending: 'confirmation' }],
      ['ok cool thanks', { pending: 'confirmation', saysNot: ['Done'] }],
      ['yes thanks', { says: ['Done'], pending: null }],
    ]);
  });

  it('[DLG-276] that says what would be fair is added to the complaint', async () => {
    await converse(hub, ANA, [
      ['I want to complain about the sound at the cinema', { escalated: 'customer_request' }],
      ['half my money back would be fair', { says: ['added this to your request'], saysNot: ['refunded'] }],
    ]);
  });
});
