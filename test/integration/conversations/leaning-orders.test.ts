import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const FELIPE = 'felipe.araujo@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

/** Says one thing after the other in a conversation of its own. @returns the replies in their order */
async function talk(email: string, ...lines: readonly string[]) {
  const replies = [];
  let threadId: string | undefined;
  for (const line of lines) {
    const reply = await hub.say(email, line, threadId);
    threadId = reply.threadId;
    replies.push(reply);
  }
  return replies;
}
const last = async (email: string, ...lines: readonly string[]) => {
  const reply = (await talk(email, ...lines)).at(-1);
  if (!reply) throw new Error('Nothing was said');
  return reply;
};

describe('an order that leans on what was just said', () => {
  it.each([
    [
      BRUNO,
      ['when does the Manguebeat night begin?', 'yes that one. cancel it please'],
      'cancel_reservation',
    ],
    [BRUNO, ['is my Manguebeat booking still on? if so cancel it'], 'cancel_reservation'],
    [FELIPE, ['how long can a pause be?', 'alright 40 days then'], { action: 'pause', days: 40 }],
    [FELIPE, ['por quanto tempo posso pausar?', 'uns 40 dias'], { action: 'pause', days: 40 }],
    [FELIPE, ['pause my plan for 60 days', '60 não, 20 dias'], { action: 'pause', days: 20 }],
    [FELIPE, ['what is a pause like?', 'go ahead and do it'], { action: 'pause' }],
    [FELIPE, ['never mind the show, go ahead and pause it today'], { action: 'pause' }],
    [FELIPE, ['I want to quit', 'how long could I pause?', 'ok 35 days then'], { action: 'pause', days: 35 }],
    [CARLA, ['why is my plan paused?', 'can you take it off'], { action: 'resume' }],
    [CARLA, ['pause my plan for 10 days', 'no I mean RESUME'], { action: 'resume' }],
  ] as const)('[DLG-39] asks %s about it: %j', async (who, lines, expected) => {
    const { pending } = await last(who, ...lines);
    expect(pending?.kind).toBe('confirmation');
    if (typeof expected === 'string') expect(pending?.tool).toBe(expected);
    else expect(pending?.args).toMatchObject(expected);
  });

  it('[DLG-39] changes nothing where what it leans on is unclear, and never says that nothing waits', async () => {
    const which = await last(BRUNO, 'which bookings do I have?', 'yes that one. cancel it please');
    expect(which.pending).toBeNull();
    expect(which.reply).toMatch(/^Which one would you like to cancel/);
    const kept = await last(CARLA, 'resume my plan', 'no, leave it paused');
    expect(kept.pending).toBeNull();
    expect(kept.reply).toMatch(/^All right/);
  });
});

describe('a question about a change that it names', () => {
  it.each([
    [
      GABRIELA,
      ['pause my plan for 20 days', 'but would I lose my concert if it is paused?'],
      /stay valid[\s\S]*Yes or no/,
    ],
    [
      GABRIELA,
      ['I want to leave', 'how long can I pause for? and may I use my bookings meanwhile?'],
      /up to 90[\s\S]*stay valid[\s\S]*cancellation/,
    ],
    [CARLA, ['If my plan is paused, are the tickets I have still valid?'], /stay valid|still stands/],
    [CARLA, ['would I lose a concert that is booked already while paused?'], /stay valid/],
    [CARLA, ['com o plano pausado posso fazer uma reserva nova?'], /não dá para fazer novas reservas/],
    [GABRIELA, ['Se eu pausar hoje mesmo, perco o que já reservei?'], /continuam valendo/],
  ])(
    '[DLG-40] is answered by its terms or its article, whatever state it is in: %j %j',
    async (who, lines, expected) => {
      const { reply } = await last(who, ...lines);
      expect(reply).toMatch(expected);
      expect(reply).not.toMatch(/paused already|já está pausada/);
    },
  );
});

describe('the subscription', () => {
  it.each([
    ['andre.vasconcelos@example.com', ['cancel please', 'not a booking, my plan']],
    ['andre.vasconcelos@example.com', ['cancel my next booking', 'I meant my membership!']],
    ['andre.vasconcelos@example.com', ['cancela a reserva do samba', 'não, a assinatura']],
    ['sergio.almeida@example.com', ['what do I pay each month?', 'right, cancel it then']],
    ['sergio.almeida@example.com', ['quanto pago por mês?', 'então pode cancelar']],
  ])('[DLG-181] is what is to be cancelled where it is said or was spoken of: %s %j', async (who, lines) => {
    const { pending, reply } = await last(who, ...lines);
    expect(pending?.tool).toBe('update_subscription');
    expect(reply).toMatch(/cancel your subscription|cancelar sua assinatura/);
  });

  it.each([
    ['andre.vasconcelos@example.com', ['cancel a booking', 'keep my plan']],
    ['andre.vasconcelos@example.com', ['cancela uma reserva', 'não mexe no plano']],
    ['sergio.almeida@example.com', ['when is the ballet?', 'cancel it']],
    [ANA, ["what's the refund rule for cancelling a booking?", 'ok then cancel it']],
  ])('[DLG-181] and is none where it is to stay, or a booking is spoken of: %s %j', async (who, lines) => {
    expect((await last(who, ...lines)).pending?.tool).not.toBe('update_subscription');
  });
});

describe('what stands beside a question', () => {
  it('[DLG-41] is no matter where it only talks, and nothing is told twice for it', async () => {
    const [, second] = await talk(
      ANA,
      'what happens if I miss my booking?',
      'ok I will run then, thx. did my last payment go through btw?',
    );
    expect(second?.reply).toContain('last charge');
    expect(second?.reply).not.toContain('no-show');
  });

  it('[DLG-41] is answered too where it asks after another word, and a repeated answer scolds nobody', async () => {
    const [, late] = await talk(
      ANA,
      'whats my next booking and what time do i need to be there',
      'wait 9pm tonight?? i thought it was tmrw. if i am like 20 mins late, will they let me in',
    );
    expect(late?.reply).not.toContain('still what I just told you');
    const [, code] = await talk(
      GABRIELA,
      'resume my plan',
      'No no, touch nothing please. The message with my sign-in code never came',
    );
    expect(code?.reply).toMatch(/code/);
  });
});

describe('a change that is corrected while it is asked about', () => {
  it.each([
    [
      FELIPE,
      'please pause my subscription for 45 days',
      'Make it 60 actually, the doctor says I need longer.',
      60,
    ],
    [FELIPE, 'pausa minha assinatura por 30 dias', 'melhor 50, o médico pediu mais tempo', 50],
    [FELIPE, 'pausa minha assinatura por 30 dias', '90 então, a obra vai demorar bastante', 90],
    [FELIPE, 'please pause my subscription for 45 days', 'I have 2 children, it is not easy', 45],
  ])(
    '[DLG-255] takes the number before a reason, and no other number: %s, %s, %s',
    async (who, order, said, days) => {
      const { pending } = await last(who, order, said);
      expect(pending?.args).toEqual({ action: 'pause', days });
    },
  );

  it.each([
    [FELIPE, ['i want to pause']],
    [GABRIELA, ['quero dar um tempo na assinatura']],
    [FELIPE, ['put my plan on hold please']],
  ])('[DLG-256] is asked about where it is plainly wanted: %s, %s', async (who, lines) => {
    expect((await last(who, ...lines)).pending?.args).toMatchObject({ action: 'pause' });
  });

  it('[DLG-257] is agreed to in the last words, beside a request that comes before them', async () => {
    const said = [
      'my bookings',
      'pause my plan for 20 days',
      'Cancel the last two please. And yes for the pause.',
    ];
    const { reply } = await last(GABRIELA, ...said);
    // Whether the two are listed or asked about one by one, they are what is left to cancel.
    expect(reply).toMatch(/is paused until[\s\S]*Festival of New Brazilian/);
    expect(reply).not.toMatch(/cancel your subscription/);
  });
});

describe('a yes in the last words that hangs on something', () => {
  it.each([
    'Cancel the last two please. And yes for the pause but only for 10 days.',
    'Cancel the last two please. And yes for the pause if it is free.',
    'Cancel the last two please. And yes, maybe, for the pause.',
    'Cancel the last one. My husband said yes for the pause.',
    'Cancela a última. E sim pra pausa, mas só se não perder nada.',
  ])('[DLG-257] is none: %s', async (text) => {
    const { reply } = await last(
      'vanessa.oliveira@example.com',
      'my bookings',
      'pause my plan for 20 days',
      text,
    );
    expect(reply).not.toMatch(/is paused until|está pausada até/);
  });
});

describe('a no after a sound of thought', () => {
  it.each(['hmm wait, no', 'ah espera, não'])('[DLG-261] is one: %s', async (no) => {
    const { reply, pending } = await last(FELIPE, 'pausa minha assinatura por 30 dias', no);
    expect(pending).toBeNull();
    expect(reply).not.toMatch(/\?/);
  });
});

describe('some of a list that was shown', () => {
  it.each([
    [ANA, ['show my bookings', 'cancel the first two'], /After that I come to "Samba Night/],
    [
      ANA,
      ['show my bookings', 'cancel my plan', 'no, just cancel the second one'],
      /Shall I cancel "Samba Night/,
    ],
    [ANA, ['minhas reservas', 'cancela as duas últimas'], /"Clarice Lispector[\s\S]*Depois disso vem "Elis/],
  ])('[DLG-258] is no plan, and each of them is asked about: %s, %s', async (who, lines, asked) => {
    const { reply, pending } = await last(who, ...lines);
    expect(reply).toMatch(asked);
    expect(pending?.tool).toBe('cancel_reservation');
  });
});
