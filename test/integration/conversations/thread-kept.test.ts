import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const DIEGO = 'diego.ferreira@example.com';
const ELISA = 'elisa.rocha@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('the thread of a conversation', () => {
  it('[DLG-440] means the subscription by a bare order after what ends it was spoken of', async () => {
    await converse(hub, CARLA, [
      ['how does cancelling the subscription work, is there a fee?', { cites: 'kb-cancel-subscription-en' }],
      [
        'thanks. could you cancel it for me here?',
        { says: ['cancel your subscription'], saysNot: ['Modinhas'], pending: 'confirmation' },
      ],
    ]);
    await converse(hub, CARLA, [
      ['como faço pra cancelar de vez, tem multa?', { cites: 'kb-cancel-subscription-pt' }],
      ['e tu consegue cancelar pra mim por aqui mesmo?', { saysNot: ['Modinhas'], pending: 'confirmation' }],
    ]);
    // What was listed before that is not spoken of any more.
    await converse(hub, ANA, [
      ['what have i got booked?', { says: ['Samba'] }],
      ['how does ending the subscription work?', { cites: 'kb-cancel-subscription-en' }],
      ['can you cancel it for me then?', { says: ['your subscription'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-440] asks which booking where a rule of bookings was told', async () => {
    await converse(hub, ANA, [
      ['until when is cancelling a booking free?', {}],
      ['can you cancel it for me then?', { saysNot: ['your subscription'], pending: null }],
    ]);
  });

  it('[DLG-441] takes up again the change that was turned down last, and asks about it anew', async () => {
    await converse(hub, BRUNO, [
      ['Não vou poder ir no Manguebeat. Cancela pra mim?', { pending: 'confirmation' }],
      ['Não, peraí. Minha irmã pode usar o meu ingresso?', { saysNot: ['Posso cancelar'], pending: null }],
      ['Vixe, então tá certo, pode cancelar mesmo', { says: ['Manguebeat'], pending: 'confirmation' }],
    ]);
    await converse(hub, CARLA, [
      ['cancel my subscription', { pending: 'confirmation' }],
      ['no, hold on. can my sister use my ticket?', { says: ['transferred'], pending: null }],
      ['right, cancel it after all', { says: ['your subscription'], pending: 'confirmation' }],
    ]);
    // What was shown since is spoken of instead.
    await converse(hub, CARLA, [
      ['quero cancelar minha assinatura', { pending: 'confirmation' }],
      ['não, deixa', { pending: null }],
      ['o que tenho reservado?', { says: ['Modinhas'] }],
      ['então cancela, não vou conseguir ir', { says: ['Modinhas'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-442] ends the booking that was spoken of, also where the order tells why', async () => {
    await converse(hub, ANA, [
      ['thinking of cancelling the samba, do i lose my money?', { says: ['R$ 60.00'], pending: null }],
      ['ok cancel then, my parents wont let me', { says: ['Samba'], pending: 'confirmation' }],
    ]);
    await converse(hub, ANA, [
      ['se eu cancelar a Clarice, a visita volta?', { says: ['Clarice'], pending: null }],
      ['cancela então, minha mãe não deixa', { says: ['Clarice'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-443] says how early to be at the booking that is named or pointed at, also in shorthand', async () => {
    await converse(hub, ANA, [
      ['oq tenho marcado?', { says: ['Candlelight'] }],
      [
        'vlw. esse da sala sp é hj ne? q hrs tenho q chegar la',
        { says: ['15 minutos antes', 'Candlelight'] },
      ],
      ['e no samba, qnto tempo antes eu chego?', { says: ['15 minutos antes', 'Samba'] }],
    ]);
    await converse(hub, ANA, [
      ['how long before the candlelight concert should i be there?', { says: ['15 minutes before'] }],
    ]);
  });

  it('[DLG-444] lists what the visits went on, asked on after how many there are', async () => {
    await converse(hub, BRUNO, [
      ['E já gastei alguma esse mês ou ainda tenho as duas?', { says: ['2 de 2'] }],
      ['Gastei com o quê, hein? Num lembro de ter ido a lugar nenhum', { says: ['Film Club', 'Manguebeat'] }],
    ]);
    await converse(hub, BRUNO, [
      ['how many visits have I used this month?', { says: ['2 of 2'] }],
      ['used it on what? i dont remember going anywhere', { says: ['Film Club'], saysNot: ['not sure'] }],
    ]);
  });

  it('[DLG-445] says whether the visit of what was cancelled is there again', async () => {
    await converse(hub, GABRIELA, [
      [
        'perguntei se a VISITA do manguebeat voltou pro meu plano',
        { says: ['Sim', 'Manguebeat', 'visita voltou'] },
      ],
      ['did i get my visit back for the Late Jazz one?', { says: ['visit is back'] }],
    ]);
    await converse(hub, ANA, [
      ['cancel the samba night', { pending: 'confirmation' }],
      ['yes', { says: ['cancelled'], pending: null }],
      ['did the visit come back?', { says: ['Yes', '3 of 5'] }],
      ['and did I get the visit of the Clarice one back?', { says: ['Not yet', 'Clarice'] }],
    ]);
  });

  it('[DLG-446] asks once whether to refund what is owed, and opens that also beside what a person has', async () => {
    await converse(hub, GABRIELA, [
      ['cadê meu reembolso do manguebeat?', { says: ['Manguebeat'], saysNot: ['?'] }],
      ['sim reembolsa', { says: ['Posso reembolsar R$ 70,00'], pending: 'confirmation' }],
      ['não, espera', { pending: null }],
    ]);
    await converse(hub, GABRIELA, [
      ['cadê meu reembolso do manguebeat?', { says: ['Manguebeat'] }],
      ['sim', { says: ['Posso reembolsar R$ 70,00'], pending: 'confirmation' }],
      ['não', { pending: null }],
    ]);
    await converse(hub, GABRIELA, [
      [
        'This is the THIRD time I write to you!! Where is my refund??',
        { says: ['refund it'], escalated: 'sentiment_priority' },
      ],
      [
        'YES of course refund it. Manguebeat. I have been asking for weeks',
        { says: ['Shall I refund R$ 70.00'], pending: 'confirmation' },
      ],
    ]);
  });

  it('[DLG-447] explains what is to be explained while a person has the matter, and adds it to nothing', async () => {
    await converse(hub, ELISA, [
      ['I cannot book anything, this is outrageous!!!', { escalated: 'requires_human' }],
      [
        'Noted. In the meantime, please set out the procedure for requesting a review of the block.',
        { cites: 'kb-account-blocked-en', escalated: null },
      ],
    ]);
    await converse(hub, null, [
      ['quero falar com uma pessoa', { escalated: 'customer_request' }],
      [
        'enquanto aguardo, descreva como funciona a lista de espera',
        { cites: 'kb-waiting-list-pt', escalated: null },
      ],
    ]);
  });

  it('[DLG-448] passes on no question about a right that an article answers, nor what was only asked', async () => {
    await converse(hub, null, [
      [
        'Há a possibilidade de solicitar cópia dos meus dados pessoais com base na LGPD?',
        { cites: 'kb-data-export-pt', escalated: null },
      ],
      [
        'Não pedi atendimento, era só uma dúvida. Em quantos dias a cópia é fornecida?',
        { says: ['15 dias'], escalated: null },
      ],
    ]);
    // Who asks for it has it passed on, and is answered what they only ask after that.
    await converse(hub, null, [
      ['Can you send me a copy of all my personal data under the LGPD?', { escalated: 'legal' }],
      [
        'That was only a question, not a request. Within how many days is it provided?',
        { says: ['15 days'], escalated: null },
      ],
    ]);
  });

  it('[DLG-449] begins no change where it is only supposed that one would be needed', async () => {
    await converse(hub, ANA, [
      ['Então eu teria que cancelar a Elis e reservar de novo? Perco os R$ 380?', { pending: null }],
      ['So I would have to cancel Elis and book it again?', { pending: null }],
      // What is ordered in so many words is.
      ['cancel Elis then', { pending: 'confirmation' }],
    ]);
  });

  it('[DLG-450] tells how plans are changed where that is only thought of for later', async () => {
    await converse(hub, DIEGO, [
      [
        'E dá pra assinar no Basic e depois trocar pro Premium no meio do mês?',
        { cites: 'kb-change-plan-pt' },
      ],
      ['can I go straight to premium?', {}],
    ]);
  });

  it('[DLG-451] tells how a guest comes along from the article, whatever booking is named', async () => {
    await converse(hub, ANA, [
      [
        'essa Elis que eu já reservei, como incluo o passe da minha filha nela?',
        { cites: 'kb-guests-companions-pt' },
      ],
      ['can I add a guest to the Elis booking I already made?', { cites: 'kb-guests-companions-en' }],
      ['posso incluir um convidado na reserva que já tenho?', { cites: 'kb-guests-companions-pt' }],
    ]);
  });
});
