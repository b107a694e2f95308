import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/config.js';

const server = (env: Readonly<Record<string, string>>) => parseConfig(env).server;

describe("the server's settings", () => {
  it('[HTP-82] have defaults that are safe', () => {
    expect(server({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      authSecret: undefined,
      demo: true,
      sessionMinutes: 480,
      companySignIn: undefined,
      mail: undefined,
      turnsPerMinute: 60,
      turnsPerMinutePerAddress: 600,
      embedOrigins: [],
      corsOrigins: [],
      linkHosts: [],
      trustProxy: false,
      metricsToken: undefined,
      publicUrl: undefined,
      anonymousAgents: true,
      visitors: true,
      stopSeconds: 10,
    });
    expect(server({ HUB_HOST: '0.0.0.0' }).demo).toBe(false);
    expect(server({ HUB_HOST: '0.0.0.0', HUB_DEMO: '1' }).demo).toBe(true);
    expect(server({ HUB_TRUST_PROXY: '1' }).demo).toBe(false);
    expect(server({ HUB_PUBLIC_URL: 'https://support.example.com' }).demo).toBe(false);
    expect(server({ HUB_PUBLIC_URL: 'http://[::1]:3000' }).demo).toBe(true);
    expect(server({ HUB_TRUST_PROXY: '1', HUB_DEMO: '1' }).demo).toBe(true);
  });

  it('[WRK-05] refuse more processes in a sentence, and take one', () => {
    expect(() => server({ HUB_WORKERS: '2' })).toThrow(
      'HUB_WORKERS is gone, the hub serves in one process: remove the variable',
    );
    expect(server({ HUB_WORKERS: '1' })).toEqual(server({}));
  });

  it('[HTP-82] take lists of origins and hosts, exactly', () => {
    expect(server({ HUB_EMBED_ORIGINS: 'https://A.example, http://b.example:8080' }).embedOrigins).toEqual([
      'https://a.example',
      'http://b.example:8080',
    ]);
    for (const wrong of [
      '*',
      'https://*',
      'a.example',
      'https://a.example/x',
      'https://a.example;script-src *',
      "'unsafe-inline'",
      'null',
      'https://a.example:99999',
      'https://a.example,',
    ])
      expect(() => server({ HUB_EMBED_ORIGINS: wrong }), wrong).toThrow(/^HUB_EMBED_ORIGINS is /);
    for (const wrong of ['*', 'https://a.example', 'a.example; script-src *', 'a b'])
      expect(() => server({ HUB_LINK_HOSTS: wrong }), wrong).toThrow(/^HUB_LINK_HOSTS is /);
  });

  it('[HTP-82] belong together, and keep their secrets', () => {
    expect(() => server({ HUB_AUTH_JWKS_URL: 'https://id.example.com' })).toThrow(
      /^HUB_AUTH_AUDIENCE is not set/,
    );
    expect(() => server({ HUB_SMTP_URL: 'smtps://u:p@m.example.com' })).toThrow(/^HUB_MAIL_FROM is not set/);
    expect(() => server({ HUB_SMTP_URL: 'http://u:word@m.example.com' })).toThrow(/^HUB_SMTP_URL is \(set\)/);
    expect(server({ HUB_SMTP_URL: 'smtp://m', HUB_MAIL_FROM: 'Hub <hub@example.com>' }).mail).toEqual({
      smtpUrl: 'smtp://m',
      from: 'Hub <hub@example.com>',
      address: 'hub@example.com',
      unreadMs: 300_000,
      imapUrl: undefined,
      authServer: undefined,
      authHops: 1,
    });
    expect(() => server({ HUB_SMTP_URL: 'smtp://m', HUB_MAIL_FROM: 'Hub <a@b@c>' })).toThrow(
      /^HUB_MAIL_FROM holds no address/,
    );
  });
});
