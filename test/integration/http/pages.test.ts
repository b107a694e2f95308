import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';

const LARGE = 'run();'.repeat(5_000);

let at: TestServer;
let webDir: string;
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'hub-web-'));
  mkdirSync(join(webDir, 'assets'));
  for (const name of ['index', 'desk', 'docs'])
    writeFileSync(join(webDir, `${name}.html`), `<title>${name}</title>`);
  writeFileSync(join(webDir, 'facts.html'), '<meta name="hub-company" content="%facts%" />%company%');
  writeFileSync(join(webDir, 'embed.js'), 'go();');
  writeFileSync(join(webDir, 'assets/index-C0qfGk4G.js'), 'run();');
  writeFileSync(join(webDir, 'assets/large-C0qfGk4G.js'), LARGE);
  writeFileSync(join(webDir, '.built-from'), 'a fingerprint');
  at = await openServer({ webDir, env: { HUB_EMBED_ORIGINS: 'https://www.example.com' } });
});
afterAll(async () => {
  await at.close();
  rmSync(webDir, { recursive: true });
});

describe('the built pages', () => {
  it('[HTP-17] are at their addresses, each of its type', async () => {
    for (const [path, type, text] of [
      ['/', 'text/html; charset=utf-8', '<title>index</title>'],
      ['/?embed=1', 'text/html; charset=utf-8', '<title>index</title>'],
      ['/desk', 'text/html; charset=utf-8', '<title>desk</title>'],
      ['/docs', 'text/html; charset=utf-8', '<title>docs</title>'],
      ['/embed.js', 'text/javascript; charset=utf-8', 'go();'],
      ['/assets/index-C0qfGk4G.js', 'text/javascript; charset=utf-8', 'run();'],
    ] as const) {
      const answer = await at.get(path);
      expect([answer.status, answer.headers.get('content-type'), answer.text], path).toEqual([
        200,
        type,
        text,
      ]);
    }
    expect((await fetch(`${at.url}/desk/`, { redirect: 'manual' })).headers.get('location')).toBe('/desk');
  });

  it('[PAGE-05] have in their head what they say of the company: nothing of a company stands in them', async () => {
    const { text } = await at.get('/facts.html');
    const [, content = ''] = /content="([^"]*)"/.exec(text) ?? [];
    const facts: unknown = JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    expect(facts).toMatchObject({
      name: 'CultPass',
      languages: ['en', 'pt-BR'],
      currency: 'BRL',
      time_zone_name: { en: 'Brasília time' },
      welcome: {
        text: { en: expect.stringContaining('bookings') },
        starters: { 'pt-BR': expect.arrayContaining(['Como cancelo uma reserva?']) },
      },
      issue_types: { refund: { en: 'Refund', 'pt-BR': 'Reembolso' } },
      tools: { cancel_reservation: { label: { en: expect.any(String) } } },
      arguments: { reservation_id: { en: 'Reservation', 'pt-BR': 'Reserva' } },
    });
    expect(text.endsWith('/>CultPass')).toBe(true);
  });

  it('[HTP-17] are kept by a browser for as long as they stay the same', async () => {
    expect((await at.get('/assets/index-C0qfGk4G.js')).headers.get('cache-control')).toContain('immutable');
    const page = await at.get('/');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const etag = page.headers.get('etag') ?? '';
    const again = await at.get('/', undefined, { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('content-security-policy')).toContain("script-src 'self'");
  });

  it('[SHF-14] come packed to those who unpack them, whole to the others, and small ones as they are', async () => {
    const tags = new Set<string | null>();
    for (const [accepts, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=0.8, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const path = '/assets/large-C0qfGk4G.js';
      const answer = await at.get(path, undefined, { 'accept-encoding': accepts });
      expect(answer.text, accepts).toBe(LARGE);
      expect(answer.headers.get('content-encoding'), accepts).toBe(encoding);
      expect(answer.headers.get('vary'), accepts).toContain('accept-encoding');
      const size = Number(answer.headers.get('content-length'));
      expect(size).toBeGreaterThan(0);
      if (encoding === null) expect(size).toBe(LARGE.length);
      else expect(size).toBeLessThan(LARGE.length / 10);
      const etag = answer.headers.get('etag') ?? '';
      tags.add(etag);
      const again = await at.get(path, undefined, { 'accept-encoding': accepts, 'if-none-match': etag });
      expect(again.status).toBe(304);
    }
    expect(tags.size).toBe(3);
    const small = await at.get('/embed.js', undefined, { 'accept-encoding': 'br' });
    expect(small.headers.get('content-encoding')).toBeNull();
  });

  it('[HTP-17] are all there is: no path leads out of their folder', async () => {
    for (const path of [
      '/.built-from',
      '/../package.json',
      '/..%2f..%2fpackage.json',
      '/assets/..%2f.built-from',
      '/assets/',
      '/assets',
      '/%2e%2e/x',
      '/index',
      '/assets/%00',
    ])
      expect((await at.get(path)).status, path).toBe(404);
  });

  it('[HTP-13] may be framed and loaded by the sites that were named', async () => {
    expect((await at.get('/')).headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await at.get('/embed.js')).headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await at.get('/desk')).headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect((await at.get('/desk')).headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self';",
    );
  });
});
