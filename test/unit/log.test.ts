import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog, maskText, maskValue } from '../../src/adapters/telemetry/pino-log.js';
import { HubError } from '../../src/core/errors.js';
import { EXPLOSION_S, processorSeconds } from '../support/processor-time.js';

const AT = new Date('2026-03-01T12:00:00.000Z');
const clock = { now: () => AT };

describe('the log', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hub-log-'));
    file = join(folder, 'deep', 'hub.log');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const lines = (): Record<string, unknown>[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('[LOG-01] writes one JSON object a line, and makes the file only when there is something to write', async () => {
    const log = createLog({ level: 'info', file, clock });
    expect(existsSync(file)).toBe(false);
    log.debug({ agent: 'knowledge', action: 'ignored' });
    expect(existsSync(file)).toBe(false);
    log.info({
      agent: 'knowledge',
      action: 'tool_called',
      ticketId: 'tkt_1',
      details: { tool: 'search_knowledge', ms: 4 },
    });
    log.warn({ agent: 'chroma', action: 'gone' });
    await log.flush();
    expect(lines()).toEqual([
      {
        timestamp: AT.toISOString(),
        level: 'info',
        agent: 'knowledge',
        action: 'tool_called',
        ticket_id: 'tkt_1',
        details: { tool: 'search_knowledge', ms: 4 },
      },
      {
        timestamp: AT.toISOString(),
        level: 'warn',
        agent: 'chroma',
        action: 'gone',
        ticket_id: null,
        details: {},
      },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    log.close();
  });

  it('shows errors with message, code, stack, fields and cause', () => {
    const log = createLog({ level: 'info', file, clock });
    const cause = new TypeError('no such host db.internal, asked by ana@example.com');
    const error = new HubError(
      'index_unavailable',
      'Chroma is gone',
      { url: 'http://x', password: 'hunter2' },
      { cause },
    );
    log.error({ agent: 'chroma', action: 'query_failed', details: { tries: 2 } }, error);
    const [line] = lines();
    expect(line).toMatchObject({
      level: 'error',
      details: {
        tries: 2,
        error: {
          message: 'Chroma is gone',
          code: 'index_unavailable',
          fields: { url: 'http://x', password: '[secret]' },
          cause: { message: 'no such host db.internal, asked by [email]', code: 'TypeError' },
        },
      },
    });
    expect(JSON.stringify(line)).toContain('log.test.ts');
    log.error({ agent: 'x', action: 'y' }, 'just text');
    expect(lines()[1]).toMatchObject({ details: { error: { message: 'just text' } } });
    log.close();
  });

  it('takes anything without throwing', () => {
    const log = createLog({ level: 'debug', file, clock });
    const cycle: Record<string, unknown> = { name: 'loop' };
    cycle.self = cycle;
    const odd = {
      big: 10n,
      when: AT,
      never: new Date(Number.NaN),
      set: new Set([1]),
      buffer: new Uint8Array(9),
      call: () => 1,
      nan: Number.NaN,
    };
    log.info({ agent: 'x', action: 'y', details: { cycle, odd, '\u0000\u202e"\n': '\ud800 lone' } });
    const hostile = Object.defineProperty({}, 'trap', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(() => log.info({ agent: 'x', action: 'y', details: { hostile } })).not.toThrow();
    expect(lines()[1]).toMatchObject({ agent: 'x', action: 'y', details: { unloggable: 'no' } });
    expect(lines()[0]).toMatchObject({
      details: { odd: { when: AT.toISOString(), never: null, set: [1], buffer: '(9 bytes)' } },
    });
    log.close();
  });

  it('is on disk when the program ends without warning, and leaves stdout alone', () => {
    const script = join(folder, 'crash.ts');
    writeFileSync(
      script,
      `import { createLog } from ${JSON.stringify(new URL('../../src/adapters/telemetry/pino-log.ts', import.meta.url).pathname)};
       const log = createLog({ level: 'info', file: process.argv[2] ?? '' });
       for (let i = 0; i < 50; i += 1) log.info({ agent: 'a', action: 'b', details: { i } });
       process.kill(process.pid, 'SIGKILL');`,
    );
    const run = spawnSync(process.execPath, ['--import', 'tsx', script, file], {
      encoding: 'utf8',
      cwd: new URL('../..', import.meta.url).pathname,
    });
    expect(run.stdout).toBe('');
    expect(lines()).toHaveLength(50);
  });

  it('goes to stderr with one warning where the file cannot be written', () => {
    const blocker = join(folder, 'file');
    writeFileSync(blocker, '');
    chmodSync(blocker, 0o444);
    const script = join(folder, 'blocked.ts');
    writeFileSync(
      script,
      `import { createLog } from ${JSON.stringify(new URL('../../src/adapters/telemetry/pino-log.ts', import.meta.url).pathname)};
       const log = createLog({ level: 'info', file: process.argv[2] ?? '' });
       log.info({ agent: 'a', action: 'first' });
       log.info({ agent: 'a', action: 'second' });
       log.flush().then(() => log.close());`,
    );
    const run = spawnSync(process.execPath, ['--import', 'tsx', script, join(blocker, 'hub.log')], {
      encoding: 'utf8',
      cwd: new URL('../..', import.meta.url).pathname,
    });
    expect(run.status).toBe(0);
    expect(run.stdout).toBe('');
    const actions = run.stderr
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions).toEqual(['log_file_unusable', 'first', 'second']);
  });
});

describe('masking', () => {
  it.each([
    ['write to ana.souza+x@sub.example.com.br now', 'write to [email] now'],
    ['<ana@x.io>, "joão@ação.br"', '<[email]>, "[email]"'],
    ['Authorization: Bearer abc.DEF-123_456', 'Authorization: Bearer [token]'],
    ['eyJhbGciOi.eyJzdWIi.c2ln in a link', '[token] in a link'],
    ['key sk-proj-abcDEF123456_789 and lsv2_pt_0123456789abcdef', 'key [key] and [key]'],
    ['meu CPF é 123.456.789-09, ou 12345678909.', 'meu CPF é [cpf], ou [cpf].'],
    ['card 4111 1111 1111 1111 12/29', 'card [card] 12/29'],
    ['4111-1111-1111-1111 or 5500000000000004', '[card] or [card]'],
    ['?token=abc123&x=1 password: hunter2', '?token=[secret]&x=1 password: [secret]'],
    [
      'order 1234567890 on 2026-03-01 at 20:00, R$ 1.234,56, rsv_0042',
      'order 1234567890 on 2026-03-01 at 20:00, R$ 1.234,56, rsv_0042',
    ],
    ['I have 3 tokens left and forgot my password', 'I have 3 tokens left and forgot my password'],
  ])('[LOG-02] turns %j into %j', (text, expected) => {
    expect(maskText(text)).toBe(expected);
  });

  it('hides values by the name of their key, and keeps counts', () => {
    expect(
      maskValue({
        apiKey: 'x',
        api_key: 'y',
        Authorization: 'z',
        authSecret: 's',
        access_token: 't',
        prompt_tokens: 5,
        token: '',
      }),
    ).toEqual({
      apiKey: '[secret]',
      api_key: '[secret]',
      Authorization: '[secret]',
      authSecret: '[secret]',
      access_token: '[secret]',
      prompt_tokens: 5,
      token: '',
    });
  });

  it('is not kept busy by a text, whatever a stranger writes', () => {
    for (const seed of [
      'a',
      '1',
      '1 ',
      '.',
      'a.',
      'eyJ-',
      'eyJa.',
      'sk-',
      '@',
      'a@',
      'a@b.',
      '123.456.789-',
      'token ',
      'token=',
      'Bearer ',
      '"\\',
    ]) {
      const text = seed.repeat(Math.floor(8000 / seed.length));
      expect(
        processorSeconds(() => void maskText(text)),
        seed,
      ).toBeLessThan(EXPLOSION_S);
    }
    expect(maskText('x'.repeat(100_000)).length).toBeLessThan(8_100);
  });
});
