import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseConfig } from '../../../src/config/config.js';
import type { Language } from '../../../src/core/domain/taxonomy.js';
import { MODEL_ROLES } from '../../../src/core/ports/chat-models.js';
import type { ModelsConfig } from '../../../src/core/ports/index.js';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { TEXTS } from '../../support/texts.js';
import { modelsFor } from './support.js';

const SENTENCE = 'A booking can be cancelled until the day before. ';
const TOKENS = 200;
/** What six characters a token come to. */
const MOST = TOKENS * 6;
const limits = limited(String(TOKENS));

function limited(variable: string): Pick<ModelsConfig, 'maxOutputTokens'> {
  const { maxOutputTokens } = parseConfig({ HUB_MAX_OUTPUT_TOKENS: variable }).models;
  return { maxOutputTokens };
}

function asked(language: Language): BaseMessage[] {
  const hub = { session: { language } };
  return [new SystemMessage({ content: 'Answer.', additional_kwargs: { hub } }), new HumanMessage('How?')];
}

async function streamed(url: string, language: Language): Promise<{ text: string; shown: string }> {
  const model = modelsFor(url, limits).models.forRole('knowledge');
  const shown: string[] = [];
  const callbacks = [{ handleLLMNewToken: (token: string) => void shown.push(token) }];
  let text = '';
  for await (const chunk of await model.stream(asked(language), { callbacks })) text = chunk.text;
  return { text, shown: shown.join('') };
}

describe('the length of an answer', () => {
  let server: OpenAiServer;
  beforeEach(async () => {
    server = await startOpenAiServer();
  });
  afterEach(() => server.close());

  it.each(MODEL_ROLES)('[ATK-08] is limited in every request: %s', async (role) => {
    server.otherwise(() => ({ text: 'Yes.' }));
    const { models } = modelsFor(server.url, limited(`300,${role}=400`));
    await models.forRole(role).invoke('Hello?');
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 400 });
    const { models: thinking } = modelsFor(server.url, {
      chatModel: Object.fromEntries(MODEL_ROLES.map((each) => [each, 'o3-mini'])) as Record<
        typeof role,
        string
      >,
    });
    await thinking.forRole(role).invoke('Hello?');
    expect(server.requests[1]?.body).toHaveProperty('max_completion_tokens');
    expect(server.requests[1]?.body).not.toHaveProperty('max_tokens');
  });

  it.each(['en', 'pt-BR'] as const)(
    '[ATK-08] ends honestly in %s where the provider stopped it',
    async (language) => {
      server.reply({ text: `${SENTENCE}${SENTENCE}And then it`, finishReason: 'length' });
      const answer = await modelsFor(server.url).models.forRole('knowledge').invoke(asked(language));
      expect(answer.text).toBe(`${SENTENCE}${SENTENCE}${TEXTS.for(language).say('answer_cut')}`);
    },
  );

  it('[ATK-08] ends as honestly after another answer was cut while it was written', async () => {
    server.reply({ text: SENTENCE.repeat(100) });
    await streamed(server.url, 'en');
    server.reply({ text: `${SENTENCE}And then it`, finishReason: 'length' });
    const answer = await modelsFor(server.url).models.forRole('knowledge').invoke(asked('en'));
    expect(answer.text).toBe(`${SENTENCE}${TEXTS.for('en').say('answer_cut')}`);
  });

  it('[ATK-08] is cut where the provider did not stop, in one piece and streamed', async () => {
    server.otherwise(() => ({ text: SENTENCE.repeat(100) }));
    const whole = await modelsFor(server.url, limits).models.forRole('account').invoke(asked('en'));
    const { text, shown } = await streamed(server.url, 'pt-BR');
    for (const [said, language] of [
      [whole.text, 'en'],
      [text, 'pt-BR'],
    ] as const) {
      const ending = TEXTS.for(language).say('answer_cut');
      expect(said.endsWith(`. ${ending}`)).toBe(true);
      expect(said.replace(ending, '').replaceAll(SENTENCE, '')).toBe('');
      expect(said.length).toBeLessThanOrEqual(MOST + ending.length + 1);
      expect(said.length).toBeGreaterThan(MOST / 2);
    }
    expect(shown).toBe(text);
  });

  it('[ATK-08] half a form is asked for again, and never taken for a whole one', async () => {
    server.reply({ text: '{"a":"whole by chance"}', finishReason: 'length' });
    server.reply({ json: { a: 'yes' } });
    const form = modelsFor(server.url)
      .models.forRole('triage')
      .withStructuredOutput(z.object({ a: z.string() }));
    expect(await form.invoke('Fill it in')).toEqual({ a: 'yes' });
    expect(server.requests).toHaveLength(2);
  });

  it('[ATK-08] half a call of a tool is asked for again', async () => {
    server.reply({ toolCalls: [{ name: 'note', args: { text: 'half' } }], finishReason: 'length' });
    server.reply({ text: 'Noted.' });
    const answer = await modelsFor(server.url).models.forRole('action').invoke(asked('en'));
    expect(answer.text).toBe('Noted.');
  });
});

describe('a provider that does not stop', () => {
  /** How much was sent, and whether the other side hung up. */
  interface Endless {
    readonly url: string;
    sent: number;
    closed: number;
    streams: number;
    stop(): Promise<void>;
  }

  let endless: Endless;
  beforeEach(async () => {
    endless = await startEndless();
  });
  afterEach(() => endless.stop());

  it('[ATK-08] is left at the end of a sentence, and the connection closed', async () => {
    const { text, shown } = await streamed(endless.url, 'en');
    expect(text.endsWith(`. ${TEXTS.for('en').say('answer_cut')}`)).toBe(true);
    expect(shown).toBe(text);
    await expect.poll(() => endless.closed).toBe(1);
    expect(endless.sent).toBeLessThan(8_000_000);
  });

  it('[ATK-08] is not taken in whole where the answer comes in one piece', async () => {
    const { models } = modelsFor(endless.url, limits);
    const answer = await models.forRole('knowledge').invoke(asked('en'));
    expect(answer.text.endsWith(`. ${TEXTS.for('en').say('answer_cut')}`)).toBe(true);
    expect(endless.streams).toBe(1);
    await expect.poll(() => endless.closed).toBe(2);
  });

  /** Writes until nobody listens any more; a socket's buffer is all it holds. */
  async function startEndless(): Promise<Endless> {
    const server: Server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += String(part);
      });
      request.on('end', () => {
        const isStream = (JSON.parse(body) as { stream?: boolean }).stream === true;
        const base = {
          id: 'x',
          created: 1,
          model: 'm',
          object: isStream ? 'chat.completion.chunk' : 'chat.completion',
        };
        const event = {
          ...base,
          choices: [{ index: 0, delta: { role: 'assistant', content: SENTENCE }, finish_reason: null }],
        };
        const piece = isStream ? `data: ${JSON.stringify(event)}\n\n` : SENTENCE;
        response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
        if (!isStream) response.write(`{"id":"x","choices":[{"message":{"role":"assistant","content":"`);
        else state.streams += 1;
        response.on('close', () => {
          state.closed += 1;
        });
        const more = (): void => {
          while (!response.destroyed) {
            state.sent += piece.length;
            if (!response.write(piece)) {
              response.once('drain', more);
              return;
            }
          }
        };
        more();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const state: Endless = {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      sent: 0,
      closed: 0,
      streams: 0,
      async stop() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
    return state;
  }
});
