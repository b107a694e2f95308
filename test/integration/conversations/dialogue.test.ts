import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

/** Says one thing after the other in one conversation. @returns the last reply */
async function talk(email: string | null, thread: string, ...lines: readonly string[]) {
  const replies = [];
  for (const line of lines) replies.push(await hub.say(email, line, thread));
  const last = replies.at(-1);
  if (!last) throw new Error('Nothing was said');
  return last;
}

describe('about what was just shown', () => {
  it('[DLG-01] answers what is asked about one of a list, by its number, and again about another', async () => {
    const where = await talk(ANA, 'thr_1', 'what do I have booked?', 'where exactly is the second one?');
    expect(where.reply).toContain('Pedra do Sal');
    expect(where.escalated).toBe(false);
    expect((await talk(ANA, 'thr_1', 'and the third?')).reply).toContain('Instituto Moreira Salles');
    const when = await talk(ANA, 'thr_1', 'what time again?');
    expect(when.reply).toContain('Clarice Lispector');
    expect(when.reply).toContain('19:30');
  });

  it('[DLG-01] does so in Portuguese, in words of its own', async () => {
    const where = await talk(
      BRUNO,
      'thr_2',
      'quais são as minhas próximas reservas?',
      'onde fica a primeira?',
    );
    expect(where.reply).toContain('Estação NET Botafogo');
    expect((await talk(BRUNO, 'thr_2', 'e quanto paguei pela segunda?')).reply).toContain('70,00');
    expect((await talk(BRUNO, 'thr_2', 'que horas mesmo?')).reply).toContain('Manguebeat');
  });

  it('[DLG-01] does so for what the programme has shown to whoever is not signed in', async () => {
    const where = await talk(null, 'thr_3', 'what concerts are on in São Paulo?', 'where is the first one?');
    expect(where.reply).toContain('Sala São Paulo');
    expect((await talk(null, 'thr_3', 'is it sold out?')).reply).toMatch(/\d+ places left/);
  });

  it('[DLG-01] asks which where several may be meant, and takes a number for an answer', async () => {
    const asked = await talk(BRUNO, 'thr_4', 'quais são as minhas próximas reservas?', 'qual é o endereço?');
    expect(asked.reply).toMatch(/1\. Film Club[\s\S]*2\. Manguebeat/);
    expect((await talk(BRUNO, 'thr_4', 'a segunda')).reply).toContain('Teatro do Parque');
  });

  it('[DLG-01] leaves general questions to the help centre, whatever was spoken of before', async () => {
    const plan = await talk(ANA, 'thr_5', 'what do I have booked?', 'how much does the premium plan cost?');
    expect(plan.agents).toContain('knowledge');
    const guest = await talk(ANA, 'thr_5', 'can I bring a friend to a concert?');
    expect(guest.route.every(({ by }) => by !== 'rule:R18')).toBe(true);
  });

  it('[DLG-01] knows no one else’s records, nor any where nobody is signed in', async () => {
    const { reply } = await talk(null, 'thr_6', 'where is my second booking?');
    expect(reply).not.toContain('Pedra do Sal');
  });
});

describe('about what was done', () => {
  it('[DLG-02] says that nothing was done, what was done, and that it worked', async () => {
    expect((await talk(BRUNO, 'thr_7', 'what did you just do?')).reply).toContain('not changed anything');
    await talk(BRUNO, 'thr_7', 'cancel Manguebeat Tribute Night', 'yes');
    expect((await talk(BRUNO, 'thr_7', 'did it work?')).reply).toMatch(/^Yes.*Manguebeat/s);
    expect((await talk(BRUNO, 'thr_7', 'what have you done so far?')).reply).toContain('Manguebeat');
    expect((await talk(BRUNO, 'thr_7', 'can you undo that?')).reply).toMatch(/cannot undo/);
  });

  it('[DLG-02] says it in Portuguese too', async () => {
    await talk('andre.vasconcelos@example.com', 'thr_80', 'cancela o Rock Gaúcho', 'sim');
    for (const asked of ['deu certo?', 'o que você acabou de fazer?']) {
      const { reply, escalated } = await talk('andre.vasconcelos@example.com', 'thr_80', asked);
      expect(reply).toMatch(/Rock Gaúcho.*cancelada/);
      expect(escalated).toBe(false);
    }
  });

  it('[DLG-02] says why: what a question is for, and where an answer comes from', async () => {
    const article = await talk(ANA, 'thr_8', 'how do I reset my password?', 'why?');
    expect(article.reply).toContain('password');
    const asked = await talk(ANA, 'thr_8', 'cancel the Elis musical', 'why?');
    expect(asked.reply).toMatch(/without your yes[\s\S]*Elis/);
    expect(asked.pending?.kind).toBe('confirmation');
  });

  it('[DLG-02] is there, with what waits, and repeats itself', async () => {
    const hello = await talk(ANA, 'thr_9', 'hello? is anyone there??');
    expect(hello.reply).toMatch(/I am here/);
    expect(hello.escalated).toBe(false);
    const first = await talk(ANA, 'thr_9', 'what do I have booked?');
    expect((await talk(ANA, 'thr_9', 'sorry, could you repeat that?')).reply).toBe(first.reply);
  });

  it('[DLG-02] tells what it knows of a customer, and what became of earlier requests', async () => {
    expect((await talk(ANA, 'thr_10', 'what do you know about me?')).reply).toContain(ANA);
    const person = await talk(
      ANA,
      'thr_10',
      'I want to speak to a person',
      'what is happening with my request?',
    );
    expect(person.reply).toMatch(/with our team/);
    expect(person.route.at(-1)?.by).toBe('rule:R18');
  });

  it('[DLG-02] passes on what its steps did not mend', async () => {
    const stuck = await talk(ANA, 'thr_11', 'how do I reset my password?', 'did all that. same.');
    expect(stuck.escalated).toBe(true);
  });
});

describe('while a confirmation is open', () => {
  it('[DLG-04] answers a question and keeps it open, until a yes in whatever words', async () => {
    const asked = await talk(ANA, 'thr_12', 'cancel candlelight', 'wait, how much did I pay for it?');
    expect(asked.reply).toMatch(/You paid R\$ 90\.00[\s\S]*Shall I go on with/);
    expect(asked.pending?.kind).toBe('confirmation');
    const yes = await talk(ANA, 'thr_12', 'Yes please. It is tonight, is anyone even there??');
    expect(yes.reply).toContain('I have asked our team');
  });
});

describe('before a yes or no', () => {
  it('[DLG-10] says the terms again where they are asked for, once, and keeps the question open', async () => {
    const asked = await talk(ANA, 'thr_81', 'cancel the samba night', 'hmm wait how much do i get back');
    expect(asked.reply.match(/R\$ 60\.00/g)).toHaveLength(1);
    expect(asked.pending?.kind).toBe('confirmation');
    await talk(ANA, 'thr_81', 'não');
  });

  it('[DLG-10] takes why it is wanted for no refusal', async () => {
    const { reply } = await talk(
      ANA,
      'thr_82',
      'cancel the elis musical',
      'como assim, não vou conseguir ir, quero cancelar',
    );
    expect(reply).not.toMatch(/não mudei nada/);
  });
});

describe('answers in words of one’s own', () => {
  it('[DLG-07] does what was agreed to, and nothing that was not', async () => {
    const done = await talk(BRUNO, 'thr_40', 'cancel City of God', 'yup, go ahead and bin that one');
    expect(done.reply).toMatch(/^Done.*City of God/s);
    const kept = await talk(
      ANA,
      'thr_41',
      'cancel the samba night',
      'on reflection I would sooner stay with it',
    );
    expect(kept.pending).toBeNull();
    expect(kept.reply).toContain('not changed anything');
  });

  it('[DLG-08] keeps the question open while the customer thinks, and says so', async () => {
    const asked = await talk(ANA, 'thr_42', 'cancel the samba night', 'give me a minute to think about that');
    expect(asked.reply).toMatch(/no hurry[\s\S]*Samba Night/);
    expect(asked.pending?.kind).toBe('confirmation');
    const later = await talk(ANA, 'thr_42', 'not sure yet, I have to ask my husband');
    expect(later.pending?.kind).toBe('confirmation');
  });

  it('[DLG-08] works on what is asked for beside the answer', async () => {
    const asked = 'cancela a leitura da Clarice';
    const both = await talk(ANA, 'thr_43', asked, 'não, deixa como tá. quanto custa o plano premium?');
    expect(both.reply).toMatch(/não mudei nada[\s\S]*119,90/);
    expect(both.pending).toBeNull();
  });
});

describe('which ones are meant', () => {
  const target = (reply: { pending: { args: unknown } | null }) => reply.pending?.args;

  it('[DLG-05] takes the last word of a correction, within a message and after it', async () => {
    const clarice = await hub.say(ANA, 'cancel the samba one then. wait no, the clarice one', 'thr_13');
    expect(clarice.pending?.question).toContain('Clarice');
    const shown = await talk(ANA, 'thr_14', 'quais são as minhas próximas reservas?', 'cancela a segunda');
    expect(target(shown)).toEqual({ reservation_id: 'res_002' });
    expect(target(await talk(ANA, 'thr_14', 'ops, terceira'))).toEqual({ reservation_id: 'res_003' });
  });

  it('[DLG-85] asks about what is meant at last, and not about what was taken back beside it', async () => {
    const clarice = await hub.say(
      ANA,
      'Cancela o Samba Night... não, espera, a leitura da Clarice',
      'thr_44',
    );
    expect(target(clarice)).toEqual({ reservation_id: 'res_003' });
    expect(clarice.reply).not.toContain('Samba');
    const samba = await hub.say(ANA, 'sim. não, peraí, essa não, é o samba', 'thr_44');
    expect(target(samba)).toEqual({ reservation_id: 'res_002' });
    const kept = await hub.say(ANA, 'não', 'thr_44');
    expect(kept.pending).toBeNull();
  });

  it('[DLG-85] asks about the number that is meant, and not the one that is found too high', async () => {
    const asked = await talk(ANA, 'thr_45', 'quero pausar por 45 dias', '45 é muito, põe 20');
    expect(target(asked)).toMatchObject({ days: 20 });
    await hub.say(ANA, 'não', 'thr_45');
  });

  it('[DLG-05] does one after the other where several are named, each with a yes of its own', async () => {
    const first = await hub.say('gabriela.nunes@example.com', 'what do I have booked?', 'thr_15');
    const titles = [...first.reply.matchAll(/^- ([^,\n]+),/gm)].map(([, title]) => title ?? '');
    expect(titles.length).toBeGreaterThan(1);
    const text = `cancel ${titles[0]} and also ${titles[1]}`;
    const asked = await hub.say('gabriela.nunes@example.com', text, 'thr_15');
    expect(asked.pending?.question).toContain(titles[0]);
    const next = await hub.say('gabriela.nunes@example.com', 'yes', 'thr_15');
    expect(next.reply).toContain(titles[1]);
  });

  it('[DLG-05] leaves out what is not meant', async () => {
    const all = await talk(
      'lucas.monteiro@example.com',
      'thr_16',
      'what do I have booked?',
      'cancel all but the first',
    );
    expect(all.pending?.question).toContain('Círio Traditions');
  });

  it('[DLG-05] cancels what is spoken of, and never the plan, where “it” is a booking', async () => {
    const it = await talk(
      'caio.nascimento@example.com',
      'thr_17',
      'what do I have booked?',
      'where is the second one?',
      'then please do cancel it for me',
    );
    expect(it.pending).toMatchObject({ tool: 'cancel_reservation' });
    expect(it.pending?.question).toContain('Clarice');
  });
});

describe('what customers go through', () => {
  it('[DLG-06] answers grief with sympathy and with what can be done, and does it after a yes', async () => {
    const line = 'my grandma passed away and the funeral is the same day as the samba night';
    const grief = await hub.say(ANA, line, 'thr_18');
    expect(grief.reply).toMatch(/sorry for your loss[\s\S]*Samba Night/);
    // Offered in words, or put to the gate at once: in either case it is this one, and nothing is done without a yes.
    const asked = grief.pending ?? (await hub.say(ANA, 'yes please', 'thr_18')).pending;
    expect(asked).toMatchObject({ kind: 'confirmation', args: { reservation_id: 'res_002' } });
  });

  it('[DLG-06] says so before an answer too, in Portuguese as well', async () => {
    const { reply } = await hub.say(
      BRUNO,
      'perdi meu emprego. como faço para pausar a assinatura?',
      'thr_19',
    );
    expect(reply).toMatch(/^Sinto muito pelo que você está passando/);
  });
});

describe('a long yes to an offer', () => {
  it('[DLG-04] is taken for one', async () => {
    const lines = [
      'has my refund for the one I cancelled been made?',
      'That would be lovely, thank you ever so much.',
    ];
    const asked = await talk('gabriela.nunes@example.com', 'thr_20', ...lines);
    expect(asked.pending?.tool).toBe('process_refund');
  });
});

describe('small talk', () => {
  it.each([
    ['This is wonderful, I love CultPass!', /lovely to hear/],
    ['you guys rock', /lovely to hear/],
    ['tell me a joke please', /entertainer/],
    ['is it going to rain tomorrow?', /weather/],
    ['amei o atendimento, vocês são demais!', /que bom ler isso/],
    ['me conta uma piada', /programa de atendimento/],
    ['oi, tudo bem?', /Tudo bem por aqui/],
  ])('[DLG-03] has a sentence of its own and is no matter for a person: %s', async (line, words) => {
    const reply = await hub.say(ANA, line, `thr_talk_${line.length}`);
    expect(reply.reply).toMatch(words);
    expect(reply.escalated).toBe(false);
  });
});

describe('what is only told from the conversation', () => {
  it('[DLG-09] says who answers, and what it can do, without troubling a person', async () => {
    const bot = await talk(null, 'thr_50', 'wait, am I chatting with a machine or a real human being?');
    expect(bot.reply).toMatch(/a program/);
    expect(bot.escalated).toBe(false);
    const can = await talk(null, 'thr_51', 'o que você consegue resolver pra mim por aqui?');
    expect(can.reply).toMatch(/assistente/);
  });

  it('[DLG-09] says where a request stands, and that haste was heard', async () => {
    const GABRIELA = 'gabriela.nunes@example.com';
    const asked = await talk(GABRIELA, 'thr_52', 'cancel the Tropicália concert', 'yes');
    expect(asked.pending?.kind, asked.reply).toBe('approval');
    const hurried = await talk(GABRIELA, 'thr_52', 'could they please hurry, it is really soon');
    expect(hurried.reply).toMatch(/sooner/);
    expect(hurried.escalated).toBe(false);
  });

  it('[DLG-10] looks up what makes sense only with what was just said, in what was said', async () => {
    const first = await talk(null, 'thr_53', 'how long does a refund take on a credit card?');
    expect(first.citations[0]?.articleId).toBe('kb-refund-times-en');
    const pix = await talk(null, 'thr_53', 'ok and what about pix');
    expect(pix.citations[0]?.articleId).toBe('kb-refund-times-en');
    expect(pix.reply).toMatch(/2 business days/);
  });

  it('[DLG-15] answers another question after an answer as if it were asked alone', async () => {
    for (const [thread, first, next, fee] of [
      ['thr_140', 'can I pay by pix?', 'and if I do not like it, is there a fee to leave?', 'with no fee'],
      ['thr_141', 'posso pagar com pix?', 'e se eu não gostar, tem multa pra sair?', 'sem multa'],
    ] as const) {
      const paid = await talk(null, thread, first);
      expect(paid.citations[0]?.articleId).toMatch(/^kb-payment-methods/);
      const left = await talk(null, thread, next);
      expect(left.citations[0]?.articleId).toMatch(/^kb-cancel-subscription/);
      expect(left.reply).toContain(fee);
    }
  });

  it('[DLG-15] sends no article after which was not asked, and never the same passage again', async () => {
    const bikes = await talk(null, 'thr_142', 'can I pay by pix?', 'and do you sell bicycles there?');
    expect(bikes.citations).toEqual([]);
    const pause = await talk(null, 'thr_146', 'how do I pause my plan?');
    const long = await talk(null, 'thr_146', 'for how long?');
    expect(long.reply).toContain('1 to 90 days');
    expect(long.reply).toMatch(/^[^.]*1 to 90 days/);
    expect(long.reply).not.toContain(pause.reply.split('\n')[0] ?? '');
  });

  it('[KNOW-13] says nothing twice in a row, in any language', async () => {
    for (const asked of ['can people cancel without a fee?', 'dá pra cancelar a assinatura sem multa?']) {
      const replies: string[] = [];
      for (let turn = 0; turn < 4; turn += 1)
        replies.push((await talk(null, `thr_147${asked.length}`, asked)).reply);
      for (const [at, reply] of replies.entries()) expect(reply).not.toBe(replies[at - 1]);
    }
  });

  it('[DLG-15] takes a question about payment for no question about the hub', async () => {
    for (const asked of ['quais são as formas de pagamento?', 'what payment methods do you take?']) {
      const { citations } = await talk(null, `thr_143${asked.length}`, asked);
      expect(citations[0]?.articleId).toMatch(/^kb-payment-methods/);
    }
  });

  it('[DLG-16] says who answers to whoever asks for the name', async () => {
    for (const asked of ['e como vc se chama?', 'tudo bem? e qual é o seu nome?'])
      expect((await talk(null, `thr_144${asked.length}`, asked)).reply).toMatch(/^Sou o assistente/);
    for (const asked of ["what's your name?", 'hi, how are you? and what is your name?'])
      expect((await talk(null, `thr_145${asked.length}`, asked)).reply).toMatch(/support assistant/);
    expect((await talk(null, 'thr_149', 'brigada viu, bjs')).reply).toMatch(/^De nada/);
  });

  it('[DLG-16] tells whoever only gives an address how to sign in', async () => {
    const english = await talk(null, 'thr_147', 'my email is ana.souza@example.com');
    expect(english.reply).toMatch(/does not sign you in[\s\S]*sign in with that address/);
    const portuguese = await talk(null, 'thr_148', 'posso pagar com pix?', 'meu email é ninguem@example.com');
    expect(portuguese.reply).toMatch(/não basta para entrar[\s\S]*login/);
    expect(portuguese.escalated).toBe(false);
  });

  it('[DLG-10] answers about the terms of what is asked, and keeps it open', async () => {
    const asked = await talk(ANA, 'thr_54', 'cancel the samba night', 'how long until the money is back?');
    expect(asked.pending?.kind).toBe('confirmation');
    expect(asked.escalated).toBe(false);
    expect(asked.reply).toMatch(/business days[\s\S]*Shall I go on with/);
  });
});

describe('what is on', () => {
  it('[DLG-14] takes city and day from the newest of what was said, and from beside the request', async () => {
    const bahia = await talk(
      null,
      'thr_on_1',
      'o que tem de bom em sp no próximo fim de semana?',
      'e o que tem em salvador essa semana?',
    );
    expect(bahia.reply).toMatch(/^Foi isto que encontrei em Salvador[^:]*:[\s\S]*A Bahia Songbook/);
    expect(bahia.reply).not.toContain('São Paulo');
    const beside = await talk(
      null,
      'thr_on_2',
      'então vai chover sábado em salvador? quero ver um show ao ar livre',
    );
    expect(beside.reply).toContain('A Bahia Songbook');
    expect(beside.reply).not.toContain('São Paulo');
  });

  it.each([
    ['vocês atendem Florianópolis?', 'kb-cities-pt'],
    ['what is on in Floripa?', 'kb-cities-en'],
  ])('[DLG-14] says where the company is where a city has nothing: "%s"', async (text, article) => {
    const said = await talk(null, `thr_${article}`, text);
    expect(said.citations[0]?.articleId).toBe(article);
    expect(said.reply).toContain('Recife');
  });

  it.each([
    ['tem algo de graça pra ir com criança?', /Sunday Concert for Families/, /Menores/],
    ['is there anything free to do with kids this weekend?', /Sunday Concert for Families/, /under 16/],
    ['o que tem de graça em sp no fim de semana?', /Pinacoteca/, /à parte/],
  ])('[DLG-14] finds what is free, and for whom, in the programme: "%s"', async (text, shown, not) => {
    const said = await talk(null, `thr_free_${text.length}`, text);
    expect(said.reply).toMatch(shown);
    expect(said.reply).not.toMatch(not);
  });

  it('[DLG-14] leaves the rule about children to the help centre', async () => {
    const said = await talk(null, 'thr_on_3', 'posso levar criança?');
    expect(said.citations[0]?.articleId).toBe('kb-minors-pt');
  });
});

describe('by price and by day', () => {
  it('[DLG-11] answers which was the cheapest and the dearest of what was shown', async () => {
    const gabi = 'gabriela.nunes@example.com';
    const records = await talk(ANA, 'thr_60', 'what do I have booked?', 'which of those cost me the most?');
    expect(records.reply).toMatch(/380\.00.*Elis/);
    const shown = await talk(
      gabi,
      'thr_61',
      'quais são as minhas próximas reservas?',
      'qual delas é a mais barata?',
    );
    expect(shown.reply).toMatch(/R\$/);
    expect(shown.escalated).toBe(false);
  });

  it('[DLG-11] changes the one that is meant', async () => {
    // Nothing of theirs waits for the team yet.
    const own = await openHub();
    try {
      const dearest = await own.say(ANA, 'cancel my most expensive booking');
      expect(dearest.pending?.question).toContain('Elis');
      const { threadId } = await own.say(ANA, 'quais são as minhas próximas reservas?');
      const last = await own.say(ANA, 'cancela a última delas', threadId);
      expect(last.pending?.question, last.reply).toBeDefined();
    } finally {
      await own.close();
    }
  });

  it('[DLG-08] answers the question beside a no about what was asked', async () => {
    const kept = await talk(
      ANA,
      'thr_65',
      'cancel the samba night',
      'no keep it! sorry. what day was it again?',
    );
    expect(kept.reply).toMatch(/not changed anything[\s\S]*Saturday 14 March/);
  });

  it('[DLG-12] takes a bare number for a correction of the number that was asked about', async () => {
    const asked = await talk(BRUNO, 'thr_64', 'pause my plan for 20 days', 'make it 45 instead');
    expect(asked.pending?.question).toContain('45 days');
    const again = await talk(BRUNO, 'thr_64', 'no, 60');
    expect(again.pending?.question).toContain('60 days');
    const more = await talk(BRUNO, 'thr_64', 'uns 75 dias');
    expect(more.pending?.question).toContain('75');
  });

  it('[DLG-12] corrects nothing where no number was asked about', async () => {
    const asked = await talk(ANA, 'thr_641', 'hello', 'cancel my booking res_002');
    expect(asked.pending?.question).toContain('Samba');
  });
});

describe('an angry customer', () => {
  it('[DLG-13] has the matter looked into, and a person takes over with what was found', async () => {
    const text =
      'You charged my card TWICE this month, you thieves!!! This is the third time I write, fix it NOW';
    const { reply, toolCalls, escalation } = await hub.say('felipe.araujo@example.com', text, 'thr_70');
    expect(toolCalls.map(({ tool }) => tool)).toContain('investigate');
    expect(escalation === null || escalation.found.length > 0).toBe(true);
    expect(reply).toMatch(/119\.90/);
  });
});
