import type { OfflinePolicy } from '../../src/core/ports/chat-models.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import { call, explainFailure, focusOn, lastCall, resultOf, say } from '../../src/runtime/offline-step.js';
import { investigationShape } from '../../src/runtime/read-run.js';
import { type AgentSpec, contextIn, type OfflineDeps } from '../offline-support.js';

const INVESTIGATE = 'investigate';

/** The investigation agent without a model: runs the procedure and says what it found in the procedure's own words. */
function investigationPolicy(deps: OfflineDeps): OfflinePolicy {
  return (turn) => {
    const context = contextIn(turn);
    const texts = deps.texts.for(context.session.language);
    const found = resultOf(context, INVESTIGATE, investigationShape);
    if (!found) {
      const failed = lastCall(context, INVESTIGATE);
      if (!failed) return call(INVESTIGATE, { problem: problemOf(context) });
      return failed.code === 'scope_missing'
        ? explainFailure(deps, context, failed)
        : say('', { unanswered: true });
    }
    if (found.status === 'undecided') {
      return say(texts.say('clarify'), { focus: focusOn(context, 'investigation', 'symptom', []) });
    }
    // What a pack explains, it explains to operators, and in English.
    const words = found.customer_message ?? '';
    // Who was told it just now and writes again is not helped by the same words.
    return isRepeated(words, context)
      ? say('', { unanswered: true })
      : say(words, { unanswered: words === '' });
  };
}

/** True where the hub's last message, of which the end is kept, ended with these words. */
function isRepeated(words: string, { session }: AgentContext): boolean {
  const last = session.lastReply?.trim() ?? '';
  return words !== '' && last !== '' && (last.endsWith(words.trim()) || words.trim().endsWith(last));
}

const MAX_CHARS = 2_000;

/** The symptom in the customer's words; what continues with one comes with all that was said of it before. */
function problemOf({ task, focus, session, dialogue }: AgentContext): string {
  const before = task.about ?? (focus ? (dialogue?.symptom ?? session.previousMessage) : null);
  return (before === null ? task.text : `${before}\n${task.text}`).slice(0, MAX_CHARS);
}

/** True where a procedure has come to its end, or to a question for an operator: nothing is left to look up. */
function isSettled({ trace }: AgentContext): boolean {
  return trace.some((entry) => {
    const parsed =
      entry.tool === 'investigate' && entry.ok ? investigationShape.safeParse(entry.result) : null;
    return parsed?.success === true && parsed.data.status !== 'undecided';
  });
}

/** Finds out why something does not work, by the procedures in skills/. */
export const investigationAgent: AgentSpec = (tools) => ({
  description: 'Finds out why something does not work for the customer.',
  role: 'investigation',
  route: 'investigation',
  takes: 'a symptom of unknown cause',
  access: 'customer',
  prompt: new URL('./prompt.md', import.meta.url),
  tools,
  needs: ['investigate'],
  offline: investigationPolicy,
  // The procedure is picked by its triggers; the model is asked only where they do not decide.
  prefetch: (context) =>
    context.trace.length > 0 ? [] : [{ tool: 'investigate', args: { problem: problemOf(context) } }],
  spared: (context) => (isSettled(context) ? tools.map(({ name }) => name) : []),
});
