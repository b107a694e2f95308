import type { Session } from '../core/domain/session.js';
import type { Texts } from '../core/i18n/index.js';
import type { Dialogue } from '../dialogue/index.js';
import type { Harvest } from './harvest.js';

/** So few words say little by themselves, and are not quoted: "and how?". */
const FEW_WORDS = 4;
/** Characters of a part that are quoted. */
const LONGEST = 90;

/**
 * The part of a message that was answered just now, where nothing answers it and other parts are asked beside it: it is named in a
 * plain sentence, so that none is dropped in silence and nobody waits for a person who was not asked for. What is only told
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
  const said = texts.for(session.language);
  const isPlain = task.text.trim().split(/\s+/).length > FEW_WORDS;
  const named = isPlain
    ? said.say('part_unanswered', { part: quoted(task.text) })
    : said.say('rest_unanswered');
  const note = dialogue.asksFor(task.text) ? named : '';
  return { ...harvested, drafts: [...drafts.slice(0, -1), { ...draft, note }] };
}

function quoted(part: string): string {
  const text = part
    .trim()
    .replace(/["“”]/gu, "'")
    .replace(/[\s.,;:!]+$/u, '');
  if (text.length <= LONGEST) return text;
  const cut = text.slice(0, LONGEST);
  return `${cut.slice(0, cut.lastIndexOf(' '))}…`;
}
