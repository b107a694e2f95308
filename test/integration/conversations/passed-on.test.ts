import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('what the team is asked through the hub', () => {
  it('[DLG-373] is passed on where that was offered and a yes takes it up, as the question that was named', async () => {
    const [, passed] = await converse(hub, BRUNO, [
      [
        'show me my bookings, and do you sell popcorn at the cinema?',
        { says: [/"do you sell popcorn at the cinema\?" I have no sure answer.*$/], escalated: null },
      ],
      [
        'yes please, do ask',
        { says: ['passed that on', '"do you sell popcorn at the cinema?"'], escalated: 'customer_request' },
      ],
    ]);
    expect(passed?.escalation?.summary).toBe('do you sell popcorn at the cinema?');
  });

  it('[DLG-373] is passed on in the words of the message, else in those of the one before it', async () => {
    const [, own] = await converse(hub, null, [
      ['quanto custa o Premium?', { says: ['119,90'] }],
      [
        'sim, pergunte por favor à sua equipa se aceitam cartões de fora do Brasil',
        { says: ['passei isso', '"se aceitam cartões de fora do Brasil"'], escalated: 'customer_request' },
      ],
    ]);
    expect(own?.escalation?.summary).toBe('se aceitam cartões de fora do Brasil');
    const [, before] = await converse(hub, null, [
      ['how much is a gift card for twelve months, bought for two friends?', {}],
      ['well then please ask your colleagues for me', { escalated: 'customer_request' }],
    ]);
    expect(before?.escalation?.summary).toContain('bought for two friends');
  });

  it('[DLG-373] is told beside what else is asked, and goes with none of the readings that were offered', async () => {
    await converse(hub, null, [
      ['how much is Premium?', { says: ['119.90'] }],
      [
        'please ask your team whether you take foreign cards. How much is Basic?',
        { says: ['59.90', 'passed that on', '"whether you take foreign cards"'] },
      ],
    ]);
    const [, none] = await converse(hub, null, [
      ['is it the same for both of us', { says: ['one of these'], escalated: null }],
      ['nenhuma. vocês estão de brincadeira né', { escalated: 'low_confidence' }],
    ]);
    expect(none?.escalation?.summary).toBe('is it the same for both of us');
  });

  it('[DLG-374] is asked after, with the time that was promised, and called off or said to be solved', async () => {
    const promised = /by .+ \(Brasília time\)/;
    const [asked, when] = await converse(hub, ANA, [
      ['I want to talk to a person about my booking', { says: [promised] }],
      ['And when may I expect their word?', { says: ['A person answers you here by'], escalated: null }],
      ['So is it with your team now, yes or no?', { says: ['Your request is with our team'] }],
      ['you can tell them it is solved, nobody needs to answer', { says: ['no longer need our team'] }],
    ]);
    const by = asked?.reply.match(/by (.+?) \(Bras/)?.[1];
    expect(when?.reply).toContain(by);
    await converse(hub, null, [
      ['quero falar com uma pessoa, o aplicativo não abre', { escalated: 'customer_request' }],
      ['eles respondem até quando? e quanto custa o premium?', { says: ['Uma pessoa responde', '119,90'] }],
      [
        'fiz o passo 4 e abriu! vlw',
        { says: ['Que bom que deu certo', 'não precisa mais'], escalated: null },
      ],
    ]);
    await converse(hub, null, [
      ['how much is Premium?', { says: ['119.90'] }],
      ['did you pass my question on to anyone?', { says: ['nothing of yours is with our team'] }],
      ['ask the team', { says: ['how much is Premium'], escalated: 'customer_request' }],
    ]);
  });

  it('[DLG-374] has details added to it on a request that ends in a question mark', async () => {
    await converse(hub, null, [
      ['I want to talk to a person, the usher was rude to us', { escalated: 'customer_request' }],
      ['It was the ten to eight show, a man with a grey beard. Can you add that?', { says: ['added this'] }],
    ]);
  });
});

describe('a person whom nobody needs', () => {
  it('[DLG-375] is not called by words that only sound like it, where an article surely answers', async () => {
    await converse(hub, null, [
      [
        'Dear Sir or Madam, I work in human resources of a firm with 40 employees and I would like to know the conditions for offering your service to them.',
        { cites: 'kb-company-plans-en', escalated: null },
      ],
    ]);
    await converse(hub, null, [
      ['Do they ask to see proof of the disability at the door?', { escalated: null }],
    ]);
    for (const said of [
      'I need a human now, my gift card does not work',
      'can a human explain the guest pass to me?',
    ])
      await converse(hub, null, [[said, { escalated: 'customer_request' }]]);
  });

  it('[DLG-376] comes after the steps that may help, where somebody only curses at what does not work', async () => {
    await converse(hub, null, [
      [
        'o app trava toda hora que abro, já desinstalei e nada, que droga',
        { says: ['Feche o app por completo'], escalated: 'sentiment_priority' },
      ],
    ]);
  });
});

describe('a question that nothing answers', () => {
  it('[DLG-377] is named last, and not where the sentence leans on what is answered', async () => {
    await converse(hub, null, [
      [
        'do you work in Lisbon and is there a family plan?',
        {
          says: [
            /no family plan[\s\S]*To your question "do you work in Lisbon" I have no sure answer[\s\S]*our team\.$/,
          ],
        },
      ],
    ]);
    for (const said of [
      'Agradeço. Mas afinal o que é exatamente? É um clube de ingressos? Não compreendi bem.',
      'ok obg pela sinceridade. e se eu assinar agora e daqui 2 meses ver q n compensa, tem multa pra sair?',
    ])
      await converse(hub, null, [[said, { saysNot: ['não tenho uma resposta segura'], escalated: null }]]);
  });
});

describe('somebody who needed no person', () => {
  it('[DLG-673] is told what they only wanted to know', async () => {
    await converse(hub, null, [
      ['posso levar meu cachorro?', { escalated: 'low_confidence' }],
      [
        'não precisava chamar ninguém, só queria saber como mudo meu cartão',
        { says: ['não precisa mais da nossa equipe', 'Formas de pagamento'], escalated: null },
      ],
    ]);
    await converse(hub, 'ana.souza@example.com', [
      ['i want to talk to a person', { escalated: 'customer_request' }],
      [
        'no need for a person, i just wanted to know how to change my card',
        { says: ['no longer need our team', 'Payment methods'], escalated: null },
      ],
    ]);
  });
});
