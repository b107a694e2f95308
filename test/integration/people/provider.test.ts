import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryArticleIndex } from '../../../src/adapters/retrieval/memory-article-index.js';
import { createApp } from '../../../src/app/app.js';
import { parseConfig } from '../../../src/config/config.js';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { form, type Online, openOnline, PROMPT } from '../online/support.js';
import { OLGA } from './support.js';

const ANA = 'ana.souza@example.com';
const ASK = 'How do I pause my plan?';
const ANSWER = { text: 'Go to Profile > Plan > Pause [kb-pause-subscription-en].' };

describe('people and a chat model', () => {
  let server: OpenAiServer;
  let online: Online;
  beforeEach(async () => {
    server = await startOpenAiServer();
    online = await openOnline(server, { HUB_MODEL_TIMEOUT_MS: '600000', HUB_TURN_TIMEOUT_MS: '3600000' });
  });
  afterEach(async () => {
    await online.close();
    server.discard();
    await server.close();
  });

  /** One answered question. */
  async function begin() {
    server.reply(form([[ASK, 'knowledge']]), PROMPT.triage).reply(ANSWER, PROMPT.knowledge);
    const talk = await online.talk(ANA);
    return { talk, ...(await talk.say(ASK)) };
  }

  it('[PPL-25] drops a turn whose model hangs at once, here and from another process', async () => {
    const { talk, ticketId } = await begin();
    const config = parseConfig({ HUB_DATA_DIR: online.dir, HUB_MODEL_PROVIDER: 'offline' });
    const other = await createApp(config, { index: new MemoryArticleIndex() });
    try {
      for (const desk of [online.app.desk, other.desk]) {
        server.fault({ kind: 'hang' }, { match: PROMPT.triage });
        const asked = server.requests.length;
        const turn = talk.say('And how do I resume it?');
        await expect.poll(() => server.requests.length).toBeGreaterThan(asked);
        await desk.claim(ticketId, OLGA);
        // The model would be waited for much longer than a test may take.
        expect((await turn).reply).toContain('Olga');
        await desk.reply(ticketId, OLGA, 'Press Resume.');
        await desk.returnToHub(ticketId, OLGA);
      }
    } finally {
      await other.close();
    }
  });

  it('[PPL-26] tells the agents what people said, who said it, and that it was handed back with a note', async () => {
    const { talk, ticketId } = await begin();
    await online.app.desk.claim(ticketId, OLGA);
    await talk.say('My name is Ana and I also have a question about gift cards.');
    await online.app.desk.reply(ticketId, OLGA, 'Gift cards are valid for a year.');
    await online.app.desk.note(ticketId, OLGA, 'INTERNAL: check later');
    await online.app.desk.returnToHub(ticketId, OLGA, 'She may get a voucher.');
    server
      .reply(form([['How do I resume my plan?', 'knowledge']]), PROMPT.triage)
      .reply(ANSWER, PROMPT.knowledge);
    await talk.say('How do I resume my plan?');
    const heard = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(heard).toContain('My name is Ana');
    expect(heard).toContain('[Olga, a colleague, wrote:] Gift cards are valid for a year.');
    expect(heard).toContain(
      'handed the conversation back to you. Their note for you, which the customer has not seen: She may get a voucher.',
    );
    expect(heard).not.toContain('INTERNAL');
    server.reply(form([[ASK, 'knowledge']]), PROMPT.triage).reply(ANSWER, PROMPT.knowledge);
    await talk.say(ASK);
    const again = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(again.split('Gift cards are valid for a year').length).toBe(2);
  });

  it('[PPL-27] a tool that a dropped turn calls late changes nothing', async () => {
    const { talk, ticketId, threadId } = await begin();
    const config = parseConfig({ HUB_DATA_DIR: online.dir, HUB_MODEL_PROVIDER: 'offline' });
    const other = await createApp(config, { index: new MemoryArticleIndex() });
    try {
      server.reply(form([['Answer me in Portuguese from now on', 'account']]), PROMPT.triage).reply(() => {
        // The claim is made between the model's request and its answer.
        void other.desk.claim(ticketId, OLGA);
        return {
          delayMs: 60,
          toolCalls: [
            {
              id: 'call_late',
              name: 'record_customer_preference',
              args: { key: 'language', value: 'pt-BR' },
            },
          ],
        };
      }, PROMPT.account);
      const reply = await talk.say('Answer me in Portuguese from now on');
      expect(reply.route).toEqual([{ to: 'operator', by: 'rule:claimed' }]);
      const view = await other.desk.show(ticketId);
      expect(view.ticket).toMatchObject({ operatorName: 'Olga', threadId });
      expect(view.turns).toHaveLength(1);
      const stored = new Database(join(online.dir, 'udahub.db'), { readonly: true });
      expect(stored.prepare('SELECT * FROM customer_preferences').all()).toEqual([]);
      stored.close();
      // Handed back while the claim may still be waiting for the turn: it stays handed back, and the hub does what was asked.
      const { owner } = await other.desk.returnToHub(ticketId, OLGA, 'no');
      const next = await other.handle({ identity: talk.identity, text: 'thanks', channel: 'chat', threadId });
      expect([owner, next.language]).toEqual(['hub', 'pt-BR']);
    } finally {
      await other.close();
    }
  });
});
