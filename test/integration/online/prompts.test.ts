import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type OpenAiServer,
  type RecordedRequest,
  type Reply,
  startOpenAiServer,
} from '../../support/openai-server.js';
import { cacheableShare } from '../../support/openai-wire.js';
import { form, type Online, openOnline, PROMPT } from './support.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
type Agent = 'knowledge' | 'account' | 'action';
type Calls = NonNullable<Reply['toolCalls']>;

let server: OpenAiServer;
let online: Online;
beforeAll(async () => {
  server = await startOpenAiServer();
  online = await openOnline(server);
});
afterEach(() => server.assertExhausted());
afterAll(async () => {
  await online?.close();
  await server?.close();
});

/** Asks as the customer, with a triage that says no more than the route. @returns the requests that the models got */
async function ask(
  email: string | null,
  text: string,
  agent: Agent,
  calls?: Calls,
): Promise<readonly RecordedRequest[]> {
  const before = server.requests.length;
  server.reply(form([[text, agent]]), PROMPT.triage);
  server.reply(calls ? { toolCalls: calls } : { text: 'It is as the record says.' }, PROMPT[agent]);
  await (await online.talk(email)).say(text);
  return server.requests.slice(before);
}

const tokensOf = (requests: readonly RecordedRequest[]): number =>
  requests.reduce((sum, { tokens }) => sum + tokens, 0);
const toolsOf = (request: RecordedRequest | undefined): readonly string[] =>
  (request?.body.tools ?? []).map((tool) => tool.function.name);
const cancel: Calls = [{ name: 'cancel_reservation', args: { reservation_id: 'res_002' } }];

describe('what a turn costs in prompt tokens', () => {
  it.each([
    ['How do I pause my plan?', 'knowledge', 1120],
    ['How long does a refund take?', 'knowledge', 1120],
    ['How many visits do I have left?', 'account', 1300],
    ['What did I pay in the last weeks?', 'account', 1300],
    ['Please cancel my booking for the samba night', 'action', 1300],
  ] as const)('[MDL-01] %s', async (text, agent, bar) => {
    // What Ana asked before is part of her prompt: the articles are asked for by another customer.
    const email = agent === 'knowledge' ? BRUNO : ANA;
    const requests = await ask(email, text, agent, agent === 'action' ? cancel : undefined);
    expect(requests).toHaveLength(2);
    expect(tokensOf(requests)).toBeLessThanOrEqual(bar);
  });
});

describe('the order of a prompt', () => {
  it('[MDL-02] begins with what is the same for every customer, question and time', async () => {
    const first = await ask(ANA, 'How many visits do I have left?', 'account');
    const second = await ask(BRUNO, 'Which plan am I on?', 'account');
    const shares = second.map(({ body }, index) => cacheableShare(first[index]?.body ?? body, body));
    // Of triage all but the message; of the agent its part of the prompt, and not the record.
    expect(shares[0]).toBeGreaterThan(0.95);
    const [before, after] = [first[1]?.system ?? '', second[1]?.system ?? ''];
    const fixed = before.indexOf('## This turn');
    expect(fixed).toBeGreaterThan(200);
    expect(after.slice(0, fixed)).toBe(before.slice(0, fixed));
    expect(before.slice(0, fixed)).not.toMatch(/Ana|Bruno|20\d\d/);
  });
});

describe('the tools that a model is offered', () => {
  it('[MDL-03] are none where a sure article answers, and the programme where it is asked for', async () => {
    const [, sure] = await ask(null, 'How do I pause my plan?', 'knowledge');
    expect(toolsOf(sure)).toEqual([]);
    server.reply(form([['What is on in Recife?', 'knowledge']], { issue_type: 'experience' }), PROMPT.triage);
    server.reply({ text: 'There is nothing on in Recife.' }, PROMPT.knowledge);
    await (await online.talk(null)).say('What is on in Recife?');
    expect(toolsOf(server.requests.at(-1))).toContain('find_experiences');
  });

  it('[MDL-03] save a preference where one is stated, and not where something else is asked', async () => {
    const [, question] = await ask(ANA, 'How many visits do I have left?', 'account');
    expect(toolsOf(question)).toEqual([]);
    const [, wish] = await ask(ANA, 'Please remember that I prefer to be contacted by phone', 'account');
    expect(toolsOf(wish)).toEqual(['record_customer_preference']);
  });
});
