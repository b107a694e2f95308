import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const approvals = () =>
  hub.query('udahub', "SELECT args FROM approvals WHERE kind = 'approval' AND status = 'pending'").length;

describe('whether a change is possible', () => {
  it('[DLG-402] is told by its terms, with the offer to make it, whoever asks so politely', async () => {
    for (const text of [
      'what about the samba night, can it be cancelled?',
      'is it possible to cancel the samba night?',
      'am I still able to cancel the samba night?',
    ])
      await converse(hub, ANA, [[text, { says: ['Samba Night', 'R$ 60.00 back'], pending: null }]]);
    for (const text of ['dá pra cancelar a noite de samba?', 'ainda tem como cancelar o samba?'])
      await converse(hub, ANA, [[text, { says: ['Samba Night', 'R$ 60,00'] }]]);
  });

  it('[DLG-402] is asked of a change that would undo the one that is open', async () => {
    await converse(hub, BRUNO, [
      ['quero pausar minha assinatura por 2 meses', { says: ['60 dias'], pending: 'confirmation' }],
      [
        'e se eu voltar antes da viagem, dá pra reativar na hora?',
        {
          says: ['encerrar a pausa quando quiser'],
          saysNot: ['não há o que retomar'],
          pending: 'confirmation',
        },
      ],
      ['não', {}],
    ]);
  });
});

describe('an article that was turned away', () => {
  it('[DLG-403] is not quoted again, nor leant on', async () => {
    await converse(hub, null, [
      ['I would like a gift for my niece, how does that work?', { says: ['gift'] }],
      ["no i don't mean a gift card. can under 18s have an account or not", { saysNot: ['gift card'] }],
    ]);
    await converse(hub, null, [
      ['how do I get an invoice with my address on it?', {}],
      [
        "You keep talking about invoices. I'm asking whether a tourist may join.",
        { cites: 'kb-what-is-cultpass-en', saysNot: ['invoice'] },
      ],
    ]);
  });
});

describe('what a message leaves as it is', () => {
  it('[DLG-405] is no record by its word for all, and no request of another conversation', async () => {
    await converse(hub, ANA, [
      ['cancela a minha reserva da Elis', { pending: 'confirmation' }],
      ['sim', { pending: 'approval' }],
      ['e o show de samba, dá pra cancelar?', { says: ['Samba'], saysNot: ['Elis'] }],
      ['sim', { says: ['Samba'], pending: 'confirmation' }],
      ['não, deixa tudo como está', { saysNot: ['retirei'] }],
    ]);
    expect(approvals()).toBe(1);
    await converse(hub, ANA, [
      ['what about the samba night, can it be cancelled?', { says: ['Samba'] }],
      ['no, leave everything as it is', { saysNot: ['taken your request back'] }],
    ]);
    expect(approvals()).toBe(1);
  });

  it('[DLG-404] is a request that the team has already: it is not asked about a second time', async () => {
    await converse(hub, ANA, [
      [
        'please cancel my booking for Elis',
        { says: ['has not decided', 'Elis'], saysNot: ['Shall I'], pending: null },
      ],
    ]);
    expect(approvals()).toBe(1);
  });
});

describe('a matter that is over', () => {
  it('[DLG-407] is called off where a person has it, and else is only heard: nobody is called for it', async () => {
    for (const [said, over, answer] of [
      ['my qr code does not load', 'oh it works now, got in. thanks!', 'glad that it works'],
      ['fui cobrado duas vezes', 'ah resolvi aqui, pode fechar o chamado', 'Que bom que deu certo'],
      ['I was charged twice', 'close it please', 'nothing needs to be closed'],
    ] as const)
      await converse(hub, BRUNO, [
        [said, {}],
        [over, { says: [answer], escalated: null }],
      ]);
    await converse(hub, BRUNO, [
      ['quero falar com um atendente', { escalated: 'customer_request' }],
      ['já resolvi aqui, pode fechar o chamado', { says: ['Anotei no seu pedido'] }],
    ]);
  });

  it('[DLG-408] is no day that is written with a dot', async () => {
    await converse(hub, ANA, [['cancela a reserva de 14.03', { saysNot: ['Não encontrei "14.03"'] }]]);
  });

  it('[DLG-408] is no reason to offer the end of a booking that cost another sum', async () => {
    await converse(hub, 'carla.mendes@example.com', [
      ['me cobraram e eu to pausado, devolve meus 59,90', { saysNot: ['R$ 45,00 de volta'], pending: null }],
    ]);
  });
});

describe('what a question is made of', () => {
  it('[DLG-410] is a price that no article tells: that is said, and the team asked where it is wanted', async () => {
    await converse(hub, null, [
      ['quanto custa o cartão presente de 6 meses?', { says: ['Quanto custa não está'] }],
      ['how much is premium?', { says: ['119'], saysNot: ['not in our help pages', 'não está nas nossas'] }],
    ]);
  });

  it('[DLG-410] is a condition before it, of which no record is read out', async () => {
    await converse(hub, BRUNO, [
      ['what if I pause now, do I lose my bookings?', { says: ['still stands'], saysNot: ['R$ 59.90'] }],
    ]);
  });
});

describe('a question beside an open one', () => {
  it('[DLG-411] that only asks how long something takes puts no other change in its place', async () => {
    await converse(hub, 'gabriela.nunes@example.com', [
      ['i cancelled a thing like ages ago and still nothing on my card??', { pending: 'confirmation' }],
      [
        'i mean how many days til its on my card, roughly. a week? a month?',
        { says: ['5 to 10'], saysNot: ['pause your subscription'], pending: 'confirmation' },
      ],
      ['no', {}],
    ]);
  });

  it('[DLG-411] that asks for yes or no says neither', async () => {
    await converse(hub, 'carla.mendes@example.com', [
      ['ok resume me pls', { pending: 'confirmation' }],
      [
        'do i get charged while paused, yes/no',
        { saysNot: ['not changed anything'], pending: 'confirmation' },
      ],
    ]);
  });
});

describe('an order of one thing', () => {
  it('[DLG-405] is made to no record that the next sentence only asks about', async () => {
    const [reply] = await converse(hub, BRUNO, [
      [
        "I'm done, cancel my subscription. do I still get to go to City of God on friday?",
        { saysNot: ['Shall I cancel "Film Club'] },
      ],
    ]);
    expect(reply?.pending?.question ?? '').not.toContain('Film Club');
  });
});

describe('a day of the week', () => {
  it('[DLG-412] is the one that comes, for who asks what is on: no later one is shown for it', async () => {
    const [reply] = await converse(hub, null, [['any concerts in rio saturday?', {}]]);
    // Today is Wednesday 11 March.
    expect(reply?.reply).toMatch(/14 March/);
  });
});

describe('what did not help', () => {
  it('[DLG-409] goes to a person who asks whether somebody can look at it, in whole sentences of theirs', async () => {
    await converse(hub, BRUNO, [
      ['Já tentei o esqueci minha senha e o e-mail não chega. Olhei no spam também.', {}],
      [
        'Eu já fiz tudo isso, o endereço está certo. Tem alguém que possa ver pra mim?',
        { says: ['Eu já fiz tudo isso, o endereço está certo'], saysNot: ['Seu cadastro'] },
      ],
      [
        'Could you add to my request that I need an answer before 2:30 tomorrow?',
        { says: [/juntei|added/i] },
      ],
    ]);
  });

  it('[DLG-409] is turned down with what is asked instead, which is answered', async () => {
    await converse(hub, BRUNO, [
      ['cancel the film', { pending: 'confirmation' }],
      [
        "I said I don't want to cancel. I only want to know what time it starts",
        { says: ['not changed anything', '19:00'], pending: null },
      ],
    ]);
    await converse(hub, ANA, [
      ['I want to cancel my subscription', { pending: 'confirmation' }],
      [
        'So I should just come back and cancel at the end of December? Then no, not now.',
        { says: ['not changed anything'], pending: null },
      ],
    ]);
  });
});

describe('what is on', () => {
  it('[DLG-406] is listed where a message says what, where and when, and not explained', async () => {
    await converse(hub, ANA, [
      [
        'opa blz? queria saber oq tem de show no rj semana q vem',
        { says: ['Rio de Janeiro'], saysNot: ['Filtre por tipo'] },
      ],
      ['ta mas vc n consegue me falar aq msm? tipo lista os shows do rio', { saysNot: ['Em Explorar'] }],
    ]);
    await converse(hub, ANA, [
      [
        'ok so with premium I can use the guest pass for her, nice. what family stuff is on next weekend, anywhere near são paulo',
        { says: ['São Paulo'], saysNot: ['R$ 119.90'] },
      ],
    ]);
  });
});

describe('a question for the help centre', () => {
  it('[DLG-413] is answered by its article, whatever record its single words are like', async () => {
    await converse(hub, ANA, [
      ['I need to get to a human being please, it is about my husband using my account', {}],
      ['omg no. i want to SIGN OUT everywhere, he has my password', { cites: 'kb-reset-password-en' }],
    ]);
  });

  it('[DLG-414] is no reply to a question of the hub that is open', async () => {
    await converse(hub, 'carla.mendes@example.com', [
      [
        'Two things: my card expires next month so I need to put in the new one, and I would like to stop getting so many emails from you.',
        {},
      ],
      ['how do i add the new card', { cites: 'kb-payment-methods-en', says: ['Add card'] }],
    ]);
  });

  it('[DLG-414] is no detail for the team that has a request', async () => {
    await converse(hub, 'gabriela.nunes@example.com', [
      ['quero apagar minha conta e nunca mais ouvir falar de vcs, e quero meu dinheiro do mes de volta', {}],
      ['oxi, so me diz como apaga a conta', { cites: 'kb-data-deletion-pt', says: ['Excluir minha conta'] }],
    ]);
  });

  it('[DLG-415] is not how a record stands where somebody only says what they did', async () => {
    await converse(hub, 'gabriela.nunes@example.com', [
      [
        'oi! reservei pro show errado, dá pra trocar pra outro dia?',
        { cites: 'kb-cancel-reservation-pt', saysNot: ['está de pé'] },
      ],
    ]);
  });

  it('[DLG-415] is no small talk where it asks what all of it comes to', async () => {
    await converse(hub, null, [
      ['é possível dar CultPass de presente pra 28 alunos?', {}],
      ['quanto ficaria tudo', { saysNot: ['Tudo bem'] }],
    ]);
  });
});

describe('what follows an answer', () => {
  it('[DLG-416] is not thanked for where it says that its steps were taken: then it did not help, and the team is next', async () => {
    await converse(hub, null, [
      ['my code never arrived', { cites: 'kb-login-code-en' }],
      ['I checked spam', { says: ['did not help'], saysNot: ['Thank you for telling me'] }],
      ['what now?', { escalated: 'low_confidence' }],
    ]);
  });

  it('[DLG-417] tells of each of several records what is asked alone, and once', async () => {
    const [, told] = await converse(hub, 'felipe.araujo@example.com', [
      ['cancel my dom casmurro booking please', { says: ['Auto da Compadecida'] }],
      [
        'how much do I get back?',
        { says: ['R$ 65.00', 'R$ 70.00'], saysNot: ['your booking stays as it is'] },
      ],
      ['when will it arrive? I paid by pix', { saysNot: ['R$ 70.00'] }],
    ]);
    expect(told?.reply.length).toBeLessThan(900);
  });

  it('[DLG-418] is quoted what helps at once before a person takes it, and hears that a person does', async () => {
    await converse(hub, 'zelia.moreira@example.com', [
      [
        'recebi um email pedindo meu código de 6 digitos dizendo q é da cultpass, é verdade?',
        {
          cites: 'kb-login-code-pt',
          escalated: 'requires_human',
          says: ['nunca pede', 'nossa equipe'],
        },
      ],
    ]);
    await converse(hub, null, [
      ['I want to talk to a human', { cites: null, escalated: 'customer_request' }],
    ]);
  });
});
