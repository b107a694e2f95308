import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packCompany, unpackCompany, writeNewCompany } from '../../../src/company/company-folder.js';
import { makeTempDir } from '../../support/hub.js';

const room = makeTempDir();
const mine = join(room, 'mine');
const archive = join(room, 'mine.tgz');
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

beforeAll(() => void writeNewCompany(mine, { name: 'Mine' }));
afterAll(() => rmSync(room, { recursive: true, force: true }));

describe('a company as an archive', () => {
  it('[BYO-15] comes out as it went in, without hidden files and databases', async () => {
    for (const name of ['.env', 'mine.db', 'mine.db-wal']) writeFileSync(join(mine, name), 'secret');
    const count = await packCompany(mine, archive);
    const other = join(room, 'other');
    expect(await unpackCompany(archive, other)).toBe(count);
    for (const name of ['.env', 'mine.db', 'mine.db-wal']) rmSync(join(mine, name));
    expect(filesOf(other)).toEqual(filesOf(mine));
    for (const name of filesOf(mine))
      expect(readFileSync(join(other, name))).toEqual(readFileSync(join(mine, name)));
    await expect(unpackCompany(archive, other)).rejects.toMatchObject({ code: 'usage' });
  });

  it.each([
    [
      'a path out of its folder',
      'evil',
      (inside: string) => writeFileSync(join(inside, '..', 'evil'), 'x'),
      ['../evil'],
      /leads out/,
    ],
    [
      'a link',
      'link',
      (inside: string) => symlinkSync('/etc/passwd', join(inside, 'link')),
      ['link'],
      /no file/,
    ],
    [
      'a program',
      'code',
      (inside: string) => writeFileSync(join(inside, 'company.ts'), 'x'),
      ['company.ts'],
      /--with-code/,
    ],
    [
      'no company',
      'none',
      (inside: string) => writeFileSync(join(inside, 'a.txt'), 'x'),
      ['a.txt'],
      /no company\.yaml/,
    ],
  ])('[BYO-15] is not unpacked with %s', async (_what, name, make, paths, told) => {
    const inside = join(room, `of-${name}`);
    mkdirSync(inside);
    make(inside);
    const file = join(room, `${name}.tgz`);
    await create({ file, cwd: inside, gzip: true, preservePaths: true }, paths);
    const to = join(room, `to-${name}`);
    await expect(unpackCompany(file, to)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(told),
    });
    expect(readdirSync(room).filter((one) => one.startsWith(`to-${name}`))).toEqual([]);
  });

  it('[BYO-15] is not unpacked where it is broken', async () => {
    const broken = join(room, 'broken.tgz');
    writeFileSync(broken, readFileSync(archive).subarray(0, 500));
    await expect(unpackCompany(broken, join(room, 'to-broken'))).rejects.toMatchObject({ code: 'usage' });
    expect(readdirSync(room).filter((one) => one.startsWith('to-broken'))).toEqual([]);
  });
});
