import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/cruise.js';
import { type Finished, makeFolder, runCli } from './cli-process.js';

// Each command is a program of its own, and the language layer is fitted: on a busy machine that takes minutes.
const { path: room, remove } = makeFolder();
afterAll(remove);
const folder = join(room, 'mine');

const [, chapter = ''] =
  /^## Use it for your company\n([\s\S]*?)^## /m.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
/** The first block: commands after `$`, what is said after `you>`, and what comes of it. */
const block = (/```console\n([\s\S]*?)```/.exec(chapter)?.[1] ?? '').trim().split('\n');
/** Those of the list below it stand in the text. */
const inline = [...chapter.matchAll(/`((?:HUB_\w+=\S+ )*npm run [^`]+)`/g)].map(
  ([, command = '']) => command,
);
const commandWith = (words: string) => inline.find((command) => command.includes(words)) ?? '';
/** What a command works on that names no data directory: the reader's `./var`, which is another company's. */
const unnamed = join(room, 'unnamed');

/** Runs a command of the chapter as it stands there, but that the company lies in the test's folder. */
function run(command: string, input = ''): Promise<Finished> {
  const words = [...command.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
  const at = words.indexOf('npm');
  const here = (word: string) =>
    word
      .replace(/^(HUB_COMPANY=)?mine$/, `$1${folder}`)
      .replace(/^companies\/mine/, folder)
      .replace(/=\.\/var-mine$/, `=${join(room, 'var')}`);
  const env = Object.fromEntries(words.slice(0, at).map((word) => here(word).split('=') as [string, string]));
  const [script = '', ...args] = words.slice(at + 2).filter((word) => word !== '-s' && word !== '--');
  return runCli(script, args.map(here), { dataDir: unnamed, env, input });
}

/** Days move with the calendar. */
const dateless = (line: string) => line.replaceAll(/\w+day \d+ \w+/g, 'DAY');

describe('the chapter "Use it for your company"', () => {
  it('[BYO-37] holds literally: a company that is written by a command and answers as it says there', async () => {
    const [create = '', chat = ''] = block
      .filter((line) => line.startsWith('$ '))
      .map((line) => line.slice(2));
    const made = await run(create);
    expect(made).toMatchObject({ code: 0 });
    expect(made.err).toMatch(/files written/);
    const said = block.flatMap((line) => (line.startsWith('you> ') ? [line.slice(5)] : []));
    const { out, err, code } = await run(chat, `${said.join('\n')}\n`);
    expect({ code, err }).toMatchObject({ code: 0 });
    const shown = dateless(out);
    for (const line of block.slice(2).filter((one) => one !== '' && !/^(?:you>|Waiting)/.test(one)))
      expect(shown).toContain(dateless(line));
  }, 1_800_000);

  it('[BYO-37] leads from there to twelve articles and a skill of its own, with nothing for check to find', async () => {
    const passes = async () => expect(await run(commandWith('-- check'))).toMatchObject({ code: 0, out: '' });
    for (let at = 1; at <= 12; at += 1)
      writeFileSync(
        join(folder, 'articles', `repair-${at}.en.md`),
        `# How long a repair of part ${at} takes\n\nWe repair part ${at} of a bicycle within ${at + 1} working days.\n`,
      );
    expect((await run(commandWith('kb -- index'))).out).toMatch(/^14 articles indexed: 12 embedded/);
    await passes();
    expect(await run(commandWith('skill -- new'))).toMatchObject({ code: 0 });
    await passes();
  }, 1_800_000);

  it('[BYO-37 BYO-100] shows the look-up and the change, and tries one, all of it in a directory of its own', async () => {
    expect((await run(commandWith('-- show'))).out).toMatch(/next_delivery[\s\S]*cancel_order/);
    expect((await run(commandWith('-- call'))).out).toContain('Blue backpack');
    expect(existsSync(unnamed)).toBe(false);
  }, 1_800_000);
});
