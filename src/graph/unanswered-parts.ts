import type { Session } from '../core/domain/session.js';
import type { Texts } from '../core/i18n/index.js';
import type { Dialogue } from '../dialogue/index.js';
import type { AgentResults } from './agent-results.js';

/**
 * The part of a message that was answered just now, where nothing answers it and other parts are asked beside it: one plain
 * sentence says so, once, so that none is dropped in silence and nobody waits for a person who was not asked for. What is only told
 * beside a question is owed no answer. A message of which no part is answered goes to a person as before.
 */
export function nameUnanswered(
  harvested: AgentResults,
  {
    session,
    dialogue,
    texts,
  }: { readonly session: Session; readonly dialogue: Dialogue; readonly texts: Texts },
): AgentResults {
  const { tasks, drafts, answered } = harvested;
  const [draft, task] = [drafts.at(-1), tasks[answered]];
  const asked = tasks.filter(({ proposal }) => proposal === undefined);
  if (!draft?.unanswered || draft.provider !== 'offline' || task?.route !== 'knowledge' || asked.length < 2)
    return harvested;
  const said = texts.for(session.language).say('rest_unanswered');
  const isSaid = [session.lastReply ?? '', ...drafts.map((one) => one.note ?? '')].some((text) =>
    text.includes(said),
  );
  const note = !isSaid && dialogue.sentencesIn(task.text).some((one) => isOwed(dialogue, one)) ? said : '';
  return { ...harvested, drafts: [...drafts.slice(0, -1), { ...draft, note }] };
}

/** Of no more words a sentence only wonders: "70??". */
const FEW_WORDS = 2;
/** From here on it asks for something, whatever it sounds like. */
const ASKS = 0.3;

/** True where a sentence is owed an answer, and does not only tell what was meant: "no, I am talking about the fee". */
function isOwed(dialogue: Dialogue, sentence: string): boolean {
  if (sentence.trim().split(/\s+/).length <= FEW_WORDS) return false;
  const kind = dialogue.readQuestion(sentence);
  const asks =
    kind === null || (['general', 'order', 'trouble'] as const).some((one) => kind.chanceOf(one) >= ASKS);
  return dialogue.isQuestion(sentence) || (asks && dialogue.asksFor(sentence));
}
