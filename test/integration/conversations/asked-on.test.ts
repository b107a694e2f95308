import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

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
        'you already told me that. does it apply to courses abroad, yes or no?',
        { escalated: 'low_confidence' },
      ],
    ]);
    await converse(hub, null, [
      ['tem desconto pra estudante?', { says: ['R$ 41,93'] }],
      ['e vale também pra curso a distância fora do país?', {}],
      [
        'não foi isso que perguntei. vale pra curso fora do país, sim ou não?',
        { escalated: 'low_confidence' },
      ],
    ]);
  });

  it('[DLG-436] tells a step that points at the one before it with all of them', async () => {
    await converse(hub, DIEGO, [
      ['can u delete my saved card? its an old one', { says: ['Open Profile > Payments > Payment methods'] }],
    ]);
  });
});
