import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';
import { connectMcp } from '../../support/mcp.js';

const room = makeTempDir();
const folder = join(room, 'tres');
let hub: Hub;

/** The language that the record of each customer names. */
const ANA = 'ana@example.com';
const BEN = 'ben@example.com';
const SPOKEN = { [ANA]: 'es', [BEN]: 'pt-BR' };

beforeAll(async () => {
  writeNewCompany(folder, { name: 'Tres', languages: ['en', 'pt-BR', 'es'] });
  const file = join(folder, 'customers.yaml');
  const language = `row.email == '${ANA}' ? '${SPOKEN[ANA]}' : '${SPOKEN[BEN]}'`;
  const text = readFileSync(file, 'utf8').replace('fields:', `fields:\n  language: "${language}"`);
  writeFileSync(file, text);
  hub = await openHub({ dataDir: join(room, 'data'), env: { HUB_COMPANY: folder } });
});
afterAll(async () => {
  await hub.close();
  rmSync(room, { recursive: true, force: true });
});

const FOUND = {
  en: 'This is what I find',
  'pt-BR': 'Isto é o que encontro',
  es: 'Esto es lo que encuentro',
};

describe('a customer whose record names a language', () => {
  it.each([
    [ANA, 'Can you show me my orders, please?', 'en'],
    [ANA, 'Você pode me mostrar os meus pedidos, por favor?', 'pt-BR'],
    [ANA, 'Muéstrame mis pedidos, por favor', 'es'],
    [BEN, 'Could you show me my orders?', 'en'],
    [BEN, '¿Me puedes mostrar mis pedidos, por favor?', 'es'],
    [BEN, 'Mostre os meus pedidos, por favor', 'pt-BR'],
  ] as const)(
    '[BYO-88] is answered in the language of a whole sentence: %s %s',
    async (who, text, language) => {
      const first = await hub.say(who, text);
      expect(first.reply).toContain(FOUND[language]);
      // Few words change nothing of it.
      const next = await hub.say(who, 'ok', first.threadId);
      expect(next.language).toBe(language);
    },
  );

  it.each(['ok', 'Hello!', 'Walking boots', 'Ana'])('[BYO-88] is not for a few words: %s', async (text) => {
    expect((await hub.say(ANA, text)).language).toBe('es');
    expect((await hub.say(BEN, text)).language).toBe('pt-BR');
  });

  it('[BYO-88] is answered in the language that they asked for, whatever they write', async () => {
    const mcp = await connectMcp(hub, { as: BEN });
    await mcp.call('record_customer_preference', { key: 'language', value: 'en' });
    await mcp.close();
    expect((await hub.say(BEN, 'Você pode mostrar os meus pedidos?')).reply).toContain(FOUND.en);
  });
});
