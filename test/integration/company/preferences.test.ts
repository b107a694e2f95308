import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';

const room = makeTempDir();
const folder = join(room, 'duas');
const ANA = 'ana@example.com';
const BEN = 'ben@example.com';
let hub: Hub;

beforeAll(async () => {
  writeNewCompany(folder, { name: 'Duas', languages: ['en', 'pt-BR'] });
  hub = await openHub({ dataDir: join(room, 'data'), env: { HUB_COMPANY: folder } });
});
afterAll(async () => {
  await hub.close();
  rmSync(room, { recursive: true, force: true });
});

describe('a new company that declares nothing of it', () => {
  it.each([
    [
      'Could you answer me in Portuguese, please?',
      'language',
      'pt-BR',
      'De agora em diante respondo em português.',
    ],
    ['Me responda em inglês, por favor', 'language', 'en', 'From now on I answer you in English.'],
    ['I would rather be contacted by phone', 'contact_method', 'phone', 'our team contacts you by phone'],
    [
      'Prefiro que falem comigo por WhatsApp',
      'contact_method',
      'whatsapp',
      'nossa equipe fala com você por WhatsApp',
    ],
    ['I prefer e-mail', 'contact_method', 'email', 'our team contacts you by e-mail'],
    [
      'Please note that I use a wheelchair',
      'accessibility',
      'I use a wheelchair',
      'I have noted: “I use a wheelchair”',
    ],
  ])('[BYO-101] keeps what is to hold from now on: %s', async (text, key, value, told) => {
    const { reply, toolCalls, escalated } = await hub.say(key === 'language' ? ANA : BEN, text);
    expect(toolCalls.at(-1)).toMatchObject({
      tool: 'record_customer_preference',
      args: { key, value },
      ok: true,
    });
    expect(reply).toContain(told);
    expect(escalated).toBe(false);
  });

  it('[BYO-101] says which languages there are to who asks for another', async () => {
    await hub.say(ANA, 'Answer me in English, please');
    const { reply, escalated } = await hub.say(ANA, 'Please answer me in German');
    expect(reply).toContain('I can answer in English and Portuguese only');
    expect(escalated).toBe(false);
  });

  it('[BYO-101] hears it beside an answer and amid an open question, which stays', async () => {
    const shown = await hub.say(ANA, 'show me my orders');
    const wish = await hub.say(ANA, 'Can you answer in Portuguese please?', shown.threadId);
    expect(wish.reply).toBe('De agora em diante respondo em português.');
    const asked = await hub.say(ANA, 'cancela a mochila azul', shown.threadId);
    expect(asked.pending?.kind).toBe('confirmation');
    const amid = await hub.say(ANA, 'Please answer me in English', shown.threadId);
    expect(amid.reply).toContain('From now on I answer you in English.');
    expect(amid.pending?.id).toBe(asked.pending?.id);
  });

  it('[BYO-101] tells what it has noted', async () => {
    await hub.say(ANA, 'Answer me in English, please');
    await hub.say(ANA, 'I prefer WhatsApp');
    const { reply } = await hub.say(ANA, 'What are my preferences?');
    expect(reply).toMatch(/Your preferences: (?=.*contact method: WhatsApp).*language: English/);
  });
});
