import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSkillModel } from '../../../src/adapters/models/skill-model.js';
import { createOpenAIEmbedder } from '../../../src/adapters/retrieval/openai-embedder.js';
import { parseConfig } from '../../../src/config/config.js';
import { MODEL_ROLES, type ModelRole } from '../../../src/core/ports/chat-models.js';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { keptLog, modelsFor } from './support.js';

const CARD = '4111 1111 1111 1111';
const CPF = '529.982.247-25';
const PASSWORD = 'Lua#2026x';
const CODE = '482913';
const SECRETS = [CARD, CPF, PASSWORD, CODE, '4111111111111111', '52998224725'];

let server: OpenAiServer;
beforeEach(async () => {
  server = await startOpenAiServer();
});
afterEach(() => server.close());

/** A conversation that holds the secrets in every place that one may. */
function conversation(): BaseMessage[] {
  return [
    new SystemMessage(
      `The customer's last message: "my CPF is ${CPF}". Booking res_014 costs R$ 60.00 on 2026-03-14.`,
    ),
    new HumanMessage(`my card is ${CARD}`),
    new AIMessage({
      content: '',
      tool_calls: [
        { type: 'tool_call', id: 'call_1', name: 'note', args: { text: `minha senha é ${PASSWORD}` } },
      ],
    }),
    new ToolMessage({
      content: `{"noted":"minha senha é ${PASSWORD}"}`,
      tool_call_id: 'call_1',
      name: 'note',
    }),
    new HumanMessage(`the code is ${CODE}, and ${PASSWORD} is what I typed. Call me at +55 11 98765-4321.`),
  ];
}

const note = tool(() => 'noted', {
  name: 'note',
  description: 'Notes.',
  schema: z.object({ text: z.string() }),
});

function expectNoSecrets(): void {
  const sent = JSON.stringify([...server.requests, ...server.embeddingRequests].map(({ body }) => body));
  for (const secret of SECRETS) expect(sent).not.toContain(secret);
}

describe.each(MODEL_ROLES.map((role) => [role] as [ModelRole]))('what leaves for the model of %s', (role) => {
  it.each([false, true])(
    '[ATK-08] holds no secret; tools get the true values (stream: %s)',
    async (streamed) => {
      const args = { text: 'pay with [card 1], CPF [CPF 1], [password 1]; [card 9]' };
      server.reply({ text: 'Your card [card 1] is known.', toolCalls: [{ name: 'note', args }] });
      const model = modelsFor(server.url).models.forRole(role).bindTools?.([note]);
      const shown: string[] = [];
      const callbacks = [{ handleLLMNewToken: (token: string) => void shown.push(token) }];
      const options = streamed ? { callbacks } : {};
      let answer: BaseMessage | undefined;
      if (streamed)
        for await (const chunk of (await model?.stream(conversation(), options)) ?? []) answer = chunk;
      else answer = await model?.invoke(conversation());
      expectNoSecrets();
      const sent = JSON.stringify(server.requests[0]?.body.messages);
      for (const kept of ['res_014', 'R$ 60.00', '2026-03-14', '+55 11 98765-4321', '[card 1]', '[code 1]'])
        expect(sent).toContain(kept);
      expect(answer?.text).toBe('Your card •••• 1111 is known.');
      if (streamed) expect(shown.join('')).toBe('Your card •••• 1111 is known.');
      expect((answer as AIMessage).tool_calls?.[0]?.args).toEqual({
        text: `pay with ${CARD}, CPF ${CPF}, ${PASSWORD}; [card 9]`,
      });
    },
  );
});

describe('what leaves for other models', () => {
  it('[ATK-08] a form comes back with the true values', async () => {
    server.reply({ json: { number: '[CPF 1]', secret: '[password 1]' } });
    const schema = z.object({ number: z.string(), secret: z.string() });
    const model = modelsFor(server.url)
      .models.forRole('triage')
      .withStructuredOutput(schema, { name: 'form' });
    expect(await model.invoke(conversation())).toEqual({ number: CPF, secret: PASSWORD });
    expectNoSecrets();
  });

  it('[ATK-08] a skill sends no secret, and its JSON comes back with the true values', async () => {
    server.reply({ text: '{"card":"[card 1]"}' });
    const models = parseConfig({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-test-key' }).models;
    const skill = createSkillModel({ models, log: keptLog(), prices: { costUsd: () => 0 } });
    const answer = await skill.complete({
      role: 'write',
      system: `CPF ${CPF}`,
      prompt: `card ${CARD}, my password is ${PASSWORD}, code ${CODE}`,
      json: true,
      signal: new AbortController().signal,
    });
    expect(JSON.parse(answer.text)).toEqual({ card: CARD });
    expectNoSecrets();
  });

  it('[ATK-08] an embedding is made of no secret', async () => {
    const embedder = createOpenAIEmbedder({
      apiKey: 'sk-x',
      baseUrl: server.url,
      model: 'text-embedding-3-small',
    });
    await embedder.embedQuery(`my card ${CARD} was refused, CPF ${CPF}`);
    await embedder.embedDocuments([`minha senha é ${PASSWORD}`, `the code is ${CODE}`]);
    expect(server.embeddingRequests).toHaveLength(2);
    expectNoSecrets();
  });
});
