import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenAiServer, type RecordedRequest, startOpenAiServer } from '../../support/openai-server.js';
import { form, type Online, openOnline, PROMPT } from './support.js';

const ANA = 'ana.souza@example.com';
/** What the pattern straight from the library's README sends for a plain question; see the benchmark. */
const README_TOKENS = 3_900;

describe('what a turn asks of the provider', () => {
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

  it('[PERF-01 PERF-03] answers a knowledge question with two calls', async () => {
    server
      .reply(form([['How do I pause my plan?', 'knowledge']]), PROMPT.triage)
      .reply(
        { text: 'Profile > Plan > Pause, for 1 to 90 days [kb-pause-subscription-en].' },
        PROMPT.knowledge,
      );
    const talk = await online.talk(null);
    const reply = await talk.say('How do I pause my plan?');
    expect(reply).toMatchObject({
      reply: 'Profile > Plan > Pause, for 1 to 90 days.',
      provider: 'openai',
      route: [{ to: 'knowledge', by: 'rule:R11' }],
      citations: [{ articleId: 'kb-pause-subscription-en' }],
      usage: { llmCalls: 2 },
    });
    expect(server.requests).toHaveLength(2);
    expect(tokens(server.requests)).toBeLessThan(README_TOKENS / 2);
    expect(toolResults(server.requests.at(-1))).toContain('kb-pause-subscription-en');
  });

  it('[PERF-02 PERF-03] answers an account question with two calls, from the record', async () => {
    server
      .reply(form([['How many visits do I have left?', 'account']]), PROMPT.triage)
      .reply({ text: 'You have 1 visit left this month.' }, PROMPT.account);
    const talk = await online.talk(ANA);
    const reply = await talk.say('How many visits do I have left?');
    expect(reply.reply).toBe('You have 1 visit left this month.');
    expect(server.requests).toHaveLength(2);
    expect(tokens(server.requests)).toBeLessThan(README_TOKENS / 2);
    expect(toolResults(server.requests.at(-1))).toMatch(/visits this month: used 4, remaining 1/);
  });

  it('[PERF-02] changes something in three calls over both messages; yes costs none', async () => {
    server
      .reply(form([['pause my plan for 30 days', 'action']]), PROMPT.triage)
      .reply(
        { toolCalls: [{ name: 'update_subscription', args: { action: 'pause', days: 30 } }] },
        PROMPT.action,
      );
    const talk = await online.talk(ANA);
    const asked = await talk.say('Please pause my plan for 30 days');
    expect(asked.pending).toMatchObject({ kind: 'confirmation', tool: 'update_subscription' });
    expect(asked.reply).toContain('Please answer yes or no');
    server.reply({ text: 'Your plan is paused for 30 days.' }, PROMPT.action);
    const done = await talk.say('yes');
    expect(done).toMatchObject({
      reply: 'Your plan is paused for 30 days.',
      provider: 'openai',
      pending: null,
      toolCalls: [{ tool: 'update_subscription', ok: true }],
      usage: { llmCalls: 1 },
    });
    expect(server.requests).toHaveLength(3);
    // Two agent calls with the tools that change things: still less than one plain question of the README pattern.
    expect(tokens(server.requests)).toBeLessThan(README_TOKENS * 0.7);
  });

  it('[SKH-01 SKH-03] investigates a symptom with two calls, and makes the change it recommends with one more', async () => {
    const said = 'I cancelled a booking but never got my money back';
    server
      .reply(form([[said, 'investigation']], { issue_type: 'refund' }), PROMPT.triage)
      .reply(
        { text: 'You paid R$ 70.00 for Manguebeat Tribute Night, and no refund is on record.' },
        PROMPT.investigation,
      );
    const talk = await online.talk('gabriela.nunes@example.com');
    const asked = await talk.say(said);
    expect(asked.reply).toContain('no refund is on record.');
    expect(asked.reply).toContain('Please answer yes or no');
    expect(asked).toMatchObject({
      pending: { kind: 'confirmation', tool: 'process_refund' },
      usage: { llmCalls: 2 },
    });
    expect(toolResults(server.requests.at(-1))).toContain('Manguebeat Tribute Night');
    expect(tokens(server.requests)).toBeLessThan(README_TOKENS / 2);
    server.reply({ text: 'The refund of R$ 70.00 is on its way.' }, PROMPT.action);
    const done = await talk.say('yes');
    expect(done).toMatchObject({ toolCalls: [{ tool: 'process_refund', ok: true }], usage: { llmCalls: 1 } });
    expect(server.requests).toHaveLength(3);
  });

  it('says no without a call that decides it, and changes nothing', async () => {
    server
      .reply(form([['cancel my plan', 'action']]), PROMPT.triage)
      .reply({ toolCalls: [{ name: 'update_subscription', args: { action: 'cancel' } }] }, PROMPT.action)
      .reply({ text: 'All right, your plan stays as it is.' }, PROMPT.action);
    const talk = await online.talk(ANA);
    await talk.say('cancel my plan');
    const reply = await talk.say('no');
    expect(reply.toolCalls).toMatchObject([
      { tool: 'update_subscription', ok: false, code: 'confirmation_rejected' },
    ]);
    expect(reply.reply).toBe('All right, your plan stays as it is.');
    expect(server.requests).toHaveLength(3);
  });

  it('[GRAPH-09] answers both parts of a compound request, each agent with its own task only', async () => {
    server
      .reply(
        form([
          ['How many visits do I have left?', 'account'],
          ['How do I pause my plan?', 'knowledge'],
        ]),
        PROMPT.triage,
      )
      .reply({ text: 'You have 1 visit left.' }, PROMPT.account)
      .reply({ text: 'Profile > Plan > Pause [kb-pause-subscription-en].' }, PROMPT.knowledge);
    const talk = await online.talk(ANA);
    const reply = await talk.say('How many visits do I have left, and how do I pause my plan?');
    expect(reply.reply).toBe('You have 1 visit left.\n\nProfile > Plan > Pause.');
    expect(server.requests).toHaveLength(3);
    const knowledge = server.requests.at(-1);
    expect(knowledge?.system).toContain('Your part of the request: How do I pause my plan?');
    expect(toolResults(knowledge)).not.toContain('visits this month');
  });

  it('answers smalltalk without tools', async () => {
    server
      .reply(form([], { priority: 'low' }), PROMPT.triage)
      .reply({ text: 'Good morning! What can I do for you?' }, PROMPT.knowledge);
    const talk = await online.talk(ANA);
    const reply = await talk.say('Good morning!');
    expect(reply).toMatchObject({ reply: 'Good morning! What can I do for you?', escalated: false });
    expect(server.requests).toHaveLength(2);
  });

  it('asks the router model where triage is not certain, and only then', async () => {
    server
      .reply(form([['something about my last thing', 'knowledge']], { confidence: 0.2 }), PROMPT.triage)
      .reply({ toolCalls: [{ name: 'transfer_to_account', args: {} }] }, PROMPT.router)
      .reply({ text: 'Your last booking is confirmed.' }, PROMPT.account);
    const talk = await online.talk(ANA);
    const reply = await talk.say('There is something strange about my last thing you know');
    expect(reply.route).toEqual([{ to: 'account', by: 'model:no rule was certain' }]);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[1]?.tokens).toBeLessThan(500);
  });

  it('[KB-10 TRI-05] escalates what no article answers, without asking a model to invent it', async () => {
    server.reply(
      form([['Which seat number will the usher give my cousin in row F?', 'knowledge']]),
      PROMPT.triage,
    );
    const talk = await online.talk(null);
    const reply = await talk.say('Which seat number will the usher give my cousin in row F?');
    expect(reply).toMatchObject({ escalated: true, escalation: { reason: 'low_confidence' } });
    expect(server.requests).toHaveLength(1);
  });

  it('[MEM-01] keeps the conversation in later prompts, without the work of earlier turns', async () => {
    server
      .reply(form([['How many visits do I have left?', 'account']]), PROMPT.triage)
      .reply({ text: 'You have 1 visit left this month.' }, PROMPT.account);
    const talk = await online.talk(ANA);
    await talk.say('How many visits do I have left?');
    server
      .reply(form([['When do the visits start again?', 'account']]), PROMPT.triage)
      .reply({ text: 'On 1 December.' }, PROMPT.account);
    await talk.say('And when do they start again?');
    const last = server.requests.at(-1);
    expect(last?.body.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
    ]);
    expect(tokens(server.requests.slice(2))).toBeLessThan(README_TOKENS / 2);
  });

  it('[LOG-03] counts calls, tokens and cost once, with those of triage', async () => {
    const usage = (prompt: number, completion: number) => ({ usage: { prompt, completion } });
    server
      .reply({ ...form([['How many visits do I have left?', 'account']]), ...usage(600, 50) }, PROMPT.triage)
      .reply({ text: 'You have 1 visit left.', ...usage(400, 10) }, PROMPT.account);
    const talk = await online.talk(ANA);
    const reply = await talk.say('How many visits do I have left?');
    expect(reply.usage).toEqual({
      llmCalls: 2,
      promptTokens: 1000,
      completionTokens: 60,
      costUsd: (1000 * 0.15 + 60 * 0.6) / 1e6,
    });
    const view = await online.app.desk.show(reply.ticketId);
    expect(view.turns.map((turn) => turn.usage)).toEqual([reply.usage]);
  });

  it('[BATCH-05 TRI-01] counts the one call of a ticket in batch triage', async () => {
    server.reply(
      { ...form([['refund', 'action']], { issue_type: 'refund' }), usage: { prompt: 600, completion: 50 } },
      PROMPT.triage,
    );
    const result = await online.app.classifier.classify('I want my money back for the samba night');
    expect(result).toMatchObject({
      provider: 'openai',
      classification: { issueType: 'refund' },
      usage: { llmCalls: 1, promptTokens: 600, completionTokens: 50, costUsd: (600 * 0.15 + 50 * 0.6) / 1e6 },
    });
  });
});

function tokens(requests: readonly RecordedRequest[]): number {
  return requests.reduce((sum, request) => sum + request.tokens, 0);
}

function toolResults(request: RecordedRequest | undefined): string {
  const results = request?.body.messages.filter((message) => message.role === 'tool') ?? [];
  return results.map((message) => String(message.content)).join('\n');
}
