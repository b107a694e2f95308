import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { finished, makeFolder, runCli, startChat, startCli } from './cli-process.js';

interface Connection {
  readonly program: string;
  readonly file: string;
  readonly readonly: boolean;
  readonly synchronous: number;
}

const FULL = 2;
const ANA = 'ana.souza@example.com';
const folder = makeFolder();
const { dataDir } = folder;
const record = join(folder.path, 'connections.jsonl');
const recorder = fileURLToPath(new URL('./record-connections.mjs', import.meta.url));
const env = {
  NODE_OPTIONS: `--import ${recorder}`,
  HUB_TEST_CONNECTIONS: record,
  // Nobody listens there: articles are found by their words.
  CHROMA_URL: 'http://127.0.0.1:9',
  HUB_CHECKPOINTER: 'sqlite',
};
afterAll(() => folder.remove());

/** The connections to the databases that hold promises, by the program that had them open. */
function connections(): ReadonlyMap<string, readonly Connection[]> {
  if (!existsSync(record)) return new Map();
  const lines = readFileSync(record, 'utf8').trim().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Connection);
  const byProgram = new Map<string, Connection[]>();
  for (const one of all.filter(({ file }) => file === 'cultpass.db' || file === 'udahub.db'))
    byProgram.set(one.program, [...(byProgram.get(one.program) ?? []), one]);
  return byProgram;
}

async function serve(): Promise<void> {
  const child = startCli('serve', [], { dataDir, env: { ...env, PORT: '0' } });
  const end = finished(child);
  await new Promise<void>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (piece: string) => {
      text += piece;
      if (/chat http:\S+\//.test(text)) resolve();
    });
    child.once('close', () => reject(new Error(`it ended: ${text}`)));
  });
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'close');
  await end;
}

test('[ATK-02] every program syncs what it writes to the two databases that hold promises', {
  timeout: 600_000,
}, async () => {
  const chat = startChat(['--as', ANA], { dataDir, env });
  await chat.say('cancel my samba booking');
  await chat.say('yes');
  expect((await chat.leave()).code).toBe(0);
  const commands: readonly (readonly [script: string, args: readonly string[], input?: string])[] = [
    ['desk', ['queue']],
    ['kb', ['list']],
    ['triage', ['-'], '{"message":"Where is my refund?"}\n'],
    ['token', ['--as', ANA, '--scope', 'account:read']],
    ['privacy', ['erase', ANA, '--yes']],
  ];
  for (const [script, args, input] of commands) {
    const { code, err } = await runCli(script, args, {
      dataDir,
      env,
      ...(input === undefined ? {} : { input }),
    });
    expect(code, `${script}: ${err}`).toBe(0);
  }
  await serve();
  const found = connections();
  const written = [...found].map(([program, all]) => {
    const writable = all.filter(({ readonly }) => !readonly);
    return { program, files: [...new Set(writable.map(({ file }) => file))].sort(), count: writable.length };
  });
  // The chat, five commands, and the server.
  expect(
    written.filter(({ files }) => files.length === 2).length,
    JSON.stringify(written),
  ).toBeGreaterThanOrEqual(7);
  const unsynced = [...found.values()]
    .flat()
    .filter(({ readonly, synchronous }) => !readonly && synchronous !== FULL);
  expect(unsynced).toEqual([]);
});
