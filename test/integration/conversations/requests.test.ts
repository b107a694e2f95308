import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const FELIPE = 'felipe.araujo@example.com';
const GABRIELA = 'gabriela.nunes@example.com';
const LUCAS = 'lucas.monteiro@example.com';
const SERGIO = 'sergio.almeida@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('what would come of it', () => {
  it('[DLG-50] answers a question about what is open from its terms, and asks again in one line', async () => {
    const [asked, amount] = await converse(hub, ANA, [
      ['cancel my samba night booking', { pending: 'confirmation' }],
      ['hmm wait how much do i get back', { says: ['60.00'], pending: 'confirmation', rule: 'R18' }],
      [
        'will I get the visit back this month if I say yes?',
        { says: ['visit returns'], pending: 'confirmation' },
      ],
      ['where is it again?', { says: ['Pedra do Sal'], pending: 'confirmation' }],
      ['no', { says: ['not changed'], pending: null }],
    ]);
    const question = asked?.pending?.question ?? '';
    expect(amount?.reply).not.toContain(question);
    expect(amount?.reply.split('\n').at(-1)?.length).toBeLessThan(question.length);
  });

  it('[DLG-50] does so in Portuguese, and for what the team decides', async () => {
    await converse(hub, FELIPE, [
      ['queria pausar meu plano por 3 semanas', { says: ['21 dias'], pending: 'confirmation' }],
      ['e as reservas que já fiz, perco?', { says: [/^Não\b.*valendo/], pending: 'confirmation' }],
      ['dá pra começar só no dia 1º?', { says: ['não em outro dia'], pending: 'confirmation' }],
    ]);
    await converse(hub, SERGIO, [
      ['cancel giselle', { pending: 'confirmation' }],
      ['yes', { pending: 'approval' }],
      ['so if they say no do I lose my visit too?', { says: ['you keep your booking'], escalated: null }],
    ]);
  });

  it('[DLG-50] takes a few words that nothing answers for a question about it, and calls nobody for them', async () => {
    await converse(hub, ANA, [
      ['cancel my samba night booking', { pending: 'confirmation' }],
      ['ok, is there a fee?', { says: ['60.00'], pending: 'confirmation', escalated: null }],
      ['no', { pending: null }],
    ]);
  });

  it('[DLG-50] leaves other questions to whoever answers them', async () => {
    await converse(hub, ANA, [
      ['cancel my samba night booking', { pending: 'confirmation' }],
      ['how many visits do I have left?', { says: ['left this month'], pending: 'confirmation' }],
      ['how do I reset my password?', { says: ['Forgot my password'], pending: 'confirmation' }],
      ['never mind', { pending: null }],
    ]);
  });

  it('[DLG-54] asks for words where a number is said and no list is open', async () => {
    await converse(hub, SERGIO, [
      ['is there a cheaper price for students?', { cites: 'kb-student-discount-en' }],
      ['2', { says: ['not sure what you need'], escalated: null }],
    ]);
  });

  it('[DLG-54] loses no wish that only a person fulfils to an article that answers what is asked beside it', async () => {
    await converse(hub, SERGIO, [
      ['Erase my profile please, and will my old invoices be gone as well?', { escalated: 'legal' }],
    ]);
  });

  it('[DLG-54] answers from an article that is sure where it could only guess at a change', async () => {
    const [en] = await converse(hub, FELIPE, [
      ['first week regret what is the law about it', { says: ['7 days'], pending: null }],
    ]);
    expect(en?.citations[0]?.articleId).toBe('kb-right-of-withdrawal-en');
  });

  it('[DLG-50] takes the day on which a pause ends, another number for the first, and names the length when it asks again', async () => {
    await converse(hub, ANA, [
      ['pause my plan until 20 march please', { says: ['9 days', '20 March'], pending: 'confirmation' }],
      ['no', { pending: null }],
      ['quero pausar meu plano por 60 dias', { says: ['60 dias'], pending: 'confirmation' }],
      ['pode ser 45 dias em vez de 60?', { says: ['45 dias'], pending: 'confirmation' }],
      ['como redefinir a senha?', { says: ['por 45 dias?'], pending: 'confirmation' }],
      ['não', { pending: null }],
    ]);
  });

  it('[DLG-63] says at once that a pause begins today where another day is named, and offers what ends when it would', async () => {
    await converse(hub, ANA, [
      [
        "I'd like to pause my subscription while I'm travelling, from 20 March to 10 April please.",
        { says: ['not on 20 March', 'until 10 April, 30 days'], pending: null, escalated: null },
      ],
      [
        'No, not from today. From 20 March to 10 April, I leave on the 20th.',
        { says: ['not on 20 March'], pending: null, escalated: null },
      ],
      [
        "Alright then, make it until the 10th of April and start today, that's fine too.",
        { says: ['until 10 April'], pending: 'confirmation' },
      ],
      ['no', { pending: null }],
    ]);
    await converse(hub, FELIPE, [
      [
        'Viajo a trabalho dia 10/4 e só volto em meados de maio. Pretendo pausar o plano nesse período, é possível?',
        { says: ['10 de abril', '1 de maio'], pending: null, escalated: null },
      ],
      [
        'Não. Preciso que comece em 10 de abril, não hoje.',
        { says: ['e não em 10 de abril'], pending: null },
      ],
      ['quero pausar a assinatura por 60 dias a partir de 10/4', { says: ['9 de junho'], pending: null }],
      ['Então não. Volto no dia 10 e faço isso. Obrigado.', { says: ['não mudei nada'], pending: null }],
    ]);
  });

  it('[DLG-64] takes no yes for other days than those that were said last', async () => {
    const replies = await converse(hub, FELIPE, [
      ['pausa a assinatura', { says: ['30 dias'], pending: 'confirmation' }],
      ['no dia 20 de março', { says: ['e não em 20 de março', '19 de abril'], pending: null }],
      ['sim', { says: ['39 dias'], pending: 'confirmation' }],
      ['não, a partir de 1 de abril', { says: ['e não em 1 de abril'], pending: null }],
      ['não', { pending: null }],
    ]);
    expect(
      replies.flatMap(({ toolCalls }) => toolCalls.filter(({ ok }) => ok).map(({ tool }) => tool)),
    ).not.toContain('update_subscription');
  });

  it('[DLG-70 DLG-72] keeps what is asked while the customer stops it, asks, and says another number for it', async () => {
    await converse(hub, GABRIELA, [
      ['leave it', { says: ['stays as it is'], pending: null }],
      ['pause my plan for 28 days', { says: ['28 days'], pending: 'confirmation' }],
      ['14 days, not 28', { says: ['for 14 days'], pending: 'confirmation' }],
      ['hang on a minute', { says: ['for 14 days'], pending: 'confirmation' }],
      ['wait, how do I reset my password?', { says: ['password', 'for 14 days'], pending: 'confirmation' }],
      ['better not, thanks', { says: ['not changed'], pending: null }],
    ]);
  });

  it('[DLG-65] offers to put a change back where something does, and says no more than that it is too late where nothing does', async () => {
    await converse(hub, LUCAS, [
      ['consigo parar por 45 dias?', { says: ['45 dias'], pending: 'confirmation' }],
      ['isso, confirma', { says: ['está pausada'], pending: null }],
      [
        'hmm quer saber, volta ao normal',
        { says: ['volta a ficar ativa', 'Quer que eu faça'], pending: null },
      ],
      ['sim', { says: ['reativar'], pending: 'confirmation' }],
      ['sim', { says: ['ativa de novo'], pending: null }],
    ]);
  });

  it('[DLG-52] drops no change for a question beside it', async () => {
    await converse(hub, BRUNO, [
      [
        'cancel my film club booking. when do i pay next?',
        { says: ['cancel "Film Club'], pending: 'confirmation' },
      ],
      ['no', { pending: null }],
    ]);
  });

  it('[DLG-51] takes what was spoken of last where a supposed change names nothing, and an order for a yes to the offer', async () => {
    await converse(hub, ANA, [
      ['queria saber o que eu tenho marcado', { says: ['Elis'] }],
      ['a última aí, quanto eu paguei?', { says: ['R$ 380,00'], saysNot: ['Samba'] }],
      ['e se eu cancelar, volta tudo?', { says: ['Elis', 'nossa equipe'], escalated: null, pending: null }],
      ['então cancela', { says: ['Elis'], pending: 'confirmation' }],
      ['não', { pending: null }],
    ]);
    await converse(hub, ANA, [
      ['what have I booked?', { says: ['Elis'] }],
      ['the last one, how much did I pay', { says: ['380.00'], saysNot: ['how long'] }],
      ['what happens if I cancel the samba night?', { says: ['60.00'], pending: null }],
      ['no, don’t cancel it', { says: ['not changed'], pending: null }],
    ]);
  });

  it('[DLG-51] gives the terms of what is only supposed, and does not do it before two answers', async () => {
    await converse(hub, ANA, [
      [
        "i don't think i can make the samba one, what happens if i cancel it?",
        { says: ['60.00', 'Would you like'], pending: null, escalated: null },
      ],
      ['what happens if I arrive late?', { saysNot: ['60.00'], pending: null }],
      ['if I cancelled the samba night would I get my visit back?', { says: ['visit'], pending: null }],
      ['ok do it pls', { says: ['Samba'], pending: 'confirmation' }],
      ['no', { pending: null }],
    ]);
    await converse(hub, BRUNO, [
      ['e se eu pausar a assinatura, perco as reservas?', { says: ['continuam valendo'], pending: null }],
      ['pode fazer', { says: ['30 dias'], pending: 'confirmation' }],
      ['não', { pending: null }],
      ['quanto recebo se eu cancelar o manguebeat?', { says: ['70,00'], pending: null }],
      ['melhor não', { says: ['não mudei nada'], pending: null }],
      ['sim', { pending: null }],
    ]);
  });

  it('[DLG-51] answers the reason given with a no, and offers it as it was', async () => {
    await converse(hub, FELIPE, [
      ['pause my plan for 3 weeks', { pending: 'confirmation' }],
      [
        "no, if it starts today i'd miss the dance company on friday wouldn't i?",
        { says: ['not changed'], pending: null, escalated: null },
      ],
      ['ok then just pause it for 10 days', { says: ['10 days'], pending: 'confirmation' }],
    ]);
  });
});

describe('several requests', () => {
  it('[DLG-52] asks about one after the other, says what comes next, and drops none for a no', async () => {
    await converse(hub, GABRIELA, [
      [
        'cancel the short films festival and tropicalia',
        { says: ['Short Films', 'After that I come to "Trop'] },
      ],
      ['no', { says: [/Short Films.* stands/, 'Shall I ask them'], pending: 'confirmation' }],
      ['no', { pending: null }],
      ['cancel the short films festival and tropicalia', { says: ['Short Films'] }],
      ['no, forget it', { says: ['not changed'], saysNot: ['Tropic'], pending: null }],
    ]);
  });

  it.each([
    [GABRIELA, 'cancel the short films festival, it clashes with tropicalia', 'Short Films', 'Trop'],
    [GABRIELA, 'please cancel tropicalia, the short films one I am going to', 'Trop', 'Short Films'],
    [LUCAS, 'desmarca o minas electronic, bate com o círio', 'Minas', 'Círio'],
    [LUCAS, 'cancela o minas, no círio eu vou', 'Minas', 'Círio'],
  ])('[DLG-42] %s: %s', async (who, said, asked, other) => {
    await converse(hub, who, [
      [said, { says: [asked], saysNot: [other], pending: 'confirmation' }],
      ['no', { saysNot: [other], pending: null }],
    ]);
  });

  it.each([
    [GABRIELA, 'cancel tropicalia, its way too close to the short films', 'Trop', 'Short Films'],
    [GABRIELA, 'cancel the tropicália one, not the short films', 'Trop', 'Short Films'],
    [LUCAS, 'o círio fica. cancela o minas', 'Minas', 'Círio'],
    [LUCAS, 'cancela o minas, caiu no mesmo dia do círio', 'Minas', 'Círio'],
    [LUCAS, 'cancela o minas em vez do círio', 'Minas', 'Círio'],
  ])('[DLG-43] %s: %s', async (who, said, asked, other) => {
    await converse(hub, who, [
      [said, { says: [asked], saysNot: [other], pending: 'confirmation' }],
      ['no', { saysNot: [other], pending: null }],
    ]);
  });

  it('[DLG-43] says that nothing was changed to who only tells what is to stay', async () => {
    await converse(hub, LUCAS, [
      ['cancela o minas', { says: ['Minas'], pending: 'confirmation' }],
      ['não, no minas eu vou!', { saysNot: ['Posso cancelar'], pending: null }],
    ]);
  });

  it('[DLG-52] takes one of them back and keeps the other', async () => {
    await converse(hub, GABRIELA, [
      ['cancel the short films festival and tropicalia', { says: ['Short Films'] }],
      [
        'keep tropicalia, just cancel the short films',
        { says: ['Shall I cancel "Festival'], saysNot: ['Trop'] },
      ],
      ['no', { pending: null }],
    ]);
    await converse(hub, LUCAS, [
      ['cancela pra mim o círio e o minas electronic, por favor', { pending: 'confirmation' }],
      [
        'melhor mantém o círio e cancela só o minas',
        { says: ['Posso cancelar "Minas'], saysNot: ['Depois disso'], pending: 'confirmation' },
      ],
      ['não', { pending: null }],
    ]);
  });

  it('[DLG-52] cancels the others of what was shown, and asks which where their number does not fit', async () => {
    await converse(hub, ANA, [
      ['keep Elis, cancel the other two', { says: ['Which one', 'Samba'], saysNot: ['Elis'], pending: null }],
    ]);
    await converse(hub, ANA, [
      ['what have i booked this week?', { says: ['Candlelight', 'Samba', 'Clarice'] }],
      [
        'keep clarice, cancel the other two',
        { says: ['Candlelight', 'come to "Samba'], pending: 'confirmation' },
      ],
      ['yes', { says: ['asked our team', '"Samba'], pending: 'approval' }],
    ]);
  });

  it('[DLG-52] answers the question in a message and makes its change, in either order', async () => {
    await converse(hub, LUCAS, [
      [
        'quantas visitas ainda tenho? e já aproveita e cancela o círio',
        { says: ['visita', 'Posso cancelar "Círio'] },
      ],
      ['não', { pending: null }],
      [
        'vou viajar: pausa meu plano e cancela o círio',
        { says: ['pausar', 'Depois disso vem "cancela o círio"'] },
      ],
    ]);
    await converse(hub, SERGIO, [
      ['cancel the cheaper one', { says: ['Photography'], pending: 'confirmation' }],
    ]);
  });
});

describe('before a person is troubled', () => {
  it('[DLG-53] has a word for who only tells something, says thanks, or speaks of the weather', async () => {
    for (const [said, answer] of [
      ['my boss is such an idiot lol', /telling me/],
      ['meu cachorro tá latindo aqui desculpa', /contar|Sinto muito/],
      ["oh right i don't have an account yet lol. thanks!", /welcome/],
      ['whats the weather gonna be like in sao paulo on sunday? i have that concert', /weather service/],
    ] as const) {
      await converse(hub, ANA, [[said, { says: [answer], escalated: null, rule: 'R18' }]]);
    }
  });

  it('[DLG-54] asks once which of the plausible readings is meant, and passes it on where it is none', async () => {
    const [asked, answered] = await converse(hub, null, [
      [
        'is it the same for both of us',
        { says: ['one of these', '1. ', '2. ', 'our team'], escalated: null },
      ],
      ['the first', { saysNot: ['one of these'], escalated: null }],
    ]);
    expect(asked?.citations).toEqual([]);
    expect(asked?.reply).toContain(answered?.citations[0]?.title ?? 'an article');
    await converse(hub, null, [
      ['is it the same for both of us', { says: ['one of these'], escalated: null }],
      ['none of these', { escalated: 'low_confidence', saysNot: ['one of these'] }],
    ]);
  });

  it('[DLG-54] asks nothing back where somebody may be in danger', async () => {
    for (const said of [
      'nem sei pq marco essas coisas, nao quero mais viver, to cansada de tudo',
      'my life is over',
    ])
      await converse(hub, ANA, [[said, { saysNot: ['1. ', 'telling me', 'contar'] }]]);
  });
});

describe('what is over', () => {
  it('[DLG-76] offers to call off nothing that is still to come for what a customer went to', async () => {
    await converse(hub, ANA, [
      [
        'the seats at the last concert I went to were broken, I want my money back',
        { pending: null, saysNot: ['Shall I', 'Elis'] },
      ],
      [
        'no espetáculo que eu fui faltou luz, quero meu dinheiro de volta',
        { pending: null, saysNot: ['Posso', 'Elis'] },
      ],
      ['the concert last week was awful, i want my money back', { pending: null, saysNot: ['Elis'] }],
      ['o show foi horrível, quero meu dinheiro de volta', { pending: null, says: ['reclamação'] }],
    ]);
    // She has a cancelled one that is owed to her: it is not the one that she was at.
    await converse(hub, 'gabriela.nunes@example.com', [
      [
        'We were at a show last week and the acting was dreadful, refund me',
        { pending: null, says: ['complaint'] },
      ],
      ['refund me for Manguebeat, please', { says: ['70.00'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-354] the new address after steps that only the customer may take is no matter for the team', async () => {
    await converse(hub, 'ana.souza@example.com', [
      ['I need to change my email', { says: ['Profile > Security'] }],
      ['to ana.s@example.com', { says: ['I cannot do that for you'], escalated: null }],
    ]);
    await converse(hub, 'bruno.lima@example.com', [
      ['atualiza meu telefone', { says: ['Perfil > Dados pessoais'] }],
      ['11 98888-7777', { says: ['eu não faço isso por você'], escalated: null }],
    ]);
  });

  it('[DLG-349] who regrets what they bought asks for money, and who asks when people are there calls none', async () => {
    await converse(hub, 'gabriela.nunes@example.com', [
      [
        'assinei e me arrependi, quero o meu dinheiro',
        { says: ['7 dias'], saysNot: ['fica tudo como está'] },
      ],
    ]);
    await converse(hub, 'gabriela.nunes@example.com', [
      ['em que horário tem alguém de verdade pra atender?', { says: ['9h às 18h'], escalated: null }],
    ]);
    await converse(hub, 'bruno.lima@example.com', [
      ['cancel the film club', { pending: 'confirmation' }],
      ["I changed my mind, I don't want a refund", { pending: null, says: ['not changed anything'] }],
    ]);
  });
});

describe('a request that waits with the team', () => {
  it.each([
    [
      'tatiana.ribeiro@example.com',
      'cancel elis',
      'yes',
      "tell them never mind, I'm fit again",
      'so the request is off, right?',
    ],
    [
      'zelia.moreira@example.com',
      'cancel tropicalia',
      'yes',
      "I don't want that any more, I will go",
      'it has been dropped now?',
    ],
    [
      FELIPE,
      'cancela sp dance company',
      'sim',
      'meu joelho melhorou, pode tirar o pedido',
      'então o pedido foi cancelado né?',
    ],
  ])(
    '[DLG-182] is taken back in everyday words, and said to be off: %s',
    async (who, cancel, yes, words, off) => {
      await converse(hub, who, [
        [cancel, { pending: 'confirmation' }],
        [yes, { says: [/asked our team|Perguntei à nossa equipe/] }],
        [words, { says: [/taken your request back|retirei o seu pedido/], escalated: null }],
        [off, { says: [/is taken back|foi retirado/], pending: null }],
      ]);
    },
  );

  it('[DLG-182] is still there for who asks whether it is off, and gone with a yes', async () => {
    await converse(hub, 'mariana.pires@example.com', [
      ['cancel the bahia songbook', { pending: 'confirmation' }],
      ['yes', { says: ['asked our team'] }],
      ['is the request off now?', { says: ['still with our team', 'Shall I take it back'] }],
      ['yes', { says: ['taken your request back', 'stands'] }],
    ]);
  });
});
