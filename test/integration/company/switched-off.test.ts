import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { companyOverview } from '../../../src/app/company-commands.js';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { parseConfig } from '../../../src/config/config.js';
import { companyLike } from '../../support/company.js';
import { makeTempDir } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';

const room = makeTempDir();
const folders: string[] = [room];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
let at: TestServer | null = null;
afterEach(async () => {
  await at?.close();
  at = null;
});

const checked = async (folder: string) =>
  (await checkCompany(parseConfig({ HUB_COMPANY: folder }))).map(
    ({ severity, line, problem }) => `${severity} ${line}: ${problem}`,
  );

describe('what a company switches off', () => {
  it('[BYO-32] leaves a company of articles alone, which asks nobody to sign in and promises nothing else', async () => {
    const folder = join(room, 'velo');
    writeNewCompany(folder, { name: 'Velo', about: 'a shop for cyclists', languages: ['en', 'pt-BR', 'es'] });
    const profile = join(folder, 'company.yaml');
    const text = readFileSync(profile, 'utf8');
    for (const part of ['customers.yaml', 'entities', 'reads', 'actions', 'data'])
      rmSync(join(folder, part), { recursive: true });
    expect((await checked(folder)).join('\n')).toContain('nobody can sign in');
    writeFileSync(profile, `${text}\noff: { agents: [account, action, investigation] }\n`);
    expect(await checked(folder)).toEqual([]);
    const { off, intents } = await companyOverview(parseConfig({ HUB_COMPANY: folder }));
    expect(off.agents).toContain('action');
    expect(new Set(intents.map(({ route }) => route))).toEqual(new Set(['knowledge', 'escalation']));

    const webDir = join(room, 'web');
    mkdirSync(webDir);
    writeFileSync(join(webDir, 'index.html'), '<meta content="%facts%" />');
    at = await openServer({ dataDir: join(room, 'data'), env: { HUB_COMPANY: folder }, webDir });
    const said: string[] = [];
    const say = async (words: string) => {
      const { reply } = (await at?.hub.say(null, words)) ?? { reply: '' };
      said.push(reply);
      return reply;
    };
    expect(await say('How long does delivery take?')).toContain('two to four working days');
    for (const asked of ['Who are you?', 'Quem é você?', '¿Eres un robot?'])
      expect(await say(asked)).toMatch(/program/);
    await say('Please cancel my order');
    await say('Show me my orders');
    await say('ana@example.com');
    await say('What is the weather like in Lisbon?');
    expect(said.join('\n')).not.toMatch(
      /sign in|log ?in|your account|sua conta|tu cuenta|something went wrong/i,
    );

    const card = await at.get('/.well-known/agent-card.json');
    expect(card.text).not.toMatch(/record_resolution|record_customer_preference|investigat/i);
    expect((await at.get('/')).text).toContain('&quot;accounts&quot;:false');
  });

  it('[BYO-32] is one agent or one tool of the company that ships too, and what it did is answered from articles', async () => {
    const folder = companyLike({
      'company.yaml': (text) =>
        `${text}\noff: { agents: [action], tools: [record_customer_preference, get_subscription] }\n`,
    });
    folders.push(folder);
    at = await openServer({ dataDir: join(room, 'data-2'), env: { HUB_COMPANY: folder } });
    const ana = 'ana.souza@example.com';
    const asked = await at.hub.say(ana, 'Please cancel my reservation');
    expect(asked.pending ?? null).toBeNull();
    expect(asked.reply).not.toMatch(/shall i cancel|something went wrong/i);
    expect((await at.hub.say(ana, 'Show me my reservations')).reply).toMatch(/\d/);
    expect((await at.hub.say(ana, 'Please write to me by WhatsApp from now on')).reply).not.toMatch(/noted/i);
    const tools = at.hub.app.capabilities
      .agents()
      .flatMap(({ name, capabilities }) => [name, ...capabilities.map((one) => one.name)]);
    expect(tools).toContain('account');
    expect(tools).not.toContain('action');
    expect(tools).not.toContain('cancel_reservation');
    expect(tools).not.toContain('record_customer_preference');
  });

  it('[BYO-32] is named by check, with its line, where there is no such agent or tool or the hub cannot do without it', async () => {
    const folder = join(room, 'other');
    writeNewCompany(folder, { name: 'Other' });
    const profile = join(folder, 'company.yaml');
    const text = readFileSync(profile, 'utf8');
    const line = text.trimEnd().split('\n').length + 1;
    const withOff = async (off: string) => {
      writeFileSync(profile, `${text.trimEnd()}\noff: ${off}\n`);
      return (await checked(folder)).join('\n');
    };
    expect(await withOff('{ agents: [acount] }')).toMatch(
      new RegExp(`fault ${line}: .*"acount", which is none of account`),
    );
    expect(await withOff('{ agents: [knowledge] }')).toMatch(/fault \d+: .*"knowledge"/);
    expect(await withOff('{ tools: [search_knowledge] }')).toMatch(/fault \d+: .*"search_knowledge"/);
    expect(await withOff('{ agents: [action] }')).toMatch(
      /warning null: All agents that have the tool cancel_order are off/,
    );
    expect(await withOff('{ tools: [cancel_order] }')).toBe('');
  });
});
