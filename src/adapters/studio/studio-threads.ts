import { v5 as nameBased } from '@langchain/core/utils/uuid';
import type { TicketView } from '../../core/app.js';
import { HubError } from '../../core/errors.js';

/** Studio opens its databases when it is first asked for a thread. */
const TIMEOUT_MS = 20_000;
/** Its page is LangChain's and asks the server from the browser. */
const PAGE = 'https://smith.langchain.com/studio/thread';
const ROLES = { customer: 'human', hub: 'ai', operator: 'ai' } as const;

/**
 * Puts tickets into LangGraph Studio, each as a thread with one checkpoint an answer. It names neither customer nor
 * ticket, so that nothing that is run from it there happens to them.
 * @param address of Studio's server, without a slash at the end
 * @returns puts a ticket there anew and gives the page that shows it; HubError `remote_unreachable` where Studio takes none
 */
export function createStudioThreads(address: string): (ticket: TicketView) => Promise<string> {
  async function ask(method: 'DELETE' | 'POST', path: string, body?: unknown): Promise<void> {
    const response = await fetch(`${address}/threads${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    if (!response.ok && response.status !== 404) throw new Error(`${method} answered ${response.status}`);
  }
  return async (ticket) => {
    const id = nameBased(ticket.ticket.ticketId, nameBased.URL);
    try {
      await ask('DELETE', `/${id}`);
      const metadata = { graph_id: 'uda-hub' };
      await ask('POST', '', { thread_id: id, metadata, supersteps: superstepsOf(ticket) });
    } catch (cause) {
      throw new HubError('remote_unreachable', 'Studio takes no thread.', { address }, { cause });
    }
    return `${PAGE}/${id}?${new URLSearchParams({ baseUrl: address })}`;
  };
}

/** What was said up to each answer, with the way that it took and what was called for it. */
function superstepsOf({ messages, turns }: TicketView) {
  const steps: object[] = [];
  let said: object[] = [];
  const close = (values: object): void => {
    const update = (given: object) => ({ values: given, as_node: 'respond' });
    steps.push({ updates: [update({ trace: null }), update({ messages: said, ...values })] });
    said = [];
  };
  for (const { messageId: id, role, audience, content } of messages) {
    if (role === 'system' || audience === 'desk') continue;
    said.push({ type: ROLES[role], id, content, ...(role === 'operator' ? { name: 'desk' } : {}) });
    const turn = turns.find(({ messageId }) => messageId === id);
    if (turn === undefined) continue;
    const { route, guardrails, totalMs, toolCalls } = turn;
    const trace = toolCalls.map((call, at) => ({ ...call, callId: `${turn.turnId}_${at}` }));
    close({ route, guardrails, trace, timings: { total: totalMs } });
  }
  if (said.length > 0) close({});
  return steps;
}
