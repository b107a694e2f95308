import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createCompany } from '../../../src/app/company.js';
import { checkCompany } from '../../../src/app/company-check.js';
import { openSkillPacks } from '../../../src/app/skill-packs.js';
import { parseConfig } from '../../../src/config/config.js';
import { makeTempDir, openHub } from '../../support/hub.js';

const room = makeTempDir();
afterAll(() => rmSync(room, { recursive: true, force: true }));

async function companyWithSkill(name: string, given: object, edit: (folder: string) => void = () => {}) {
  const folder = join(room, name);
  const env = { HUB_COMPANY: folder, HUB_DATA_DIR: join(room, `${name}-data`) };
  const config = parseConfig(env);
  createCompany(config, { name: 'Forge', ...given });
  edit(folder);
  const packs = await openSkillPacks(config);
  const made = [];
  for (const type of ['decision_tree', 'generation'])
    made.push(...(await packs.create({ id: `late_${type}`, type })).files);
  const text = made.map((file) => readFileSync(file, 'utf8')).join('\n');
  return { folder, env, config, text, made };
}

describe('a new skill of a company in YAML', () => {
  it("[BYO-90] is written to the company's folder, in its languages alone, over an entity of its own", async () => {
    const { folder, config, text, made } = await companyWithSkill('forge', { languages: ['es'] }, (at) => {
      const file = join(at, 'entities', 'order.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('pedido', 'encargo'));
    });
    for (const file of made) expect(file.startsWith(join(folder, 'skills'))).toBe(true);
    expect(text).not.toMatch(/pt-BR|\ben:/);
    expect(text).toContain('¿De qué encargo se trata?');
    expect(text).toContain('consta como "realizado"');
    expect(text).toContain('# recommended_action: { action: cancel_order');
    expect(await checkCompany(config)).toEqual([]);
  });

  it('[BYO-90] answers at once: it asks which record is meant, and says what is on record', async () => {
    const { env } = await companyWithSkill('gym', { languages: ['en'] });
    const hub = await openHub({ dataDir: env.HUB_DATA_DIR, env });
    const first = await hub.say('ana@example.com', 'there is a late decision tree');
    expect(first.reply).toBe('Which order is it about?');
    const second = await hub.say('ana@example.com', 'the rain jacket', first.threadId);
    expect(second.reply).toBe('I have looked at it: "Rain jacket" is on record as "delivered".');
    await hub.close();
  });

  it('[BYO-113] is found by its id and by its records, in each language of the company', async () => {
    const { text } = await companyWithSkill('shop', { languages: ['en', 'pt-BR', 'es'] });
    const [, keywords = ''] = /keywords: \[ (.*) \]/.exec(text) ?? [];
    expect(keywords.split(', ')).toEqual(
      expect.arrayContaining([
        'late decision tree',
        'decision tree is late',
        'problem with my order',
        'problema com meu pedido',
        'problema con mi pedido',
      ]),
    );
  });

  it('[BYO-113] whose id is in the language of the company has no words of another', async () => {
    const { config } = await companyWithSkill('loja', { languages: ['pt-BR'] });
    const packs = await openSkillPacks(config);
    const { files } = await packs.create({ id: 'pedido_atrasado', type: 'decision_tree' });
    const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    const [, keywords = ''] = /keywords: \[ (.*) \]/.exec(text) ?? [];
    expect(keywords).toMatch(/pedido atrasado, .*pedido está atrasado/);
    expect(keywords).toContain('problema com meu pedido');
    expect(keywords).not.toMatch(/\bis\b|problem with/);
    expect(await checkCompany(config)).toEqual([]);
  });

  it('[BYO-90] asks a person where no statement of a skill can read the records', async () => {
    const { config, text } = await companyWithSkill('service', { customers: 'sqlite:shop.db' });
    expect(text).toContain('Have a person look');
    const found = (await checkCompany(config)).filter(({ file }) => file.includes('skills'));
    expect(found).toEqual([]);
  });
});
