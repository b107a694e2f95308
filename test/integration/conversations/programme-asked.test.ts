import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const LUCAS = 'lucas.monteiro@example.com';
const UBIRAJARA = 'ubirajara.costa@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('the programme asked for in any words', () => {
  it('[DLG-320] is looked up whatever was spoken of before, and whatever single words of the question are like', async () => {
    await converse(hub, BRUNO, [
      ['quantas visitas ainda tenho?', { says: ['não tem mais visitas'] }],
      [
        'e tem algum concerto de graça no fds em sampa, sp?',
        { says: ['Choro Circle'], saysNot: ['visitas'] },
      ],
    ]);
    await converse(hub, LUCAS, [
      ['what did I pay in total this year?', { says: ['In all'] }],
      [
        "and what's going on in Porto Alegre in april, any rock?",
        { says: ['Rock Gaúcho'], saysNot: ['booking'] },
      ],
    ]);
    await converse(hub, LUCAS, [
      ['quais são as minhas reservas?', { says: ['Minas Electronic'] }],
      [
        'essas eu já sei. e no rio no sábado, o que rola?',
        { says: ['Samba Night'], saysNot: ['Minas Electronic'] },
      ],
    ]);
    await converse(hub, UBIRAJARA, [
      [
        'what is on in Belem in March thats free on top of my plan',
        { says: ['nothing in Belém'], saysNot: ['Basic'] },
      ],
    ]);
    await converse(hub, UBIRAJARA, [
      ['moro em Belém. tem algo bom pra ver aqui em dezembro?', { says: ['em Belém, em dezembro.'] }],
      ['Essa eu já tenho. E em maio?', { says: ['em Belém, em maio.'], saysNot: ['Suas próximas'] }],
    ]);
    await converse(hub, null, [
      ['could you suggest something for my parents on saturday in São Paulo', { says: ['Choro Circle'] }],
    ]);
  });

  it('[DLG-321] is answered anew for another kind, also where as little is found', async () => {
    await converse(hub, null, [
      ['o que tem de dança em Belo Horizonte em abril?', { says: ['em Belo Horizonte, em abril'] }],
      ['Puxa. E ópera, tem alguma?', { says: ['em Belo Horizonte, em abril'], saysNot: ['não sei mais'] }],
    ]);
  });

  it('[DLG-322] says first that something is not on that is asked for by its name', async () => {
    await converse(hub, null, [
      [
        'do you have a Radiohead concert in São Paulo?',
        { says: ['No, "Radiohead" is not on', 'Choro Circle'] },
      ],
      [
        'vai ter o show do zeca pagodinho no Rio?',
        { says: ['Não, "zeca pagodinho" não está', 'Samba Night'] },
      ],
      ['any shows with Brazilian bands in Recife?', { says: ['Manguebeat'], saysNot: ['is not on'] }],
      ['Sou a Marina. Tem show em Recife?', { says: ['Manguebeat'], saysNot: ['não está na nossa'] }],
    ]);
  });

  it('[DLG-323] is no answer to what asks on of the article before it', async () => {
    await converse(hub, null, [
      ['is there a discount for pensioners?', { says: ['students'] }],
      ['and my granddaughter who is at university, does she get it?', { saysNot: ['Families'] }],
    ]);
    await converse(hub, ANA, [
      ['tem desconto pra idoso?', { says: ['estudante'] }],
      ['e minha neta, que faz faculdade, ela tem?', { saysNot: ['Families'] }],
    ]);
  });
});

describe('the change that is meant', () => {
  it('[DLG-324] is one of what was spoken of last, or is named, whatever price or other record stands beside it', async () => {
    await converse(hub, 'felipe.araujo@example.com', [
      ['Why did I pay 70 reais extra for Manguebeat?', { says: ['R$ 70.00'] }],
      [
        'Then please cancel it, it is not worth that price to me.',
        { says: ['cancel "Manguebeat Tribute Night"'], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, ANA, [
      ['se eu cancelar o Elis recebo tudo de volta?', { says: ['Elis'] }],
      ['deixa, eu vou no Elis sim. Mas o samba cancela', { says: ['Samba Night'], pending: 'confirmation' }],
      ['não', {}],
      ['I want my membership cancelled', { says: ['cancel your subscription'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-325] is agreed to by a yes that names it after sentences that only say more', async () => {
    await converse(hub, 'henrique.barbosa@example.com', [
      ['cancela minha assinatura', { pending: 'confirmation' }],
      ['não vou voltar atrás nessa. sim, cancela', { says: ['foi cancelada'] }],
    ]);
    await converse(hub, 'beatriz.fonseca@example.com', [
      ['cancel my subscription', { pending: 'confirmation' }],
      ['not sure about it yet, if I am honest. yes, cancel', { saysNot: ['is cancelled.'] }],
      ['no, I will never regret that one. Yes, cancel it', { says: ['is cancelled'] }],
    ]);
  });
});
