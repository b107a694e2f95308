import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TurnEvent } from '../../../src/core/domain/turn.js';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { until } from '../../support/until.js';
import { form, type Online, openOnline, PROMPT } from './support.js';

const ANA = 'ana.souza@example.com';

describe('a turn that is watched, with a provider', () => {
  let server: OpenAiServer;
  let online: Online;
  beforeEach(async () => {
    server = await startOpenAiServer();
    online = await openOnline(server);
  });
  afterEach(async () => {
    await online.close();
    await server.close();
  });

  it('tells each step as it happens, and streams exactly the answer', async () => {
    server.reply(form([['How do I pause my plan?', 'knowledge']]), PROMPT.triage).reply(
      {
        text: 'Go to Profile > Plan > Pause [kb-pause-subscription-en]. Choose the number of days. Reservations made before the pause stay valid.',
      },
      PROMPT.knowledge,
    );
    const { events, reply, tokens } = await watch(null, 'How do I pause my plan?');
    expect(kinds(events)).toEqual([
      'agent:triage',
      'tool:classify_ticket',
      'triage:general',
      'route:knowledge',
      'agent:knowledge',
      'tool:search_knowledge',
      'token',
      'message',
    ]);
    expect(tokens).toEqual([
      'Go to Profile > Plan > Pause.',
      ' Choose the number of days.',
      ' Reservations made before the pause stay valid.',
    ]);
    expect(tokens.join('')).toBe(reply.reply);
    expect(events.at(-1)).toEqual({ type: 'message', reply });
  });

  it('shows the first sentence before the answer has ended', async () => {
    const seen: string[] = [];
    const shownAtRequest: number[] = [];
    server.reply(form([['How do I pause my plan?', 'knowledge']]), PROMPT.triage).reply(() => {
      shownAtRequest.push(seen.length);
      return {
        text: 'You can pause your plan for 1 to 90 days. While paused, you are not charged. The pause ends by itself.',
        // It does not end before its beginning is shown.
        beforeEnd: () => until(() => seen.length > 0),
      };
    }, PROMPT.knowledge);
    const talk = await online.talk(null);
    const reply = await talk.say('How do I pause my plan?', {
      onEvent: (event) => {
        if (event.type === 'token') seen.push(event.text);
      },
    });
    expect(seen.join('')).toBe(reply.reply);
    expect(seen.length).toBeGreaterThan(1);
    expect(shownAtRequest).toEqual([0]);
  });

  it('tells of a question that is open, and of what became of it', async () => {
    server
      .reply(form([['pause my plan for 30 days', 'action']]), PROMPT.triage)
      .reply(
        { toolCalls: [{ name: 'update_subscription', args: { action: 'pause', days: 30 } }] },
        PROMPT.action,
      )
      .reply({ text: 'Done. Your plan is paused for 30 days.' }, PROMPT.action);
    const talk = await online.talk(ANA);
    const asked = await watchOn(talk, 'Please pause my plan for 30 days');
    expect(kinds(asked.events)).toEqual([
      'agent:triage',
      'tool:classify_ticket',
      'triage:general',
      'route:action',
      'agent:action',
      'tool:get_reservations',
      'token',
      'pending:update_subscription',
      'message',
    ]);
    expect(asked.tokens.join('')).toBe(asked.reply.reply);
    const done = await watchOn(talk, 'yes');
    expect(kinds(done.events)).toEqual(['agent:action', 'tool:update_subscription', 'token', 'message']);
    expect(done.tokens.join('')).toBe('Done. Your plan is paused for 30 days.');
  });

  it('streams both parts of a compound answer as paragraphs', async () => {
    server
      .reply(
        form([
          ['How many visits do I have left?', 'account'],
          ['How do I pause?', 'knowledge'],
        ]),
        PROMPT.triage,
      )
      .reply({ text: 'You have 1 visit left.' }, PROMPT.account)
      .reply({ text: 'Go to Profile > Plan > Pause [kb-pause-subscription-en].' }, PROMPT.knowledge);
    const { reply, tokens, events } = await watch(ANA, 'How many visits do I have left, and how do I pause?');
    expect(tokens.join('')).toBe(reply.reply);
    expect(reply.reply).toContain('left.\n\nGo to');
    expect(kinds(events).filter((kind) => kind.startsWith('route'))).toEqual([
      'route:account',
      'route:knowledge',
    ]);
  });

  it('[GRD-03] shows nothing of a sentence that fails review, and what rules read in its place', async () => {
    server
      .reply(form([['Where is my refund?', 'account']]), PROMPT.triage)
      .reply({ text: 'I have refunded your booking. Enjoy!' }, PROMPT.account);
    const { tokens, reply } = await watch(ANA, 'Where is my refund?');
    expect(reply.reply).toContain('R$ 55.00 for "Chamamé and Milonga Night"');
    expect(`${reply.reply}${tokens.join('')}`).not.toContain('I have refunded');
  });

  it('stops where a later sentence fails review: the message carries the truth', async () => {
    server
      .reply(form([['Where is my refund?', 'account']]), PROMPT.triage)
      .reply({ text: 'Let me see. I have refunded your booking. Enjoy!' }, PROMPT.account);
    const { tokens, reply, events } = await watch(ANA, 'Where is my refund?');
    expect(tokens).toEqual(['Let me see.']);
    expect(events.at(-1)).toEqual({ type: 'message', reply });
    expect(reply.reply).toContain('R$ 55.00 for "Chamamé and Milonga Night"');
  });

  it('shows nothing more of a draft whose stream broke off and began anew', async () => {
    server
      .reply(form([['How do I pause my plan?', 'knowledge']]), PROMPT.triage)
      .fault(
        { kind: 'disconnect', afterPieces: 6, text: 'You can pause for 1 to 90 days. It breaks off here.' },
        { match: PROMPT.knowledge },
      )
      .reply({ text: 'Go to Profile > Plan > Pause. Choose the number of days.' }, PROMPT.knowledge);
    const { tokens, reply, events } = await watch(null, 'How do I pause my plan?');
    expect(tokens).toEqual(['You can pause for 1 to 90 days.']);
    expect(reply.reply).toBe('Go to Profile > Plan > Pause. Choose the number of days.');
    expect(events.at(-1)).toEqual({ type: 'message', reply });
  });

  it('does not show words that only introduce a tool call as the answer', async () => {
    server
      .reply(form([['What is on in Salvador?', 'knowledge']], { issue_type: 'experience' }), PROMPT.triage)
      .reply(
        { text: 'One moment', toolCalls: [{ name: 'find_experiences', args: { location: 'Salvador' } }] },
        PROMPT.knowledge,
      )
      .reply({ text: 'There is samba on Friday.' }, PROMPT.knowledge);
    const { tokens, reply } = await watch(null, 'What is on in Salvador?');
    expect(tokens.join('')).toBe('There is samba on Friday.');
    expect(reply.reply).toBe('There is samba on Friday.');
  });

  it('tells of an escalation', async () => {
    server.reply(
      form([['I want to talk to a person', 'escalation']], {
        human_reason: 'customer_request',
      }),
      PROMPT.triage,
    );
    const { events, tokens, reply } = await watch(null, 'I want to talk to a person');
    expect(kinds(events)).toEqual([
      'agent:triage',
      'tool:classify_ticket',
      'triage:general',
      'route:escalation',
      'token',
      'escalation:customer_request',
      'message',
    ]);
    expect(tokens.join('')).toBe(reply.reply);
  });

  it('tells whom the model chose where no rule was certain', async () => {
    server
      .reply(form([['something about my last thing', 'knowledge']], { confidence: 0.2 }), PROMPT.triage)
      .reply({ toolCalls: [{ name: 'transfer_to_account', args: {} }] }, PROMPT.router)
      .reply({ text: 'You have 1 visit left.' }, PROMPT.account);
    const { events } = await watch(ANA, 'There is something strange about my last thing you know');
    expect(kinds(events)).toEqual([
      'agent:triage',
      'tool:classify_ticket',
      'triage:general',
      'agent:account',
      'tool:get_customer_context',
      'route:account',
      'token',
      'message',
    ]);
  });

  async function watch(email: string | null, text: string) {
    return watchOn(await online.talk(email), text);
  }

  async function watchOn(talk: Awaited<ReturnType<Online['talk']>>, text: string) {
    const events: TurnEvent[] = [];
    const reply = await talk.say(text, { onEvent: (event) => void events.push(event) });
    const tokens = events.flatMap((event) => (event.type === 'token' ? [event.text] : []));
    return { events, reply, tokens };
  }
});

describe('a turn that is watched, offline', () => {
  it.each([
    ['how do I pause my plan?', null],
    ['how many visits do I have left?', ANA],
    ['olá, bom dia!', ANA],
    ['this is ridiculous, I am so angry, what is your refund policy?', null],
    ['show me my bookings', null],
    ['cancel my plan', ANA],
  ])('streams the whole reply: %s', async (text, email) => {
    const online = await openOnline({ url: 'http://127.0.0.1:1/v1' }, { HUB_MODEL_PROVIDER: 'offline' });
    let streamed = '';
    const seen: string[] = [];
    const talk = await online.talk(email);
    const reply = await talk.say(text, {
      onEvent: (event) => {
        if (event.type === 'token') streamed += event.text;
        seen.push(event.type);
      },
    });
    expect(streamed).toBe(reply.reply);
    expect(seen.at(-1)).toBe('message');
    expect(seen).toContain('triage');
    await online.close();
  });
});

/** Types of events with what they are about; tokens in a row count as one. */
function kinds(events: readonly TurnEvent[]): string[] {
  const all = events.map((event) => {
    switch (event.type) {
      case 'agent':
        return `agent:${event.agent}`;
      case 'tool':
        return `tool:${event.call.tool}`;
      case 'route':
        return `route:${event.step.to}`;
      case 'triage':
        return `triage:${event.classification.issueType}`;
      case 'pending':
        return `pending:${event.pending.tool}`;
      case 'escalation':
        return `escalation:${event.escalation.reason}`;
      default:
        return event.type;
    }
  });
  return all.filter((kind, index) => kind !== 'token' || all[index - 1] !== 'token');
}
