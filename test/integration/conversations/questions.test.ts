import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TurnReply } from '../../../src/core/domain/turn.js';
import { type Hub, openHub } from '../../support/hub.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const ZELIA = 'zelia.moreira@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

/** Says one thing after the other in a conversation of its own. @returns all replies */
async function talk(email: string | null, ...lines: readonly string[]): Promise<readonly TurnReply[]> {
  const replies: TurnReply[] = [];
  for (const line of lines) replies.push(await hub.say(email, line, replies[0]?.threadId));
  return replies;
}

async function last(email: string | null, ...lines: readonly string[]): Promise<TurnReply> {
  const reply = (await talk(email, ...lines)).at(-1);
  if (!reply) throw new Error('Nothing was said');
  return reply;
}

const articleOf = ({ citations }: TurnReply): string => citations[0]?.articleId.slice(0, -3) ?? 'none';

describe('several matters of one message', () => {
  it('[DLG-84] says once that a part has no answer beside those that are answered, and troubles nobody', async () => {
    const beside = await last(BRUNO, 'show me my bookings, and do you sell popcorn at the cinema?');
    expect(beside.reply).toContain('City of God');
    expect(beside.reply).toMatch(/To your question "[^"]*popcorn at the cinema\?" I have no sure answer/);
    expect(beside.escalated).toBe(false);
    const open = await last(ANA, 'cancela o Samba Night, e vocês emprestam guarda-chuva na porta?');
    expect(open.pending?.tool).toBe('cancel_reservation');
    expect(open.reply).toMatch(
      /Para a sua pergunta "[^"]*guarda-chuva na porta\?" não tenho uma resposta segura/,
    );
  });

  it('[DLG-84] passes a message on as before of which nothing is answered', async () => {
    const none = await last(
      BRUNO,
      'do you sell popcorn at the cinema, and can I rent an umbrella at the door?',
    );
    expect(none.escalated).toBe(true);
    expect(none.reply).not.toContain('no sure answer');
  });

  it('[DLG-84] says what only the customer can do, with what follows from it', async () => {
    const change = await last(ANA, 'quero mudar para o Basic');
    expect(change.reply).toContain('Mudar de plano');
    expect(change.reply).toContain('mês seguinte');
  });
});

describe('two questions in one breath', () => {
  it.each([
    [
      BRUNO,
      'mano qts visita ainda tenho e se eu virar premium agr pago qto?',
      [/não tem mais visitas/, /119,90/],
    ],
    [
      null,
      'eae, sou estudante, qto fica o plano e da pra levar a mina junto?',
      [/41,93/, /passe de convidado/],
    ],
    [ANA, 'hey what is my next booking and can I bring my boyfriend to it', [/Candlelight/, /guest pass/]],
    [
      BRUNO,
      'quero saber quando sai minha próxima cobrança e onde baixo a nota fiscal',
      [/próxima cobrança/, /Nota fiscal/],
    ],
  ])('[DLG-84] are both answered: %s', async (who, said, expected) => {
    const { reply, escalated } = await last(who, said);
    for (const part of expected) expect(reply).toMatch(part);
    expect(escalated).toBe(false);
  });
});

describe('who introduces themselves first', () => {
  it.each([
    [
      BRUNO,
      'Bom dia. Sou a Lourdes, tenho 71 anos e não entendo muito dessas coisas. A senhora pode me dizer o que eu tenho marcado e quanto eu pago por mês?',
      'City of God',
      'O que é a CultPass',
    ],
    [
      ANA,
      "Hello, I'm Rose, 78 years old and hopeless with phones. Would you be so kind as to tell me what I have booked?",
      'Samba Night',
      'subscription for culture',
    ],
  ])(
    '[DLG-84] is answered what they ask, and not who the company is: %s',
    async (who, said, own, unasked) => {
      const { reply, escalated } = await last(who, said);
      expect(reply).toContain(own);
      expect(reply).not.toContain(unasked);
      expect(escalated).toBe(false);
    },
  );
});

describe('what goes on from an answer', () => {
  it.each([
    [
      'how does a gift card work?',
      'does she need a card? and when does it start?',
      [/register a card/, /redeemed/],
    ],
    [
      'como funciona o desconto de estudante?',
      'vale no premium? e precisa renovar todo ano?',
      [/não vale/, /uma vez por ano/],
    ],
    [
      'Minha filha é cadeirante. Eu pago entrada para acompanhá-la?',
      'Que bom. E preciso mandar algum laudo? Ela pode reservar pelo app?',
      [/documento que comprove/],
    ],
  ])('[DLG-84] is answered part by part: %s %s', async (first, second, expected) => {
    const { reply, escalated } = await last(null, first, second);
    for (const part of expected) expect(reply).toMatch(part);
    expect(escalated).toBe(false);
  });

  it.each([
    ['se eu virar premium agr pago qto?', 'e visita q sobra passa pro mes q vem?', 'kb-visit-quota'],
    ['como cancelo minha assinatura?', 'e em quais cidades vocês funcionam?', 'kb-cities'],
    ['se eu virar premium agr pago qto?', 'qto custa o premium então?', 'kb-plans-compare'],
  ])(
    '[KNOW-29] is another matter where another article says more of it: %s %s',
    async (first, second, article) => {
      expect(articleOf(await last(null, first, second))).toBe(article);
    },
  );
});

describe('a question about a relative', () => {
  it.each([
    [ANA, "Can I take my husband to the concert? He hasn't a subscription.", 'kb-guests-companions'],
    [BRUNO, 'minha irmã quer ir comigo e ela n tem assinatura, rola?', 'kb-guests-companions'],
    [null, 'posso levar meu marido no show? ele não tem conta', 'kb-guests-companions'],
    [
      ANA,
      'I should like to give that ticket to my sister who lives there. How do I do that?',
      'kb-transfer-reservation',
    ],
  ])('[KNOW-32] is answered as one about a friend: %s %s', async (who, said, article) => {
    const answer = await last(who, said);
    expect(articleOf(answer)).toBe(article);
    expect(answer.escalated).toBe(false);
  });
});

describe('an article that all but certainly answers, and a record that is only guessed at', () => {
  it.each([
    ["I'm in Salvador all of next week, can I use my subscription over there?", 'kb-cities'],
    ['im going to rio thursday, does my plan work there or only in sp', 'kb-cities'],
  ])('[DLG-86] "%s" is answered from the article', async (text, article) => {
    const reply = await last(ANA, text);
    expect(articleOf(reply)).toBe(article);
    expect(reply.pending).toBeNull();
  });

  it('[DLG-86] answers a part from the article beside one from the record', async () => {
    const both = await last(ANA, 'which booking of mine is next? And does my helper pay anything?');
    expect(both.reply).toContain('Candlelight');
    expect(articleOf(both)).toBe('kb-accessibility');
    expect(both.reply).not.toContain('latest payments');
  });

  it('[DLG-86] tells what to do about a fault that no procedure looks into, and asks nothing back', async () => {
    const white = await last('carla.mendes@example.com', 'o app fica todo branco e não abre');
    expect(articleOf(white)).toBe('kb-app-crashes');
  });

  it('[DLG-87] changes nothing of the account of who mourns somebody else, and calls a person', async () => {
    const mother = 'Minha tia faleceu em janeiro e segue vindo cobrança no cartão dela. Quero encerrar isso';
    const reply = await last('gabriela.nunes@example.com', mother);
    expect(reply.pending).toBeNull();
    expect(reply.escalated).toBe(true);
    expect(reply.reply).toContain('Sinto muito');
  });

  it('[DLG-88] answers what is asked beside a wish that is for a person, and passes the wish on', async () => {
    const reply = await last(
      'diego.ferreira@example.com',
      'delete everything you have on me. and how long do you keep my payment stuff?',
    );
    expect(reply.reply).toContain('5 years');
    expect(reply.escalated).toBe(true);
  });

  it('[DLG-74] offers the change that is ordered beside a question about it', async () => {
    const reply = await last(BRUNO, 'Cancela o filme City of God e me diz se a visita volta');
    expect(reply.pending?.tool).toBe('cancel_reservation');
    expect(reply.reply).toMatch(/visita/);
    await hub.say(BRUNO, 'não', reply.threadId);
  });
});

describe('what is asked in few words', () => {
  it.each([
    [ANA, 'pausa quanto tempo no maximo', 'kb-pause-subscription'],
    [BRUNO, 'max length of a pause?', 'kb-pause-subscription'],
    ['gabriela.nunes@example.com', 'can you send the refund to my other card', 'kb-refund-times'],
    [BRUNO, 'tem como mandar o estorno pra conta da minha esposa?', 'kb-refund-times'],
  ])('[DLG-86] %s: "%s" is asked of the articles, and not of the record', async (email, text, article) => {
    expect(articleOf(await last(email, text))).toBe(article);
  });

  it('[DLG-89] tells after a change whether it is confirmed in writing, and what was done', async () => {
    const beatriz = 'beatriz.fonseca@example.com';
    await hub.say(beatriz, 'quero pausar meu plano por 10 dias', 'thr_written');
    const done = await hub.say(beatriz, 'sim', 'thr_written');
    expect(done.toolCalls.some(({ ok }) => ok)).toBe(true);
    const asked = await hub.say(beatriz, 'perfeito, vou receber um email disso?', 'thr_written');
    expect(asked.reply).toContain('e-mail da sua conta');
    expect(asked.reply).toContain(done.reply);
    const general = await last(BRUNO, 'do you send a confirmation by email?');
    expect(articleOf(general)).toMatch(/^kb-/);
  });

  it('[DLG-90] tells of the change that waits what is asked about it beside a yes, and asks again', async () => {
    const asked = await last(ANA, 'cancel the Samba Night', 'yes please, but is it refundable?');
    expect(asked.reply).toContain('R$ 60.00 back the way you paid');
    expect(asked.pending?.tool).toBe('cancel_reservation');
    await hub.say(ANA, 'no', asked.threadId);
  });

  it('[DLG-91] takes a matter that follows the wish for a person for itself, and does not pass it on as not understood', async () => {
    const asked = await last(BRUNO, 'quero falar com um atendente', 'a senha não funciona');
    expect(articleOf(asked)).toMatch(/^kb-(?:reset-password|sign-in-problems)$/);
    expect(asked.escalated).toBe(false);
  });

  it('[DLG-74] goes on from one payment to the one before it', async () => {
    const before = await last(ANA, 'how much was my last payment?', 'and the one before that?');
    expect(before.reply).toContain('Samba Night');
  });

  it('[DLG-85] takes a number in words for the one that is wanted instead', async () => {
    const ten = await last(BRUNO, 'pause my plan for 3 weeks', 'make it ten days instead');
    expect(ten.reply).toContain('for 10 days');
    await hub.say(BRUNO, 'no', ten.threadId);
  });

  it('[KNOW-30] asks nothing back where few words are read for sure: "what is a review"', async () => {
    expect(articleOf(await last(ANA, 'hi', 'what is a review'))).toBe('kb-rate-experience');
  });
});

describe('who is not signed in', () => {
  it.each(["where's my refund", 'quantas visitas eu tenho'])(
    '[KNOW-25] "%s" has what holds for all told first, and then to sign in',
    async (text) => {
      const rule = await last(null, 'do you have student discounts', text);
      expect(articleOf(rule)).toMatch(/^kb-(?:refund-times|visit)/);
      expect(rule.reply).toMatch(/signed in|entrar na sua conta/);
    },
  );

  it('[KNOW-25] hears from an article what holds for all, and is told to sign in where only the account can tell', async () => {
    const rule = await last(null, 'onde eu baixo a nota fiscal do mês passado?');
    expect(articleOf(rule)).toBe('kb-invoices-receipts');
    expect(rule.reply).toContain('Depois que você entrar');
    expect(rule.escalated).toBe(false);
    const own = await last(null, 'what did I pay last month?');
    expect(own.citations).toEqual([]);
    expect(own.reply).toContain('signed in');
  });
});

describe('a calm question about what a person is called for', () => {
  it.each([
    [null, 'My mother is in a wheelchair. Does whoever pushes her pay anything?', 'kb-accessibility'],
    [ANA, 'minha irmã é cadeirante e eu vou junto para ajudar, eu pago entrada?', 'kb-accessibility'],
  ])('[KNOW-27] is answered from the article: "%s" "%s"', async (who, text, article) => {
    const reply = await last(who, text);
    expect(articleOf(reply)).toBe(article);
    expect(reply.escalated).toBe(false);
  });

  it.each([
    'The usher told my mother that her wheelchair spoils the view. Is that how you treat people?',
    'me barraram na porta por causa da minha cor, é assim que funciona?',
    'I will see you in court over this charge, is that clear?',
    'someone changed my e-mail without me, how do I get my account back?',
    'alguém entrou na minha conta, como troco a senha?',
  ])('[KNOW-27] goes to a person where somebody was wronged: "%s"', async (text) => {
    expect((await last(ANA, text)).escalated).toBe(true);
  });
});

describe('a question in a story', () => {
  it.each([
    [
      'I already have my ticket, I do not want another one. Can I show my passport at the door?',
      /^kb-(?:arrival-and-id|qr-code-entry)$/,
    ],
    [
      'right, so you are in Recife then, lovely. how much is it tho and can i do just one month',
      /^kb-(?:cities|plans-compare|billing-date)$/,
    ],
    [
      'We had the best night, I cried, my aunt would have adored it! anyway how do i leave a review?',
      /^kb-rate-experience$/,
    ],
    [
      'nossa que correria, peguei trânsito e quase desisti. perdi a visita por não ter ido ontem?',
      /^kb-no-show$/,
    ],
  ])('[KNOW-15] is looked up by itself where the whole is unclear: "%s"', async (text, article) => {
    const reply = await last(null, text);
    expect(articleOf(reply)).toMatch(article);
    expect(reply.escalated).toBe(false);
  });

  it('[KNOW-15] is none of the company where the story is not', async () => {
    for (const text of [
      'my online shop parcel never came and the courier is rude, who do I talk to about it?',
      'tem estacionamento no theatro municipal de sp? quanto custa',
    ])
      expect((await last(null, text)).citations).toEqual([]);
  });

  it('[KNOW-15] is answered with the first half where the second says nothing by itself', async () => {
    const { reply, classification } = await last(null, 'can I bring a friend to the concert? how much is it');
    expect(classification?.requests.at(-1)?.text).toContain('a friend to the concert? how much');
    expect(reply.match(/R\$ 45\.00/g)).toHaveLength(1);
  });
});

describe('what records are called', () => {
  it('[KNOW-16] is no part of what is asked about them', async () => {
    const cancel = await last(BRUNO, 'e a film club de terça, ainda posso cancelar?');
    expect(cancel.reply).toMatch(/Film Club.*sem custo até/s);
    expect(cancel.escalated).toBe(false);
    const friend = await last(
      ANA,
      'I would love to take my wife to Manguebeat with me, how does she get in?',
    );
    expect(articleOf(friend)).toBe('kb-guests-companions');
  });
});

describe('a question that goes on', () => {
  it('[KNOW-17] is looked up with the one before it where it says too little by itself', async () => {
    const bring = await last(
      ANA,
      'Is there such a thing as a guest ticket?',
      'And do we have to go in together?',
    );
    expect(articleOf(bring)).toBe('kb-guests-companions');
    expect(bring.reply).toMatch(/enters together/);
  });

  it('[KNOW-17] is not answered from the article before where that does not speak of it', async () => {
    const metro = await last(null, 'esse QR code abre que horas?', 'e o metrô mais perto?');
    expect(metro.citations).toEqual([]);
  });
});

describe('an order after what would come of it', () => {
  it('[DLG-98] is asked to be confirmed, in whatever words it comes', async () => {
    const asked = 'o que acontece com minhas reservas se eu cancelar a assinatura?';
    const order = await last(BRUNO, asked, 'Então cancele, somente a assinatura');
    expect(order.pending?.kind).toBe('confirmation');
    const doubt = await last(BRUNO, asked, 'eu queria cancelar, mas agora fiquei com medo de perder tudo');
    expect(doubt.pending).toBeNull();
  });
});

describe('a few words after an answer', () => {
  it('[KNOW-06] are not answered by a single word of a list', async () => {
    const { reply } = await last(null, 'vcs atendem em quais cidades?', 'cobre Goiânia?');
    expect(reply).toContain('Se a sua cidade não está na lista');
  });

  it.each([['What is CultPass?', 'which cities?', 'kb-cities']])(
    '[KNOW-29] are answered from their own article: "%s", "%s"',
    async (first, then, article) => {
      expect(articleOf(await last(null, first, then))).toBe(article);
    },
  );

  it.each([
    [null, 'how do i quit', 'kb-cancel-subscription'],
    [ANA, 'how do i quit', 'kb-cancel-subscription'],
    [ANA, 'want to give it to my dad for his birthday', 'kb-gift-cards'],
    [ANA, 'queria presentear minha mãe', 'kb-gift-cards'],
    [null, 'my review disappeared', 'kb-review-moderation'],
    [null, 'I subscribed yesterday and regret it', 'kb-right-of-withdrawal'],
    [ANA, "I can't find my QR code and the concert is tonight!!", 'kb-qr-code-not-loading'],
  ])('[KNOW-30] are no guess where an article is sure: %s "%s"', async (who, text, article) => {
    const reply = await last(who, text);
    expect(articleOf(reply)).toBe(article);
    expect(reply.pending).toBeNull();
  });
});

describe('a question that triage can only guess at', () => {
  it('[KNOW-18] is asked back about, and never becomes a change', async () => {
    const [, granddaughter] = await talk(
      ZELIA,
      'quais são as minhas reservas',
      'Agora sim! Sábado as quatro da tarde. Minha neta pode ir comigo? Ela não tem esse plano não',
    );
    expect(granddaughter?.pending).toBeNull();
  });

  it('[KNOW-18] goes by the sentence that asks', async () => {
    const { route, reply } = await last(
      ZELIA,
      'Cruz credo, que reembolso? Eu só quero saber minhas reservas, me fala todas por favor',
    );
    expect(route.map(({ to }) => to)).toContain('account');
    expect(reply).toContain('Choro Circle');
  });
});

describe('a question about what is on record', () => {
  const CARLA = 'carla.mendes@example.com';

  it('[KNOW-19] begins with yes or no where it asks whether a booking still stands', async () => {
    const still = await last(CARLA, 'does my booking for the candlelight modinhas still stand then');
    expect(still.reply).toMatch(/^Yes[\s\S]*Modinhas by Candlelight/);
    const todas = await last(CARLA, 'as reservas que eu já tenho continuam valendo ou cai tudo?');
    expect(todas.reply).toMatch(/^Sim[\s\S]*Modinhas by Candlelight/);
  });

  it('[KNOW-19] says the day alone where it asks until when', async () => {
    const { reply } = await last(CARLA, 'when does the pause end?');
    expect(reply).toMatch(/^Your subscription is paused until/);
    expect(reply).not.toContain('R$');
  });
});

describe('steps', () => {
  it.each([
    [
      'i forgot my password and cant get in can u help me',
      /^1\. On the sign-in screen[^\n]*\n2\. [^\n]*\n3\. /,
    ],
    ['how do I move up to premium?', /^1\. Go to Profile > Plan > Change plan/],
    ['esqueci minha senha e não consigo entrar, me ajuda', /^1\. [^\n]*\n2\. [^\n]*\n3\. /],
  ])('[KNOW-22] come first and whole where somebody is in trouble or asks how: "%s"', async (text, steps) => {
    expect((await last(null, text)).reply).toMatch(steps);
  });

  it('[KNOW-22] never stand alone among other sentences', async () => {
    const { reply } = await last(null, "hey, can my girlfriend come with me to a show? she's not a member");
    expect(reply).toContain('guest pass');
    expect(reply).not.toMatch(/^Choose the experience and the date/m);
  });
});

describe('what is only supposed not to be done', () => {
  it('[KNOW-18] offers no change', async () => {
    const { pending, reply } = await last(
      'lucas.monteiro@example.com',
      'e se eu n pagar ate semana q vem, perco minhas reservas?',
    );
    expect(pending).toBeNull();
    expect(reply).not.toContain('Quer que eu faça isso');
  });
});

describe('a price', () => {
  it('[KNOW-23] is that of the plan the customer has, where none is named', async () => {
    const [own, other] = await talk('carla.mendes@example.com', 'Valor mensal?', 'e o premium, quanto é?');
    expect(own?.reply).toMatch(/^O Basic custa/);
    expect(other?.reply).toMatch(/^O Premium custa/);
  });
});

describe('a question about what is on', () => {
  it('[KNOW-20] is answered of the one event that it names', async () => {
    const { reply } = await last('felipe.araujo@example.com', 'is the pinacoteca visit sat included');
    expect(reply).toContain('Pinacoteca Highlights');
    expect(reply).toContain('included in the plan');
    expect(reply).not.toMatch(/^- [^\n]*\n- /m);
  });

  it('[KNOW-20] is not every question after it that has the word free', async () => {
    const after = await last(ANA, 'what is on in São Paulo on sunday?', 'can i still cancel free');
    expect(articleOf(after)).toMatch(/cancel/);
  });
});

describe('a question after another one', () => {
  it('[KNOW-29] that says by itself what it is about is looked up alone, though it begins with "and"', async () => {
    const after = await last(
      ANA,
      'when is my next charge and how much?',
      'and can I bring my husband to the samba?',
    );
    expect(after.reply).toMatch(/one guest a month, to "Samba Night/);
    expect(after.reply).not.toMatch(/next charge/);
  });
});

describe('an order with its reason', () => {
  it.each([
    "hi, need to drop giselle, wife's out of town",
    "cancel giselle please, my husband can't make it",
    'preciso cancelar a giselle, minha esposa viajou',
  ])('[KNOW-20] is carried out, and not answered from the article on friends: "%s"', async (text) => {
    const { pending, reply } = await last('sergio.almeida@example.com', text);
    expect(pending?.tool, reply).toBe('cancel_reservation');
  });
});

describe('what goes to a person', () => {
  it('[KNOW-21] is no praise of people, however they are named', async () => {
    const praise = await last(
      'mariana.pires@example.com',
      'Oiii gente!! Mano do céu, amei o cordel, chorei horrores, o povo lá de Fortaleza é arretado demais! Me diz, onde eu deixo um elogio pra eles?',
    );
    expect(praise.escalation?.reason).not.toBe('legal');
  });

  it('[KNOW-21] is no business of another trade, of which no article is near', async () => {
    for (const text of ['quanto foi o jogo do flamengo ontem?', 'qnto ta o jogo do mengao agora?'])
      expect(await last(null, text)).toMatchObject({ escalated: false });
    expect(await last(null, 'Can I bring my dog to a museum?')).toMatchObject({ escalated: true });
  });

  it('[KNOW-21] is told once when it is answered, and not what was written before', async () => {
    const replies = await talk(
      ANA,
      'I want to talk to a person please',
      'and somebody should call me about the broken seat I had, get me a human',
    );
    const [first, again] = replies.map(({ reply }) => reply);
    expect(first).toMatch(/answer you here by/);
    expect(again).not.toMatch(/answer you here by|what you wrote before/);
    expect(replies.every(({ escalated }) => escalated)).toBe(true);
  });
});

describe('a fact of the article that was quoted last', () => {
  it.each([
    [null, 'can my sister come along?', 'and how much would that be', 'R$ 45.00'],
    [ANA, 'posso levar minha irmã comigo?', 'e quanto custa isso?', 'R$ 45,00'],
  ])('[KNOW-36] is told in its own words: %s "%s", "%s"', async (who, first, then, says) => {
    const reply = await last(who, first, then);
    expect(articleOf(reply)).toBe('kb-guests-companions');
    expect(reply.reply.replaceAll('\u00a0', ' ')).toContain(says);
  });

  it('[KNOW-36] is meant before the booking that was spoken of earlier, and not where that is named', async () => {
    const lines = ['when is my next booking?', 'can my sister come along to that?'];
    const article = await last(ANA, ...lines, 'and how much would that be?');
    expect(article.reply).toContain('R$ 45.00');
    const record = await last(ANA, ...lines, 'and the samba night, how much was that?');
    expect(record.reply).toMatch(/R\$\s60\.00.*Samba Night/);
  });

  it('[KNOW-13] is told again where a longer answer held it already', async () => {
    const visit = await last(
      null,
      'quando a casa cancela o show eu preciso pedir o reembolso ou é automático?',
      'e a visita, eu perco?',
    );
    expect(visit.reply).toMatch(/a visita volta/);
  });
});

describe('a change that is asked for in passing', () => {
  it('[DLG-98] is of what was spoken of last, whatever stands before it and whatever was turned down', async () => {
    const [, , first, , second, , third] = await talk(
      ANA,
      'what bookings do I have coming up?',
      'how much did the samba one cost me',
      'ok cancel that one',
      'no',
      'alright then cancel the second one',
      'no',
      'cancel that',
    );
    expect(first?.pending?.question).toContain('Samba Night');
    expect(second?.pending?.question).toContain('Samba Night');
    expect(third?.pending?.question).toContain('Samba Night');
    const other = await talk(
      ANA,
      'cancel Elis',
      'no',
      'how much is the samba?',
      'no, keep it',
      'cancel that one',
    );
    expect(other.at(-1)?.pending?.question).toContain('Samba Night');
  });
});

describe('a question which record is meant', () => {
  it.each([
    ['how much were they', 'the cheaper one', 'City of God'],
    ['quanto custaram elas?', 'a segunda', 'Manguebeat'],
    ['what do I have booked?', 'the second one', 'Manguebeat'],
  ])('[DLG-99] stays open while it is asked about them: "%s", "%s"', async (asks, picks, title) => {
    const [, shown, picked] = await talk(BRUNO, 'cancel my booking', asks, picks);
    expect(shown?.reply).toMatch(/City of God.*Manguebeat/s);
    expect(picked?.pending?.question).toContain(title);
  });

  it('[DLG-99] is not open any more where something else was done', async () => {
    const replies = await talk(
      BRUNO,
      'cancel my booking',
      'forget it',
      'what do I have booked?',
      'the second one',
    );
    expect(replies.at(-1)?.pending).toBeNull();
  });

  it('[DLG-99] is not asked where a booking was picked or named just before, whatever else was answered of it', async () => {
    const picked = await talk(
      ANA,
      'quais reservas eu tenho?',
      'a primeira, consigo desmarcar sem perder o dinheiro?',
      'pode desmarcar',
    );
    expect(picked.at(-1)?.pending?.question).toContain('Candlelight');
    const named = await last(ANA, 'onde fica Elis?', 'Então cancela a do samba e me diz quanto volta');
    expect(named.reply).not.toContain('Elis');
    expect(named.pending?.question).toContain('Samba Night');
  });

  it('[DLG-99] names no word of a reason as if it were a booking', async () => {
    const { reply } = await last(
      'felipe.araujo@example.com',
      'bought a ticket for my gf by mistake can i get refund',
    );
    expect(reply).not.toContain('mistake');
  });
});

describe('where somebody comes from', () => {
  it('[TALK-12] is told, and their question answered', async () => {
    const reply = await last(null, 'Olá. Eu sou estrangeiro, português pouco. O que é esse serviço?');
    expect(articleOf(reply)).toBe('kb-what-is-cultpass');
    const treated = await last(
      ANA,
      'They would not let me in because I am a foreigner. Is that your policy?',
    );
    expect(treated.escalated).toBe(true);
  });
});
