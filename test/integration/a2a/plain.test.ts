import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLER_SECRET } from '../../../src/surfaces/a2a/a2a-auth.js';
import { type Answer, openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { SAMBA } from '../http/support.js';
import { ANA, ANAS_BOOKING, BRUNO, programToken } from './support.js';

const QUESTION = 'How do I cancel a reservation?';

let at: TestServer;
let ana: string;
let bruno: string;
beforeAll(async () => {
  at = await openServer({
    checkpointer: 'sqlite',
    env: { HUB_TURNS_PER_MINUTE: '0', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '0' },
  });
  ana = await programToken(at, ANA);
  bruno = await programToken(at, BRUNO);
});
afterAll(() => at.close());

const ask = (agent: string, token: string | undefined, body: unknown, headers = {}): Promise<Answer> =>
  at.post(`/agents/${agent}/tasks`, token, body, headers);
const stateOf = ({ body }: Answer): string => String((body.status as { state: string }).state);
const idOf = ({ body }: Answer): string => String(body.id);
const fieldsOf = ({ body }: Answer): readonly string[] =>
  (body.errors as readonly { field: string }[]).map(({ field }) => field);
const refunds = (): number =>
  at.hub.query('cultpass', 'SELECT refund_id FROM refunds WHERE reservation_id = ?', ANAS_BOOKING).length;

describe('a task in the plain form', () => {
  it('[A2S-40] is a question with its answer: of the hub, and of one agent', async () => {
    for (const agent of ['hub', 'knowledge']) {
      const answer = await ask(agent, undefined, { message: QUESTION });
      expect([answer.status, stateOf(answer)], answer.text).toEqual([200, 'TASK_STATE_COMPLETED']);
      expect(answer.body.reply).toMatch(/cancel/i);
      expect(answer.body.pending).toBeNull();
      const path = `/agents/${agent}/tasks/${idOf(answer)}`;
      const again = await at.get(path);
      const { metadata, ...told } = answer.body;
      expect(again.body).toEqual(told);
      expect((await at.get(path, ana)).status).toBe(404);
      expect((await at.get(`/agents/account/tasks/${idOf(answer)}`)).status).toBe(404);
      const { tasks, total } = (
        await at.get(`/agents/${agent}/tasks`, undefined, {
          'caller-secret': String((metadata as Record<string, unknown>)[CALLER_SECRET]),
        })
      ).body as {
        tasks: { id: string }[];
        total: number;
      };
      expect(tasks.map(({ id }) => id)).toContain(idOf(answer));
      expect(total).toBeGreaterThan(0);
    }
  });

  it('[A2S-41] waits with a question, and goes on when that is answered', async () => {
    const task = await ask('hub', ana, { message: SAMBA });
    expect(stateOf(task)).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(task.body.reply).toContain('Samba');
    const { pending_id } = task.body.pending as { pending_id: string };
    const path = `/agents/hub/tasks/${idOf(task)}`;
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { pending_id, answer: 'yes' }],
      ['DELETE', undefined],
    ] as const)
      for (const token of [bruno, undefined])
        expect((await at.call(method, path, { token, body })).status, method).toBe(404);
    expect(refunds()).toBe(0);
    const done = await at.post(path, ana, { pending_id, answer: 'yes' });
    expect([stateOf(done), done.body.pending]).toEqual(['TASK_STATE_COMPLETED', null]);
    expect(refunds()).toBe(1);
    const late = await at.post(path, ana, { pending_id, answer: 'yes' });
    expect([late.status, late.body.code]).toEqual([409, 'wrong_status']);
    expect(refunds()).toBe(1);
  });

  it('[A2S-42] is taken back, with what it has asked', async () => {
    const before = at.hub.dump('cultpass');
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['POST', '/cancel'],
    ] as const) {
      const task = await ask('hub', ana, { message: 'cancel my booking res_003' });
      expect(stateOf(task)).toBe('TASK_STATE_INPUT_REQUIRED');
      const path = `/agents/hub/tasks/${idOf(task)}`;
      const gone = await at.call(method, `${path}${suffix}`, { token: ana });
      expect([gone.status, stateOf(gone)]).toEqual([200, 'TASK_STATE_CANCELED']);
      const twice = await at.call(method, `${path}${suffix}`, { token: ana });
      expect([twice.status, twice.body.code]).toEqual([409, 'wrong_status']);
    }
    expect(at.hub.dump('cultpass')).toEqual(before);
  });

  it('[A2S-43] is answered at once where nobody waits, and looked at later', async () => {
    const task = await ask('hub', undefined, { message: QUESTION, blocking: false });
    expect(task.status).toBe(200);
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(stateOf(task));
    expect(task.body.reply).toBeNull();
    const path = `/agents/hub/tasks/${idOf(task)}`;
    await until(async () => stateOf(await at.get(path)) === 'TASK_STATE_COMPLETED');
    expect((await at.get(path)).body.reply).toMatch(/cancel/i);
  });

  it('[A2S-44] is one, however often its message is sent', async () => {
    const key = { 'idempotency-key': 'ask-once' };
    const first = await ask('knowledge', ana, { message: QUESTION }, key);
    const again = await ask('knowledge', ana, { message: QUESTION }, key);
    expect(idOf(again)).toBe(idOf(first));
    const named = await ask('knowledge', ana, { message: QUESTION, message_id: 'm-1' });
    expect(idOf(named)).not.toBe(idOf(first));
    expect(idOf(await ask('knowledge', ana, { message: QUESTION, message_id: 'm-1' }))).toBe(idOf(named));
    const other = await ask('knowledge', ana, { message: 'What does it cost?', message_id: 'm-1' });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    expect(idOf(await ask('knowledge', bruno, { message: QUESTION }, key))).not.toBe(idOf(first));
  });

  it('[A2S-45] names what is wrong with a request', async () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [{}, 'message'],
      [{ message: 7 }, 'message'],
      [{ message: QUESTION, contextId: 'x' }, 'contextId'],
      [{ message: QUESTION, pending_id: 'p', answer: 'yes' }, 'message'],
      [{ pending_id: 'p' }, 'answer'],
      [{ answer: 'yes' }, 'pending_id'],
      [{ pending_id: 'p', answer: 'maybe' }, 'answer'],
      [{ message: QUESTION, blocking: 'no' }, 'blocking'],
      [{ message: { parts: [{ file: { uri: 'https://example.com/x' } }] } }, 'message.parts'],
    ];
    for (const [body, field] of cases) {
      const answer = await ask('hub', ana, body);
      expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([422, 'input_invalid']);
      expect(fieldsOf(answer)).toContain(field);
    }
    const spaced = await ask('hub', ana, { message: QUESTION }, { 'idempotency-key': 'two words' });
    expect(spaced.body.detail).toContain(
      'Idempotency-Key must be 1 to 200 printable ASCII characters without',
    );
    expect((await ask('hub', ana, { message: '   ' })).status).toBe(422);
    expect((await ask('hub', ana, { message: 'x'.repeat(50_000) })).status).toBe(413);
    expect((await ask('hub', ana, { message: 'x'.repeat(1_100_000) })).status).toBe(413);
    expect((await ask('hub', ana, { message: QUESTION, task_id: 'nobodys' })).status).toBe(404);
    expect((await at.get('/agents/hub/tasks?page_size=0', ana)).status).toBe(422);
    expect((await at.get('/agents/hub/tasks/nobodys', ana)).status).toBe(404);
    expect((await at.call('PUT', '/agents/hub/tasks/nobodys', { token: ana })).status).toBe(405);
    expect((await ask('hub', 'x.y.z', { message: QUESTION })).status).toBe(401);
  });

  it('[A2S-46] is told as it happens to whoever wants events', async () => {
    const stream = await at.stream('/agents/hub/tasks', { body: { message: QUESTION } });
    const told = await stream.all();
    const names = told.map(({ event }) => event);
    expect(names[0]).toBe('task');
    expect(names.at(-1)).toBe('done');
    expect(names).toContain('status');
    expect(told.filter(({ event }) => event === 'status').at(-1)?.data).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
    });
    const { id } = (told[0]?.data ?? {}) as { id: string };
    const after = await at.stream(`/agents/hub/tasks/${id}`);
    const [task] = await after.all();
    expect(task).toMatchObject({ event: 'task', data: { id, status: { state: 'TASK_STATE_COMPLETED' } } });
    const refused = await at.call('POST', '/agents/hub/tasks', {
      body: { message: QUESTION, task_id: 'nobodys' },
      headers: { accept: 'text/event-stream' },
    });
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
  });

  it('[A2S-47] takes a message as either version of the protocol writes it', async () => {
    const messages = [
      { messageId: 'v10', role: 'ROLE_USER', parts: [{ text: QUESTION }] },
      { messageId: 'v03', kind: 'message', role: 'user', parts: [{ kind: 'text', text: QUESTION }] },
    ];
    for (const message of messages) {
      const task = await ask('knowledge', ana, { message });
      expect(stateOf(task)).toBe('TASK_STATE_COMPLETED');
      expect(task.text).toContain(`"messageId":"${message.messageId}"`);
      const { contextId } = task.body;
      const next = await ask('knowledge', ana, { message: 'And what about refunds?', context_id: contextId });
      expect(next.body.contextId).toBe(contextId);
      expect(idOf(next)).not.toBe(idOf(task));
    }
  });

  it('[A2S-48] is the same at the address of the protocol, wherever a client takes that from', async () => {
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: { messageId: 'rpc', role: 'ROLE_USER', parts: [{ text: QUESTION }] } },
    };
    const found = new Map<string, string>();
    for (const path of ['/a2a', '/a2a/', '/', '/agents/hub', '/agents/knowledge', '/agents/knowledge/']) {
      const answer = await at.post(path, ana, request, { 'a2a-version': '1.0' });
      const { result } = answer.body as { result?: { task: { id: string } } };
      expect(result?.task.id, `${path}: ${answer.text}`).toBeTruthy();
      found.set(path, result?.task.id ?? '');
    }
    // One message to one agent is one task, whichever of its addresses it was sent to.
    expect(new Set(['/a2a', '/a2a/', '/', '/agents/hub'].map((path) => found.get(path))).size).toBe(1);
    expect(found.get('/agents/knowledge')).toBe(found.get('/agents/knowledge/'));
    expect(found.get('/agents/knowledge')).not.toBe(found.get('/a2a'));
    const plain = await at.get(`/agents/hub/tasks/${found.get('/a2a')}`, ana);
    expect(stateOf(plain)).toBe('TASK_STATE_COMPLETED');
    expect((await at.post('/a2a', 'x.y.z', request)).status).toBe(401);
    expect((await at.call('PUT', '/a2a', { token: ana, body: request })).status).toBe(405);
  });
});

describe('programs that ask too often', () => {
  it('[A2S-49] are told to wait: visitors by their address, others by who they are', async () => {
    const small = await openServer({ env: { HUB_TURNS_PER_MINUTE: '1' } });
    try {
      const tokens = [await programToken(small, ANA), await programToken(small, BRUNO)];
      for (const token of tokens) {
        const send = () => small.post('/agents/knowledge/tasks', token, { message: QUESTION });
        expect((await send()).status).toBe(200);
        const late = await send();
        expect([late.status, late.body.code]).toEqual([429, 'rate_limited']);
        expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
        expect((await small.post('/agents/account/skills/get_subscription', token, {})).status).toBe(200);
      }
      // A visitor has the calls of one name: fifty to a turn, of which a turn takes five.
      const skill = () => small.post('/agents/knowledge/skills/find_experiences', undefined, {});
      const answers = await Promise.all(Array.from({ length: 51 }, skill));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
      expect((await small.post('/agents/hub/tasks', undefined, { message: QUESTION })).status).toBe(429);
      expect((await small.get('/.well-known/agent-card.json')).status).toBe(200);
    } finally {
      await small.close();
    }
  });
});

describe('pages of other origins that may call', () => {
  it('[A2S-50] read cards and call agents; others are not let through', async () => {
    const open = await openServer({ env: { HUB_CORS_ORIGINS: 'https://app.example.com' } });
    try {
      const asking = (origin: string) => ({
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'a2a-version, authorization, content-type',
      });
      for (const path of ['/a2a', '/agents/knowledge/tasks', '/.well-known/agent-card.json']) {
        const may = await open.call('OPTIONS', path, { headers: asking('https://app.example.com') });
        expect([may.status, may.headers.get('access-control-allow-origin')], path).toEqual([
          204,
          'https://app.example.com',
        ]);
        expect(may.headers.get('access-control-allow-headers')).toContain('a2a-version');
        const not = await open.call('OPTIONS', path, { headers: asking('https://evil.example') });
        expect(not.headers.get('access-control-allow-origin'), path).toBeNull();
      }
      const body = { query: 'prices' };
      const path = '/agents/knowledge/skills/search_knowledge';
      const answer = await open.post(path, undefined, body, { origin: 'https://app.example.com' });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        200,
        'https://app.example.com',
      ]);
      expect((await open.post(path, undefined, body, { origin: 'https://evil.example' })).status).toBe(403);
    } finally {
      await open.close();
    }
  });
});
