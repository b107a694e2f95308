import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HubError } from '../../src/core/errors.js';
import { defineTool, type ToolContext, type ToolDeps } from '../../src/runtime/define-tool.js';
import { minimalGoal } from '../../src/runtime/remote/choose-agent.js';
import { delegate } from '../../src/runtime/remote/delegate.js';
import {
  ASK_REMOTE_AGENT,
  limitTime,
  RemoteCalls,
  type RemoteOutcome,
  remoteShape,
} from '../../src/runtime/remote/remote-calls.js';

type Deps = Pick<ToolDeps, 'log' | 'remote' | 'spans' | 'texts'>;

/**
 * Asks an agent outside of the hub. It takes no argument: which agent follows from who calls, and what it is told from the
 * task alone, so that no model can send anything else there.
 */
export const askRemoteAgent = defineTool({
  name: ASK_REMOTE_AGENT,
  description: 'Asks the other agent what the customer asks, and returns what it answered.',
  effect: 'read',
  access: 'anyone',
  input: z.object({}),
  output: remoteShape,
  view: (output) => viewOf(output),
  async run(deps: Deps, _input, context): Promise<RemoteOutcome> {
    const { remote: access, log, spans } = deps;
    const { session, task } = context;
    const agent = access?.agents.list().find(({ name }) => name === context.agent);
    if (!access || !agent || !task)
      throw new HubError('not_found', `There is no other agent ${context.agent}.`);
    const limit = limitTime(access.deadlineMs, context.signal);
    const goal = minimalGoal(task.text, agent, session, access.mask);
    const calls = new RemoteCalls({
      agent,
      access,
      log,
      spans,
      ticketId: session.ticketId,
      limit,
      key: keyOf(context),
      hops: session.hops ?? 0,
      language: goal.language ?? undefined,
    });
    try {
      return await delegate({
        agent: agent.name,
        goal,
        open: task.remote ?? null,
        calls,
        linkHosts: access.linkHosts,
        reasoner: access.reasoner,
        meaning: access.meaning,
        texts: deps.texts.for(session.language),
        ticketId: session.ticketId,
        signal: limit.signal,
        mask: access.mask,
      });
    } finally {
      limit.release();
    }
  },
});

/** The same for the same message of the customer, also in the turn that answers it anew after a crash. */
function keyOf({ session, agent, task }: ToolContext): string {
  const parts = [session.requestKey ?? session.turnId, agent, task?.text];
  return `hub-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`;
}

/** For the model: marked as somebody else's words, line by line, so that nothing in it can look like anything else. */
function viewOf({ agent, outcome, text, facts, code }: RemoteOutcome): unknown {
  if (outcome === 'gave_up') return { agent, outcome: `no answer (${code ?? 'it cannot do this'})` };
  const lines = [text, ...facts].filter(Boolean).join('\n').split('\n');
  return { agent, outcome, its_words: ['', ...lines.map((line) => `> ${line}`)].join('\n') };
}
