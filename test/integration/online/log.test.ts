import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { form, type LogLine, type Online, openOnline, PROMPT } from './support.js';

const ANA = 'ana.souza@example.com';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the log of a conversation', () => {
  let server: OpenAiServer;
  let online: Online;
  beforeEach(async () => {
    server = await startOpenAiServer();
    online = await openOnline(server, { HUB_LOG_LEVEL: 'info' });
  });
  afterEach(async () => {
    await online.close();
    await server.close();
  });

  it('has a line for every action of every agent, with its ticket, and nobody can be recognised in it', async () => {
    server
      .reply(form([['How many visits do I have left?', 'account']]), PROMPT.triage)
      .reply({ text: `You, ${ANA}, have 2 visits left.` }, PROMPT.account)
      .reply(form([['pause my plan', 'action']]), PROMPT.triage)
      .reply({ toolCalls: [{ name: 'update_subscription', args: { action: 'pause' } }] }, PROMPT.action)
      .reply({ text: 'It is paused.' }, PROMPT.action)
      .reply(form([['a person', 'escalation']], { human_reason: 'customer_request' }), PROMPT.triage);
    const talk = await online.talk(ANA);
    const first = await talk.say(
      `How many visits do I have left? I am ${ANA}, my token is sk-abcdefgh12345678`,
    );
    await talk.say('pause my plan');
    await talk.say('yes');
    await talk.say(`Let me talk to a person, write to ${ANA}`);
    const lines = online.logLines();

    expect(actions(lines)).toEqual(
      expect.arrayContaining([
        'intake message_received',
        'triage tool_called',
        'triage model_called',
        'triage classified',
        'supervisor routed',
        'account tool_called',
        'account model_called',
        'account answered',
        'action tool_called',
        'action model_called',
        'review draft_passed',
        'respond replied',
        'supervisor escalated',
        'hub turn_finished',
      ]),
    );
    for (const line of lines) {
      expect(Object.keys(line).sort()).toEqual([
        'action',
        'agent',
        'details',
        'level',
        'ticket_id',
        'timestamp',
      ]);
      expect(line.timestamp).toMatch(ISO);
      expect(line.level).toMatch(/^(debug|info|warn|error)$/);
    }
    const ofTurns = lines.filter((line) => actions([line]).some((action) => TURN_ACTIONS.test(action)));
    expect(ofTurns.filter((line) => line.ticket_id !== first.ticketId)).toEqual([]);
    const text = JSON.stringify(lines);
    expect(text).not.toContain(ANA);
    expect(text).not.toContain('sk-abcdefgh');
    expect(text).not.toContain('sk-test-key');
  });

  it('names the ticket where the router model is asked and where a provider fails', async () => {
    server
      .reply(form([['something about my last thing', 'account']], { confidence: 0.2 }), PROMPT.triage)
      .reply({ toolCalls: [{ name: 'transfer_to_account', args: {} }] }, PROMPT.router)
      .fault({ kind: 'status', status: 400 }, { match: PROMPT.account });
    const talk = await online.talk(ANA);
    const reply = await talk.say('There is something strange about my last thing you know');
    const lines = online.logLines();
    for (const action of ['supervisor model_called', 'account model_fell_back']) {
      const line = lines.find((candidate) => actions([candidate]).includes(action));
      expect(line?.ticket_id, action).toBe(reply.ticketId);
    }
  });
});

const TURN_ACTIONS = /^(intake|triage|supervisor|account|action|review|respond|hub) /;

function actions(lines: readonly LogLine[]): readonly string[] {
  return lines.map((line) => `${line.agent} ${line.action}`);
}
