import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config.js';
import { type Hub, openHub } from '../support/hub.js';

const ANA = 'ana.souza@example.com';

let hub: Hub;
beforeAll(async () => {
  const { OPENAI_API_KEY = '', OPENAI_BASE_URL = '', HUB_CHAT_MODEL = '' } = process.env;
  const env = { HUB_MODEL_PROVIDER: 'openai', OPENAI_API_KEY, OPENAI_BASE_URL, HUB_CHAT_MODEL };
  // Says in one line what is missing, before anything is made.
  parseConfig(env);
  hub = await openHub({ env });
});
afterAll(() => hub?.close());

describe('a real provider', () => {
  test('answers a knowledge question from an article, with at most two calls', async () => {
    const { reply, provider, usage, citations } = await hub.say(null, 'How do I pause my subscription?');
    expect(provider).toBe('openai');
    expect(reply).toMatch(/pause/i);
    expect(citations.map(({ articleId }) => articleId)).toContain('kb-pause-subscription-en');
    expect(usage.llmCalls).toBeLessThanOrEqual(2);
    expect(usage.promptTokens).toBeGreaterThan(0);
  });

  test('answers from the account in Portuguese, with at most three calls', async () => {
    const { reply, language, usage } = await hub.say(ANA, 'Quantas visitas ainda tenho este mês?');
    expect(language).toBe('pt-BR');
    expect(reply).toMatch(/\d|um|dois|duas|três|quatro|cinco|nenhuma/i);
    expect(usage.llmCalls).toBeLessThanOrEqual(3);
  });

  test('asks before it cancels, and does it after the yes', async () => {
    const asked = await hub.say(ANA, 'Please cancel my booking for the Samba Night');
    expect(asked.pending).toMatchObject({ kind: 'confirmation', tool: 'cancel_reservation' });
    const done = await hub.say(ANA, 'yes', asked.threadId);
    expect(done.toolCalls).toContainEqual(expect.objectContaining({ tool: 'cancel_reservation', ok: true }));
    expect(asked.usage.llmCalls + done.usage.llmCalls).toBeLessThanOrEqual(4);
  });

  test('hands a legal threat to a person', async () => {
    const { escalated, escalation } = await hub.say(
      ANA,
      'My lawyer will contact you about my personal data.',
    );
    expect(escalated).toBe(true);
    expect(escalation?.reason).toMatch(/legal|requires_human/);
  });
});
