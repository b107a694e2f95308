import { describe, expect, it } from 'vitest';
import { createNlu, createNluClassifier } from '../../../src/nlu/index.js';
import { createPreferredReader } from '../../../src/nlu/preferred.js';
import { CULTPASS_NLU } from '../../support/company.js';

const nlu = await createNlu(CULTPASS_NLU);

describe('what decides the route: policy, action or state', () => {
  it.each([
    ['how do I cancel a reservation?', 'knowledge'],
    ['what are your rules for calling a booking off', 'knowledge'],
    ['please cancel my reservation for the ballet', 'action'],
    ['I need you to cancel order 55120', 'action'],
    ['was my reservation for the ballet cancelled?', 'account'],
    ['did the cancellation of my ticket go through', 'account'],
    ['como cancelo uma reserva?', 'knowledge'],
    ['cancela minha reserva do balé por favor', 'action'],
    ['minha reserva do balé foi cancelada?', 'account'],
    ['how long do refunds take?', 'knowledge'],
    ['I want a refund for the ballet', 'action'],
    ['has my refund been sent?', 'account'],
    ['em quanto tempo cai um reembolso?', 'knowledge'],
    ['quero o reembolso do balé', 'action'],
    ['meu reembolso já foi enviado?', 'account'],
    ['the page crashes when I open my ticket', 'investigation'],
    ['não me deixaram entrar no balé ontem', 'investigation'],
    ['me passa para uma pessoa de verdade', 'escalation'],
  ])('%s: %s', (text, route) => {
    expect(nlu.triage(text).route).toBe(route);
  });
});

describe('how a message is said', () => {
  it.each([
    'Fui cobrado duas vezes',
    'I waited at the door and nobody let me in',
    'I want my money back now',
    'My payment failed',
    'Quero cancelar minha reserva do balé',
  ])('[SHF-208] reads in capitals the mood of the same words in small letters: %s', (text) => {
    const { sentiment, humanReason } = nlu.triage(text);
    expect(nlu.triage(text.toUpperCase())).toMatchObject({ sentiment, humanReason });
    expect(sentiment).not.toBe('frustrated');
  });

  it('[SHF-208] hears the louder for capitals what is angry without them', () => {
    for (const text of [
      'THIS IS THE THIRD TIME I WRITE AND NOBODY ANSWERS',
      'GIVE ME MY MONEY BACK!!!',
      'VOCÊS SÃO UNS LADRÕES',
    ])
      expect(nlu.triage(text).sentiment, text).toBe('frustrated');
  });

  it.each([
    ['We waited at the court entrance for an hour and nobody came', false],
    ['The tennis court was closed and nobody told us', false],
    ['O processo está horrível, não consigo reservar', false],
    ['o evento não foi nada legal, quero meu dinheiro', false],
    ['You billed me after I quit, see you in court', true],
    ['se não devolverem meu dinheiro vou na justiça', true],
  ])(
    '[SHF-209] takes words of the law for a legal matter only where the message is about one: %s',
    (text, isLegal) => {
      expect(nlu.triage(text).humanReason === 'legal').toBe(isLegal);
    },
  );
});

describe('two changes of which one is preferred', () => {
  it.each([
    ['cancel my ballet booking, and if that is not possible pause my plan', 'cancel_reservation'],
    ['please pause my subscription. if you can’t, cancel it', 'pause_subscription'],
    ['cancela minha reserva do balé, se não der pausa meu plano', 'cancel_reservation'],
    ['refund the ballet, and if not I am taking you to court', 'legal_threat'],
  ])('[DLG-73] %s: %s', (text, intent) => {
    expect(nlu.triage(text).intent.intent).toBe(intent);
  });

  it('[DLG-73] is read by the words of each language of the company', () => {
    const reader = createPreferredReader(['en', 'es']);
    const every = () => true;
    expect(reader('Cancela el alquiler, y si no se puede, cámbialo al lunes', every)).toBe(
      'Cancela el alquiler',
    );
    expect(reader('cancel it. If that isn’t possible, then move it', every)).toBe('cancel it');
    expect(reader('cancela minha reserva, se não der pausa meu plano', every)).toMatch(/plano$/);
  });
});

describe('sentiment', () => {
  it.each([
    ['This is the fourth time I complain and nobody answers. Ridiculous!', 'frustrated'],
    ['Vocês são uns incompetentes, que palhaçada é essa??? Ninguém resolve nada!', 'frustrated'],
    ['JÁ FALEI MIL VEZES, ISSO É UM ABSURDO!!!', 'frustrated'],
    ['Estou furioso, já pedi três vezes e nada, que descaso!', 'frustrated'],
    ['my payment was refused again', 'negative'],
    ['meu ingresso não abre no celular', 'negative'],
    ['which museums open on Monday?', 'neutral'],
    ['quais museus abrem na segunda?', 'neutral'],
    ['what a lovely evening, thank you all so much', 'positive'],
    ['adorei o passeio, parabéns!', 'positive'],
  ])('%s: %s', (text, sentiment) => {
    expect(nlu.triage(text).sentiment).toBe(sentiment);
  });
});

describe('priority and people', () => {
  it.each([
    ["I'm at the gate and my code is refused, the show starts in 15 minutes", 'urgent', null],
    ['estou na porta do teatro e não me deixam entrar, começa em 10 minutos', 'urgent', null],
    ['someone hacked my account and bought tickets', 'urgent', 'requires_human'],
    ['invadiram minha conta e trocaram meu email', 'urgent', 'requires_human'],
    ['you charged my card twice this month', 'high', null],
    ['cobraram minha mensalidade duas vezes', 'high', null],
    ['please cancel my booking of next week', 'medium', null],
    ['what time does the exhibition open?', 'low', null],
    ['tenho uma sugestão: mais peças infantis', 'low', null],
    ['my lawyer will sue you for this', 'high', 'legal'],
    ['vou acionar o Procon e meu advogado', 'high', 'legal'],
    ['the doorman was racist to my sister', 'high', 'legal'],
    ['delete all the personal data you hold about me under the LGPD', 'high', 'legal'],
    ['let me talk to a human agent please', 'medium', 'customer_request'],
    ['quero falar com um atendente humano', 'medium', 'customer_request'],
    [
      'FIX THIS NOW!!! You charged me AGAIN, you thieves, this is the third time I write!',
      'high',
      'sentiment_priority',
    ],
  ])('%s: %s, %s', (text, priority, reason) => {
    const guess = nlu.triage(text);
    expect(guess.priority).toBe(priority);
    expect(guess.humanReason).toBe(reason);
    expect(guess.requiresHuman).toBe(reason !== null);
    if (reason !== null) expect(guess.route).toBe('escalation');
  });

  it.each([
    ['is a real person answering me', null],
    ['é uma pessoa real que responde?', null],
    ['how many bones does a human have', null],
    ['I want a human, not a robot', 'customer_request'],
    ['are you a robot? get me a human agent', 'customer_request'],
    ['isso é um robô? quero falar com uma pessoa', 'customer_request'],
  ])('[NLU-02] words for people: %s', (text, reason) => {
    expect(nlu.triage(text).humanReason).toBe(reason);
  });

  it('what is no support matter is out of scope or uncertain', () => {
    for (const text of [
      'zxcv qwpo',
      'what is the square root of seven',
      'receita de bolo de cenoura',
      '?????',
      '',
    ]) {
      const { intent } = nlu.triage(text);
      expect(intent.intent === 'out_of_scope' || intent.confidence < 0.5, text).toBe(true);
    }
  });
});

describe('who comes along, and who is in danger', () => {
  it.each([
    'theres no adult, its just us two lol',
    'no grown ups, just me and my cousin',
    'its me and my 6 year old, nobody else',
    "they're 8 and 17, no adult",
    'he is 12 and would be on his own',
    'can i bring someone',
    'can somebody come with me',
    'what age can kids go alone?',
    'tenho uma de 8 e um de 17',
    'só eu e minha amiga, sem adulto, a gente tem 15',
    'eu tenho 14, meu irmão 16, mais ninguém',
    'ninguém maior de idade vai com a gente',
    'sem responsável, só nós dois',
    'dá pra ir com mais alguém?',
    'meu filho de 9 vai sozinho, pode?',
    'Sou cadeirante e preciso levar meu irmão para me ajudar, ele paga?',
    'minha filha é autista e eu vou junto, eu pago?',
    "I'm in a wheelchair and my brother has to come to help me, does he pay?",
    'my mum is blind, does her carer need a ticket?',
  ])('[RCD-07] asks who may come: %s', (text) => {
    const { route, requiresHuman, intent } = nlu.triage(text);
    expect({ route, requiresHuman }).toEqual({ route: 'knowledge', requiresHuman: false });
    expect(intent.ranked.map((one) => one.intent)).not.toContain('safety_incident');
  });

  it.each([
    'my kid is lost',
    'my grandson is 4 and we cannot find him anywhere',
    'we are two kids and we are locked in',
    'there is a kid by himself here, can someone come',
    'a child is here alone crying',
    'minha filha está sozinha lá dentro e não me deixam entrar',
    'my kids are alone in there and the doors are locked',
    "my wife can't breathe",
    'im 15 and a man there touched me',
    'my kid got hurt on the stairs',
    'nao quero mais viver',
    'meu filho sumiu no museu',
    'tem uma criança sozinha aqui na porta',
    'a gente ficou trancado aqui, somos só nós dois, sem adulto',
    'minha esposa não consegue respirar',
    'tenho 15 e um cara tá seguindo a gente',
    'o guia deixou meu filho de 8 anos sozinho na rua',
  ])('[RCD-07] is in danger: %s', (text) => {
    expect(nlu.triage(text)).toMatchObject({ requiresHuman: true, intent: { intent: 'safety_incident' } });
  });

  it.each([
    'sou cadeirante e não me deixaram entrar com meu irmão',
    'meu filho é autista e o moço falou que ele não podia entrar',
    'me disseram que cego não entra sozinho',
    "I'm in a wheelchair and they did not let my brother in",
    'the guard said that deaf people cannot come in',
    'they told me nobody in a wheelchair gets in',
  ])('[RCD-07] was turned away for a disability: %s', (text) => {
    expect(nlu.triage(text)).toMatchObject({ requiresHuman: true, intent: { intent: 'discrimination' } });
  });

  it.each(['i want a person', 'can i have somebody please', 'quero uma pessoa', 'im 70 and i need a person'])(
    '[RCD-07] wants a person: %s',
    (text) => expect(nlu.triage(text).humanReason).toBe('customer_request'),
  );
});

describe('who asks for a person', () => {
  it.each([
    [
      'I am furious, nobody helps me, this is the third time! I want to talk to a person',
      'frustrated',
      'high',
    ],
    ['you people are useless. let me talk to a human', 'frustrated', 'high'],
    ['estou furiosa, ninguém me ajuda! quero falar com uma pessoa', 'frustrated', 'high'],
    ['Hi! I want to talk to a person, please', 'neutral', 'medium'],
    ['thanks so far. can I talk to a person', 'neutral', 'medium'],
  ])('[SHF-144] is as upset as all of the message: %s', async (text, sentiment, priority) => {
    const { classification } = await createNluClassifier(nlu).classify(text);
    expect(classification).toMatchObject({ sentiment, priority, humanReason: 'customer_request' });
  });
});

describe('a threat of law beside other wishes', () => {
  it.each([
    'that is theft. give me the money back or I call my lawyer',
    'you took my money twice, pay it back or my lawyer gets involved',
    'pay me back or I leave a complaint on reclame aqui',
    'I have had enough. My attorney will call you tomorrow. And when does my plan renew?',
    'quero meu dinheiro de volta, senão vou no reclame aqui',
    'ou me devolvem os R$ 70 ou vai parar no reclame aqui',
  ])('[DLG-664] is heard: %s', (text) => {
    expect(nlu.triage(text).humanReason).toBe('legal');
  });

  it.each([
    'what does the law say about refunds',
    'my lawyer friend wants to subscribe, how much is it?',
    'meu advogado me recomendou o CultPass, tem plano familiar?',
    'can I cancel or do I have to pay?',
    'should I talk to you or a lawyer about the name on my ticket?',
    'o que diz o procon sobre cancelamento?',
  ])('[DLG-664] is not heard in a question: %s', (text) => {
    expect(nlu.triage(text).humanReason).not.toBe('legal');
  });
});
