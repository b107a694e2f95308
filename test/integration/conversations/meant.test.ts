import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asOneText } from '../../../src/graph/one-text.js';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const JOAO = 'joao.cardoso@example.com';
const KARINA = 'karina.alves@example.com';
const LUCAS = 'lucas.monteiro@example.com';
const SERGIO = 'sergio.almeida@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('what an answer asked to be told', () => {
  it('[DLG-132] is for a person where it was somebody else who did it', async () => {
    for (const [door, denied] of [
      ['they turned me away at the door yesterday, the code did not work', 'but I never cancelled that!'],
      ['they turned me away at the door yesterday, the code did not work', "it wasn't me, who did that?"],
      ['me barraram na porta ontem, o código não funcionou', 'mas não fui eu que cancelei'],
      ['me barraram na porta ontem, o código não funcionou', 'eu n cancelei isso nunca'],
    ] as const) {
      const [told] = await converse(hub, 'caio.nascimento@example.com', [
        [door, {}],
        [denied, { escalated: 'customer_request', pending: null }],
      ]);
      expect(told?.reply).toMatch(/did not cancel it yourself|não foi você quem cancelou/);
    }
  });

  it('[DLG-133] is told, and not asked for once more', async () => {
    await converse(hub, ANA, [
      ['I want another e-mail address on my account', { cites: 'kb-change-email-en' }],
      ['I lost access to the old inbox', { says: ['tell us here in the chat'] }],
      ['well, I am telling you: that old mailbox is gone', { escalated: 'customer_request' }],
    ]);
  });

  it('[DLG-134] is a complaint of what was told before it', async () => {
    await converse(hub, ANA, [
      ['The guide came forty minutes late and shouted at my children.', {}],
      ['I want to file a formal complaint then', { escalated: 'customer_request' }],
    ]);
    await converse(hub, null, [
      ['I want to make a complaint', { says: ['1.', '2.', 'what happened'], escalated: null }],
    ]);
  });
});

describe('what was meant', () => {
  it('[DLG-135] is asked again, also where nothing but a thing is named', async () => {
    await converse(hub, LUCAS, [
      ['how long does a refund take?', {}],
      ['my bookings, I mean', { says: [/Your upcoming reservations|You have no reservations/] }],
    ]);
    // A word of what is meant cancels nothing.
    await converse(hub, JOAO, [
      ['Fui cobrado duas vezes este mês, gostaria de entender.', {}],
      ['Não, refiro-me à mensalidade.', { pending: null }],
    ]);
  });

  it('[DLG-136] is the other change, in the place of the one that is not wanted', async () => {
    await converse(hub, JOAO, [
      ['quero cancelar minha assinatura', { pending: 'confirmation' }],
      ['melhor assim: em vez de cancelar, pausa por 40 dias', { says: ['40 dias'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-137] is another figure, whatever yes stands behind it, and asked about anew', async () => {
    for (const other of ['make it 50 then yes', 'Hmm, make that 50. Yes.', '50 days, then ok']) {
      const [first] = await converse(hub, JOAO, [
        ['pause my plan for 35 days', { says: ['35 days'], pending: 'confirmation' }],
        [other, { says: ['50 days'], saysNot: ['35 days'], pending: 'confirmation' }],
        ['no', { pending: null }],
      ]);
      expect(first).toBeDefined();
    }
  });

  it('[DLG-148] is told of a change that few words name, and offered where no question is open', async () => {
    for (const [first, second] of [
      ['how much is Premium?', 'and the pause?'],
      ['quanto custa o Premium?', 'e a pausa?'],
    ] as const)
      await converse(hub, JOAO, [
        [first, {}],
        [second, { says: ['30 d', '?'], pending: null }],
        ['no', { pending: null }],
      ]);
    await converse(hub, JOAO, [
      ['I want to cancel my plan', { pending: 'confirmation' }],
      ['and a pause?', { says: ['30 days'], saysNot: ['Would you like me to'], pending: 'confirmation' }],
    ]);
    await converse(hub, JOAO, [
      ['I want to cancel my plan', { pending: 'confirmation' }],
      ['what happens if I pause it?', { saysNot: ['Would you like me to'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-149] is what is to be kept and what is to be done, of several, by their names', async () => {
    await converse(hub, ANA, [
      ['cancel clarice and elis', { says: ['Clarice'], pending: 'confirmation' }],
      ['keep clarice and do the other', { says: ['Elis'], saysNot: ['rest stays'], pending: 'confirmation' }],
    ]);
    // What somebody tells beside a question of their own record cancels nothing.
    await converse(hub, JOAO, [
      ["Do I have visits left? I'd be going on the 5th", { says: ['visit'], pending: null }],
    ]);
    await converse(hub, ANA, [
      [
        'when is my next booking? my grandma died and the funeral is on the day of the samba',
        { pending: 'confirmation' },
      ],
    ]);
  });

  it('[DLG-150] is a person, where that is said after a comma', async () => {
    for (const said of ['My card was charged twice, I want a person', 'cobraram duas vezes, quero um humano'])
      await converse(hub, 'gabriela.nunes@example.com', [[said, { escalated: 'customer_request' }]]);
  });

  it('[DLG-151] is a question that was asked, which turns nothing down, and a change that is named beside a wish', async () => {
    for (const [order, asked] of [
      ['I want to cancel my plan', 'I asked how long I can pause it'],
      ['quero cancelar meu plano', 'eu perguntei quanto tempo posso pausar'],
    ] as const)
      await converse(hub, JOAO, [
        [order, { pending: 'confirmation' }],
        [asked, { says: [/\d+ d/], saysNot: [/not changed anything|não mudei nada/] }],
        ['no', { pending: null }],
      ]);
    for (const said of [
      'Pedi pra cancelar a Giselle, quero meus 320 reais de volta',
      'I asked you to cancel Giselle, I want my 320 back',
    ])
      await converse(hub, SERGIO, [[said, { says: ['Giselle'], pending: 'confirmation' }]]);
  });

  it('[DLG-152] is one of a list by its number, however shortly that is written', async () => {
    for (const [order, pick] of [
      ['preciso cancelar uma reserva', 'a 2'],
      ['preciso cancelar uma reserva', 'o 2'],
      ['I need to cancel a booking', 'the 2'],
    ] as const)
      await converse(hub, ANA, [
        [order, { says: ['2.'], pending: null }],
        [pick, { pending: 'confirmation' }],
        ['no', { pending: null }],
      ]);
  });

  it('[DLG-146 DLG-151] loses no change that is asked for once more, and cancels nothing that is to be kept', async () => {
    for (const said of [
      'cancel the samba night. can you cancel the one on the 25th too?',
      'cancel the samba night. could you also cancel another one for me?',
    ])
      expect((await hub.say(ANA, said)).reply, said).toMatch(/After that|Which one|1\./);
    await converse(hub, ANA, [
      ['I want to keep Elis, cancelling it was a mistake', { pending: null, saysNot: ['Shall I cancel'] }],
    ]);
  });

  it('[DLG-138] stays as it is where only that is said of what is left', async () => {
    await converse(hub, ANA, [
      ['cancel my samba and the clarice reading', { pending: 'confirmation' }],
      ['yes', { pending: 'confirmation' }],
      [
        "no, I'll keep the other one after all",
        { pending: null, says: ['the rest stays as it is'], saysNot: ['Shall I', 'not changed anything'] },
      ],
    ]);
  });
});

describe('what waits for a person', () => {
  it('[DLG-139] is said when it is answered, and nobody is called for again', async () => {
    for (const [wish, asked] of [
      ['I want to talk to a person', 'When will I hear from somebody?'],
      ['quero falar com uma pessoa', 'e quanto tempo vai demorar isso?'],
      ['quero falar com uma pessoa', 'que horas a equipe responde? só sexta?? preciso hoje'],
    ] as const)
      await converse(hub, KARINA, [
        [wish, { escalated: 'customer_request' }],
        [asked, { says: [/at the latest|no máximo até/], escalated: null }],
      ]);
  });

  it('[DLG-140] leaves nothing to cancel where a fee was taken after the end', async () => {
    hub.exec(
      'cultpass',
      "UPDATE subscriptions SET status = 'cancelled', ended_at = '2026-02-20T12:00:00.000Z' WHERE user_id IN (SELECT user_id FROM users WHERE email = 'wagner.pinto@example.com')",
    );
    await converse(hub, 'wagner.pinto@example.com', [
      [
        'quero meu dinheiro de volta!!! cancelei essa porcaria e continuaram me cobrando',
        { pending: null, saysNot: ['Posso cancelar'] },
      ],
    ]);
  });
});

describe('what is booked', () => {
  it('[DLG-141] says of each by name until when it can be given up, and who must agree', async () => {
    const { reply } = await hub.say(ANA, 'Until when can I cancel my samba night without losing money?');
    expect(reply).toMatch(/free until/);
    expect(reply).not.toMatch(/has to agree/);
    await converse(hub, SERGIO, [
      ['until when am I allowed to cancel Giselle?', { says: ['Giselle', 'has to agree'], saysNot: ['1.'] }],
    ]);
  });

  it('[DLG-142] is shown by the name of what is theirs alone, also two of them', async () => {
    await converse(hub, ANA, [
      ['my plan', { says: ['Premium'] }],
      ['meu plano e meus pagamentos', { says: ['Premium', /pagamentos/] }],
    ]);
  });

  it('[DLG-146] is cancelled by terms that are said once, and not asked for again behind them', async () => {
    for (const said of [
      "my samba night: I can't go, I am ill. Do I get my money back?",
      'não posso ir no samba, cancela por favor? e devolvem a grana?',
    ])
      await converse(hub, ANA, [
        [said, { pending: 'confirmation', says: ['R$'], saysNot: [/After that|Depois disso/] }],
      ]);
    await converse(hub, ANA, [
      ['cancel the samba night. can you also pause my plan?', { says: ['After that'] }],
    ]);
  });

  it('[DLG-143] has no head of a list without the list', () => {
    const list = 'Your bookings:\n- Samba Night, Tuesday\n- Elis, Wednesday';
    expect(asOneText([list, `${list}\n\nAnything else is fine too.`], () => false)).toEqual([
      list,
      'Anything else is fine too.',
    ]);
  });

  it('[DLG-144] is looked for on the next weekend, written in short', async () => {
    const days = (text: string) => hub.say(null, text).then(({ reply }) => reply);
    expect(await days('o que tem no rio no fds q vem?')).toBe(await days('o que tem no rio no fds que vem?'));
    expect(await days('o que tem no rio semana q vem?')).toBe(
      await days('o que tem no rio na semana que vem?'),
    );
  });

  it('[DLG-147] is only what Premium opens, or for children, where that is asked for', async () => {
    for (const said of ['premium events in São Paulo', 'experiências premium em São Paulo']) {
      const { reply } = await hub.say(null, said);
      const lines = reply.split('\n').filter((line) => line.startsWith('- '));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.filter((line) => !line.includes('Premium'))).toEqual([]);
    }
    await converse(hub, null, [
      ['what is on for my grandson in São Paulo?', { says: ['Famil'], saysNot: ['Candlelight'] }],
      ['what is the premium plan?', { says: ['119'], cites: 'kb-plans-compare-en' }],
    ]);
  });

  it('[DLG-145] is left, and no one is greeted, where thanks stand beside it', async () => {
    await converse(hub, ANA, [
      ['how do I pause my plan?', {}],
      ['Fine, forget it. Thank you anyway', { says: [/welcome/i], saysNot: ['Hello'] }],
    ]);
  });
});

describe('what is to be done or looked for', () => {
  it('[DLG-153] is looked for in the place that is meant, and not in the one that is denied', async () => {
    for (const said of ['what is on in Salvador, not Recife', 'o que tem em Salvador, e não em Recife?']) {
      const { reply } = await hub.say(null, said);
      const lines = reply.split('\n').filter((line) => line.startsWith('- '));
      expect(lines.length, said).toBeGreaterThan(0);
      expect(lines.filter((line) => !line.includes('Salvador'))).toEqual([]);
    }
    await converse(hub, null, [
      ['what is on in Recife?', { says: ['Recife'] }],
      ['no, I meant Salvador, not Recife', { says: ['Salvador'], saysNot: ['Recife'] }],
    ]);
  });

  it("[DLG-154] is said to be the customer's to do, where a yes asks the hub for it", async () => {
    await converse(hub, 'bruno.lima@example.com', [
      ['how much to switch to premium right now', { says: ['119.90'] }],
      ['ok do it', { says: ['I cannot do that for you'], pending: null, escalated: null }],
    ]);
    await converse(hub, ANA, [
      ['como troco o e-mail da minha conta?', { cites: 'kb-change-email-pt' }],
      ['sim, pode fazer', { says: ['não consigo fazer'], saysNot: ['espera pela sua resposta'] }],
    ]);
    await converse(hub, ANA, [['yes', { says: ['Nothing is waiting'], escalated: null }]]);
  });

  it("[DLG-155] is told, and needs no person, where only the way to one's own data is asked", async () => {
    await converse(hub, ANA, [
      ['Onde baixo a cópia dos meus dados?', { cites: 'kb-data-export-pt', escalated: null }],
    ]);
    await converse(hub, null, [
      [
        'I want all my data deleted. How does it work, and does anything stay?',
        { cites: 'kb-data-deletion-en', escalated: 'legal' },
      ],
    ]);
  });

  it('[DLG-156] is the first of what anybody may choose from, where that was shown last', async () => {
    await converse(hub, ANA, [
      ['what is on in São Paulo next weekend?', { says: ['Afro Brasil'] }],
      [
        'book the first one',
        { says: ['Afro Brasil', 'cannot book'], saysNot: ['Museum of Tomorrow', 'Candlelight'] },
      ],
    ]);
  });

  it('[DLG-157] is no question of its own, what is asked to do about what went wrong', async () => {
    await converse(hub, null, [
      ['my payment failed, what do I do now', { cites: 'kb-failed-payment-en', saysNot: ['no sure answer'] }],
      ['and is there any discount for retired people?', { says: ['no discount'], escalated: null }],
    ]);
  });
});

describe('something on the programme that is named', () => {
  it.each([
    ['how many places are left on the coffee cupping?', 'has 6 places left'],
    ['does the film club still have tickets?', 'Film Club: City of God" has'],
    ['quantos lugares restam na visita da Pinacoteca?', 'lugares livres'],
    ['is the choro circle free?', 'included in the plan'],
    ['is the pinacoteca visit included in basic?', 'included in the plan'],
    ['a roda de choro é paga?', 'incluído no plano'],
    ["where's the dance class held?", 'Estação das Docas'],
    ["what's the coffee cupping about?", 'Taste eight coffees'],
    ['does Elis have an intermission?', 'does not say how long'],
  ])('[DLG-158] is told of in the words people ask it with: %s', async (said, told) => {
    const { reply, escalated } = await hub.say(null, said);
    expect(reply).toContain(told);
    expect(escalated).toBe(false);
  });

  it('[DLG-158] is found by its name in either language', async () => {
    await converse(hub, ANA, [
      ['onde é a leitura da Clarice?', { says: ['Instituto Moreira Salles'] }],
      ['what is the Clarice reading about?', { says: ['chronicles'] }],
    ]);
  });
});

describe('what is picked or kept', () => {
  it('[DLG-159] is picked by what it is called in the language of the customer', async () => {
    await converse(hub, 'fernanda.silveira@example.com', [
      ['preciso cancelar uma reserva', { says: ['Qual delas'] }],
      ['é a da dança', { pending: 'confirmation', says: ['Carimbó'] }],
    ]);
  });

  it('[DLG-160] is listed for the days that are named, and is not the next one', async () => {
    for (const said of ['what do I have next week', 'o que eu tenho semana que vem?'])
      expect((await hub.say(ANA, said)).reply).toMatch(/^Elis/);
    expect((await hub.say(ANA, 'qual minha reserva mais cara?')).reply).toMatch(/^Elis/);
  });
});

describe('what waits for the team since another conversation', () => {
  const TATIANA = 'tatiana.ribeiro@example.com';
  const asked = () =>
    converse(hub, TATIANA, [
      ['cancel the improvised theatre', { pending: 'confirmation' }],
      ['yes', { pending: 'approval' }],
    ]);
  const approvals = () => hub.query('udahub', 'SELECT status FROM approvals ORDER BY created_at');

  it('[DLG-161] is taken back here as there, once it was spoken of or is named', async () => {
    for (const [first, said] of [
      ['has the team decided about tomorrow yet?', "he's better now, forget the request, we'll go"],
      ['hi', "I don't want to cancel the improvised theatre any more"],
    ] as const) {
      await asked();
      await converse(hub, TATIANA, [
        [first, {}],
        [said, { says: ['taken your request back', 'Improvised Theatre'], pending: null }],
      ]);
      expect(await approvals()).not.toContainEqual({ status: 'pending' });
    }
    const notes = await hub.query('udahub', "SELECT content FROM ticket_messages WHERE role = 'customer'");
    expect(notes.filter(({ content }) => String(content).includes('forget the request'))).toHaveLength(2);
  });

  it('[DLG-161] is taken back by its name alone where several wait, and all are told of where none is named', async () => {
    await asked();
    await converse(hub, TATIANA, [
      ['cancel Elis the musical', { pending: 'confirmation' }],
      ['yes', { pending: 'approval' }],
    ]);
    const open = async () => (await approvals()).filter(({ status }) => status === 'pending').length;
    expect(await open()).toBe(2);
    await converse(hub, TATIANA, [
      ['has the team decided about my requests yet?', { says: ['Improvised Theatre', 'Elis'] }],
      ['forget the request', { says: ['another conversation'] }],
    ]);
    expect(await open()).toBe(2);
    await converse(hub, TATIANA, [
      ['hi', {}],
      ["I don't want to cancel Elis any more", { says: ['taken your request back', 'Elis'] }],
    ]);
    expect(await open()).toBe(1);
  });

  it('[DLG-161] stays where something else is left, or another customer says so', async () => {
    await asked();
    await converse(hub, TATIANA, [
      ['how do I pause my plan?', {}],
      ['never mind, forget it', { says: [/stays as it is|welcome/i] }],
    ]);
    await converse(hub, ANA, [['forget the request for the improvised theatre', {}]]);
    await converse(hub, null, [['forget the request for the improvised theatre', {}]]);
    expect(await approvals()).toContainEqual({ status: 'pending' });
  });
});
