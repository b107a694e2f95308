import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const CARLA = 'carla.mendes@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('what a message takes up of what was said', () => {
  it('[DLG-420] hands no part over where the conversation has answered another', async () => {
    await converse(hub, ANA, [
      ['quick one, what have i got booked this week?', {}],
      [
        'the candlelight one is today right? can i still get out of it',
        { says: ['less than 24 hours'], escalated: null },
      ],
    ]);
  });

  it('[DLG-421] opens the change that the team is asked to make, where the hub makes it itself', async () => {
    await converse(hub, ANA, [
      ['can i still get out of the candlelight one', {}],
      ['ok yes please ask them to cancel it', { says: ['Candlelight'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-422] says how what is spoken of stands, also while a change of it waits for a yes', async () => {
    await converse(hub, ANA, [
      ['cancel the candlelight booking', { pending: 'confirmation' }],
      ['so is it cancelled now or not?', { says: ['has not been cancelled'], pending: 'confirmation' }],
      ['no', { pending: null }],
    ]);
    await converse(hub, ANA, [
      ['cadê minha reserva do candlelight?', {}],
      ['então ela já foi cancelada ou não?', { says: ['não foi cancelada'], escalated: null }],
    ]);
  });

  it('[DLG-423] means what the customer has by the one thing of the programme that was shown', async () => {
    await converse(hub, ANA, [
      ['is the candlelight concert on today?', { says: ['Candlelight'] }],
      ['cancel it', { says: ['Candlelight'], saysNot: ['Which one'], pending: 'confirmation' }],
    ]);
  });

  it('[DLG-424] takes a yes that names what was offered for one, whatever is asked beside it', async () => {
    await converse(hub, GABRIELA, [
      [
        'I only want to know where the refund is for the one that was already cancelled.',
        { says: ['Manguebeat'] },
      ],
      [
        'Yes, Manguebeat, that was his favourite. Would it go to his card? I think that account has been closed.',
        { says: ['R$ 70.00'], pending: 'confirmation' },
      ],
    ]);
  });

  it('[DLG-425] tells a visitor how a change is, and asks nobody without an account to sign in for it', async () => {
    await converse(hub, null, [
      ['so could i just pause it in exam month', { cites: 'kb-pause-subscription-en' }],
    ]);
  });

  it('[DLG-426] answers what is asked beside a no that takes back a wish', async () => {
    await converse(hub, CARLA, [
      ['resume my subscription', { pending: 'confirmation' }],
      [
        "Hmm, no, changed my mind. Leave it. What's still on my calendar, by the way?",
        { says: ['not changed anything', 'Modinhas'], pending: null },
      ],
    ]);
  });

  it('[DLG-427] offers no cancellation to who tells that they cancelled because somebody died', async () => {
    await converse(hub, GABRIELA, [
      [
        'I cancelled it myself, because my husband died.',
        { says: ['sorry for your loss'], saysNot: ['Which one would you like to cancel'], pending: null },
      ],
    ]);
  });

  it('[DLG-428] takes "cheaper" for what is told of plans, and not for the cheapest of their records', async () => {
    await converse(hub, GABRIELA, [
      ['show me my payments', {}],
      ['And the cheaper one, how do I go down to it?', { cites: 'kb-change-plan-en', saysNot: ['Festival'] }],
    ]);
  });

  it('[DLG-429] cancels what the sentence before the order names, where the order only points', async () => {
    await converse(hub, 'bruno.lima@example.com', [
      [
        "Actually, the 23rd is the Manguebeat thing... I can't go, the kids arrive that day. Could you cancel that one for me?",
        { says: ['Manguebeat'], saysNot: ['Which one'], pending: 'confirmation' },
      ],
    ]);
  });

  it('[DLG-430] cancels the one that is named alone, where the others are to be kept', async () => {
    await converse(hub, ANA, [
      [
        'quero cancelar só o samba então e ficar com as outras',
        { says: ['Samba Night'], saysNot: ['Candlelight', 'Clarice'], pending: 'confirmation' },
      ],
      // "Before" is no record before another one.
      [
        'Hmm, deixa quieto, vou falar com meu marido antes. Obrigada, viu!',
        { saysNot: ['Candlelight'], pending: null },
      ],
    ]);
  });

  it('[DLG-431] hears all of a message whose first sentence only begins like a yes', async () => {
    await converse(hub, GABRIELA, [
      [
        'Quero fazer uma reclamação formal contra vocês. Como faço? E em quanto tempo respondem?',
        { cites: 'kb-complaints-pt' },
      ],
    ]);
  });
});
