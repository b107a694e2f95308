import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestNumber } from '../../../src/core/domain/ticket.js';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const TATIANA = 'tatiana.ribeiro@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

/** When each booking that a text lists begins, in the order listed. */
function listedStarts(text: string): readonly string[] {
  const starts = new Map(
    hub
      .query('cultpass', 'SELECT title, starts_at FROM experiences')
      .map(({ title, starts_at }) => [String(title), String(starts_at)]),
  );
  return text.split('\n').flatMap((line) => {
    const title = [...starts.keys()].find((one) => line.includes(one));
    return title === undefined ? [] : [starts.get(title) ?? ''];
  });
}

describe('the list of bookings', () => {
  it('[TALK-02] holds all that is ahead, soonest first, and nothing that is over', async () => {
    for (const question of ['what do i have booked', 'quais são as minhas reservas?']) {
      const { reply } = await hub.say(TATIANA, question);
      const starts = listedStarts(reply);
      const [{ ahead } = {}] = hub.query(
        'cultpass',
        `SELECT count(*) AS ahead FROM reservations r JOIN experiences e USING (experience_id)
         JOIN users u USING (user_id) WHERE u.email = ? AND r.status = 'reserved' AND e.starts_at > ?`,
        TATIANA,
        hub.clock.now().toISOString(),
      );
      expect(starts.length, reply).toBe(ahead);
      expect(starts.length).toBeGreaterThan(2);
      expect([...starts].sort(), reply).toEqual(starts);
      expect(starts[0]?.localeCompare(hub.clock.now().toISOString()), reply).toBe(1);
    }
  });

  it('[TALK-02] shows what is over or cancelled where that was asked for', async () => {
    const { reply } = await hub.say(ANA, 'show me my past bookings too');
    const now = hub.clock.now().toISOString();
    expect(
      listedStarts(reply).some((start) => start < now),
      reply,
    ).toBe(true);
  });
});

describe('what a ticket is about', () => {
  const subjectOf = (ticketId: string) =>
    hub.query(
      'udahub',
      'SELECT issue_type, priority, summary FROM ticket_metadata WHERE ticket_id = ?',
      ticketId,
    )[0];

  it('[TALK-03] stays the request, whatever is said after it', async () => {
    const [first, ...rest] = await converse(hub, ANA, [
      ['How many visits do I have left this month?', { says: [/\d visits? left/] }],
      ['Thank you!', {}],
      ['bye', {}],
    ]);
    const subject = subjectOf(first?.ticketId ?? '');
    expect(rest.map(({ ticketId }) => ticketId)).toEqual([first?.ticketId, first?.ticketId]);
    expect(subject).toMatchObject({ issue_type: 'subscription', priority: 'medium' });
    expect(subject?.summary).toMatch(/visits/);
  });

  it('[TALK-03] is all that was asked, led by what presses most', async () => {
    const [first] = await converse(hub, 'gabriela.nunes@example.com', [
      ['oi, tudo bem?', {}],
      ['meu reembolso não chegou e já faz duas semanas', {}],
      ['vocês aceitam pix?', {}],
    ]);
    const subject = subjectOf(first?.ticketId ?? '');
    expect(subject).toMatchObject({ issue_type: 'refund', priority: 'high' });
    expect(subject?.summary).toMatch(/reembolso.*pix/);
    expect(subject?.summary).not.toMatch(/oi|tudo bem/);
  });
});

describe('while a ticket waits for an operator', () => {
  it('[TALK-04] questions, records and changes are answered as before, and only what nobody here can answer is added', async () => {
    const [first, , , added, again] = await converse(hub, ANA, [
      ['I want to talk to a human', { escalated: 'customer_request' }],
      ['how many visits do I have left?', { says: [/visits? left/], escalated: null }],
      ['cancel my samba booking', { pending: 'confirmation', escalated: null }],
      [
        'Can I bring my dog to a museum?',
        { says: ['no reliable answer'], saysNot: [/talk to a human/], escalated: 'low_confidence' },
      ],
      ['And may my parrot come in too?', { saysNot: [/Thank you/] }],
    ]);
    expect(added?.ticketId).toBe(first?.ticketId);
    expect(again?.reply).not.toBe(added?.reply);
  });

  it('[TALK-04] elogio, conversa fiada e assunto alheio têm a sua frase e não vão para a equipe', async () => {
    const replies = await converse(hub, ANA, [
      ['quero falar com uma pessoa', { escalated: 'customer_request' }],
      ['adorei o concerto, parabéns!', { says: ['Obrigado por contar'], escalated: null }],
      ['quem ganhou a copa do mundo de 94?', { says: ['foge do que eu sei'], escalated: null }],
      ['e me conta uma piada', { escalated: null }],
    ]);
    expect(new Set(replies.map(({ reply }) => reply)).size).toBe(replies.length);
    const queue = await hub.app.desk.queue({ owner: 'operator', limit: 10 });
    expect(queue.map(({ ticket }) => ticket.ticketId)).toEqual([replies[0]?.ticketId]);
  });
});

describe('where a request stands', () => {
  it('[TALK-04] is told in whatever words it is asked, with what waits and until when', async () => {
    await converse(hub, ANA, [
      ['Can I bring my dog to a museum?', { escalated: 'low_confidence' }],
      ['and when do they answer?', { says: ['dog', 'March'], escalated: null }],
      ['so where are we with that', { says: ['dog'], escalated: null }],
    ]);
    await converse(hub, 'bruno.lima@example.com', [
      ['Posso levar meu cachorro ao museu?', { escalated: 'low_confidence' }],
      ['e em que pé está isso?', { says: ['cachorro', 'março'], escalated: null }],
    ]);
  });
});

describe('a word of thanks, a yes or a no', () => {
  it('[TALK-05] with a request beside it is the request', async () => {
    await converse(hub, ANA, [
      ['Thank you so much! How many visits do I have left?', { says: [/visits? left/] }],
      ['thank you. will i get the visit back too if i cancel', { saysNot: ['You are welcome'] }],
      ['obrigada! e cancela a do samba, por favor', { says: ['Samba'], pending: 'confirmation' }],
    ]);
  });

  it('[TALK-05] by itself says that nothing waits, and asks what to do', async () => {
    await converse(hub, ANA, [
      ['yes, go ahead', { says: ['Nothing is waiting for your answer'], escalated: null }],
    ]);
  });
});

describe('praise and farewells', () => {
  it('[TALK-04] are thanked for, however they are mixed, and go to nobody', async () => {
    await converse(hub, ANA, [
      ['obrigada, foi tudo ótimo, até a próxima!', { escalated: null, says: ['Obrigado'] }],
      ['amei tudo, vocês são top', { escalated: null, saysNot: ['equipe responde'] }],
      ['great, love it', { escalated: null, saysNot: ['not sure'] }],
    ]);
  });
});

describe('danger to people', () => {
  const priorityOf = (ticketId = '') =>
    hub.query('udahub', 'SELECT priority FROM ticket_metadata WHERE ticket_id = ?', ticketId)[0]?.priority;

  it.each([
    'a man grabbed me at the concert and would not let go',
    'someone grabbed me at the concert, where do I report it?',
    'someone grabbed me at the concert last night, where do I report it?',
    'o segurança agrediu meu filho na saída do teatro',
  ])('[TALK-06] %s goes to a person at once, with whom to call first', async (said) => {
    const [reply] = await converse(hub, ANA, [
      [said, { says: ['190', '192'], saysNot: ['CVV'], escalated: 'requires_human' }],
    ]);
    expect(priorityOf(reply?.ticketId)).toBe('urgent');
  });

  it.each([
    ["I don't want to live anymore", 'so sorry'],
    ['i want to end it all', 'so sorry'],
    ['cancel my plan please, I want to kill myself', 'so sorry'],
    ['me ajuda, só penso em me matar', 'Sinto muito'],
    ['não quero mais viver, cancela tudo', 'Sinto muito'],
    ['quero morrer. como cancelo minha reserva?', 'Sinto muito'],
    ['I want to die - cancel my plan', 'so sorry'],
  ])('[TALK-10] %s is met with kindness, the help line of the country and a person', async (said, word) => {
    const [reply] = await converse(hub, ANA, [
      [said, { says: [word, 'CVV', '188'], pending: null, escalated: 'requires_human' }],
    ]);
    expect(priorityOf(reply?.ticketId)).toBe('urgent');
  });

  it('[TALK-10] is heard of a visitor too, before anything is looked up', async () => {
    await converse(hub, null, [
      ['não quero mais viver, cancela tudo', { says: ['188'], escalated: 'requires_human' }],
    ]);
  });

  it('[TALK-10] is heard while a yes is awaited, and is no answer to that', async () => {
    const before = hub.dump('cultpass');
    await converse(hub, ANA, [
      ['cancel my samba booking', { pending: 'confirmation' }],
      ["yes whatever, I won't be there, I want to die", { says: ['188'], escalated: 'requires_human' }],
    ]);
    expect(hub.dump('cultpass')).toEqual(before);
  });

  it('[TALK-10] is heard again after a person has handed the conversation back', async () => {
    const [first] = await converse(hub, ANA, [
      ['a man grabbed me at the concert and would not let go', { escalated: 'requires_human' }],
    ]);
    const operator = { operatorId: 'op_olga', name: 'Olga' };
    await hub.app.desk.claim(first?.ticketId ?? '', operator);
    await hub.app.desk.returnToHub(first?.ticketId ?? '', operator);
    const again = await hub.say(ANA, 'I do not want to live anymore', first?.threadId);
    expect(again.reply).toContain('188');
    expect(again.escalation?.reason).toBe('requires_human');
  });

  it('[TALK-06] is not what only delays a show, explains a cancellation, or is said in joy', async () => {
    await converse(hub, ANA, [
      ['I hurt my ankle, please cancel my samba booking', { pending: 'confirmation' }],
      ['no', {}],
      ['the samba night was pushed back, when is it?', { saysNot: ['192'] }],
      ['I wanted to die laughing at that comedian', { saysNot: ['188'], escalated: null }],
      ['cheguei atrasada no show, quero morrer, que vergonha', { saysNot: ['188'] }],
    ]);
  });

  it.each(['someone changed my e-mail without me, how do I get my account back?'])(
    '[NLU-02] %s is for a person, however calmly it is asked',
    async (said) => {
      const { escalation } = await hub.say(ANA, said);
      expect(['legal', 'requires_human']).toContain(escalation?.reason);
    },
  );
});

describe('what customers go through', () => {
  it('[TALK-09] is answered with a word of its own, once, and what was asked is done', async () => {
    const [asked, done] = await converse(hub, ANA, [
      [
        'my grandmother passed away and the funeral is that day, please cancel the samba night',
        { says: [/^I am very sorry for your loss/, 'Samba'], pending: 'confirmation' },
      ],
      ['yes', { says: [/^Done/], saysNot: ['sorry for your loss'] }],
      ['how many visits do I have left?', { saysNot: ['sorry for your loss'] }],
    ]);
    expect(asked?.reply.match(/sorry/g)).toHaveLength(1);
    expect(done?.escalated).toBe(false);
  });

  it('[TALK-09] is said to who was treated as less than others, before they are told who looks at it', async () => {
    const said = [
      [ANA, 'the staff at the door insulted me because I am black', /very sorry/],
      [null, 'o segurança me barrou por eu ser preto, riu da minha cara', /Sinto muito/],
    ] as const;
    for (const [who, text, sorry] of said)
      await converse(hub, who, [[text, { says: [sorry], escalated: 'legal' }]]);
  });

  it('[TALK-09] names what it is: a lost job is no death', async () => {
    await converse(hub, ANA, [
      [
        'I lost my job and I do not know how to go on with this',
        { says: ['what you are going through'], saysNot: ['loss'] },
      ],
    ]);
  });

  it('[TALK-09] sem pedido nenhum recebe uma oferta, e não uma lista nem um palpite', async () => {
    await converse(hub, ANA, [
      [
        'minha mãe faleceu ontem, estou sem chão',
        { says: [/meus sentimentos|sinto muito/i], saysNot: ['Samba'], escalated: null },
      ],
    ]);
  });
});

describe('memory', () => {
  it('[TALK-07] keeps what came of a request, greets without quoting it, and one line a ticket', async () => {
    const said = await converse(hub, ANA, [
      ['how many visits do I have left?', {}],
      ['cancel my clarice reading', { pending: 'confirmation' }],
      ['yes', { says: ['Done'] }],
      ['do you take pix?', {}],
    ]);
    const rows = hub.query(
      'udahub',
      "SELECT resolution_type, summary FROM ticket_resolutions WHERE customer_id = 'usr_001' ORDER BY seq",
    );
    expect(rows.find(({ resolution_type }) => resolution_type === 'action_completed')?.summary).toMatch(
      /^Done: "Clarice Lispector/,
    );
    expect(rows.map(({ summary }) => summary)).not.toContain('do you take pix?');
    const [greeted] = await converse(hub, ANA, [['hello', { says: [/^Hello again, Ana!/] }]]);
    for (const { reply } of said) expect(greeted?.reply).not.toContain(reply);
    expect(greeted?.reply).not.toMatch(/visits|pix|clarice/i);
  });

  it('[TALK-08] keeps any preference that is stated, and tells it to whoever takes the ticket', async () => {
    const noted = await converse(hub, ANA, [
      ['I prefer to be contacted by whatsapp', { says: ['our team contacts you by WhatsApp'] }],
      ['I want to talk to a human', { escalated: 'customer_request' }],
    ]);
    expect(noted.at(-1)?.escalation?.found.join()).toContain('contact method: whatsapp');
  });
});

describe('sad news', () => {
  it('[DLG-196] is not heard of a phone or a battery that died', async () => {
    await converse(hub, ANA, [['my phone just died at the door, how do I get in?', { saysNot: ['loss'] }]]);
    await converse(hub, ANA, [['meu celular morreu e estou na entrada do museu', { saysNot: ['perda'] }]]);
  });
});

describe('a question that only sounds like another', () => {
  it('[DLG-197] is answered from its article: about a copy of the data, the name beside a review, a full session', async () => {
    const copy = { says: ['Perfil > Privacidade'], escalated: null };
    await converse(hub, ANA, [['como consigo uma cópia dos meus dados?', copy]]);
    const name = { says: ['nunca o nome completo'], escalated: null };
    await converse(hub, ANA, [['minha avaliação aparece com meu nome completo?', name]]);
    const full = { says: ['waiting list'], saysNot: ['what you have booked'] };
    await converse(hub, ANA, [['the show I want is sold out, any way to still get in?', full]]);
  });
});

describe('somebody who would come along on a day that is named', () => {
  it('[DLG-195] may or may not by the plan, and a child is left to its article', async () => {
    const may = { says: [/^Yes: .*one guest a month/], escalated: null };
    await converse(hub, ANA, [['can I bring my girlfriend along to the museum on Saturday?', may]]);
    await converse(hub, ANA, [['posso levar minha mãe comigo na exposição amanhã?', { says: [/^Sim: /] }]]);
    const mayNot = { says: [/^No: with your Basic plan/], escalated: null };
    await converse(hub, 'bruno.lima@example.com', [
      ['can I bring my girlfriend to the museum tomorrow?', mayNot],
      ['can I bring my 8 year old son tomorrow?', { saysNot: ['Basic plan'] }],
    ]);
  });
});

describe('a complaint about an evening', () => {
  it.each([
    ['mariana.pires@example.com', 'the usher was so rude to me, I want to complain', true],
    [
      'gabriela.nunes@example.com',
      'o segurança foi mal educado comigo no Late Jazz Session, quero reclamar',
      false,
    ],
  ])('[DLG-186] has its number told: %s', async (who, text, asks) => {
    const { reply, escalation, ticketId } = await hub.say(who, text, `complaint_${who}`);
    expect(escalation?.reason).toBe('customer_request');
    expect(reply).toContain(requestNumber(ticketId));
    expect(/when and where|quando e onde/.test(reply)).toBe(asks);
  });
});

describe('what an article wants told in the chat', () => {
  it.each([
    [
      'tatiana.ribeiro@example.com',
      'perdi o acesso ao meu email antigo, como troco?',
      /avise aqui no chat/,
      'é o que estou fazendo',
    ],
    [
      'ana.souza@example.com',
      'change my email, i lost access to the old one',
      /tell us here in the chat/,
      'i just told you!!',
    ],
  ])('[DLG-198] is for the team where it has just been told: %s', async (who, text, invites, again) => {
    expect((await hub.say(who, text, `told_${who}`)).reply).toMatch(invites);
    const { reply, escalation } = await hub.say(who, again, `told_${who}`);
    expect(escalation?.reason).toBe('customer_request');
    expect(reply).not.toMatch(invites);
    expect(reply).not.toMatch(/when and where|quando e onde/);
  });

  it('[DLG-198] is nothing where it was not asked for', async () => {
    await hub.say('ana.souza@example.com', 'How long does a refund take?', 'not_asked');
    const { escalated } = await hub.say('ana.souza@example.com', "that's what I'm asking", 'not_asked');
    expect(escalated).toBe(false);
  });
});

describe('what was left behind, and what is told after', () => {
  it('[DLG-259] is no question about a booking', async () => {
    const text = 'I lost my umbrella at a museum, who do I talk to?';
    const { citations } = await hub.say('ubirajara.costa@example.com', text, 'lost_umbrella');
    expect(citations[0]?.articleId).toMatch(/^kb-lost-property/);
  });

  it('[DLG-260] goes to the team where the article wanted to be told, and what follows goes with it', async () => {
    const say = (text: string) => hub.say('vanessa.oliveira@example.com', text, 'lost_coat');
    expect((await say('esqueci meu casaco no teatro')).citations[0]?.articleId).toMatch(/^kb-lost-property/);
    expect((await say('é um casaco azul, tamanho M')).escalated).toBe(true);
    expect((await say('foi na quinta, no Municipal')).reply).toMatch(/Juntei isto/);
  });

  it('[DLG-260] is added to a complaint, however near it is to an article', async () => {
    const say = (text: string) => hub.say('andre.vasconcelos@example.com', text, 'rude_guide');
    await say('I want to complain, the guide was rude to my mother the whole time');
    const { reply } = await say(
      'It was the Liberdade walk in São Paulo. A fair solution would be my visit back.',
    );
    expect(reply).toMatch(/added this to your request/);
  });
});

describe('who needs no person any more', () => {
  it.each(["I don't need a person, it's fine. thanks", 'i dont need a person lol'])(
    '[DLG-262] has that noted, whatever is said beside it: %s',
    async (text) => {
      await hub.say('sergio.almeida@example.com', 'I want to talk to a person', `off_${text.length}`);
      const { reply } = await hub.say('sergio.almeida@example.com', text, `off_${text.length}`);
      expect(reply).toMatch(/no longer need our team/);
      expect(reply).not.toMatch(/still with a person|like to talk to one/);
    },
  );
});

describe('a farewell', () => {
  it.each([
    ['how many visits left?', "that's all, thank you, goodbye"],
    ['how many visits left?', 'great thanks, have a lovely evening!'],
    ['quantas visitas tenho?', 'obrigado, boa noite!'],
    ['quantas visitas tenho?', 'era só isso, tchau'],
  ])('[DLG-187] is answered as one: %s / %s', async (asked, bye) => {
    await hub.say('bruno.lima@example.com', asked, `bye_${bye}`);
    const { reply } = await hub.say('bruno.lima@example.com', bye, `bye_${bye}`);
    expect(reply).toMatch(/^(?:Thank you for writing|Obrigado pelo contato)/);
  });
});
