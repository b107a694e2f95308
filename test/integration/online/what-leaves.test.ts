import { afterEach, describe, expect, it } from 'vitest';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { TEXTS } from '../../support/texts.js';
import { form, type Online, openOnline, PROMPT } from './support.js';

const ANA = 'ana.souza@example.com';
const SECRETS = ['4111 1111 1111 1111', '529.982.247-25', 'Lua#2026x', '482913'];
const ARTICLE = 'Go to Profile > Plan > Pause [kb-pause-subscription-en]. ';

describe('the whole hub with a provider', () => {
  let server: OpenAiServer;
  let online: Online;
  afterEach(async () => {
    await online.close();
    await server.close();
  });

  it('[ATK-08] sends no secret in any request of several turns, history included', async () => {
    server = await startOpenAiServer();
    online = await openOnline(server, { HUB_EMBEDDING_PROVIDER: 'openai' });
    server.otherwise((request) => {
      if (request.system.includes(PROMPT.triage)) return form([['How do I pause my plan?', 'knowledge']]);
      return { text: ARTICLE };
    });
    const talk = await online.talk(ANA);
    await talk.say(`How do I pause my plan? My card is ${SECRETS[0]} and my CPF ${SECRETS[1]}`);
    await talk.say(`And how long may a pause be? minha senha é ${SECRETS[2]}, the code is ${SECRETS[3]}`);
    await talk.say('And how do I pause my plan again?');
    const sent = [...server.requests, ...server.embeddingRequests].map(({ body }) => JSON.stringify(body));
    expect(server.requests.length).toBeGreaterThan(5);
    for (const secret of SECRETS) expect(sent.filter((body) => body.includes(secret))).toEqual([]);
    expect(sent.join('')).toContain('[card 1]');
  });

  it('[ATK-08] shows of an endless answer what it keeps, and ends it honestly', async () => {
    server = await startOpenAiServer();
    online = await openOnline(server, { HUB_MAX_OUTPUT_TOKENS: 'knowledge=100' });
    server
      .reply(form([['How do I pause my plan?', 'knowledge']]), PROMPT.triage)
      .reply({ text: ARTICLE.repeat(200) }, PROMPT.knowledge);
    const talk = await online.talk(null);
    const shown: string[] = [];
    const reply = await talk.say('How do I pause my plan?', {
      onEvent: (event) => {
        if (event.type === 'token') shown.push(event.text);
      },
    });
    expect(reply.reply.endsWith(TEXTS.for('en').say('answer_cut'))).toBe(true);
    expect(reply.reply.length).toBeLessThan(1_000);
    expect(shown.join('')).toBe(reply.reply);
    expect(server.requests[1]?.body).toMatchObject({ max_tokens: 100 });
  });
});
