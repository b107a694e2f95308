import type { Focus } from '../../src/core/domain/session.js';
import type { Sentences } from '../../src/core/i18n/index.js';
import type { OfflineStep } from '../../src/core/ports/chat-models.js';
import type { RemoteAgent } from '../../src/core/ports/remote-agents.js';
import type { AgentContext, AgentDefinition, EarlyAnswer } from '../../src/runtime/agent-definition.js';
import { dashed, say } from '../../src/runtime/offline-step.js';
import { ASK_REMOTE_AGENT, type RemoteOutcome, remoteShape } from '../../src/runtime/remote/remote-calls.js';
import { askRemoteAgent } from '../../tools/remote/ask-remote-agent.js';
import type { OfflineDeps } from '../offline-support.js';

/** What a model is told when it chooses between agents elsewhere. */
export const CHOOSE_PROMPT = new URL('./choose.md', import.meta.url);
/** What a model is told when it fills in the input of another agent's skill. */
export const FILL_PROMPT = new URL('./fill.md', import.meta.url);
/** What it is told when that call has failed. */
export const LOOK_AGAIN_PROMPT = new URL('./look-again.md', import.meta.url);

const DESCRIPTION_CHARS = 200;

/**
 * An agent elsewhere as a member of the roster. It is asked before any model is: what it is told follows from the task
 * alone, and only what it answers is put into words.
 */
export function remoteAgent(agent: RemoteAgent): AgentDefinition {
  return {
    name: agent.name,
    description: describeRemote(agent),
    role: 'knowledge',
    route: 'knowledge',
    access: 'anyone',
    prompt: new URL('./prompt.md', import.meta.url),
    tools: [askRemoteAgent],
    prefetch: ({ trace }) => (trace.length > 0 ? [] : [{ tool: ASK_REMOTE_AGENT, args: {} }]),
    spared: () => [ASK_REMOTE_AGENT],
    early: (context, _threshold, texts) => withoutModel(agent.name, context, texts),
  };
}

/** What the roster says of it: one line, since it may be the other side's own. */
export function describeRemote({ name, description, card }: RemoteAgent): string {
  const words = (description || card?.description || '').replace(/\s+/g, ' ').trim();
  return `Another company's service, ${words === '' ? name : words}`.slice(0, DESCRIPTION_CHARS);
}

/** A question is put as it was asked, and a failure told as it is: no model could say either better. */
function withoutModel(agent: string, context: AgentContext, texts: Sentences): EarlyAnswer | null {
  const answer = remoteAnswer(context);
  if (!answer)
    return { text: texts.say('remote_no_answer', { agent }), unanswered: false, needsPerson: true };
  if (answer.outcome === 'answered') return null;
  if (answer.outcome === 'asks') {
    return {
      text: texts.say('remote_asks', { agent, gap: gapBefore(answer.text), text: answer.text }),
      unanswered: false,
      focus: answer.focus,
    };
  }
  const text = answer.uncertain
    ? texts.say('remote_maybe_done', { agent })
    : texts.say('remote_no_answer', { agent });
  return { text, unanswered: false, needsPerson: true };
}

/** What came of asking another agent, and where a reply of the customer would go. */
interface RemoteAnswer extends RemoteOutcome {
  readonly focus: Focus | null;
}

/** The newest answer of another agent to this task; null where it was not asked, or the call itself failed. */
export function remoteAnswer({ trace }: Pick<AgentContext, 'trace'>): RemoteAnswer | null {
  const entry = trace.findLast(({ tool }) => tool === ASK_REMOTE_AGENT);
  const parsed = entry?.ok ? remoteShape.safeParse(entry.result) : null;
  if (!parsed?.success) return null;
  return { ...parsed.data, focus: focusOf(parsed.data) };
}

function focusOf({ agent, task }: RemoteOutcome): Focus | null {
  if (!task) return null;
  const { task_id: taskId, context_id: contextId, goal, asked } = task;
  const remote = { taskId, contextId, goal, asked };
  return { agent, intent: 'remote_question', choices: [], attempts: asked, remote };
}

/** What is one line stays on the line of its introduction. */
export function gapBefore(text: string): string {
  return text.includes('\n') ? '\n\n' : ' ';
}

const MAX_FACTS = 6;

/**
 * The words of another agent without a model: said as they are, and whose they are.
 * @returns null where no other agent was asked
 */
export function remoteStep(deps: Pick<OfflineDeps, 'texts'>, context: AgentContext): OfflineStep | null {
  const answer = remoteAnswer(context);
  if (answer?.outcome !== 'answered') return null;
  const { agent, text, facts, focus } = answer;
  const [only, ...more] = facts;
  const said =
    text !== '' ? text : more.length === 0 ? (only ?? '') : (dashed(facts.slice(0, MAX_FACTS)) ?? '');
  return say(
    deps.texts.for(context.session.language).say('remote_says', { agent, gap: gapBefore(said), text: said }),
    { focus },
  );
}
