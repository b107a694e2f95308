import type { Focus, MeantQuestion, Session } from '../core/domain/session.js';
import type { GraphDeps } from './graph-deps.js';

/**
 * What a message asks that turns down what the hub offered, or takes back what the customer was to choose for: "no, leave it. What
 * does it cost for my sister?". Null where nothing was offered, where it is no such no, and where it wants the same in another way.
 */
export function askedBesideNo(
  { agents, dialogue, language }: GraphDeps,
  focus: Focus | null,
  { language: spoken, lastReply }: Session,
  text: string,
): MeantQuestion | null {
  const isOpen = focus !== null && (focus.offered === true || focus.choices.length > 1);
  if (!isOpen) return null;
  const { kind, more } = dialogue.readAnswer(text, spoken, lastReply ?? '');
  if (kind !== 'no' || more === null || dialogue.meantInstead(text) === text) return null;
  // Thanks beside a no ask for nothing.
  const requests = language.requests(more, spoken);
  const isChange = requests.some(({ route }) => route !== null && agents.changes(route));
  if (requests.length === 0 || isChange || !dialogue.isQuestion(more)) return null;
  return { text: more, question: more, declines: true };
}

/** A question of fewer words only asks back. */
const ASKED_WORDS = 4;

/** What is asked beside a yes that may hang on it, or wished of the money; null where neither is. */
export function askedBesideYes(
  { dialogue, language }: Pick<GraphDeps, 'dialogue' | 'language'>,
  { beside }: { readonly beside?: string },
): string | null {
  if (beside === undefined) return null;
  const isAsked = dialogue.isQuestion(beside) && beside.split(/\s+/).length >= ASKED_WORDS;
  return isAsked || language.speaksOf(beside, 'refund') ? beside : null;
}
