import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isLoopback, parseConfig } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { HubError } from '../../src/core/errors.js';

function complaint(env: Record<string, string>): string {
  try {
    parseConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(HubError);
    expect((error as HubError).code).toBe('config_invalid');
    return (error as HubError).message;
  }
  return 'accepted';
}

describe('the configuration', () => {
  it('works with nothing set', () => {
    const config = parseConfig({});
    expect(config).toMatchObject({
      dataDir: resolve('var'),
      models: { provider: 'offline', timeoutMs: 30_000, retries: 2 },
      embeddings: { provider: 'local', model: 'text-embedding-3-small' },
      log: { level: 'info', file: resolve('var/hub.log') },
      locale: 'en',
      company: { folder: resolve('companies/cultpass'), policyFile: undefined, timeZone: undefined },
      server: { port: 3000, host: '127.0.0.1', demo: true },
      turn: { maxHops: 8, timeoutMs: 60_000, maxMessageChars: 20_000 },
    });
    expect(config.checkpointer).toBeUndefined();
    expect(config.chromaUrl).toBeUndefined();
    expect(config.server.authSecret).toBeUndefined();
  });

  it('takes empty and blank values for unset', () => {
    const values = (env: Record<string, string>): unknown => JSON.parse(JSON.stringify(parseConfig(env)));
    expect(values({ PORT: '', HUB_LOG_LEVEL: '  ', OPENAI_API_KEY: '', HUB_SKILLS_DIR: ' ' })).toEqual(
      values({}),
    );
  });

  it("[SKS-02] gives skills the variables a pack names, and none of the hub's own", () => {
    const env = {
      WAREHOUSE_URL: 'postgres://x',
      OPENAI_API_KEY: 'sk-secret',
      HUB_AUTH_SECRET: 'long-enough-secret',
    };
    const { secret } = parseConfig(env).skills;
    expect(secret('WAREHOUSE_URL')).toBe('postgres://x');
    expect(['OPENAI_API_KEY', 'HUB_AUTH_SECRET', 'NOWHERE'].map(secret)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('[SKI-02] allows the programs that are named with their whole path, and no other', () => {
    const allowed = parseConfig({ HUB_SKILL_COMMANDS: 'jq=/usr/bin/jq, wc=/usr/bin/wc' }).skills.commands;
    expect(allowed).toEqual({ jq: '/usr/bin/jq', wc: '/usr/bin/wc' });
    for (const wrong of ['jq', 'jq=jq', 'jq=./jq', '=/usr/bin/jq', 'jq=/usr/bin/jq,,']) {
      expect(() => parseConfig({ HUB_SKILL_COMMANDS: wrong }), wrong).toThrow(/HUB_SKILL_COMMANDS/);
    }
  });

  it('[SKD-01] reads several folders of skills', () => {
    expect(parseConfig({ HUB_SKILLS_DIR: '/a:/b' }).skills.dirs).toEqual(['/a', '/b']);
    expect(parseConfig({}).skills.dirs).toMatchObject([expect.stringMatching(/skills$/)]);
    expect(parseConfig({}).skills.withCompany).toBe(true);
    expect(parseConfig({ HUB_SKILLS_DIR: '/a:/b' }).skills.withCompany).toBe(false);
  });

  it('cannot be changed', () => {
    const config = parseConfig({});
    expect(
      Object.isFrozen(config) && Object.isFrozen(config.models.chatModel) && Object.isFrozen(config.server),
    ).toBe(true);
  });

  it('reads every variable', () => {
    const config = parseConfig({
      HUB_DATA_DIR: '/tmp/x',
      HUB_CHECKPOINTER: 'sqlite',
      HUB_LOG_LEVEL: 'debug',
      HUB_LOCALE: 'pt-BR',
      HUB_TIME_ZONE: 'Europe/Berlin',
      CHROMA_URL: 'http://chroma:8000/',
      PORT: '0',
      HUB_HOST: '0.0.0.0',
      HUB_AUTH_SECRET: 'a-long-enough-secret',
      HUB_PRICE_INPUT_PER_MTOK: '0.5',
      HUB_MAX_HOPS: '3',
      HUB_COMPANY: './companies/other',
      HUB_POLICY_FILE: 'rules.yaml',
    });
    expect(config).toMatchObject({
      dataDir: '/tmp/x',
      checkpointer: 'sqlite',
      log: { level: 'debug', file: '/tmp/x/hub.log' },
      locale: 'pt-BR',
      company: {
        folder: resolve('companies/other'),
        policyFile: resolve('rules.yaml'),
        timeZone: 'Europe/Berlin',
      },
      chromaUrl: 'http://chroma:8000',
      server: { port: 0, host: '0.0.0.0', authSecret: 'a-long-enough-secret', demo: false },
      models: { inputPricePerMTok: 0.5, outputPricePerMTok: undefined },
      turn: { maxHops: 3 },
    });
  });

  it('uses the provider where a key or an address is set', () => {
    const keyed = parseConfig({ OPENAI_API_KEY: 'sk-1' });
    expect(keyed.models).toMatchObject({ provider: 'openai', apiKey: 'sk-1', baseUrl: undefined });
    expect(keyed.embeddings.provider).toBe('openai');
    const local = parseConfig({ OPENAI_BASE_URL: 'http://localhost:11434/v1/' });
    expect(local.models).toMatchObject({
      provider: 'openai',
      apiKey: 'not-needed',
      baseUrl: 'http://localhost:11434/v1',
    });
    expect(local.embeddings.provider).toBe('local');
    const named = parseConfig({
      OPENAI_BASE_URL: 'http://localhost:11434/v1',
      HUB_EMBEDDING_MODEL: 'nomic-embed-text',
    });
    expect(named.embeddings).toMatchObject({
      provider: 'openai',
      model: 'nomic-embed-text',
      apiKey: 'not-needed',
    });
  });

  it('stays offline where that was asked for, and keeps the key to itself', () => {
    const config = parseConfig({ OPENAI_API_KEY: 'sk-1', HUB_MODEL_PROVIDER: 'offline' });
    expect(config.models).toMatchObject({ provider: 'offline', apiKey: undefined });
    expect(config.embeddings).toMatchObject({ provider: 'local', apiKey: undefined });
    const both = parseConfig({
      OPENAI_API_KEY: 'sk-1',
      HUB_MODEL_PROVIDER: 'offline',
      HUB_EMBEDDING_PROVIDER: 'openai',
    });
    expect(both.embeddings).toMatchObject({ provider: 'openai', apiKey: 'sk-1' });
  });

  it('gives each role its model', () => {
    const { chatModel } = parseConfig({
      HUB_CHAT_MODEL: 'gpt-4o',
      HUB_CHAT_MODEL_TRIAGE: 'gpt-4.1-nano',
    }).models;
    expect(chatModel).toMatchObject({ triage: 'gpt-4.1-nano', supervisor: 'gpt-4o', review: 'gpt-4o' });
    expect(parseConfig({}).models.chatModel.action).toBe('gpt-4o-mini');
  });

  it.each([
    [{ HUB_MODEL_PROVIDER: 'gemini' }, 'HUB_MODEL_PROVIDER is "gemini"; allowed: openai, offline, auto'],
    [{ HUB_LOG_LEVEL: 'loud' }, 'HUB_LOG_LEVEL is "loud"; allowed: debug, info, warn, error'],
    [{ HUB_CHECKPOINTER: 'redis' }, 'HUB_CHECKPOINTER is "redis"; allowed: memory, sqlite'],
    [{ HUB_LOCALE: 'fr' }, 'HUB_LOCALE is "fr"; allowed: en, pt-BR'],
    [{ PORT: '70000' }, 'PORT is "70000"; allowed: a whole number from 0 to 65535'],
    [{ PORT: '1e3' }, 'PORT is "1e3"; allowed: a whole number from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT is "-1"; allowed: a whole number from 0 to 65535'],
    [{ HUB_DEMO: 'yes' }, 'HUB_DEMO is "yes"; allowed: 0, 1'],
    [{ HUB_MODEL_RETRIES: '2.5' }, 'HUB_MODEL_RETRIES is "2.5"; allowed: a whole number from 0 to 10'],
    [
      { HUB_PRICE_INPUT_PER_MTOK: 'free' },
      'HUB_PRICE_INPUT_PER_MTOK is "free"; allowed: US dollars per million tokens, such as 0.15',
    ],
    [
      { CHROMA_URL: 'localhost:8000' },
      'CHROMA_URL is "localhost:8000"; allowed: an http:// or https:// address',
    ],
    [
      { HUB_TIME_ZONE: 'Brasilia' },
      'HUB_TIME_ZONE is "Brasilia"; allowed: an IANA time zone such as America/Sao_Paulo',
    ],
    [{ HUB_CHAT_MODEL: 'gpt 4' }, 'HUB_CHAT_MODEL is "gpt 4"; allowed: a name without spaces'],
    [
      { HUB_MODEL_PROVIDER: 'openai' },
      'HUB_MODEL_PROVIDER is "openai", but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set',
    ],
    [
      { HUB_EMBEDDING_PROVIDER: 'openai' },
      'HUB_EMBEDDING_PROVIDER is "openai", but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set',
    ],
  ])('[BAD-04] refuses %j in one line', (env, message) => {
    expect(complaint(env as unknown as Record<string, string>)).toBe(message);
  });

  it('[LOG-02] never prints a secret', () => {
    expect(complaint({ OPENAI_API_KEY: 'sk-with space-1234567890' })).toBe(
      'OPENAI_API_KEY is (set); allowed: printable ASCII without spaces',
    );
    expect(complaint({ HUB_AUTH_SECRET: 'short' })).toBe(
      'HUB_AUTH_SECRET is (set); allowed: at least 8 characters',
    );
    expect(complaint({ OPENAI_BASE_URL: 'ftp://me:hunter2@host/v1' })).not.toContain('hunter2');
    expect(complaint({ HUB_MODEL_PROVIDER: 'sk-proj-1234567890abcdef' })).not.toContain('1234567890');
  });

  it('stays on one line whatever the value holds', () => {
    const message = complaint({ HUB_LOG_LEVEL: `a\nb\u001b[31m\u202e${'x'.repeat(5000)}` });
    expect(message).not.toMatch(/[\n\u001b\u202e]/);
    expect(message.length).toBeLessThan(200);
  });

  it('knows which hosts only this machine can reach', () => {
    expect(['localhost', '127.0.0.1', '127.9.9.9', '::1'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.evil.example'].some(isLoopback)).toBe(false);
  });

  it('is documented: .env.example names every variable and parses to the defaults', () => {
    const lines = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n');
    const pairs = lines.flatMap((line) => /^#? ?([A-Z][A-Z0-9_]+)=(\S*)/.exec(line)?.slice(1, 3) ?? []);
    const names = pairs.filter((_, index) => index % 2 === 0);
    expect(new Set(names)).toEqual(
      new Set([...VARIABLE_NAMES, 'LANGSMITH_TRACING', 'LANGSMITH_API_KEY', 'LANGSMITH_PROJECT']),
    );
  });
});
