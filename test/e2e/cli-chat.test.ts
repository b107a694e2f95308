import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT } from '../architecture/cruise.js';
import { cliEnvironment, commandLine, makeFolder, runCli, runHere, startChat } from './cli-process.js';

const folder = makeFolder();
afterAll(() => folder.remove());
const { dataDir } = folder;

const ANA = ['--as', 'ana.souza@example.com'];
const chat = (args: readonly string[], input: string, env: Record<string, string> = {}) =>
  runHere('chat', args, { dataDir, input, env });

describe('npm run chat without a terminal', () => {
  test('[CHAT-01 KB-08] answers one line each, skips blank ones, and shows the sources', async () => {
    const input = 'How do I pause my subscription?\n\n   \nObrigado!\n';
    const { code, out, err } = await runCli('chat', ANA, { dataDir, input });
    expect(code, err).toBe(0);
    const answers = out.trim().split('\n\n');
    expect(out).toMatch(/pause/i);
    expect(out).toMatch(/^Sources: \[1\] \S/m);
    expect(answers.at(-1)).toMatch(/[ãáéêçõó]|nada/i);
  });

  test('[CHAT-02 OFF-01] prints exactly the objects of the contract with --json', async () => {
    const { code, out } = await chat(['--json'], 'How do I pause my subscription?\n');
    expect(code).toBe(0);
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(1);
    const reply = JSON.parse(lines[0] ?? '');
    expect(Object.keys(reply)).toEqual(
      'thread_id ticket_id reply language provider classification agents route tool_calls citations pending escalated escalation usage timings_ms'.split(
        ' ',
      ),
    );
    expect(Object.keys(reply.classification)).toEqual(
      'issue_type priority sentiment requires_human summary confidence'.split(' '),
    );
    expect(Object.keys(reply.usage)).toEqual(['llm_calls', 'prompt_tokens', 'completion_tokens', 'cost_usd']);
    expect(reply).toMatchObject({ language: 'en', provider: 'offline', pending: null, escalated: false });
    expect(reply.citations[0]).toMatchObject({ article_id: expect.any(String), title: expect.any(String) });
    expect(reply.route[0]).toMatchObject({
      to: expect.any(String),
      by: expect.stringMatching(/^(rule|model):/),
    });
    expect(reply.tool_calls[0]).toMatchObject({ agent: 'triage', tool: 'classify_ticket', ok: true });
    expect(reply.timings_ms.total).toBeGreaterThan(0);
  });

  test('[BAD-01 BAD-08] goes on after a line that fails, and ends with 1', async () => {
    const input = `/approve pnd_nothing\n/reject\n${'x'.repeat(100_000)}\nHello\n`;
    const { code, out, err } = await chat([...ANA, '--json'], input);
    expect(code).toBe(1);
    const [foreign, incomplete, long, hello] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(foreign.error).toMatchObject({ code: 'pending_not_found', message: expect.any(String) });
    expect(incomplete.error.code).toBe('usage');
    expect(long.error?.code ?? long.thread_id).toMatch(/input_too_large|thr_/);
    expect(hello.reply).not.toBe('');
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('[CHAT-05] keeps one conversation, in which a confirmation and an approval are answered', async () => {
    const talk = startChat(ANA, { dataDir });
    const asked = await talk.say('cancel my reservation res_001');
    expect(asked.pending).toMatchObject({ kind: 'confirmation', tool: 'cancel_reservation' });
    const waiting = await talk.say('yes');
    expect(waiting).toMatchObject({
      thread_id: asked.thread_id,
      pending: { kind: 'approval', tool: 'cancel_reservation' },
    });
    const { id } = waiting.pending as { id: string };
    expect(await talk.say(`/approve ${id}`)).toMatchObject({
      approval: { id, reply: expect.stringMatching(/cancelled/) },
    });
    expect(await talk.say(`/approve ${id}`)).toMatchObject({ error: { code: 'pending_decided' } });
    expect((await talk.leave()).code).toBe(1);
  });

  test('[CHAT-03] refuses strangers, options and environments it does not know, with one line', async () => {
    const stranger = await chat(['--as', 'nobody@example.com'], 'hi\n');
    expect(stranger).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/error: .*nobody@example\.com/),
    });
    const option = await chat(['--nonsense'], '');
    expect(option).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--nonsense'") });
    const locale = await chat([], '', { HUB_LOCALE: 'klingon' });
    expect(locale).toMatchObject({ code: 2, err: 'error: HUB_LOCALE is "klingon"; allowed: en, pt-BR\n' });
    const help = await chat(['--help'], '');
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining('--thread') });
  });
});

/** util-linux `script` gives the command a terminal and types what comes on its own standard input. */
function startTerminal(args: readonly string[], env: Record<string, string> = {}) {
  const command = [process.execPath, ...commandLine('chat'), ...args].join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: ROOT,
    env: cliEnvironment({ dataDir, env }),
  });
  const closed = once(child, 'close') as Promise<[number]>;
  let screen = '';
  let seen = 0;
  let changed: () => void = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    changed();
  });
  return {
    type: (keys: string) => child.stdin.write(keys),
    /** Waits until the screen shows it, after what was waited for before. */
    async shows(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(screen.slice(seen));
        if (found !== null) {
          seen += found.index + found[0].length;
          return found[0];
        }
        const ended = await Promise.race([
          closed.then(() => true),
          new Promise<false>((resolve) => {
            changed = () => resolve(false);
          }),
        ]);
        if (ended && !pattern.test(screen.slice(seen)))
          throw new Error(`${pattern} is not on the screen:\n${screen}`);
      }
    },
    async code(): Promise<number> {
      return (await closed)[0];
    },
  };
}

describe('npm run chat on a terminal', () => {
  test('[CHAT-06] has a prompt, shows agents, answer and sources, and leaves by /quit', async () => {
    const terminal = startTerminal(ANA);
    await terminal.shows(
      /CultPass support[\s\S]*Signed in as ana\.souza@example\.com[\s\S]*Offline mode[\s\S]*you> /,
    );
    terminal.type('How do I pause my subscription?\r');
    await terminal.shows(/triage[\s\S]*knowledge[\s\S]*pause[\s\S]*Sources: \[1\] [\s\S]*you> /i);
    // Two parts that one article answers are one text, and stand there once.
    terminal.type('What are the student prices? And is there a discount for students too?\r');
    const answer = await terminal.shows(/triage[\s\S]*?Sources: \[1\] [\s\S]*?you> /);
    expect(answer.match(/Students get 30% off/g), answer).toHaveLength(1);
    terminal.type('\u001b[200~I have two questions.\rWhat is on this weekend?\u001b[201~\r');
    await terminal.shows(/triage[\s\S]*you> /);
    terminal.type('/frobnicate\r');
    await terminal.shows(/There is no command \/frobnicate/);
    terminal.type('/approve pnd_nothing\r/help\r');
    await terminal.shows(/\/reject ID REASON[\s\S]*you> /);
    terminal.type('/quit\r');
    await terminal.shows(/Goodbye/);
    expect(await terminal.code()).toBe(0);
  });

  test('speaks Portuguese where asked to, and leaves by Ctrl-C and Ctrl-D', async () => {
    for (const key of ['\u0003', '\u0004']) {
      const terminal = startTerminal([], { HUB_LOCALE: 'pt-BR' });
      await terminal.shows(/Sem login[\s\S]*Modo offline[\s\S]*você> /);
      terminal.type(key);
      await terminal.shows(/Até logo/);
      expect(await terminal.code()).toBe(0);
    }
  });
});
