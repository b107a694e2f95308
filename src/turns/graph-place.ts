import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { Session } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { readStretch } from '../graph/human-stretch.js';
import { isSpoken } from '../graph/spoken.js';
import type { TurnDeps } from './turn.js';
import type { ThreadSnapshot } from './turn-reply.js';

const SEED_MESSAGES = 24;
/** A person who hands a message back has said by that that it needs none, and that the hub is to answer as well as it can. */
const HANDED_BACK_FOR: readonly EscalationReason[] = [
  'low_confidence',
  'requires_human',
  'sentiment_priority',
];

/** Where a turn runs, and what it begins with. */
interface GraphPlace {
  readonly graphThreadId: string;
  readonly seed: { readonly values: Record<string, unknown>; readonly messages?: readonly BaseMessage[] };
  /** What became of a question that the customer was not told yet. */
  readonly notice: string | null;
  /** What the customer wrote to people who did not answer it. */
  readonly unanswered: readonly string[];
  readonly settledReasons?: readonly EscalationReason[];
}

/**
 * A paused graph is left alone: a new message on it would re-run the step that waits. The conversation continues
 * on another LangGraph thread that begins with what was said so far. The same after operators had claimed it.
 */
export async function findPlace(
  deps: TurnDeps,
  thread: ThreadRecord,
  noticeOf: (snapshot: ThreadSnapshot) => Promise<string | null>,
): Promise<GraphPlace> {
  const snapshot = await deps.runner.snapshot(thread.graphThreadId);
  const { messages, focus, dialogue, session } = snapshot.values;
  if (thread.unheardSince !== null) {
    const rest = await afterStretch(deps, thread, session ?? null);
    return { graphThreadId: await newGraphThread(deps, thread), notice: null, ...rest };
  }
  if (snapshot.idle) {
    return { graphThreadId: thread.graphThreadId, seed: { values: {} }, notice: null, unanswered: [] };
  }
  const graphThreadId = await newGraphThread(deps, thread);
  const said = snapshot.interrupts.map((interrupt) => new AIMessage(interrupt.value?.question ?? ''));
  const history = [...(messages ?? []).filter(isSpoken), ...said].slice(-SEED_MESSAGES);
  return {
    graphThreadId,
    seed: { values: { focus, dialogue, session }, messages: history },
    notice: await noticeOf(snapshot),
    unanswered: [],
  };
}

async function newGraphThread({ threads, graph }: TurnDeps, thread: ThreadRecord): Promise<string> {
  const graphThreadId = `${thread.threadId}~${graph.ids.next('seg')}`;
  await threads.put({ ...thread, graphThreadId });
  return graphThreadId;
}

/** The agents read what operators said, and answer what those left unanswered without escalating it again. */
async function afterStretch(
  { graph, limits }: TurnDeps,
  { threadId }: ThreadRecord,
  session: Session | null,
): Promise<Pick<GraphPlace, 'seed' | 'unanswered' | 'settledReasons'>> {
  const { unanswered, includesEscalated, history } = await readStretch(graph, threadId);
  const seed = { values: { session }, messages: history };
  if (unanswered.length === 0) return { seed, unanswered: [] };
  const words = unanswered.map(({ content }) => content).join('\n\n');
  const settledReasons = [...HANDED_BACK_FOR];
  if (includesEscalated) {
    for (const { ticketId } of await graph.tickets.listByThread(threadId)) {
      for (const { reason } of await graph.tickets.listEscalations(ticketId)) settledReasons.push(reason);
    }
  }
  return { seed, unanswered: [words.slice(-limits.messageChars)], settledReasons };
}
