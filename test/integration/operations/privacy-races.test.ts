import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openPrivacy } from '../../../src/app/privacy.js';
import { parseConfig } from '../../../src/config/config.js';
import { eraseFromLog, linesAbout } from '../../../src/privacy/files.js';
import { runCli, runHere, startCli } from '../../e2e/cli-process.js';
import { makeTempDir } from '../../support/hub.js';
import { startOpenAiServer } from '../../support/openai-server.js';
import { until } from '../../support/until.js';
import { form, openOnline, PROMPT } from '../online/support.js';
import { durableHub, filesWith, GABI, GABI_NAME, liveThrough, othersLive, SAID } from './privacy-support.js';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

/** A data directory in which the customer has lived, and nobody works on it any more. */
async function livedIn(): Promise<string> {
  const hub = await durableHub();
  await othersLive(hub);
  await liveThrough(hub);
  await hub.close();
  cleanUps.push(() => rmSync(hub.dataDir, { recursive: true, force: true }));
  return hub.dataDir;
}

/** Starts an erasure and kills it as soon as it says this. @returns what it had said */
function killedAt(dataDir: string, step: string): Promise<string> {
  const child = startCli('privacy', ['erase', GABI, '--yes'], { dataDir });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.includes(step)) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.on('exit', () => resolve(said)));
}

describe('an erasure that something comes in the way of', () => {
  it('[PRV-07] is completed by asking again, wherever it was killed', async () => {
    const lived = await livedIn();
    const steps = [
      'Waiting for turns',
      'Removed from udahub',
      'Made anonymous',
      'what the graphs',
      'anew',
      'Searching',
    ];
    for (const step of steps) {
      const dataDir = join(makeTempDir(), 'var');
      cleanUps.push(() => rmSync(dataDir, { recursive: true, force: true }));
      cpSync(lived, dataDir, { recursive: true });
      expect(await killedAt(dataDir, step), step).toContain(step);
      const again = await runHere('privacy', ['erase', GABI, '--yes'], { dataDir });
      expect(again.code, `${step}: ${again.err}`).toBe(0);
      expect(again.out).toMatch(/0 finds|erased before/);
      for (const said of [...SAID, GABI, GABI_NAME])
        expect(filesWith(dataDir, said), `${step}: ${said}`).toEqual([]);
      expect(readdirSync(dataDir).filter((name) => name.startsWith('erasing'))).toEqual([]);
    }
  }, 600_000);

  it('[PRV-08] ends a turn that is under way: nothing of it is stored', async () => {
    const server = await startOpenAiServer();
    cleanUps.push(() => server.close());
    const online = await openOnline(server, { HUB_CHECKPOINTER: 'sqlite' });
    cleanUps.push(() => online.close());
    const asked = new Promise<void>((resolve) => {
      server.reply(() => {
        resolve();
        return { ...form([[SAID[0] ?? '', 'knowledge']]), delayMs: 1_500 };
      }, PROMPT.triage);
    });
    const talk = await online.talk(GABI);
    const turn = talk.say(`${SAID[0]}. How do I pause my plan?`).catch((error: unknown) => error);
    await asked;
    const privacy = await openPrivacy(
      parseConfig({ HUB_DATA_DIR: online.dir, HUB_MODEL_PROVIDER: 'offline' }),
    );
    cleanUps.push(() => privacy.close());
    const report = await privacy.erase(GABI);
    expect(report).toMatchObject({ status: 'erased', proof: { leftovers: [] } });
    // Whatever the turn says now, it was not what the model would have led to.
    expect(await turn).not.toMatchObject({ provider: 'openai' });
    for (const said of [SAID[0] ?? '', GABI, GABI_NAME])
      expect(filesWith(online.dir, said), said).toEqual([]);
    await expect(talk.say('hello?')).rejects.toMatchObject({ code: 'customer_erased' });
  });
});

it('[PRV-09] takes lines out of a log that is being written, and loses none of the others', async () => {
  const folder = makeTempDir();
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'hub.log');
  const script = `
    const { openSync, writeSync } = require('node:fs');
    const log = openSync(${JSON.stringify(file)}, 'a');
    for (let n = 0; n < 30000; n += 1)
      writeSync(log, JSON.stringify({ n, who: n % 3 === 0 ? 'Gabriela Nunes' : 'somebody else', text: 'é'.repeat(n % 90) }) + '\\n');`;
  const child = spawn(process.execPath, ['-e', script]);
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const about = (line: string) => line.includes(GABI_NAME);
  let running = true;
  void ended.then(() => {
    running = false;
  });
  await until(() => {
    if (existsSync(file)) eraseFromLog(file, about);
    return !running;
  }, 'the writer is done');
  expect(await ended).toBe(0);
  eraseFromLog(file, about);
  expect(linesAbout(file, about)).toEqual([]);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(30_000);
  const kept = lines.flatMap((line) =>
    line.includes('"n":') ? [(JSON.parse(line) as { n: number }).n] : [],
  );
  expect(kept).toEqual(Array.from({ length: 30_000 }, (_, n) => n).filter((n) => n % 3 !== 0));
});

describe('npm run privacy', () => {
  it('[PRV-02 PRV-06] exports to a file, erases, says so again, and refuses what it cannot do', async () => {
    const dataDir = await livedIn();
    const folder = makeTempDir();
    cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
    const out = join(folder, 'export.json');
    const exported = await runHere('privacy', ['export', GABI, '--out', out], { dataDir });
    expect(exported).toMatchObject({ code: 0, out: '' });
    expect(filesWith(folder, SAID[2] ?? '')).toEqual([out]);
    expect(statSync(out).mode & 0o077).toBe(0);
    const shown = await runCli('privacy', ['export', GABI], { dataDir });
    expect(JSON.parse(shown.out)).toMatchObject({ customer: { email: GABI, full_name: GABI_NAME } });

    expect(await runHere('privacy', ['erase', GABI], { dataDir })).toMatchObject({ code: 2, out: '' });
    expect(await runHere('privacy', ['erase', 'nobody@example.com', '--yes'], { dataDir })).toMatchObject({
      code: 2,
    });
    expect(await runHere('privacy', ['export', 'nobody@example.com'], { dataDir })).toMatchObject({
      code: 2,
      out: '',
    });
    const erased = await runHere('privacy', ['erase', GABI, '--yes'], { dataDir });
    expect(erased).toMatchObject({ code: 0, out: expect.stringContaining('0 finds') });
    expect(erased.out).toMatch(/ticket_messages\s+removed\s+\d+/);
    const again = await runHere('privacy', ['erase', GABI, '--yes'], { dataDir });
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('was erased before') });
  });
});
