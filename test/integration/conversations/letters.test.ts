import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('a long polite message', () => {
  it('[DLG-234] is answered like the questions in it', async () => {
    await converse(hub, 'ana.souza@example.com', [
      [
        'Good afternoon. My husband and I are both retired and have been enjoying your concerts for more than a year now. Because my memory is no longer what it was, we would be most grateful if you could kindly let us know what we have booked for the coming weeks, and whether there is still anything to be paid. With kind regards, Ana',
        {
          says: ['Candlelight Strings', 'Elis', 'nothing is open'],
          saysNot: ['congratulations', 'app', 'passed'],
          escalated: null,
        },
      ],
    ]);
    await converse(hub, 'lucas.monteiro@example.com', [
      [
        'Boa tarde, foi a minha filha que fez essa conta para mim no ano passado, de presente, e eu não sou muito bom com computador, então me desculpe se estou perguntando bobagem. Eu só queria saber se está tudo pago este mês, porque não gosto de ficar devendo nada a ninguém. Obrigado, Lucas',
        { says: ['foi recusada em 10 de março'], saysNot: ['cobranças de que você fala'] },
      ],
    ]);
    await converse(hub, 'carla.mendes@example.com', [
      [
        'Dear Sir or Madam, I am writing to you regarding my membership, which I put on hold some weeks ago as I had to look after my mother. She is doing much better now, thank you. I would like to know until which day it is paused, and what I will pay then. Yours faithfully, Carla',
        { says: ['31 March', 'R$ 59.90', '9 April'], pending: null },
      ],
    ]);
    await converse(hub, 'tatiana.ribeiro@example.com', [
      [
        'Good evening, I am writing because next weekend we are expecting guests from abroad, and before I promise them anything I would like to be sure about my own evenings. Would you please send me a list of everything that I have reserved? It would be very helpful. Kind regards',
        { says: ['Forró Night', 'Elis'], saysNot: ['congratulations'] },
      ],
    ]);
  });

  it('[DLG-235] keeps what is ordered in it, and what went wrong', async () => {
    await converse(hub, 'bruno.lima@example.com', [
      [
        'Hello, I am writing because my doctor told me to stay at home for a while, and it would be a pity to pay for nothing. So I would like to pause my subscription, please, for two months, and I would like to know whether what I have booked stays valid in the meantime. Thank you',
        { says: ['60 days', /^Yes: the bookings that you already have stay valid/], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, 'rafaela.martins@example.com', [
      [
        'Good evening. On Tuesday I went to see The Little Prince with my niece and at the door a very rude young man told us that our booking was not on his list, and we had to go home in the rain. She cried all the way. I would like to know why this happened and what you will do about it.',
        { says: ['turned away', 'The Little Prince'] },
      ],
    ]);
  });
});

describe('a message with moods and stories around what it asks', () => {
  it.each([
    [
      'ana.souza@example.com',
      "Good grief, what a week, my head is all over the place, I'm completely lost. Could you remind me what I've got coming up?",
      { says: [/^Your upcoming reservations:/, 'Elis'], saysNot: ['still stands'] },
    ],
    [
      'bruno.lima@example.com',
      'tô toda perdida aqui com essa correria de fim de ano, que loucura. o que eu tenho marcado?',
      { says: [/^Suas próximas reservas:/, 'City of God'], saysNot: ['pagamentos'] },
    ],
    [
      'ana.souza@example.com',
      "my mother just died. i can't go to the samba night. please cancel it",
      {
        says: ['sorry', 'Samba Night'],
        saysNot: ['cancel your subscription'],
        pending: 'confirmation' as const,
      },
    ],
  ])('[DLG-400] is answered what it asks: %s %s', async (who, said, expected) => {
    await converse(hub, who, [[said, expected]]);
  });
});

describe('two questions in one message', () => {
  it('[DLG-236] are both answered, and of one that no article answers that is said', async () => {
    await converse(hub, null, [
      [
        'o que é o cultpass e quanto custa?',
        { says: ['assinatura mensal de cultura', 'R$ 59,90', 'R$ 119,90'] },
      ],
    ]);
    await converse(hub, null, [
      ['tem app pra android? e aceita google pay?', { says: ['Android 9', /nem boleto.*Google Pay/] }],
    ]);
    await converse(hub, null, [
      [
        'posso cancelar quando quiser e recebo o dinheiro de volta?',
        { says: ['quando quiser, sem multa', 'Em até 7 dias'] },
      ],
    ]);
    await converse(hub, null, [
      [
        'do you work in Lisbon and is there a family plan?',
        { says: ['no family plan', 'To your question "do you work in Lisbon'] },
      ],
    ]);
  });

  it('[DLG-237] leave no head of a list behind that was shown for the one before', async () => {
    await converse(hub, null, [
      ['can I bring a guest? who pays?', { says: ['R$ 45.00', 'Add guest'], saysNot: [/To use it:\s*$/] }],
    ]);
  });

  it('[DLG-238] send no visitor to sign in for what anybody may know', async () => {
    await converse(hub, null, [
      [
        'What is it please? How much money?',
        { says: ['monthly subscription'], saysNot: ['signed in', 'sign in'] },
      ],
    ]);
  });
});

describe('a step that the customer has taken, or cannot take', () => {
  it('[DLG-239] is no advice: the others are told', async () => {
    await converse(hub, 'bruno.lima@example.com', [
      [
        "the app keeps crashing, I've already reinstalled it twice",
        { says: ['Close the app completely', /4\. .*Clear cache/], saysNot: ['install it again'] },
      ],
    ]);
    await converse(hub, null, [
      [
        "QR code won't open, I've logged out and in again already",
        { says: ['Wi-Fi', /3\. Open app\.cultpass/], saysNot: ['Sign out'] },
      ],
    ]);
    await converse(hub, null, [
      [
        'não consigo entrar, já troquei a senha e nada',
        { says: ['código único'], saysNot: ['Esqueci minha senha'] },
      ],
    ]);
  });

  it('[DLG-240] has its way round where no smartphone is at hand', async () => {
    await converse(hub, null, [
      ['I have no smartphone, how do I get in?', { says: ['photo ID', 'list of names'] }],
    ]);
    await converse(hub, null, [
      ['não tenho celular, como entro no evento?', { says: ['documento com foto', 'lista de nomes'] }],
    ]);
  });

  it('[DLG-241] is named with its article: a way out in time, no year, an entry for a child', async () => {
    await converse(hub, null, [
      [
        'se eu assinar hoje e não gostar, devolvem o dinheiro?',
        { says: ['7 dias'], cites: 'kb-right-of-withdrawal-pt' },
      ],
    ]);
    await converse(hub, null, [['is there a contract or something?', { says: ['no contract for a year'] }]]);
    await converse(hub, null, [
      ['does my daughter need her own subscription', { says: ['Child and adult each need an entry'] }],
    ]);
  });
});
