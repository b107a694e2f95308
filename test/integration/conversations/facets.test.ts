import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('what is asked of one booking or event', () => {
  it('[DLG-200] is told of it, however it is referred to', async () => {
    await converse(hub, ANA, [
      ['what are my bookings?', {}],
      ['does the one on the 22nd cost anything extra?', { says: ['"Elis: The Musical" is paid: R$ 380.00'] }],
      ['how do I get there?', { says: ['Bourbon Country'] }],
      ['when must I be there?', { says: ['"Elis: The Musical" begins', '15 minutes before'] }],
      ['is it included in my plan?', { says: ['paid'], saysNot: ['You are on the Premium plan'] }],
      ['and Clarice?', { says: ['"Clarice Lispector: A Reading" is included in the plan'] }],
    ]);
    await converse(hub, BRUNO, [
      ['qual minha próxima reserva?', { says: ['Film Club'] }],
      [
        'ela já tá paga?',
        { says: ['"Film Club: City of God" já está pago: R$ 12,00'], saysNot: ['mensalidade'] },
      ],
      ['e preciso pagar algo na porta?', { says: ['Não há mais nada a pagar, nem na porta'] }],
      ['posso levar minha mãe?', { says: ['plano Basic', '"Film Club: City of God"'] }],
    ]);
    await converse(hub, null, [
      ["what's on in Recife?", {}],
      [
        'can I take a kid to the first one?',
        { says: ['"Auto da Compadecida on Stage"', 'They need an entry too'] },
      ],
    ]);
  });

  it('[DLG-201] is until when it can be given up and what comes back, of that one alone', async () => {
    await converse(hub, BRUNO, [
      ['quais são minhas reservas?', {}],
      [
        'até quando posso cancelar a do dia 23 e o que volta?',
        { says: ['sem custo até domingo, 22 de março', 'R$ 70,00 de volta'], saysNot: ['Film Club'] },
      ],
    ]);
    await converse(hub, ANA, [
      [
        'can I still cancel the one on the 11th for free?',
        { says: ['less than 24 hours', 'team has to agree'] },
      ],
    ]);
    await converse(hub, 'carla.mendes@example.com', [
      [
        'até que horas posso cancelar a minha próxima reserva sem perder nada?',
        { says: ['"Modinhas by Candlelight" sem custo até terça-feira, 24 de março', 'R$ 45,00 de volta'] },
      ],
    ]);
  });

  it('[DLG-202] is answered in both its halves, each once', async () => {
    await converse(hub, GABRIELA, [
      [
        'qual o endereço da minha próxima reserva e que horas eu tenho que chegar?',
        { says: ['Sala São Paulo', '15 minutos antes'], saysNot: ['Tropicália'] },
      ],
    ]);
  });

  it('[DLG-203] is who may come along, by age and by plan, and what is asked on about that', async () => {
    await converse(hub, ANA, [
      [
        'my grandson is 17, can he come with me on the 22nd?',
        { says: ['at 16 or 17', '"Elis: The Musical"'] },
      ],
    ]);
    await converse(hub, ANA, [
      [
        'posso levar meu marido no samba do dia 14?',
        { says: [/^Sim: com o seu plano Premium/, 'Samba Night'] },
      ],
      ['quanto ele paga?', { says: ['R$ 45,00'], saysNot: ['60,00'] }],
      ['meu plano dá direito a isso?', { says: ['plano Premium'], saysNot: ['dois planos'] }],
    ]);
  });

  it('[DLG-204] takes no question about the account, and none about another thing', async () => {
    await converse(hub, ANA, [
      ['when is Elis?', { says: ['22 March'] }],
      ['when do I pay next?', { says: ['next charge'], saysNot: ['380'] }],
      ['what did I pay in February?', { saysNot: ['"Elis'] }],
    ]);
  });
});
