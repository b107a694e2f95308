import type { DialogueState, Session } from '../core/domain/session.js';
import type { GraphDeps } from './graph-deps.js';

/**
 * What is asked by who takes up what the last answer offered to tell, or says that what it spoke of has not come in its time.
 * @returns null where neither
 */
export function offerFollowUp(
  { dialogue: reader, language, tools }: GraphDeps,
  state: DialogueState | null,
  { language: spoken, identity, lastReply, previousMessage }: Session,
  text: string,
): string | null {
  if (state?.more != null && lastReply !== null) {
    const { kind, more } = reader.readAnswer(text, spoken, lastReply);
    if ((kind === 'yes' && more === null) || reader.asksToSee(text)) return state.more;
  }
  if (identity.kind !== 'customer' || previousMessage === null || !reader.saysOverdue(text)) return null;
  const texts = tools.texts.for(spoken);
  const asked = language
    .requests(previousMessage, spoken)
    .map(({ intent }) => texts.sayOf('overdue', intent));
  return asked.find((one) => one !== '') ?? null;
}
