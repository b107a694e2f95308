import type { Session } from '../core/domain/session.js';
import type { Texts } from '../core/i18n/index.js';
import type { Dialogue } from '../dialogue/index.js';
import type { Harvest } from './harvest.js';

/**
 * The part of a message that was answered just now, where nothing answers it and other parts are asked beside it: one plain
 * sentence says so, once, so that none is dropped in silence and nobody waits for a person who was not asked for. What is only told
 * beside a question is owed no answer. A message of which no part is answered goes to a person as before.
 */
export function nameUnanswered(
  harvested: Harvest,
  {
    session,
    dialogue,
    texts,
  }: { readonly session: Session; readonly dialogue: Dialogue; readonly texts: Texts },
): Harvest {
  const { tasks, drafts, answered } = harvested;
  const [draft, task] = [drafts.at(-1), tasks[answered]];
  const asked = tasks.filter(({ proposal }) => proposal === undefined);
  if (!draft?.unanswered || draft.provider !== 'offline' || task?.route !== 'knowledge' || asked.length < 2)
    return harvested;
  const said = texts.for(session.language).say('rest_unanswered');
  const isSaid = [session.lastReply ?? '', ...drafts.map((one) => one.note ?? '')].some((text) =>
    text.includes(said),
  );
  const note = dialogue.asksFor(task.text) && !isSaid ? said : '';
  return { ...harvested, drafts: [...drafts.slice(0, -1), { ...draft, note }] };
}
