import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressFault } from '../../../src/adapters/a2a/public-address.js';
import { createRemoteAgents } from '../../../src/adapters/a2a/remote-agents.js';
import { until } from '../../support/until.js';
import {
  type Answering,
  CARD,
  type Caller,
  cardOf,
  inTurn,
  json,
  openCaller,
  openPartner,
  type Partner,
  SHORT,
} from './partner.js';

let partner: Partner;
let caller: Caller;
beforeEach(async () => {
  partner = await openPartner();
  caller = openCaller(partner.url);
});
afterEach(async () => {
  await caller.agents.close();
  await partner.close();
});

describe('the card of another agent', () => {
  it('[RMA-02] is read when it is first asked for, once for all who ask, and kept', async () => {
    partner.on(CARD, json(cardOf(partner.url)));
    expect(caller.agents.list()[0]?.card).toBeNull();
    expect(partner.heard).toHaveLength(0);
    const [card] = await Promise.all(Array.from({ length: 5 }, () => caller.agents.card('parking')));
    expect(card).toMatchObject({ name: 'Parking', generic: true });
    expect(card?.skills.map(({ id, specific }) => [id, specific !== null])).toEqual([
      ['book_parking', true],
      ['advise', false],
    ]);
    await caller.agents.card('parking', caller.noting);
    expect(partner.at(CARD)).toHaveLength(1);
    expect(caller.tries).toEqual([]);
    expect(caller.agents.list()[0]).toMatchObject({ description: 'Parking near venues.', card });
    await expect(caller.agents.card('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('[RMA-02] is looked for below the address, where old agents have it too, and at the address itself', async () => {
    partner.on('/.well-known/agent.json', json(cardOf(partner.url, { name: 'Old' })));
    expect((await caller.agents.card('parking')).name).toBe('Old');
    partner.on('/cards/one', json(cardOf(partner.url, { name: 'Odd' })));
    const other = openCaller(`${partner.url}/cards/one`);
    expect((await other.agents.card('parking')).name).toBe('Odd');
    expect(partner.at('/cards/one/.well-known/agent-card.json')).toHaveLength(1);
  });

  it('[RMA-02] of protocol 0.3 is understood', async () => {
    const { supportedInterfaces: _, ...rest } = cardOf(partner.url);
    partner.on(CARD, json({ ...rest, protocolVersion: '0.3.0', url: '/rpc', preferredTransport: 'JSONRPC' }));
    expect(await caller.agents.card('parking')).toMatchObject({ generic: true });
  });

  it('[RMA-02] is fetched anew in the background when it is old, and only sent where it has changed', async () => {
    const tagged = { etag: '"1"', 'cache-control': 'max-age=120' };
    partner.on(CARD, json(cardOf(partner.url), 200, tagged));
    await caller.agents.card('parking');
    caller.clock.advance({ ms: 119_000 });
    await caller.agents.card('parking');
    expect(partner.at(CARD)).toHaveLength(1);
    partner.on(CARD, (response) => void response.writeHead(304, tagged).end());
    caller.clock.advance({ ms: 2_000 });
    expect((await caller.agents.card('parking')).name).toBe('Parking');
    await until(() => caller.log.entries.length === 2);
    expect(partner.at(CARD)[1]?.headers['if-none-match']).toBe('"1"');
    partner.on(CARD, json(cardOf(partner.url, { name: 'New' })));
    caller.clock.advance({ ms: 119_000 });
    await caller.agents.card('parking');
    expect(partner.at(CARD)).toHaveLength(2);
    caller.clock.advance({ ms: 2_000 });
    await caller.agents.card('parking');
    await until(() => caller.agents.list()[0]?.card?.name === 'New');
  });

  it('[RMA-02] counts as fresh for a minute at least and an hour at most', async () => {
    partner.on(CARD, json(cardOf(partner.url), 200, { 'cache-control': 'no-store, max-age=0' }));
    await caller.agents.card('parking');
    caller.clock.advance({ ms: 59_000 });
    await caller.agents.card('parking');
    expect(partner.at(CARD)).toHaveLength(1);
    partner.on(CARD, json(cardOf(partner.url), 200, { 'cache-control': 'max-age=999999999' }));
    caller.clock.advance({ ms: 2_000 });
    await caller.agents.card('parking');
    await until(() => caller.log.entries.length === 2);
    caller.clock.advance({ minutes: 61 });
    await caller.agents.card('parking');
    await until(() => partner.at(CARD).length === 3);
  });

  it('[RMA-02] that cannot be read is not asked for by every call; an old one serves for a day', async () => {
    partner.on(CARD, json('down', 503));
    await expect(caller.agents.card('parking')).rejects.toMatchObject({ code: 'remote_unreachable' });
    expect(partner.at(CARD)).toHaveLength(3);
    await expect(caller.agents.card('parking')).rejects.toMatchObject({ code: 'remote_unreachable' });
    expect(partner.at(CARD)).toHaveLength(3);
    caller.clock.advance({ ms: 11_000 });
    partner.on(CARD, json(cardOf(partner.url)));
    await caller.agents.card('parking');
    partner.on(CARD, json('down', 503));
    caller.clock.advance({ hours: 23 });
    expect((await caller.agents.card('parking')).name).toBe('Parking');
    await until(() => partner.at(CARD).length === 7);
    expect((await caller.agents.card('parking')).name).toBe('Parking');
    caller.clock.advance({ hours: 2 });
    await expect(caller.agents.card('parking')).rejects.toMatchObject({ code: 'remote_unreachable' });
  });

  it('[RMA-03] is cut, cleaned and counted, whatever it says', async () => {
    const skill = {
      id: 'x',
      name: 'Park\u202e\u0000ing\n\nhere',
      description: 'a'.repeat(9_000),
      tags: 'none',
    };
    const many = Array.from({ length: 400 }, (_, at) => ({ id: `s${at}`, name: 's', tags: [1, 'two'] }));
    const text = JSON.stringify(cardOf(partner.url, { skills: [skill, null, 7, ...many] })).replace(
      '"description"',
      '"__proto__":{"polluted":true},"constructor":{"x":1},"description"',
    );
    partner.on(CARD, json(text));
    const card = await caller.agents.card('parking');
    expect(card.skills).toHaveLength(100);
    expect(card.skills[0]).toMatchObject({ id: 'x', name: 'Park ing here', tags: [] });
    expect(card.skills[0]?.description).toHaveLength(500);
    expect(card.skills[1]?.tags).toEqual(['two']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  const elsewhere = (endpoint: string) => (own: string) =>
    cardOf(own, { capabilities: { extensions: [{ params: { skills: [{ name: 'x', endpoint }] } }] } });
  it.each<[string, (own: string) => unknown, string]>([
    ['an endpoint at a metadata service', elsewhere('http://169.254.169.254/latest'), 'forbidden_address'],
    ['an endpoint of another origin', elsewhere('https://evil.example/x'), 'forbidden_address'],
    [
      'an endpoint with a password',
      (own) => elsewhere(own.replace('//', '//a:b@'))(own),
      'forbidden_address',
    ],
    ['an endpoint in a file', elsewhere('file:///etc/passwd'), 'forbidden_address'],
    [
      'another port for messages',
      (own) => ({ ...cardOf(own), ...rpcAt('http://127.0.0.1:1/rpc') }),
      'forbidden_address',
    ],
    ['no JSON', () => 'once upon a time', 'bad_answer'],
    ['a list', () => [], 'bad_answer'],
    ['no card', () => ({ hello: 'world' }), 'bad_answer'],
    [
      'JSON without end',
      () => `{"name":"x","skills":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      'bad_answer',
    ],
    ['300 kB', (own) => cardOf(own, { padding: 'x'.repeat(300_000) }), 'bad_answer'],
  ])('[RMA-03] with %s is refused', async (_what, body, code) => {
    partner.on(CARD, json(body(partner.url)));
    await expect(caller.agents.card('parking')).rejects.toMatchObject({ code: `remote_${code}` });
    expect(partner.at(CARD)).toHaveLength(1);
  });

  const redirect =
    (to: string): Answering =>
    (response) =>
      void response.writeHead(302, { location: to }).end();
  const bomb: Answering = (response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)));
  const endless: Answering = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
    response.on('close', () => clearInterval(more));
  };
  it.each<[string, Answering, string]>([
    ['a redirect to a metadata service', redirect('http://169.254.169.254/latest'), 'forbidden_address'],
    ['a redirect to another port', redirect('http://127.0.0.1:1/'), 'forbidden_address'],
    ['a redirect to itself, for ever', redirect(CARD), 'bad_answer'],
    ['a redirect to nowhere', redirect('http://'), 'bad_answer'],
    ['a compressed bomb', bomb, 'bad_answer'],
    ['a body without end', endless, 'bad_answer'],
    ['no HTTP at all', (response) => void response.socket?.end('SSH-2.0-x\r\n\r\n'), 'bad_answer'],
  ])('[RMA-03] that is answered with %s is refused', async (_what, answering, code) => {
    partner.on(CARD, answering);
    await expect(caller.agents.card('parking')).rejects.toMatchObject({ code: `remote_${code}` });
  });

  it('[RMA-03] that comes drop by drop is not waited for', async () => {
    partner.on(CARD, (response) => {
      response.writeHead(200);
      const drops = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drops));
    });
    const slow = openCaller(partner.url, { timeout_ms: 100, retries: 0 });
    await expect(slow.agents.card('parking')).rejects.toMatchObject({ code: 'remote_unreachable' });
  });

  it('[RMA-04] may lie behind a redirect within its own origin', async () => {
    partner.on(CARD, redirect('/cards/now.json'));
    partner.on('/cards/now.json', json(cardOf(partner.url)));
    expect((await caller.agents.card('parking')).name).toBe('Parking');
  });

  it('[RMA-04] is fetched with the token, which goes nowhere else', async () => {
    const other = await openPartner();
    const knowing = openCaller(partner.url, { token_env: 'PARKING_TOKEN' });
    partner.on(CARD, inTurn(json(cardOf(partner.url)), redirect(`${other.url}/steal`)));
    await knowing.agents.card('parking');
    expect(partner.at(CARD)[0]?.headers.authorization).toBe('Bearer secret-of-parking');
    knowing.clock.advance({ minutes: 10 });
    await knowing.agents.card('parking');
    await until(() => knowing.log.entries.length === 2);
    expect(knowing.log.entries[1]?.details).toMatchObject({ code: 'remote_forbidden_address' });
    expect(other.heard).toEqual([]);
    expect(JSON.stringify(knowing.log.entries)).not.toContain('secret-of-parking');
    await other.close();
  });

  it('[RMA-04] of a name that leads into the internal network is not fetched', async () => {
    const origin = partner.url.replace('127.0.0.1', 'localhost');
    const agents = createRemoteAgents({
      agents: [
        {
          name: 'parking',
          cardUrls: [new URL(`${origin}${CARD}`)],
          origin,
          description: null,
          keywords: [],
          share: [],
          token: undefined,
          allowPrivate: false,
          timeoutMs: 500,
          retries: 2,
        },
      ],
      clock: caller.clock,
      ids: { next: (prefix) => prefix, unguessable: (prefix) => prefix },
      log: caller.log,
      timings: SHORT,
    });
    await expect(agents.card('parking')).rejects.toMatchObject({ code: 'remote_forbidden_address' });
    expect(partner.heard).toEqual([]);
    await agents.close();
  });

  it('[RMA-04] lies at an address of the public, or of the internal network where that was allowed', () => {
    const internal = ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', '::1', 'fd00::1'];
    for (const address of internal) {
      expect(addressFault(address, false), address).not.toBeNull();
      expect(addressFault(address, true), address).toBeNull();
    }
    const never = [
      '0.0.0.0',
      '169.254.169.254',
      '100.100.100.200',
      '224.0.0.1',
      '255.255.255.255',
      '192.0.0.8',
    ];
    const neverV6 = [
      '::',
      'fe80::1',
      'fe80::1%eth0',
      'ff02::1',
      '::ffff:10.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::1',
    ];
    for (const address of [...never, ...neverV6, '2002:a00:1::1', '2001:db8::1', 'fd00:ec2::254', 'nonsense'])
      expect(addressFault(address, true), address).not.toBeNull();
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])
      expect(addressFault(address, false), address).toBeNull();
  });
});

function rpcAt(url: string): Record<string, unknown> {
  return { supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] };
}
