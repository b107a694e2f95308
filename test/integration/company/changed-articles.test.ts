import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { makeTempDir, openHub } from '../../support/hub.js';

it('[BYO-39] takes over articles that are added, changed and gone since the last start, and leaves what an operator wrote', async () => {
  const room = makeTempDir();
  const folder = join(room, 'mine');
  writeNewCompany(folder, { name: 'Mine' });
  const article = (name: string) => join(folder, 'articles', `${name}.en.md`);
  const write = (name: string, text: string) => writeFileSync(article(name), `# ${name}\n\n${text}\n`);
  write('parking', 'Cars park behind the shop.');
  write('gifts', 'Gifts are wrapped in paper.');
  const env = { HUB_COMPANY: folder };
  const dataDir = join(room, 'data');
  const first = await openHub({ dataDir, env });
  await first.app.kb.indexFile(
    Buffer.from(
      `${JSON.stringify({ article_id: 'gifts-en', title: 'gifts', content: 'Gifts are wrapped in cloth.', language: 'en' })}\n`,
    ),
  );
  await first.close();
  const told = async () => {
    const hub = await openHub({ dataDir, env });
    const all = await hub.app.kb.list();
    await hub.close();
    return Object.fromEntries(all.map(({ articleId, content }) => [articleId, content]));
  };
  expect(await told()).toEqual({ 'gifts-en': 'Gifts are wrapped in cloth.' });
  write('parking', 'Cars park in the yard.');
  write('dogs', 'Dogs wait outside.');
  expect(await told()).toEqual({
    'gifts-en': 'Gifts are wrapped in cloth.',
    'parking-en': 'Cars park in the yard.',
    'dogs-en': 'Dogs wait outside.',
  });
  rmSync(article('dogs'));
  rmSync(article('gifts'));
  const left = await told();
  expect(left).not.toHaveProperty('dogs-en');
  expect(left['gifts-en']).toBe('Gifts are wrapped in cloth.');
  rmSync(room, { recursive: true, force: true });
});
