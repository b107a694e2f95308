import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT } from '../architecture/cruise.js';
import { cliEnvironment, type Finished, finished, makeFolder, runCli, runHere } from './cli-process.js';

const folder = makeFolder();
afterAll(() => folder.remove());
const { dataDir } = folder;

const { scripts: SCRIPTS }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
const QUIET = 'HUB_ENV_FILE';
const COMMANDS: readonly (readonly [script: string, ...args: string[]])[] = [
  ['chat'],
  ['triage', '-'],
  ['kb', 'list'],
  ['desk', 'queue'],
  ['skill', 'list'],
  ['privacy', 'export', 'ana.souza@example.com'],
  ['mcp'],
  ['token', '--as', 'ana.souza@example.com'],
  ['start'],
  ['studio'],
];

/** Runs what `npm run` would: the tests start everything else from files that they have built. */
async function runScript(name: string, args: readonly string[], env: Record<string, string>) {
  const [program, ...line] = (SCRIPTS[name] ?? '').split(' ');
  expect(program).toBe('node');
  const options = { cwd: ROOT, env: cliEnvironment({ dataDir, env }) };
  const child = spawn(process.execPath, [...line, ...args], options);
  child.stdin.end();
  return finished(child);
}

/** What a newcomer types: through npm, with a pipe. */
async function npmRun(args: readonly string[], input: string): Promise<Finished> {
  const child = spawn('npm', ['run', '-s', ...args], { cwd: ROOT, env: cliEnvironment({ dataDir }) });
  child.stdin.end(input);
  return finished(child);
}

const objects = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a new user, with nothing prepared', () => {
  test('[CHAT-07 OFF-01] the first command prepares what it needs and answers in English', async () => {
    const { code, out, err } = await npmRun(['chat', '--', '--json'], 'How do I pause my subscription?\n');
    expect(code, err).toBe(0);
    const [reply, ...more] = objects(out);
    expect(more).toEqual([]);
    expect(reply).toMatchObject({ language: 'en', provider: 'offline', escalated: false });
    expect(reply.reply).toMatch(/pause/i);
    expect(reply.citations[0]).toMatchObject({ article_id: 'kb-pause-subscription-en' });
    expect(err).toMatch(/^Prepared .+\nPrepared .+\n$/);
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['cultpass.db', 'udahub.db', 'chroma']));
  });

  test('[LANG-01] the next one is ready at once, in Portuguese, and answers from the account', async () => {
    const lines = 'Oi! Como faço para pausar meu plano?\nE quantas visitas ainda tenho este mês?\n';
    const args = ['chat', '--', '--json', '--as', 'ana.souza@example.com'];
    const { code, out, err } = await npmRun(args, lines);
    expect(code, err).toBe(0);
    expect(err).toBe('');
    const [question, account] = objects(out);
    expect(question).toMatchObject({ language: 'pt-BR', thread_id: account.thread_id });
    expect(question.citations[0]).toMatchObject({ article_id: 'kb-pause-subscription-pt' });
    expect(account).toMatchObject({ language: 'pt-BR' });
    expect(account.agents).toContain('account');
    expect(account.reply).toMatch(/visitas?/);
  });

  test('[CHAT-01] npm without -s and --json is for people: answer, sources, nothing else on stdout', async () => {
    const { code, out } = await npmRun(['chat'], 'How many visits does the basic plan include?\n');
    expect(code).toBe(0);
    expect(out).toMatch(/2/);
    expect(out).toMatch(/^Sources: \[1\] /m);
    expect(out).not.toMatch(/scripts\/chat\.ts|\{"/);
  });
});

describe('a conversation that goes on', () => {
  const as = ['--json', '--as', 'bruno.lima@example.com'];
  const here: typeof runCli = (_chat, args, options) => runHere('chat', args, options);
  /** Says it in a process of its own, or in this one: each of them goes on with what the other has left. */
  const talk = async (
    run: typeof runCli,
    input: string,
    args: readonly string[],
    env: Record<string, string>,
  ) => {
    const { code, out, err } = await run('chat', [...as, ...args], { dataDir, input, env });
    expect(code, err).toBe(0);
    return objects(out)[0];
  };
  const status = (reservation: string): unknown => {
    const database = new Database(join(dataDir, 'cultpass.db'), { readonly: true });
    const row = database.prepare('SELECT status FROM reservations WHERE reservation_id = ?').pluck();
    const found = row.get(reservation);
    database.close();
    return found;
  };

  test('[GRAPH-04] keeps no checkpoints by default, but an open question can still be answered', async () => {
    const asked = await talk(runCli, 'Cancela minha reserva do Manguebeat\n', [], {});
    expect(asked.pending).toMatchObject({ kind: 'confirmation', tool: 'cancel_reservation' });
    expect(status(asked.pending.args.reservation_id)).toBe('reserved');
    const done = await talk(here, 'sim\n', ['--thread', asked.thread_id], {});
    expect(done).toMatchObject({ thread_id: asked.thread_id, pending: null, language: 'pt-BR' });
    expect(['cancelled', 'refunded']).toContain(status(asked.pending.args.reservation_id));
    expect(existsSync(join(dataDir, 'checkpoints.db'))).toBe(false);
  });

  test('[CHAT-04 GRAPH-05] goes on after a restart with HUB_CHECKPOINTER=sqlite', async () => {
    const env = { HUB_CHECKPOINTER: 'sqlite' };
    const asked = await talk(here, 'Quero pausar minha assinatura\n', [], env);
    expect(asked.pending).toMatchObject({ kind: 'confirmation', tool: 'update_subscription' });
    const done = await talk(runCli, 'sim\n', ['--thread', asked.thread_id], env);
    expect(done).toMatchObject({ thread_id: asked.thread_id, pending: null, language: 'pt-BR' });
    expect(done.tool_calls).toContainEqual(
      expect.objectContaining({ tool: 'update_subscription', ok: true }),
    );
    expect(existsSync(join(dataDir, 'checkpoints.db'))).toBe(true);
  });
});

describe('[BAD-04] a wrong environment', () => {
  test.each([
    ['HUB_MODEL_PROVIDER', 'claude', 'openai, offline, auto'],
    ['HUB_EMBEDDING_PROVIDER', 'remote', 'openai, local, auto'],
    ['HUB_CHECKPOINTER', 'redis', 'memory, sqlite'],
    ['HUB_LOG_LEVEL', 'loud', 'debug, info, warn, error'],
    ['CHROMA_URL', 'localhost:8000', 'an http:// or https:// address'],
    ['HUB_MAX_HOPS', 'many', 'a whole number from 1 to 50'],
    ['HUB_TIME_ZONE', 'Mars/Olympus', 'an IANA time zone such as America/Sao_Paulo'],
    ['PORT', '70000', 'a whole number from 0 to 65535'],
  ])('%s=%s stops with code 2 and one line', async (name, value, allowed) => {
    const { code, out, err } = await runHere('chat', [], { dataDir, env: { [name]: value } });
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: `error: ${name} is "${value}"; allowed: ${allowed}\n`,
    });
  });

  test.each(COMMANDS)('%s says it as well', async (script, ...args) => {
    const { code, out, err } = await runScript(script, args, { HUB_LOCALE: 'fr' });
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: 'error: HUB_LOCALE is "fr"; allowed: en, pt-BR\n',
    });
  });

  test('a secret is not repeated', async () => {
    const { code, err } = await runHere('chat', [], { dataDir, env: { OPENAI_API_KEY: 'sk-läuft nicht' } });
    expect(code).toBe(2);
    expect(err).toMatch(/^error: OPENAI_API_KEY is \(set\); allowed: .+\n$/);
  });
});

describe('a .env file', () => {
  const file = join(folder.path, 'settings.env');

  test('gives what the environment does not', async () => {
    mkdirSync(folder.path, { recursive: true });
    writeFileSync(file, 'HUB_LOCALE=fr\nHUB_LOG_LEVEL=loud\n');
    const told = await runCli('chat', [], { dataDir, env: { [QUIET]: file, HUB_LOG_LEVEL: 'info' } });
    expect(told.err).toBe('error: HUB_LOCALE is "fr"; allowed: en, pt-BR\n');
    const won = await runCli('chat', [], { dataDir, env: { [QUIET]: file, HUB_LOCALE: 'en' } });
    expect(won.err).toMatch(/^error: HUB_LOG_LEVEL is "loud"/);
  });

  test('that was named must be there', async () => {
    const { code, err } = await runCli('chat', [], { dataDir, env: { [QUIET]: `${file}.gone` } });
    expect(code).toBe(2);
    expect(err).toMatch(/^error: HUB_ENV_FILE is ".+"; allowed: none, or a file that can be read .+\n$/);
  });
});
