import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('the one after', () => {
  it('[DLG-205] moves on from what is spoken of, and says where there is none', async () => {
    await converse(hub, GABRIELA, [
      ['qual é minha próxima reserva?', { says: ['Sunday Concert'] }],
      ['não essa, a seguinte', { says: ['Tropicália'], saysNot: ['Sunday Concert'] }],
      ['e depois dessa?', { says: ['Festival of New Brazilian'] }],
    ]);
    await converse(hub, BRUNO, [
      ['when is my next booking?', { says: ['Film Club'] }],
      ['no, the one after that', { says: ['Manguebeat'] }],
      ['and after that?', { says: ['none after "Manguebeat'] }],
    ]);
    await converse(hub, CARLA, [
      ['qual é a minha próxima reserva?', { says: ['Modinhas'] }],
      ['não, a que vem depois dessa', { says: ['é a única'] }],
    ]);
  });

  it('[DLG-206] is shown after a cancellation that is turned down, which changes nothing', async () => {
    await converse(hub, BRUNO, [
      ['cancela minha próxima reserva', { pending: 'confirmation' }],
      [
        'bah, péra, deixa essa quieta. qual é a seguinte?',
        { says: ['não mudei nada', 'Manguebeat'], pending: null },
      ],
    ]);
    await converse(hub, ANA, [
      ['cancel samba night', { pending: 'confirmation' }],
      ['no wait, leave that one. what comes after it?', { says: ['Clarice'], saysNot: ['Would you like'] }],
    ]);
  });
});

describe('a no in the middle of a message', () => {
  it('[DLG-207] closes what was asked, whatever is asked back before it and asked after it', async () => {
    await converse(hub, CARLA, [
      ['quero voltar agora já', { pending: 'confirmation' }],
      ['hmm já cobra agora? então deixa, melhor não', { says: ['não mudei nada'], pending: null }],
    ]);
    await converse(hub, ANA, [
      ['cancela o candlelight', { pending: 'confirmation' }],
      [
        'não volta nada? então não, eu vou. que horas começa?',
        { says: ['não mudei nada', '21:00'], pending: null },
      ],
    ]);
    await converse(hub, GABRIELA, [
      ['cancel the sunday concert', { pending: 'confirmation' }],
      ['then no. what time does it begin?', { says: ['not changed anything', '11:00'], pending: null }],
    ]);
  });
});

describe('a correction', () => {
  it('[DLG-208] is asked in the place of what was misunderstood, with the question before it where it says little', async () => {
    await converse(hub, BRUNO, [
      ['how much will I pay next month?', { says: ['59.90'] }],
      ['no, I mean the visits, not the payments', { says: ['no visits left'], saysNot: ['59.90'] }],
    ]);
    await converse(hub, null, [
      ['do you have student discounts?', { says: ['30%'] }],
      [
        'that is not what I asked, I asked about teachers',
        { says: ['no discount for seniors, teachers'], saysNot: ['30%'] },
      ],
    ]);
    await converse(hub, null, [
      ['quanto custa o premium?', { says: ['119,90'] }],
      ['isso eu já sei. quero saber se posso trocar quando quiser', { cites: 'kb-change-plan-pt' }],
    ]);
  });

  it('[DLG-209] that names a booking asks the question before of that one', async () => {
    await converse(hub, BRUNO, [
      ['quais são minhas reservas?', {}],
      ['a do dia 13 tem custo extra?', { says: ['R$ 12,00'] }],
      ['não foi isso que eu perguntei. é o manguebeat', { says: ['"Manguebeat Tribute Night"', 'R$ 70,00'] }],
    ]);
  });
});

describe('two questions about the account in one message', () => {
  it('[DLG-210] are both answered, in shorthand too', async () => {
    await converse(hub, BRUNO, [['q plano eu tenho e qnd vence', { says: ['Basic', '3 de abril'] }]]);
    await converse(hub, ANA, [
      ['is my payment up to date and when do my visits renew?', { says: ['6 April', '1 April'] }],
    ]);
  });
});

describe('what is said after a hand-over', () => {
  it('[DLG-291] goes to whoever has the rest, also where it was for want of an answer; a mere "so?" asks where it stands', async () => {
    await converse(hub, BRUNO, [
      ['meu qr code não abre', {}],
      ['já tentei', { escalated: 'low_confidence' }],
      ['tô na porta do teatro', { says: ['Juntei isto'] }],
      ['e aí?', { says: ['com a nossa equipe'], saysNot: ['Olá'] }],
    ]);
    await converse(hub, ANA, [
      ["my code won't load", {}],
      ['tried all that', { escalated: 'low_confidence' }],
      ["i'm standing at the door right now", { says: ['added this'] }],
      ['so?', { says: ['with our team'] }],
      ['when is my next booking?', { says: ['Candlelight'] }],
      ['where is it?', { says: ['Sala São Paulo'], saysNot: ['with our team'] }],
      ['how much was it?', { says: ['R$ 90.00'], saysNot: ['with our team'] }],
    ]);
    await converse(hub, CARLA, [
      ['can a person call me', { escalated: 'customer_request' }],
      ['when', { says: ['with our team'], saysNot: ['Which one', 'What you wrote before'] }],
    ]);
  });

  it('[DLG-292] does not take what only leads to a question for one', async () => {
    await converse(hub, BRUNO, [
      ['quero falar com alguém', { escalated: 'customer_request' }],
      ['enquanto isso me diz: qual meu plano?', { says: ['Basic'], saysNot: ['bloque'] }],
    ]);
  });
});

describe('what is not fair', () => {
  it('[DLG-293] is met with how a person looks at it, and the second time a person does', async () => {
    await converse(hub, BRUNO, [
      ['posso passar minha reserva pra outra pessoa?', { says: ['não pode ser transferida'] }],
      ['isso é justo?', { says: ['Sinto muito', 'quero falar com uma pessoa'] }],
    ]);
    await converse(hub, ANA, [
      ['can I give my booking to a friend?', { says: ['cannot be transferred'] }],
      ["that's not very fair", { says: ['I am sorry', 'I want to talk to a person'], escalated: null }],
    ]);
  });
});

describe('what sounds like a change', () => {
  it('[DLG-294] is none where a subscription is wanted for somebody else', async () => {
    await converse(hub, ANA, [
      ['I would like to give my mother a subscription', { says: ['gift card'], pending: null }],
      ['buy a membership for my sister', { pending: null }],
    ]);
    await converse(hub, BRUNO, [['quero dar uma assinatura pra minha mãe', { pending: null }]]);
  });

  it('[DLG-295] is none where a visit is wanted back that nothing has taken', async () => {
    await converse(hub, ANA, [['i want my visit back', { says: [/visit (?:comes back|returns)/] }]]);
    await converse(hub, BRUNO, [
      ['quero a visita de volta', { says: [/visita volta|volta quando você cancela/] }],
    ]);
  });
});

describe('somebody who was spoken of', () => {
  it('[DLG-296] is asked about in the words of the same article, with what it would cost', async () => {
    await converse(hub, ANA, [
      ['can i bring a friend?', { says: ['guest pass'] }],
      [
        'does she need her own plan?',
        { says: ['subscription of their own or a guest pass'], saysNot: ['gift'] },
      ],
      ['how much would that be', { says: ['R$ 45.00'], saysNot: ['Which one'] }],
    ]);
    await converse(hub, BRUNO, [
      ['posso levar minha namorada?', { says: ['passe de convidado'] }],
      ['quanto sairia?', { says: ['R$ 45,00'] }],
    ]);
  });
});

describe('what is not known', () => {
  it('[DLG-297] is said of the event that is spoken of, and no answer is given twice to another question', async () => {
    await converse(hub, ANA, [
      ['when is my next booking?', { says: ['Candlelight'] }],
      ['is there parking?', { says: ['Candlelight', 'parking'] }],
      ['dá pra deixar o casaco lá?', { says: ['guarda-volumes'] }],
    ]);
  });

  it('[DLG-298] is not done for who was told how they do it themselves, and that is said again', async () => {
    await converse(hub, BRUNO, [
      ['quero mudar pro premium', { says: ['Você mesmo pode trocar'] }],
      ['faz pra mim', { says: ['não consigo fazer isso por você'] }],
    ]);
  });
});

describe('what was asked to be told', () => {
  it('[DLG-299] goes to the team, also after a look at the record; arriving later is no later booking', async () => {
    await converse(hub, 'debora.lacerda@example.com', [
      ['vcs cobraram meu cartão duas vezes', { says: ['envie a data'] }],
      ['119,90', { says: ['Passei você para a nossa equipe'] }],
      ['ontem e hoje', { says: ['Juntei isto'] }],
    ]);
    await converse(hub, GABRIELA, [
      ['qual o horário do meu evento de domingo?', { says: ['Sunday Concert'] }],
      ['posso chegar mais tarde?', { saysNot: [/^Festival/] }],
    ]);
  });
});

describe('what was answered just now', () => {
  it('[DLG-300] is what a few words ask on about that say of nothing else, whatever other article has such words', async () => {
    await converse(hub, null, [
      ['do you have gift cards', { says: ['3, 6 or 12 months'] }],
      ['does it expire', { saysNot: ['password'], cites: 'kb-gift-cards-en' }],
      ['can i send it on a specific date', { says: ['choose the date'] }],
      ['how do i pause my plan', { says: ['Pause'], cites: 'kb-pause-subscription-en' }],
    ]);
    await converse(hub, null, [
      ['como funciona o passe de convidado', { says: ['passe de convidado'] }],
      ['quanto custa', { says: ['R$ 45,00'], saysNot: ['119,90'] }],
      ['quanto custa o plano premium', { says: ['119,90'] }],
    ]);
  });
});

describe('a wish that is denied behind itself', () => {
  it('[DLG-301] calls nobody', async () => {
    await converse(hub, BRUNO, [
      ['qual meu plano?', { says: ['Basic'] }],
      ['precisava de atendente não', { escalated: null, saysNot: ['Avisei a equipe'] }],
    ]);
  });
});
