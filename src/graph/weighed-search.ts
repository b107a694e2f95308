import type { Session, Task } from '../core/domain/session.js';
import type { GraphDeps } from './graph-deps.js';
import type { MessageReading } from './message-reading.js';

/** What articles answer: how things are, and what to do where something does not work. */
const ANSWERED_BY_ARTICLES = ['article', 'trouble'] as const;
/** From here on the likeliest article is quoted rather than what the words alone find: more where nothing is asked. */
const [LIKELY, LIKELY_UNASKED] = [0.25, 0.4];
/** Below this share a message hardly asks what articles answer: more where nothing is asked. */
const [HARDLY, HARDLY_UNASKED] = [0.2, 0.5];
/** From here on parts of a message ask the same thing of one article. */
const [ALL_OF_IT, ONE_ARTICLE] = [0.85, 0.5];

/**
 * What is to be searched for, weighed by what conversations have taught of the message: one article that likely answers it in its
 * conversation, rather than another that only shares a word with it; and where it hardly asks what articles answer, nothing that is
 * not all but certain. The words alone are searched for where neither is so.
 */
export function weighed(
  deps: GraphDeps,
  session: Session,
  { reading, text }: { readonly reading: MessageReading | null; readonly text: string },
  tasks: readonly Task[],
): readonly Task[] {
  const [task, ...others] = tasks;
  const isSearched = tasks.every((one) => isPlainSearch(deps, one));
  if (!reading || !task || !isSearched || deps.models.provider !== 'offline') return tasks;
  const { article, chanceOf } = reading;
  const asksIn = (said: string): boolean => deps.dialogue.asksFor(said) || deps.dialogue.isQuestion(said);
  const share = chanceOf(...ANSWERED_BY_ARTICLES);
  const told = article !== null && !article.isContested ? article : null;
  const about = told && { about: told.title, only: true };
  if (others.length > 0) {
    // Of two questions each may have an article of its own.
    const isOne = tasks.filter((one) => asksIn(one.text)).length < 2 && (told?.chance ?? 0) >= ONE_ARTICLE;
    return about && isOne && share >= ALL_OF_IT ? [{ ...task, text, ...about }] : tasks;
  }
  const asks = asksIn(text);
  // A first message leans on nothing: what its words find stands for itself.
  const isFirst = session.lastReply === null;
  if (about && !isFirst && share * (told?.chance ?? 0) >= (asks ? LIKELY : LIKELY_UNASKED))
    return [{ ...task, ...about }];
  const least = asks ? (isFirst ? 0 : HARDLY) : HARDLY_UNASKED;
  return share < least ? [{ ...task, unsure: true }] : tasks;
}

function isPlainSearch({ agents }: GraphDeps, { agent, about, list, asks, proposal }: Task): boolean {
  return agent === agents.forRoute('knowledge') && !about && !list && !asks && !proposal;
}
