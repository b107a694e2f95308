import type { Session, Task } from '../core/domain/session.js';
import type { AgentResults } from './agent-results.js';
import { LIKELY, OWN, PLAUSIBLE_ARTICLE, plausibleArticle } from './article-meant.js';
import type { GraphDeps } from './graph-deps.js';
import { isLike, repeatsReply } from './reply-text.js';

/** Of no more words a question may ask again for what was said. */
const FEW_WORDS = 6;
/** From here on a question likely asks how things are. */
const LIKELY_GENERAL = 0.5;

/**
 * What no procedure or action could be chosen for, and a case of which the record only says again what was told, goes to the help
 * centre, where an article likely tells what to do: nobody is asked back what they have just told.
 */
export async function explainedInstead(
  deps: GraphDeps,
  session: Session,
  harvested: AgentResults,
): Promise<AgentResults> {
  const { tasks, drafts, answered } = harvested;
  const [task, draft] = [tasks[answered], drafts.at(-1)];
  const intent = draft?.focus?.intent;
  const isWish = task?.route === 'action' && intent === 'unknown';
  const isOpen = isWish || (task?.route === 'investigation' && intent === 'symptom');
  // "Paid by Pix" after the record was told: what the record says again, it does not tell of that case.
  // Nor does what was said last answer what is asked after it.
  const isRepeated =
    task !== undefined && OWN.has(task.route ?? '') && repeatsReply(draft?.text ?? '', session, task.text);
  // A few words may ask again for a part of it: "and when does it start again?".
  const before = session.previousMessage ?? '';
  const words = (task?.text ?? '').replace(before, '').trim().split(/\s+/);
  const isOther = words.length > FEW_WORDS && !isLike(task?.text ?? '', before);
  const isCase = isRepeated && task.route === 'account' && session.meant != null;
  // An order that was refused is refused again: no article fulfils it.
  const isAsked = task?.route !== 'action' || deps.dialogue.isQuestion(task.text);
  // What the record is known to be asked is answered by it, twice where it is asked twice.
  const isOfRecord = (task?.asks?.length ?? 0) > 0;
  const isElse = isRepeated && isOther && isAsked && !isOfRecord && task.route !== 'investigation';
  const isAgain = isCase || (isElse && !draft?.focus);
  if (deps.models.provider !== 'offline' || !task || !(isOpen || isAgain)) return harvested;
  const isGeneral =
    isCase || (deps.dialogue.readQuestion(task.text)?.chanceOf('general') ?? 0) >= LIKELY_GENERAL;
  const least = isWish || (isAgain && !isGeneral) ? LIKELY : PLAUSIBLE_ARTICLE;
  const about = await plausibleArticle(deps, session, task.text, least);
  return about === null ? harvested : askedInstead(deps, harvested, { ...task, about });
}

/** The task that was answered just now, given to the help centre in place of its answer. */
function askedInstead(
  { agents }: GraphDeps,
  { tasks, drafts, answered, route }: AgentResults,
  task: Task,
): AgentResults {
  const again = {
    ...task,
    route: 'knowledge' as const,
    agent: agents.forRoute('knowledge'),
    status: 'todo' as const,
  };
  return {
    ...{ route, answered },
    tasks: tasks.map((one, index) => (index === answered ? again : one)),
    drafts: drafts.slice(0, -1),
  };
}
