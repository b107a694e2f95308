import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const CARLA = 'carla.mendes@example.com';
const BRUNO = 'bruno.lima@example.com';
const DIEGO = 'diego.ferreira@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('what is asked on after an answer', () => {
  it('[DLG-432] looks a question about the account up in it, whatever article was quoted before', async () => {
    await converse(hub, BRUNO, [
      ['How does the guest pass work?', { cites: 'kb-guests-companions-en' }],
      ['How many visits do I have left this month?', { says: ['2 of 2 used'] }],
    ]);
    await converse(hub, BRUNO, [
      ['Posso levar meus filhos?', { cites: 'kb-minors-pt' }],
      ['deixa pra lá. quantas visitas ainda tenho?', { says: ['2 de 2 usadas'] }],
    ]);
    await converse(hub, DIEGO, [
      ['is there a discount for students?', { cites: 'kb-student-discount-en' }],
      ['what day did my subscription end', { says: ['24 February'] }],
    ]);
  });

  it('[DLG-433] takes up a yes to what was offered, also beside an escalation', async () => {
    await converse(hub, GABRIELA, [
      [
        'For the third time now!! Where is my refund??',
        { says: ['refund it now'], escalated: 'sentiment_priority' },
      ],
      [
        'yes of course refund it, I have asked for it for ages',
        { says: ['R$ 70.00'], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, GABRIELA, [
      ['Where is my refund?', { says: ['refund it now'] }],
      ['yes please go ahead, I waited long enough', { says: ['R$ 70.00'], pending: 'confirmation' }],
      ['yes', { says: ['Done'], pending: null }],
    ]);
    await converse(hub, GABRIELA, [
      ['Where is my refund?', {}],
      ['yes, but first tell me how many visits I have left', { says: ['2 visits left'], pending: null }],
    ]);
  });

  it('[DLG-434] does not quote again beside what is new what was quoted a moment ago', async () => {
    await converse(hub, null, [
      ['is there a student discount?', { says: ['R$ 41.93'] }],
      [
        'ok and where do I send my student card?',
        { says: ['Profile > Plan > Student discount'], saysNot: ['R$ 41.93'] },
      ],
    ]);
    await converse(hub, null, [
      ['tem desconto pra estudante?', { says: ['R$ 41,93'] }],
      [
        'beleza, e por onde mando a carteirinha?',
        { says: ['Perfil > Plano > Desconto'], saysNot: ['R$ 41,93'] },
      ],
    ]);
  });

  it('[DLG-435] passes on what no article says, instead of quoting the same again to who insists', async () => {
    await converse(hub, null, [
      ['is there a student discount?', { says: ['R$ 41.93'] }],
      ['what else do I have to know about the student discount?', {}],
      [
        'you already told me that. does it cover my textbooks as well, yes or no?',
        { escalated: 'low_confidence' },
      ],
    ]);
    await converse(hub, null, [
      ['tem desconto pra estudante?', { says: ['R$ 41,93'] }],
      ['e vocês emitem a carteirinha da UNE?', {}],
      [
        'não foi isso que perguntei. emitem a carteirinha da UNE, sim ou não?',
        { escalated: 'low_confidence' },
      ],
    ]);
  });

  it('[DLG-436] tells a step that points at the one before it with all of them', async () => {
    await converse(hub, DIEGO, [
      ['can u delete my saved card? its an old one', { says: ['Open Profile > Payments > Payment methods'] }],
    ]);
  });

  it('[DLG-437] says that it is not sure where no sentence of an article says the one thing that is asked, and asks the team', async () => {
    await converse(hub, null, [
      ['How long is a gift card valid?', { cites: 'kb-gift-cards-en' }],
      [
        'does the gift card get worthless on some holiday? Yes or no, please.',
        { says: ['not sure', 'ask our team'], escalated: null },
      ],
      ['yes please ask them', { says: ['worthless on some holiday'], escalated: 'customer_request' }],
    ]);
    await converse(hub, null, [
      ['How long before the start should I arrive?', { says: ['15 minutes'], saysNot: ['not sure'] }],
    ]);
    await converse(hub, null, [
      ['posso cancelar minha assinatura quando eu quiser?', { saysNot: ['Não sei se'] }],
    ]);
    // What follows from something takes more than one sentence.
    await converse(hub, null, [
      [
        'O que acontece se o meu pagamento falhar?',
        { cites: 'kb-failed-payment-pt', saysNot: ['Não sei se'] },
      ],
    ]);
    await converse(hub, null, [
      ['What happens if my payment fails?', { cites: 'kb-failed-payment-en', saysNot: ['not sure'] }],
    ]);
  });

  it('[DLG-452] takes no yes that is denied in the same breath', async () => {
    for (const text of [
      "yes please don't",
      'yes, no',
      "yes I don't want you to cancel it",
      'sim, por favor não',
      'sim não cancela',
      'pode sim, não cancela não',
      'sim, não quero que cancele',
      "yes I can't go but don't cancel it",
    ])
      await converse(hub, ANA, [
        ['cancel the samba night', { pending: 'confirmation' }],
        [text, { saysNot: ['Done', 'Pronto'] }],
        ['no', { pending: null }],
      ]);
    for (const text of ['yes, I cannot walk that far any more', 'sim, não quero mais ir']) {
      await converse(hub, ANA, [
        ['cancel the samba night', { pending: 'confirmation' }],
        [text, { says: [/Done|Pronto/], pending: null }],
      ]);
      await hub.close();
      hub = await openHub();
    }
  });

  it('[DLG-438] offers no change that is only denied, also in the spoken Portuguese of many regions', async () => {
    for (const [customer, text] of [
      [ANA, 'please do not cancel the samba'],
      [ANA, 'num cancele o samba não'],
      [CARLA, 'num quero reativar minha assinatura não'],
    ] as const)
      await converse(hub, customer, [[text, { pending: null, escalated: null }]]);
    for (const text of ['não vou no samba, cancela pra mim', 'num cancela a Elis não, cancela o samba'])
      await converse(hub, ANA, [
        [text, { says: ['Samba Night'], pending: 'confirmation' }],
        ['não', { pending: null }],
      ]);
  });

  it('[DLG-439] says once what answers two questions of a message', async () => {
    const [, told] = await converse(hub, ANA, [
      ['cancela o samba', { pending: 'confirmation' }],
      ['volta como? pix ou cartao?', { says: ['10 dias úteis'], pending: 'confirmation' }],
    ]);
    expect(told?.reply.split('10 dias úteis')).toHaveLength(2);
  });
});
