import type { OfflinePolicy } from '../../src/core/ports/offline-policy.js';
import type { AgentContext } from '../../src/runtime/agent-state.js';
import { call, explainFailure, focusOn, lastCall, resultOf, say } from '../../src/runtime/offline-step.js';
import { investigationShape } from '../../src/runtime/read-run.js';
import { contextIn, type OfflineDeps } from '../offline-support.js';

const INVESTIGATE = 'investigate';

/** The investigation agent without a model: runs the procedure and says what it found in the procedure's own words. */
export function investigationPolicy(deps: OfflineDeps): OfflinePolicy {
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
export function problemOf({ task, focus, session, dialogue }: AgentContext): string {
  const before = task.about ?? (focus ? (dialogue?.symptom ?? session.previousMessage) : null);
  return (before === null ? task.text : `${before}\n${task.text}`).slice(0, MAX_CHARS);
}
