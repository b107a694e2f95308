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

  it('[DLG-625] says what keeps somebody from doing anything, and how sign-in is unlocked to who speaks of that', async () => {
    const BRUNO = 'bruno.lima@example.com';
    await converse(hub, BRUNO, [
      [
        'I am unable to do any booking since two days. Button is grey only',
        { says: ['All visits of the month (2) are taken'] },
      ],
      [
        'why button is grey. What is the reason in my account?',
        { says: ['no visits left this month (2 of 2 used)'], saysNot: ['registered'], escalated: null },
      ],
    ]);
    await converse(hub, ELISA, [
      ['bah guria, não tô conseguindo fazer nada na minha conta, o que houve tchê?', { says: ['bloqueada'] }],
    ]);
    await converse(hub, 'carla.mendes@example.com', [
      ["nothing works in my account, what's the reason?", { says: ['paused until 31 March'] }],
    ]);
    await converse(hub, 'ana.souza@example.com', [
      ['my account is stuck, whats the reason', { says: ['not blocked', '1 visit left'] }],
      ['errei a senha e minha conta tá travada, o que faço?', { cites: 'kb-account-locked-pt' }],
    ]);
  });

  it('[DLG-626] lists what used the visits to who has been to fewer, and calls nobody', async () => {
    const used = { says: ['Film Club', 'Manguebeat'], escalated: null };
    await converse(hub, 'bruno.lima@example.com', [
      ['how many visits do i have left', { says: ['2 of 2 used'] }],
      ['2 of 2?? ive only been to one thing this month wtf', used],
      ['chill i just wanna know which 2 bookings used my visits', used],
      ['quantas visitas ainda tenho?', { says: ['não tem mais visitas'] }],
      ['como assim? eu só fui em uma esse mês', used],
    ]);
  });

  it('[DLG-627] tells what is on record of a pause, and offers nothing to who asks who made it', async () => {
    const told = { says: ['does not say who', '31 March'], saysNot: ['bank'], pending: null };
    await converse(hub, 'carla.mendes@example.com', [
      ['is my plan active?', { says: ['paused'] }],
      ["Wait it's paused? I never paused it. Who did that?", told],
    ]);
    await converse(hub, 'carla.mendes@example.com', [
      [
        'por que minha assinatura tá pausada? eu não pedi pausa nenhuma',
        { says: ['não mostra quem', '31 de março'], pending: null },
      ],
    ]);
    await converse(hub, 'carla.mendes@example.com', [['who paused my subscription', told]]);
    await converse(hub, 'gabriela.nunes@example.com', [
      ['is my plan active?', { says: ['active'] }],
      ["Wait it's paused? I never paused it. Who did that?", { says: ['not paused'], pending: null }],
    ]);
  });

  it('[DLG-628] says how a past booking is recorded', async () => {
    await converse(hub, 'ana.souza@example.com', [
      [
        'gostaria de saber se minha visita ao Cinema Novo Retrospective consta como realizada ou como falta',
        { says: ['Pelo registro, você foi', 'Cinema Novo'] },
      ],
    ]);
    await converse(hub, 'ana.souza@example.com', [
      ['a última consta como realizada ou como falta?', { says: ['Pelo registro, você foi'] }],
    ]);
    await converse(hub, 'bruno.lima@example.com', [
      [
        'am i down as a no-show for the market breakfast walk?',
        { says: ['By the record you were there', 'Ver-o-Peso'] },
      ],
    ]);
  });
});
