import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const GABRIELA = 'gabriela.nunes@example.com';
const DIEGO = 'diego.ferreira@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('what cannot be done', () => {
  it('[DLG-80] says why a subscription that has ended cannot be taken up, and what to do; and again where asked why', async () => {
    await converse(hub, DIEGO, [
      [
        'please unpause my plan',
        { says: ['ended on 24 February', 'Profile > Plan'], code: 'wrong_status', escalated: null },
      ],
      ['and why is that not possible?', { says: ['ended on 24 February'], escalated: null }],
    ]);
    await converse(hub, DIEGO, [
      ['retoma a minha assinatura', { says: ['terminou em 24 de fevereiro', 'Perfil > Plano'] }],
      ['ué, e por que não dá?', { says: ['motivo', 'terminou em 24 de fevereiro'], escalated: null }],
    ]);
  });

  it('[DLG-80] says it of a pause that is on already, of one that never was, and of one that is too long', async () => {
    await converse(hub, CARLA, [
      ['pause my plan for two weeks', { says: ['paused already, until 31 March', 'resume'] }],
    ]);
    await converse(hub, ANA, [['retomar minha assinatura', { says: ['está ativa'] }]]);
    await converse(hub, ANA, [
      ['pause my subscription for 150 days', { says: ['90 days at most'], code: 'policy_denied' }],
      ['yes, that one', { says: ['for 90 days'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-80] says that the end of a pause is not planned ahead, and offers to end it now', async () => {
    await converse(hub, CARLA, [
      ['take my plan up again on 20 March', { says: ['not on 20 March', 'now'], pending: null }],
      ['yes', { pending: 'confirmation' }],
    ]);
  });

  it('[DLG-80] explains how to do what is said before "where do I do that?"', async () => {
    await converse(hub, DIEGO, [
      [
        'A minha assinatura venceu e queria voltar a ser assinante. Como faço isso?',
        { says: ['Perfil > Plano'], escalated: null },
      ],
    ]);
  });
});

describe('the other one', () => {
  it.each([
    [['cancel the film club', 'no, the other one'], ['Manguebeat']],
    [['cancela o film club', 'não essa, a outra'], ['Manguebeat']],
    [['cancel the film club', 'sorry, I meant the other booking'], ['Manguebeat']],
  ])('[DLG-350] is the other of two, %j', async ([order = '', other = ''], says) => {
    await converse(hub, BRUNO, [
      [order, { pending: 'confirmation', says: ['Film Club'] }],
      [other, { pending: 'confirmation', says }],
    ]);
  });

  it('[DLG-350] is asked for by name where there are several, without the one that was turned down', async () => {
    await converse(hub, ANA, [
      ['cancel the samba', { pending: 'confirmation' }],
      ['no, the other one', { pending: null, says: ['1.', 'Clarice', 'Elis'], saysNot: ['2. Samba'] }],
      ['the Clarice one', { pending: 'confirmation', says: ['Clarice'] }],
    ]);
  });

  it.each([
    'make it the Manguebeat one instead',
    'change that to the manguebeat night',
    'troca pelo manguebeat',
  ])('[DLG-355] "%s" asks about that one, and a yes is no yes to the first', async (said) => {
    const own = await openHub();
    await converse(own, BRUNO, [
      ['cancel the film club', { pending: 'confirmation' }],
      [said, { pending: 'confirmation', says: [/(?:cancel|cancelar) "Manguebeat/] }],
      ['yes', { pending: null, says: ['Manguebeat'] }],
    ]);
    const rows = own.query(
      'cultpass',
      "SELECT 1 FROM reservations r JOIN experiences e USING (experience_id) JOIN users u ON u.user_id = r.user_id WHERE u.email = ? AND e.title LIKE 'Film Club%' AND r.status = 'cancelled'",
      BRUNO,
    );
    expect(rows).toHaveLength(0);
    await own.close();
  });

  it('[DLG-350] is left alone by who keeps it', async () => {
    await converse(hub, BRUNO, [
      ['cancel the film club', { pending: 'confirmation' }],
      ["no, I'll keep the other one", { pending: null, saysNot: [/Shall I cancel/] }],
    ]);
  });
});

describe('what is said to "shall I take it back?"', () => {
  it.each([
    ['changed my mind about the refund, withdraw it', true],
    ['drop it please', true],
    ['mudei de ideia sobre o dinheiro, retira o pedido', true],
    ['leave it with them', false],
    ['no, leave it with your team please', false],
    ['no thanks, keep my request as it is', false],
    ["no, never mind, I'll wait for them", false],
    ['no, forget it', false],
    ["please keep the request going, don't withdraw it", false],
    ['não, não retira não, quero cancelar sim', false],
    ['no', false],
  ])('[DLG-351] "%s" takes it back: %s', async (said, isTaken) => {
    const own = await openHub();
    const [, , , reply] = await converse(own, ANA, [
      ['cancel my booking for Elis', { pending: 'confirmation' }],
      ['yes', { pending: 'approval' }],
      ['no', { pending: 'approval' }],
      [said, isTaken ? { pending: null } : { pending: 'approval' }],
    ]);
    expect(reply?.escalated).toBe(false);
    const [row] = own.query('udahub', "SELECT status FROM approvals WHERE kind = 'approval'");
    expect(row?.status).toBe(isTaken ? 'withdrawn' : 'pending');
    await own.close();
  });

  it('[DLG-351] who wants no money back for what is to be cancelled is asked whether the request is taken back', async () => {
    await converse(hub, ANA, [
      ['cancel my booking for Elis', { pending: 'confirmation' }],
      ['yes', { pending: 'approval' }],
      ["forget it, don't refund that one", { pending: 'approval', says: ['take it back'] }],
      ['yes', { pending: null, says: ['taken your request back'] }],
    ]);
  });
});

describe('what the team decided', () => {
  const decided = async (decide: (own: Hub, id: string) => Promise<unknown>, said: string) => {
    const own = await openHub();
    const asked = await converse(own, ANA, [
      ['cancel my booking for Elis', { pending: 'confirmation' }],
      ['yes', { pending: 'approval' }],
    ]);
    await decide(own, asked.at(-1)?.pending?.id ?? '');
    const reply = await own.say(ANA, said, asked[0]?.threadId);
    await own.close();
    return reply;
  };
  const MARINA = { operatorId: 'marina', name: 'Marina' };

  it.each(['why was it rejected?', 'why did they say no?', 'what is the reason?'])(
    '[DLG-352] "%s" is answered with the reason that they gave, once',
    async (said) => {
      const { reply, escalated } = await decided(
        (own, id) => own.app.desk.reject(id, MARINA, 'the producer does not allow it'),
        said,
      );
      expect(reply.match(/the producer does not allow it/g)).toHaveLength(1);
      expect([reply.includes('payment'), escalated]).toEqual([false, false]);
    },
  );

  it.each(["why can't I book?", 'why does the samba cost 60?'])(
    '[DLG-352] "%s" asks for the reason of something else',
    async (said) => {
      const { reply } = await decided((own, id) => own.app.desk.reject(id, MARINA, 'no'), said);
      expect(reply).not.toContain('different from what they saw');
    },
  );

  it('[DLG-352] "is it done?" is answered with what was done, once', async () => {
    const { reply } = await decided((own, id) => own.app.desk.approve(id, MARINA), 'is it done?');
    expect(reply.match(/Done: "Elis/g)).toHaveLength(1);
  });

  it('[DLG-352] who is kind while they decide, and who asks why they must, is not told the terms by their words', async () => {
    await converse(hub, GABRIELA, [
      ['cancel the Tropicália concert', { pending: 'confirmation' }],
      ['yes', { pending: 'approval' }],
      ["thanks, you're great", { saysNot: ['220.00'] }],
      ['why do they have to agree?', { says: [/because|leave this decision/] }],
    ]);
  });
});

describe('few words about what is on', () => {
  it.each([
    [CARLA, ['what concerts are on?', 'the cheapest one'], ['Choro Circle', 'Sunday Concert'], ['a month']],
    [null, ['do you have Hamilton'], ['"Hamilton" is not on our programme'], []],
    [BRUNO, ['algo pra criança no Rio em abril?'], ['Não encontrei nada desse tipo'], ['Giselle', 'Forró']],
    [null, ['do u guys sell football tickets'], ['outside what I know'], ['Thank you']],
    [
      'elisa.rocha@example.com',
      ['why am I blocked', 'how do I fix it'],
      ['than what I have just told you'],
      ['outside what I know'],
    ],
  ])('[DLG-353] %s: %j', async (email, lines, says, saysNot) => {
    const before = lines.slice(0, -1).map((line) => [line, {}] as const);
    await converse(hub, email, [...before, [lines.at(-1) ?? '', { says, saysNot }]]);
  });
});

describe('a correction', () => {
  it('[DLG-81] turns down what is open and answers what was meant instead, also without a comma', async () => {
    await converse(hub, CARLA, [
      ['resume my plan', { pending: 'confirmation' }],
      [
        'no i dont want to resume i want to know what i paid',
        { says: ['not changed anything', 'Modinhas by Candlelight'], pending: null, escalated: null },
      ],
    ]);
    await converse(hub, CARLA, [
      ['retoma minha assinatura', { pending: 'confirmation' }],
      [
        'não, não pedi isso, só perguntei quando a pausa termina',
        { says: ['não mudei nada', '31 de março'], pending: null, escalated: null },
      ],
    ]);
  });

  it('[DLG-81] is heard where nothing is open: what is not meant and a complaint are left out', async () => {
    await converse(hub, ANA, [
      ['how do I pause my plan?', { escalated: null }],
      [
        "no, I don't want to pause anything, I only want to know how many visits I have left",
        { says: ['visit left'], saysNot: ['pause'], escalated: null },
      ],
    ]);
    await converse(hub, ANA, [
      ['quantas visitas eu ainda tenho, você não respondeu', { says: ['visita'], escalated: null }],
    ]);
  });

  it('[DLG-81] leaves nothing out of what may be danger', async () => {
    await converse(hub, ANA, [
      ['I do not want to be here any more, I only want to sleep for ever', { escalated: 'requires_human' }],
    ]);
  });
});

describe('no fault', () => {
  it('[DLG-82] is looked for where none is told: what the hub cannot do, no problem, a rule that is argued about', async () => {
    for (const line of [
      "So you can't do it? Then wish me a nice evening.",
      'There is no error. How long before it starts may I still cancel?',
      'You count it as used when I only reserve. That makes no sense, explain the rule.',
      'Não tem problema nenhum com o app. Até quando posso cancelar?',
      'Vocês contam a visita quando eu reservo. Isso não faz sentido, explica.',
    ])
      expect((await hub.say(ANA, line)).toolCalls, line).not.toContainEqual(
        expect.objectContaining({ tool: 'investigate' }),
      );
  });

  it('[DLG-82] is looked for where one is told, and not told twice in the same words', async () => {
    const thread = 'thr_twice';
    const first = await hub.say(ANA, "I can't book anything in the app", thread);
    expect(first.toolCalls).toContainEqual(expect.objectContaining({ tool: 'investigate' }));
  });
});

describe('leaving it at that', () => {
  it('[DLG-83] troubles nobody', async () => {
    await converse(hub, null, [
      ['what is on in Recife?', { escalated: null }],
      ['oh well, forget it. thank you anyway, lovely place', { escalated: null }],
    ]);
    await converse(hub, ANA, [
      ['ah, deixa pra lá. obrigado mesmo assim, o lugar é bonito', { escalated: null }],
    ]);
  });
});

describe('what is said after a list or a question of the hub', () => {
  it('[DLG-92] picks one of a list, and what is asked about it is answered by the question that follows', async () => {
    await converse(hub, ANA, [
      ['i need to cancel one of my bookings', { says: ['1. Candlelight'], pending: null }],
      [
        'the second - do i get my money?',
        { says: ['cancel "Samba Night', 'R$ 60.00 back'], pending: 'confirmation' },
      ],
      ['not that one after all, ta', { pending: null }],
    ]);
    await converse(hub, BRUNO, [
      ['quero cancelar uma das minhas reservas', { says: ['1. Film Club'], pending: null }],
      [
        'o filme, a primeira!! CANCELA e me devolve os 12 reais',
        { says: ['cancelar "Film Club', 'R$ 12,00'], pending: 'confirmation' },
      ],
      ['não, deixa', { pending: null }],
    ]);
    await converse(hub, BRUNO, [['desmarca o cineclube', { says: ['Film Club'], pending: 'confirmation' }]]);
  });

  it('[DLG-92] turns the readings down, and asks something of its own after that', async () => {
    await converse(hub, BRUNO, [
      ['is it the same for both of us', { says: ['none of these'] }],
      ['none of these, forget it. how much is premium then?', { says: ['R$ 119.90'], escalated: null }],
    ]);
    await converse(hub, ANA, [
      ['ok but WHAT is it n what time', {}],
      ['none of these lol. show me my bookings', { says: ['Samba Night'], escalated: null }],
    ]);
  });

  it('[DLG-92] takes the words on a button for the button', async () => {
    await converse(hub, ANA, [
      ['cancel the samba night', { pending: 'confirmation' }],
      ['Keep booking', { says: ['not changed'], pending: null }],
      ['cancel the samba night', { pending: 'confirmation' }],
      ['cancel, R$ 60.00 back', { says: ['Done'], pending: null }],
    ]);
  });

  it('[DLG-92] is left at that, with thanks, where nothing more is wanted', async () => {
    await converse(hub, BRUNO, [
      ['dá pra trocar a reserva do Film Club pra outro dia?', {}],
      [
        'Então não precisa, deixa como está. Muito obrigada pela paciência, viu?',
        { says: ['De nada', 'como está'], escalated: null },
      ],
      ['quanto é o premium?', {}],
      ['vixe, caro demais. vou ficar no basic mesmo, brigada', { says: ['De nada'], escalated: null }],
    ]);
    await converse(hub, null, [
      ['the app keeps crashing on my phone', {}],
      ['ok thanks, browser it is', { says: ['welcome'], saysNot: ['cache'], escalated: null }],
    ]);
  });
});

describe('what is said of what was just done', () => {
  it('[DLG-93] tells again what came of it, and asks about the same for another record', async () => {
    await converse(hub, ANA, [
      ['cancel the clarice reading', { pending: 'confirmation' }],
      ['yes. and how many visits do I have then?', { says: ['Done:', 'left this month'], pending: null }],
      [
        "cancel tonight's candlelight, but only if I get everything back",
        { says: ['our team has to agree'], pending: 'confirmation' },
      ],
      ['no, leave it', { pending: null }],
    ]);
    await converse(hub, BRUNO, [
      ['cancela o cineclube', { pending: 'confirmation' }],
      ['sim e valeu, foi mal a demora', { says: ['Pronto:'], pending: null }],
      ['quanto é que volta mesmo?', { says: ['R$ 12,00'], saysNot: ['Manguebeat'] }],
      ['o que foi que você acabou de cancelar?', { says: ['Film Club'], escalated: null }],
      ['e o Manguebeat também', { says: ['cancelar "Manguebeat'], pending: 'confirmation' }],
      ['não, esse não', { pending: null }],
    ]);
  });

  it('[DLG-93] says of another length of a pause that is on what can be done, and does that on a yes', async () => {
    await converse(hub, GABRIELA, [
      ['pausa minha assinatura por 60 dias', { pending: 'confirmation' }],
      ['Pausar meu plano', { says: ['está pausada'], pending: null }],
      ['na verdade quero só 30', { says: ['já está pausada', 'retomar'], pending: null }],
      ['sim', { says: ['reativar'], pending: 'confirmation' }],
      ['sim', { says: ['ativa de novo'], pending: null }],
      ['pausa por 60 dias', { pending: 'confirmation' }],
      ['não, deixa', { pending: null }],
      ['pausa por 10 dias', { pending: 'confirmation' }],
      ['sim', { says: ['está pausada'], pending: null }],
      ['putz, pensando bem desfaz isso, quero voltar já', { says: ['reativar'], pending: 'confirmation' }],
      ['sim', { says: ['ativa de novo'], pending: null }],
      ['pausa por 60 dias', { pending: 'confirmation' }],
      ['pausa não, cancela de vez', { says: ['cancelar sua assinatura'], pending: 'confirmation' }],
      ['não', { pending: null }],
    ]);
  });

  it('[DLG-93] offers no change of what is elsewhere than what is spoken of', async () => {
    await converse(hub, CARLA, [
      [
        'foi no Teatro Castro Alves, salvador, sábado. quero só um pedido de desculpa decente e o valor de volta',
        { saysNot: ['Posso cancelar'], pending: null },
      ],
    ]);
  });
});

describe('what is to be left', () => {
  it('[DLG-92] notes on the request that waits for a person that none is needed any more', async () => {
    const [asked] = await converse(hub, ANA, [
      ['I want to talk to a person about the step-free access', { escalated: 'customer_request' }],
      [
        "I found it in your help pages. Please cancel that question to the team, I don't need them.",
        { says: ['no longer need our team'], pending: null, escalated: null },
      ],
    ]);
    const notes = hub.query(
      'udahub',
      "SELECT content FROM ticket_messages WHERE ticket_id = ? AND role = 'system'",
      asked?.ticketId,
    );
    expect(notes.map(({ content }) => String(content)).join()).toContain('no longer need');
    await converse(hub, BRUNO, [
      ['quero falar com um atendente', { escalated: 'customer_request' }],
      [
        'não precisa mais do atendente não, já resolvi sozinho',
        { says: ['não precisa mais'], escalated: null },
      ],
    ]);
  });

  it.each(['então deixa pausado mesmo, não reativa', 'just leave my plan paused please'])(
    '[DLG-92] offers nothing where "%s"',
    async (text) => {
      await converse(hub, CARLA, [[text, { says: [/como está|as it is/], pending: null, escalated: null }]]);
    },
  );

  it('[DLG-90] answers what is asked beside a yes by what is open', async () => {
    await converse(hub, CARLA, [
      ['retoma minha assinatura', { pending: 'confirmation' }],
      [
        'Ah, então era isso! Pode retomar sim, por favor. E quanto vou pagar agora?',
        { says: ['Nada é cobrado'], pending: 'confirmation' },
      ],
      ['não, deixa', { pending: null }],
    ]);
  });

  it('[DLG-672] says once more what answers the same question, and asks the team for who still asks', async () => {
    await converse(hub, null, [
      ['how do I get the student discount?', { cites: 'kb-student-discount-en' }],
      [
        "that's not what I asked, how do I send the proof?",
        { says: ['once more', 'proof of enrolment'], escalated: null },
      ],
      ['I asked how do I send the proof', { escalated: 'low_confidence' }],
    ]);
    await converse(hub, null, [
      ['o que acontece se eu chegar atrasado?', { cites: 'kb-arrival-and-id-pt' }],
      [
        'perguntei o que acontece se eu chegar atrasado',
        { says: ['Digo mais uma vez', 'entrada com atraso'], escalated: null },
      ],
    ]);
  });
});
