import { describe, expect, it } from 'vitest';
import type { RemoteThread } from '../../../src/core/domain/session.js';
import { HubError } from '../../../src/core/errors.js';
import type { RemoteReasoner } from '../../../src/core/ports/remote-agents.js';
import { delegate } from '../../../src/runtime/remote/delegate.js';
import { limitTime, RemoteCalls } from '../../../src/runtime/remote/remote-calls.js';
import { createRecordingLog } from '../../support/recording-log.js';
import {
  remoteCard,
  remoteSkill,
  type ScriptedAgent,
  type ScriptedRemote,
  scriptedRemote,
} from '../../support/scripted-remote.js';
import { TEXTS } from '../../support/texts.js';

const spot = remoteSkill({ id: 'find_spot', name: 'Find a parking spot', tags: ['parking'] });
const booking = remoteSkill(
  { id: 'book_spot', name: 'Book a parking spot', tags: ['parking'] },
  undefined,
  false,
);
const unreachable = (certain: boolean) =>
  new HubError('remote_unreachable', 'It cannot be reached.', { certain });
const refused = (status: number) => new HubError('remote_refused', `It refused with ${status}.`, { status });
const GOAL = 'Is there parking near MASP?';

interface Run {
  readonly agent?: Partial<ScriptedAgent>;
  readonly open?: RemoteThread;
  readonly reasoner?: Partial<RemoteReasoner>;
  readonly ms?: number;
  readonly outer?: AbortSignal;
}

async function run({ agent = {}, open, reasoner, ms = 5_000, outer }: Run) {
  const remote: ScriptedRemote = scriptedRemote([{ name: 'parking', card: remoteCard([spot]), ...agent }]);
  const log = createRecordingLog();
  const limit = limitTime(ms, outer);
  const [listed] = remote.list();
  if (!listed) throw new Error('nobody is listed');
  const access = { agents: remote, mask: (text: string) => text, linkHosts: [], deadlineMs: ms };
  const calls = new RemoteCalls({
    ...{ agent: listed, access, log, ticketId: 't1', limit, key: 'k', hops: 1, language: undefined },
  });
  try {
    const outcome = await delegate({
      agent: 'parking',
      goal: { text: open ? 'For two hours' : GOAL, language: null, customerName: null },
      open: open ?? null,
      calls,
      linkHosts: [],
      reasoner: reasoner as RemoteReasoner | undefined,
      texts: TEXTS.for('en'),
      ticketId: 't1',
      signal: limit.signal,
      mask: (text) => text.replace(/secret\w*/g, '[secret]'),
    });
    return { outcome, remote, log };
  } finally {
    limit.release();
  }
}

const decisions = ({ steps }: Awaited<ReturnType<typeof run>>['outcome']) =>
  steps.flatMap((step) => (step.kind === 'decision' ? [`${step.decision}:${step.by}`] : []));
const ways = (remote: ScriptedRemote) => remote.asked().map(({ way }) => way);

describe('asking another agent', () => {
  it('[ORC-04] prefers the skill that fits, and tells it nothing but what was asked', async () => {
    const { outcome, remote, log } = await run({
      agent: { specific: { find_spot: [{ text: 'Garage A is open.' }] } },
    });
    expect(outcome).toMatchObject({ outcome: 'answered', text: 'Garage A is open.', task: null, code: null });
    const [call] = remote.asked();
    expect(call).toMatchObject({ way: 'specific', skill: 'find_spot', input: { query: GOAL } });
    expect(call?.options).toMatchObject({ hops: 1 });
    expect(call?.options.key).toMatch(/^[\w.:-]{1,100}$/);
    expect(decisions(outcome)).toEqual(['specific:rule']);
    expect(outcome.steps.map(({ kind }) => kind)).toEqual(['try', 'decision', 'try']);
    const logged = log.entries.filter(({ agent }) => agent === 'remote');
    expect(logged.map(({ action }) => action)).toEqual(['remote_try', 'remote_decision', 'remote_try']);
    expect(JSON.stringify(logged)).not.toContain('MASP');
  });

  it('[ORC-04] sends a message where no skill fits', async () => {
    const { outcome, remote } = await run({ agent: { card: remoteCard([]), generic: [{ text: 'Yes.' }] } });
    expect(outcome.text).toBe('Yes.');
    expect(remote.asked()[0]?.message).toEqual({ text: GOAL });
  });

  it.each([
    ['unreachable, and it only reads', spot, unreachable(false)],
    ['unreachable, and it certainly did nothing', booking, unreachable(true)],
    ['gone', booking, refused(404)],
    ['nonsense from a skill that only reads', spot, new HubError('remote_bad_answer', 'Nonsense.')],
    ['failed there, and it only reads', spot, new HubError('remote_failed', 'It failed.')],
    ['an answer without a word', spot, {}],
  ])('[ORC-08] looks again and sends it in new words: %s', async (_what, skill, failing) => {
    const { outcome, remote } = await run({
      agent: {
        card: remoteCard([skill]),
        specific: { [skill.id]: [failing] },
        generic: [{ text: 'Garage A.' }],
      },
    });
    expect(outcome).toMatchObject({ outcome: 'answered', text: 'Garage A.' });
    expect(ways(remote)).toEqual(['specific', 'generic']);
    const words = remote.asked()[1]?.message?.text ?? '';
    expect(words).not.toBe(GOAL);
    expect(words).toContain(GOAL);
    expect(words).toContain(skill.name);
    expect(decisions(outcome)).toEqual(['specific:rule', 'reword:rule']);
    expect(new Set(remote.asked().map(({ options }) => options.key)).size).toBe(2);
  });

  it.each([
    ['refused because of the input', spot, refused(422)],
    ['refused', spot, refused(403)],
    ['too many requests', spot, refused(429)],
    ['a forbidden address', spot, new HubError('remote_forbidden_address', 'No.')],
    ['failed there, and it changes something', booking, new HubError('remote_failed', 'It failed.')],
  ])('[ORC-08] does not send again what was answered with a no: %s', async (_what, skill, failing) => {
    const { outcome, remote } = await run({
      agent: {
        card: remoteCard([skill]),
        specific: { [skill.id]: [failing] },
        generic: [{ text: 'Garage A.' }],
      },
    });
    expect(outcome).toMatchObject({ outcome: 'gave_up', code: failing.code, uncertain: false });
    expect(ways(remote)).toEqual(['specific']);
    expect(decisions(outcome)).toEqual(['specific:rule', 'give_up:rule']);
  });

  it.each([
    ['the connection broke', unreachable(false)],
    ['the answer was nonsense', new HubError('remote_bad_answer', 'Nonsense.')],
  ])('[ORC-08] never sends another way what may have been done: %s', async (_what, failing) => {
    const { outcome, remote } = await run({
      agent: { card: remoteCard([booking]), specific: { book_spot: [failing] }, generic: [{ text: 'x' }] },
    });
    expect(outcome).toMatchObject({ outcome: 'gave_up', uncertain: true });
    expect(ways(remote)).toEqual(['specific']);
  });

  it('[ORC-08] gives up where there is no other way, or no way at all', async () => {
    const only = await run({
      agent: { card: remoteCard([spot], false), specific: { find_spot: [unreachable(true)] } },
    });
    expect(only.outcome).toMatchObject({ outcome: 'gave_up', code: 'remote_unreachable' });
    const none = await run({ agent: { card: remoteCard([], false) } });
    expect(none.outcome).toMatchObject({ outcome: 'gave_up', code: null });
    expect(none.remote.asked()).toEqual([]);
    const unread = await run({ agent: { card: unreachable(true) } });
    expect(unread.outcome).toMatchObject({
      outcome: 'gave_up',
      code: 'remote_unreachable',
      uncertain: false,
    });
  });

  it('[ORC-08] asks the model where there is one: whether it fits, and for the words', async () => {
    const failing = { specific: { find_spot: [unreachable(true)] }, generic: [{ text: 'Garage A.' }] };
    const second = { fits: true, words: 'Which garages are open? secret1', reason: 'it knows garages' };
    const seen: unknown[] = [];
    const lookAgain = async (...args: unknown[]) => {
      seen.push(args);
      return second;
    };
    const fits = await run({ agent: failing, reasoner: { lookAgain } });
    expect(fits.remote.asked()[1]?.message?.text).toBe('Which garages are open? [secret]');
    expect(decisions(fits.outcome)).toEqual(['specific:rule', 'reword:model']);
    expect(seen).toMatchObject([[{ goal: GOAL, ticketId: 't1' }, { id: 'find_spot' }, 'remote_unreachable']]);
    const not = await run({
      agent: failing,
      reasoner: { lookAgain: async () => ({ fits: false, words: '', reason: 'it only books' }) },
    });
    expect(not.outcome.outcome).toBe('gave_up');
    expect(ways(not.remote)).toEqual(['specific']);
    expect(decisions(not.outcome)).toEqual(['specific:rule', 'give_up:model']);
    const silent = await run({ agent: failing, reasoner: { lookAgain: async () => null } });
    expect(decisions(silent.outcome)).toEqual(['specific:rule', 'reword:rule']);
  });

  it('[ORC-07] lets a model read the input, and believes only what the request says', async () => {
    const schema = { type: 'object', properties: { street: { type: 'string' } }, required: ['street'] };
    const street = remoteSkill({ id: 'by_street', name: 'Parking by street', tags: ['parking'] }, schema);
    const agent = {
      card: remoteCard([street]),
      specific: { by_street: [{ text: 'Yes.' }] },
      generic: [{ text: 'As a message.' }],
    };
    const fill = (input: Record<string, string>) => ({ fill: async () => ({ skill: 'by_street', input }) });
    const fine = await run({ agent, reasoner: fill({ street: 'MASP' }) });
    expect(fine.remote.asked()[0]).toMatchObject({ way: 'specific', input: { street: 'MASP' } });
    expect(decisions(fine.outcome)).toEqual(['specific:model']);
    const invented = await run({ agent, reasoner: fill({ street: 'Avenida Paulista' }) });
    expect(ways(invented.remote)).toEqual(['generic']);
    const foreign = await run({
      agent,
      reasoner: { fill: async () => ({ skill: 'other', input: { a: 'MASP' } }) },
    });
    expect(ways(foreign.remote)).toEqual(['generic']);
    const offline = await run({ agent });
    expect(ways(offline.remote)).toEqual(['generic']);
    expect(decisions(offline.outcome)).toEqual(['generic:rule']);
  });

  it('[ORC-11] keeps the question of the other agent, twice at most, and none for a secret', async () => {
    const asks = { state: 'input_required', text: 'For how long?', taskId: 'T', contextId: 'C' } as const;
    const agent = { card: remoteCard([]), generic: [asks] };
    const first = await run({ agent });
    expect(first.outcome).toMatchObject({
      outcome: 'asks',
      task: { task_id: 'T', context_id: 'C', goal: GOAL, asked: 1 },
    });
    const open = { taskId: 'T', contextId: 'C', goal: GOAL, asked: 1 };
    const second = await run({ agent, open });
    expect(second.outcome.task).toMatchObject({ asked: 2, goal: GOAL });
    expect(second.remote.asked()[0]?.message).toEqual({ text: 'For two hours', taskId: 'T', contextId: 'C' });
    const third = await run({ agent, open: { ...open, asked: 2 } });
    expect(third.outcome.outcome).toBe('gave_up');
    const secret = await run({
      agent: { ...agent, generic: [{ ...asks, text: 'What is your card number?' }] },
    });
    expect(secret.outcome).toMatchObject({ outcome: 'gave_up', text: '' });
  });

  it('[ORC-11] takes it for no answer where the other agent waits for people of its own', async () => {
    const reply = 'I have passed it on to our team. Somebody will answer you.';
    const handedOver = { state: 'input_required', text: reply, data: { reply, escalated: true } } as const;
    for (const step of [handedOver, { ...handedOver, data: null }]) {
      const { outcome } = await run({ agent: { card: remoteCard([]), generic: [step] } });
      expect(outcome).toMatchObject({ outcome: 'gave_up', text: '' });
    }
  });

  it('says nothing twice', async () => {
    const step = { text: 'Garage A.', data: { reply: 'Garage A.', provider: 'offline' } };
    const { outcome } = await run({ agent: { card: remoteCard([]), generic: [step] } });
    expect(outcome).toMatchObject({ text: 'Garage A.', facts: [] });
  });

  it('[ORC-11] begins anew where the other agent has forgotten its task', async () => {
    const open = { taskId: 'T', contextId: 'C', goal: GOAL, asked: 1 };
    const agent = { generic: [refused(404), { text: 'Garage A.' }] };
    const { outcome, remote } = await run({ agent, open });
    expect(outcome.text).toBe('Garage A.');
    const words = remote.asked()[1]?.message;
    expect(words?.taskId).toBeUndefined();
    expect(words?.text).toContain(GOAL);
    expect(words?.text).toContain('For two hours');
    expect(decisions(outcome)).toEqual(['continue:rule', 'start_again:rule']);
  });

  it('[ORC-13] has its own time limit, also for an agent that heeds no signal', async () => {
    const never = () => new Promise<never>(() => undefined);
    const { outcome } = await run({ agent: { card: remoteCard([]), generic: [never] }, ms: 80 });
    expect(outcome).toMatchObject({ outcome: 'gave_up', code: 'remote_unreachable', uncertain: false });
  });

  it('[ORC-13] ends with its turn, and hides no fault of the hub', async () => {
    const turn = new AbortController();
    const over = new HubError('taken_over', 'A person has it.');
    const never = () => {
      turn.abort(over);
      return new Promise<never>(() => undefined);
    };
    const agent = { card: remoteCard([]), generic: [never] };
    await expect(run({ agent, outer: turn.signal })).rejects.toBe(over);
    await expect(run({ agent: { card: remoteCard([]), generic: [] } })).rejects.toThrow('script');
  });
});
