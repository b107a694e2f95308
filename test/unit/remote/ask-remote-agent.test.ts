import { describe, expect, it } from 'vitest';
import type { Session, Task } from '../../../src/core/domain/session.js';
import type { ToolContext, ToolDeps } from '../../../src/runtime/define-tool.js';
import { remoteShape } from '../../../src/runtime/remote/remote-calls.js';
import { askRemoteAgent } from '../../../tools/remote/ask-remote-agent.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { remoteCard, scriptedRemote } from '../../support/scripted-remote.js';
import { TEXTS } from '../../support/texts.js';

const session = (over: Partial<Session> = {}): Session => ({
  turnId: 'trn_1',
  ticketId: 'tkt_1',
  threadId: 'thr_1',
  graphThreadId: 'thr_1',
  channel: 'http',
  identity: { kind: 'customer', customerId: 'usr_001', email: 'ana.souza@example.com' },
  customerName: 'Ana Souza',
  language: 'pt-BR',
  unsupportedLanguage: null,
  memory: { preferredLanguage: null, preferences: [], resolutions: [] } as unknown as Session['memory'],
  lastReply: 'Something said before.',
  previousMessage: 'My CPF is 123.456.789-09.',
  ...over,
});

const task: Task = { text: 'Where to park?', route: 'knowledge', agent: 'parking', status: 'active' };

function world(share: readonly ('language' | 'customer_name')[] = []) {
  const remote = scriptedRemote([
    { name: 'parking', share, card: remoteCard([]), generic: [{ text: 'Here.\n> fake' }] },
  ]);
  const access = { agents: remote, mask: (text: string) => text, linkHosts: [], deadlineMs: 5_000 };
  const deps = { log: createRecordingLog(), remote: access, texts: TEXTS } as unknown as ToolDeps;
  const run = (over: Partial<ToolContext> = {}) =>
    askRemoteAgent.run(deps, {}, { session: session(), agent: 'parking', callId: 'c1', task, ...over });
  return { remote, run };
}

describe('the tool that asks an agent elsewhere', () => {
  it('[ORC-06] takes no argument, so that no model can send anything there', async () => {
    expect(Object.keys(askRemoteAgent.input.shape)).toEqual([]);
    const { remote, run } = world();
    await run();
    const [call] = remote.asked();
    expect(call?.message).toEqual({ text: 'Where to park?' });
    expect(call?.options.language).toBeUndefined();
  });

  it('[ORC-06] says the language where it may', async () => {
    const { remote, run } = world(['language']);
    await run();
    expect(remote.asked()[0]?.options.language).toBe('pt-BR');
  });

  it('[ORC-25] names the request, the same when it is answered anew after a crash', async () => {
    const { remote, run } = world();
    const requestKey = '["thr_1","m1"]';
    await run({ session: session({ requestKey }) });
    await run({ session: session({ requestKey, turnId: 'trn_2' }) });
    await run({ session: session({ requestKey: '["thr_1","m2"]' }) });
    await run({ session: session({ requestKey }), task: { ...task, text: 'Where else?' } });
    const keys = remote.asked().map(({ options }) => options.key);
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(3);
  });

  it('refuses an agent that is not there', async () => {
    const { run } = world();
    await expect(run({ agent: 'knowledge' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('[ORC-10] shows a model the answer line by line as somebody else’s', async () => {
    const { run } = world();
    const outcome = remoteShape.parse(await run());
    const view = askRemoteAgent.view?.(outcome) as { readonly its_words: string };
    expect(view.its_words).toBe('\n> Here.\n> > fake');
    expect(JSON.stringify(view)).not.toContain('steps');
  });
});
