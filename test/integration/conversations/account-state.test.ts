import { afterEach, beforeEach, describe, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const OLIVIA = 'olivia.campos@example.com';
const ELISA = 'elisa.rocha@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('the state of the account', () => {
  it('[DLG-326] answers whether one may book, and a wish to have a block lifted goes to the team', async () => {
    await converse(hub, OLIVIA, [
      ['is my account blocked then?', { says: ['Your account is blocked'] }],
      [
        'may I book something meanwhile?',
        { says: ['No: while your account is blocked'], saysNot: ['Explore'] },
      ],
      ['pls unblock me, I want to see the samba', { says: ['only by our team'], saysNot: ['tap "Book"'] }],
      ['then tell your team to unblock me', { escalated: 'customer_request' }],
    ]);
    await converse(hub, ELISA, [
      [
        'consigo reservar enquanto minha conta está bloqueada?',
        { says: ['Não: enquanto a sua conta está bloqueada'] },
      ],
      ['fala pra equipe desbloquear então', { escalated: 'customer_request' }],
    ]);
    await converse(hub, 'carla.mendes@example.com', [
      ['can I make new bookings in the meantime?', { says: ['paused'], saysNot: ['Explore'] }],
    ]);
    await converse(hub, 'bruno.lima@example.com', [
      ['is my account ok?', { says: ['Yes: your subscription is active'] }],
    ]);
  });

  it('[DLG-327] is not looked into where only the code is missing, and a door is passed without a smartphone', async () => {
    await converse(hub, 'felipe.araujo@example.com', [
      ["I'm in front of the theatre and the QR code won't open", { cites: 'kb-qr-code-not-loading-en' }],
    ]);
    await converse(hub, null, [
      ['o meu código não aparece no aplicativo', { cites: 'kb-qr-code-not-loading-pt' }],
      ['esqueci o celular em casa, entro com o ingresso impresso?', { says: ['e-mail de confirmação'] }],
      ['do I have to print the ticket?', { says: ['do not need to print', 'confirmation e-mail'] }],
    ]);
  });
});
