import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/core/domain/json.js';
import { HubError } from '../../../../src/core/errors.js';
import { executeImplementation } from '../../../../src/skills/implementation/execute-implementation.js';
import { packOf, testContext } from '../../../support/skill-context.js';
import { until } from '../../../support/until.js';

const PROGRAMS = {
  args: 'printf "["; first=1; for a in "$@"; do [ $first = 1 ] || printf ","; first=0; printf \'"%s"\' "$a"; done; printf "]"',
  echo: 'cat',
  surroundings: 'env | cut -d= -f1 | sort | tr "\\n" " "; pwd; ls -A | wc -l',
  text: 'echo plain words',
  fails: 'echo partial; echo "disk is full" >&2; exit 3',
  endless: 'sleep 60 & echo $! > "$1"; wait',
  flood: 'yes abcdefghij',
  // Told of when it is on its own: before, it would be ended with the program.
  leaves: 'setsid sleep 3600 & until [ "$(ps -o sid= -p $! | tr -d " ")" = $! ]; do :; done; echo $!',
  dies: 'kill -9 $$',
} as const;

describe('[SKI-02] a skill that is a program', () => {
  let folder: string;
  let commands: Record<string, string>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-commands-'));
    commands = { missing: join(folder, 'missing') };
    for (const [name, script] of Object.entries(PROGRAMS)) {
      const path = join(folder, name);
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
      commands[name] = path;
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  interface Told {
    readonly args?: readonly string[];
    readonly stdin?: boolean;
    readonly seconds?: number;
    readonly output?: JsonObject;
    readonly signal?: AbortSignal;
  }
  const run = async (handler: string, input: JsonObject = {}, told: Told = {}): Promise<JsonValue> => {
    const { args, stdin, seconds = 5, output = {}, signal } = told;
    const implementation = { type: 'cli_command', handler, ...(args && { args }), ...(stdin && { stdin }) };
    const pack = packOf({ implementation, execution: { timeout_per_skill: seconds }, output_schema: output });
    const outcome = await executeImplementation(
      pack,
      input,
      testContext({ commands, ...(signal && { signal }) }),
    );
    if (outcome.status !== 'done' || outcome.result.kind !== 'plain') throw new Error('not a plain result');
    return outcome.result.value;
  };
  const fault = async (...told: Parameters<typeof run>): Promise<HubError> => {
    const error = await run(...told).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(HubError);
    return error as HubError;
  };

  it('[SKI-02] gets each argument as one, whatever its value holds', async () => {
    const name = '$(touch hacked); `id` && rm * | x > y \\ * ?';
    const args = ['--name={name}', '{name}', 'fixed', '{order.id}', '-n', '{count}'];
    expect(await run('args', { name: 'a b', order: { id: 'o;1' }, count: 3 }, { args })).toEqual([
      '--name=a b',
      'a b',
      'fixed',
      'o;1',
      '-n',
      '3',
    ]);
    const evil = await run('args', { name }, { args: ['{name}'] }).catch((error: unknown) => String(error));
    expect(evil).toBe(`["${name}"]`);
    expect(existsSync(join(process.cwd(), 'hacked'))).toBe(false);
  });

  it('[SKI-02] takes no value for an option', async () => {
    for (const name of ['-rf', '--output=/etc/passwd', '-']) {
      const refused = await fault('args', { name }, { args: ['{name}'] });
      expect(refused.code).toBe('input_invalid');
      expect(refused.message).toContain('implementation.args[0] ({name}) of demo');
    }
    expect(await run('args', { name: '-1' }, { args: ['--n={name}'] })).toEqual(['--n=-1']);
  });

  it.each([[{}], [{ name: null }], [{ name: 'a\0b' }]])(
    '[SKB-03] refuses an argument that cannot be one: %o',
    async (input) => {
      expect(await fault('args', input, { args: ['{name}'] })).toMatchObject({ code: 'input_invalid' });
    },
  );

  it('[SKI-02] reads the input as JSON where it asks for it, and gives JSON', async () => {
    expect(await run('echo', { a: [1, 'ç'] }, { stdin: true })).toEqual({ a: [1, 'ç'] });
    expect(await run('echo', { a: 1 })).toBe('');
    expect(await run('text')).toBe('plain words');
    expect(await run('text', { long: 'x'.repeat(500_000) }, { stdin: true })).toBe('plain words');
  });

  it('[SKI-02] sees neither our environment nor our folder', async () => {
    process.env.HUB_TEST_SECRET = 'hunter2';
    const seen = String(await run('surroundings'));
    delete process.env.HUB_TEST_SECRET;
    expect(seen).not.toContain('HUB_TEST_SECRET');
    expect(seen).not.toContain(process.cwd());
    const [, , files] = seen.split('\n');
    expect(`${seen.split('\n').at(-1)}`.trim()).toBe('0');
    expect(files).toBeUndefined();
    const cwd = /(\S*skill-command-\S*)/.exec(seen)?.[1] ?? '';
    expect(existsSync(cwd)).toBe(false);
  });

  it('[SKI-02] may be only what is allowed by name', async () => {
    for (const name of ['rm', '/bin/sh', 'constructor', '__proto__']) {
      const refused = await fault(name);
      expect(refused.code).toBe('command_not_allowed');
      expect(refused.message).toContain(
        `The skill demo may not run ${name}. Programs that are allowed: missing, args`,
      );
    }
  });

  it('[SKB-03] says how it failed', async () => {
    expect(await fault('fails')).toMatchObject({
      code: 'command_failed',
      message: 'The program fails ended with exit code 3: disk is full.',
    });
    expect(await fault('dies')).toMatchObject({ message: 'The program dies was ended by SIGKILL.' });
    expect((await fault('missing')).message).toMatch(/cannot be started: .*ENOENT/);
  });

  it('[SKB-03] is stopped after its time, with everything it started', async () => {
    const file = join(folder, 'child.pid');
    expect(await fault('endless', { file }, { args: ['{file}'], seconds: 0.3 })).toMatchObject({
      code: 'skill_timeout',
      message: 'The program endless ran longer than 0.3 s, and was stopped.',
    });
    const pid = Number(readFileSync(file, 'utf8'));
    await until(() => isGone(pid), 'what it started is gone');
  });

  it('[SKB-03] is stopped with the run', async () => {
    const stop = new AbortController();
    const file = join(folder, 'other.pid');
    const stopped = fault('endless', { file }, { args: ['{file}'], signal: stop.signal });
    await until(() => existsSync(file), 'the program runs');
    stop.abort(new HubError('skill_timeout', 'The run took too long.'));
    expect(await stopped).toMatchObject({
      code: 'skill_timeout',
      message: 'The run took too long.',
    });
    expect(await fault('text', {}, { signal: stop.signal })).toMatchObject({ code: 'skill_timeout' });
  });

  it('[SKB-03] is stopped when it writes without end', async () => {
    expect(await fault('flood')).toMatchObject({
      code: 'command_failed',
      message: 'The program flood wrote more than 1000000 bytes, and was stopped.',
    });
  });

  it('[SKB-03] is not waited for by what it leaves behind', async () => {
    const left = Number(await run('leaves'));
    expect(isGone(left)).toBe(false);
    process.kill(left);
  });

  it('[SKI-02] has its output checked', async () => {
    const output = { type: 'object', required: ['total'], properties: { total: { type: 'number' } } };
    expect(await run('echo', { total: 1 }, { stdin: true, output })).toEqual({ total: 1 });
    const wrong = await fault('echo', { total: 'one' }, { stdin: true, output });
    expect(wrong.code).toBe('skill_failed');
    expect(wrong.message).toContain(
      'The output of demo does not fit output_schema of its skill.yaml: /total',
    );
    expect(await fault('text', {}, { output })).toMatchObject({ code: 'skill_failed' });
  });
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended and that nobody has asked about is still listed.
    return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
