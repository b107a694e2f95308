import { afterEach, describe, expect, it } from 'vitest';
import type { ThreadEvent } from '../../../src/core/domain/conversation.js';
import { until } from '../../support/until.js';
import { outcomeOf } from '../safety/books.js';
import { inShort, OPERATOR, openTalk, SAMBA, type Talk, talkOn, VISITS } from './support.js';

let talk: Talk | null = null;
afterEach(async () => {
  await talk?.hub.close();
  talk = null;
});

const open = async (): Promise<Talk> => {
  talk = await openTalk();
  return talk;
};

const ends = (events: readonly ThreadEvent[]): number =>
  events.filter(({ body }) => body.type === 'done').length;

describe('the events of a turn', () => {
  it('[CNV-12] are told to its sender in order, with the answer word for word', async () => {
    const { send } = await open();
    const events: ThreadEvent[] = [];
    const reply = await send(VISITS, 'm1', (event) => events.push(event));
    const types = events.map(inShort);
    expect(types[0]).toBe('message:customer');
    expect(types.slice(-3)).toEqual(['message:hub', 'usage', 'done']);
    expect(types).toContain('triage');
    expect(types).toContain('route:account');
    const tokens = events.flatMap(({ body }) => (body.type === 'token' ? [body.text] : []));
    expect(tokens.join('')).toBe(reply.reply);
    const message = events.map(({ body }) => body).findLast((body) => body.type === 'message');
    expect(message).toMatchObject({ message: { messageId: reply.messageId }, reply: { reply: reply.reply } });
    expect(types.lastIndexOf('token')).toBeLessThan(types.indexOf('message:hub'));
  });

  it('[CNV-13] can be taken up after any of them, by a new connection or by sending again: nothing is lost or repeated', async () => {
    const { send, follow, hub, identity, threadId } = await open();
    const followed: ThreadEvent[] = [];
    const start = await follow((event) => followed.push(event));
    await send('hello');
    const sent: ThreadEvent[] = [];
    await send(SAMBA, 'm2', (event) => sent.push(event));
    await send('yes');
    start();
    expect(ends(followed)).toBe(3);
    const ids = followed.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, { id }] of followed.entries()) {
      const rest: ThreadEvent[] = [];
      const stop = await follow((event) => rest.push(event), id);
      stop();
      expect([...followed.slice(0, index + 1), ...rest]).toEqual(followed);
    }
    for (const [index, { id }] of sent.slice(0, -1).entries()) {
      const rest: ThreadEvent[] = [];
      await hub.app.conversations.send({
        ...{ identity, threadId, channel: 'http', text: SAMBA, clientMessageId: 'm2', after: id },
        onEvent: (event) => rest.push(event),
      });
      expect([...sent.slice(0, index + 1), ...rest]).toEqual(sent);
    }
    const whole: ThreadEvent[] = [];
    await send(SAMBA, 'm2', (event) => whole.push(event));
    expect(whole).toEqual(sent);
  });

  it('[CNV-13] can be taken up while the turn runs', async () => {
    const { send, follow, hub, identity, threadId } = await open();
    const all: ThreadEvent[] = [];
    const stop = await follow((event) => all.push(event));
    const joined: Promise<ThreadEvent[]>[] = [];
    const seen: ThreadEvent[] = [];
    await send(SAMBA, 'm1', (event) => {
      seen.push(event);
      const before = [...seen];
      const rest: ThreadEvent[] = [];
      const again = hub.app.conversations.send({
        ...{ identity, threadId, channel: 'http', text: SAMBA, clientMessageId: 'm1', after: event.id },
        onEvent: (later) => rest.push(later),
      });
      joined.push(again.then(() => [...before, ...rest]));
    });
    for (const one of await Promise.all(joined)) expect(one).toEqual(seen);
    expect(all).toEqual(seen);
    stop();
  });

  it('[CNV-14] reach followers in another process, without what lives only while the turn does', async () => {
    const { send, hub, identity, threadId } = await open();
    const other = talkOn(await hub.another(), identity, threadId);
    const there: ThreadEvent[] = [];
    const here: ThreadEvent[] = [];
    await other.follow((event) => there.push(event), '0.0');
    const caughtUp = async (): Promise<void> => {
      const count = ends(here);
      await until(() => ends(there) === count);
      expect(there).toEqual(here.filter(({ id }) => id.endsWith('.0')));
    };
    const { follow } = talkOn(hub, identity, threadId);
    await follow((event) => here.push(event), '0.0');
    await send(SAMBA);
    await caughtUp();
    await send('yes');
    await caughtUp();
    expect(here.map(inShort)).toContain('settled');
  });

  it('[CNV-14] interleave in the same order for everybody where two processes write', async () => {
    const { send, follow, hub, identity, threadId } = await open();
    const other = talkOn(await hub.another(), identity, threadId);
    const [one, two]: [ThreadEvent[], ThreadEvent[]] = [[], []];
    await follow((event) => one.push(event), '0.0');
    await other.follow((event) => two.push(event), '0.0');
    for (let round = 0; round < 5; round += 1) await Promise.all([send(VISITS), other.send('hello')]);
    const stored = (events: readonly ThreadEvent[]) => events.filter(({ id }) => id.endsWith('.0'));
    const last = await hub.query(
      'udahub',
      `SELECT max(seq) AS seq FROM thread_events WHERE audience = 'customer'`,
    );
    const end = `${last[0]?.seq}.0`;
    await until(() => one.some(({ id }) => id === end) && two.some(({ id }) => id === end));
    expect(stored(one)).toEqual(stored(two));
    for (const events of [one, two]) {
      const places = events.map(({ id }) => id.split('.').map(Number) as [number, number]);
      const sorted = [...places].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      expect(places).toEqual(sorted);
    }
  });

  it('[CNV-15] hurt nobody where a follower throws, and cost nothing where nobody listens', async () => {
    const { send, follow, hub } = await open();
    await send('hello');
    expect(hub.query('udahub', `SELECT type FROM thread_events WHERE type IN ('token', 'agent')`)).toEqual(
      [],
    );
    const heard: ThreadEvent[] = [];
    await follow(() => {
      throw new Error('a broken pipe');
    });
    await follow((event) => heard.push(event));
    expect((await send(VISITS)).reply).toMatch(/visits? left/);
    expect(heard.map(inShort)).toContain('done');
    expect(hub.log.entries.filter(({ action }) => action === 'subscriber_failed')).toHaveLength(1);
  });

  it('[CNV-13] refuses an id that was never given out, and takes one from the future for now', async () => {
    const { send, follow } = await open();
    await send('hello');
    for (const after of ['x', '1', '-1.0', '1.0.0', '1e3.0'])
      expect(await outcomeOf(follow(() => expect.fail(), after))).toBe('input_invalid');
    const heard: ThreadEvent[] = [];
    await follow((event) => heard.push(event), '999999.7');
    await send(VISITS);
    expect(ends(heard)).toBe(1);
  });

  it('[CNV-16] 2,000 followers of 2,000 conversations hear of their own only, and are held cheaply', async () => {
    const { hub, identity, send, threadId } = await open();
    const all: AbortController[] = [];
    const heard = new Map<string, number>();
    const { conversations } = hub.app;
    const others = [];
    for (let index = 0; index < 1_999; index += 1)
      others.push((await conversations.create(identity)).threadId);
    for (const id of [threadId, ...others]) {
      const onEvent = () => heard.set(id, (heard.get(id) ?? 0) + 1);
      const over = new AbortController();
      all.push(over);
      await conversations.follow({ identity, threadId: id, onEvent, signal: over.signal });
    }
    await send(VISITS);
    expect([...heard.keys()]).toEqual([threadId]);
    const last = talkOn(hub, identity, others.at(-1) ?? '');
    await last.send('hello');
    expect([...heard.keys()]).toEqual([threadId, last.threadId]);
    for (const over of all) over.abort();
    const before = new Map(heard);
    await send(VISITS);
    expect(heard).toEqual(before);
  });
});

describe('what people do', () => {
  it('[CNV-17] reaches followers: who has the conversation, what they say, and never what they note', async () => {
    const { hub, send, follow, identity, threadId } = await open();
    const events: ThreadEvent[] = [];
    const { ticketId } = await send('I want to talk to a person');
    await follow((event) => events.push(event));
    expect((await hub.app.conversations.show(identity, threadId)).owner).toEqual({
      kind: 'operator',
      name: null,
    });
    const { desk } = hub.app;
    await desk.claim(ticketId, OPERATOR);
    await desk.note(ticketId, OPERATOR, 'a secret note');
    await desk.reply(ticketId, OPERATOR, 'Hello, Olga here.');
    expect((await hub.app.conversations.show(identity, threadId)).owner).toEqual({
      kind: 'operator',
      name: 'Olga',
    });
    await desk.returnToHub(ticketId, OPERATOR);
    const owners = events.flatMap(({ body }) => (body.type === 'owner' ? [body.owner] : []));
    expect(owners[0]).toEqual({ kind: 'operator', name: 'Olga' });
    expect(owners.at(-1)).toEqual({ kind: 'hub', name: null });
    const said = events.flatMap(({ body }) => (body.type === 'message' ? [body.message] : []));
    expect(said).toContainEqual(
      expect.objectContaining({ role: 'operator', author: 'Olga', content: 'Hello, Olga here.' }),
    );
    expect(JSON.stringify(events)).not.toContain('secret');
    expect((await hub.app.conversations.show(identity, threadId)).owner).toEqual({ kind: 'hub', name: null });
  });

  it('[CNV-18] is shown on every desk: tickets, messages and approvals, also after a break', async () => {
    const { hub, send } = await open();
    const other = await hub.another();
    const seen: { id: string; type: string; data: Readonly<Record<string, unknown>> }[] = [];
    const over = new AbortController();
    await other.app.deskEvents.follow({ onEvent: (event) => seen.push(event), signal: over.signal });
    await send('cancel my booking res_001');
    const { pending } = await send('yes');
    expect(pending?.kind).toBe('approval');
    await until(() => seen.some(({ type }) => type === 'approval'));
    expect(new Set(seen.map(({ type }) => type))).toEqual(new Set(['ticket', 'message', 'approval']));
    expect(seen.find(({ type }) => type === 'approval')?.data).toMatchObject({
      id: pending?.id,
      status: 'pending',
    });
    over.abort();
    await hub.app.desk.approve(pending?.id ?? '', OPERATOR);
    const later: typeof seen = [];
    const end = new AbortController();
    const after = seen.at(-1)?.id;
    await other.app.deskEvents.follow({ after, onEvent: (event) => later.push(event), signal: end.signal });
    expect(later.map(({ data }) => data.status)).toContain('approved');
    const whole: typeof seen = [];
    await other.app.deskEvents.follow({
      after: '0',
      onEvent: (event) => whole.push(event),
      signal: end.signal,
    });
    expect(whole.slice(-seen.length - later.length)).toEqual([...seen, ...later]);
    end.abort();
    const wrong = other.app.deskEvents.follow({
      after: 'x',
      onEvent: () => expect.fail(),
      signal: end.signal,
    });
    expect(await outcomeOf(wrong)).toBe('input_invalid');
  });
});
