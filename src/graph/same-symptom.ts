import type { Act } from '../dialogue/index.js';
import type { DialogueTurn } from './dialogue-types.js';
import { isReply } from './open-question.js';

/*
 * A procedure that looks into a symptom may take several messages: it asks which thing is meant, and what it advised may not
 * have helped. Both come back to it with what was said before, where no agent and no article has answered in between.
 */

/** Of more words a message is no reply that only says which. */
const REPLY_WORDS = 8;
/** From here on triage is believed that something else is asked for. */
const SURE = 0.6;

/** The reply to what a procedure asked, also where it is the name of a record and nothing else; or that something has not come in its time. */
export function answersProcedure({ deps, graph, session, state, text }: DialogueTurn): boolean {
  const { focus, classification } = graph;
  if (state.symptom != null && session.meant?.text === state.symptom) return true;
  // "No, I mean the monthly fee" says what is to be looked into.
  if (state.symptom != null && focus === null && deps.dialogue.saysWhatWasMeant(text)) return true;
  if (!state.symptom || focus?.agent !== deps.agents.forRoute('investigation')) return false;
  if (isReply(deps, focus, text, session)) return true;
  const { requests = [], confidence = 0 } = classification ?? {};
  if (text.includes('?') || text.trim().split(/\s+/).length > REPLY_WORDS || requests.length > 1)
    return false;
  const isChange = confidence >= SURE && requests.some(({ route }) => route === 'action');
  return !isChange && deps.language.readRequestAct(text).kind === 'none' && !deps.dialogue.asksFor(text);
}

const UNHELPED: ReadonlySet<string> = new Set(['not_helpful', 'wrong_answer'] satisfies Act[]);

/** True of an act that says that what was answered did not help. */
export function isUnhelped(act: string): boolean {
  return UNHELPED.has(act);
}

/** Whether what did not help was the advice of a procedure. */
export function goesOnLooking({ state, session }: DialogueTurn): boolean {
  return state.symptom != null && session.identity.kind === 'customer';
}
