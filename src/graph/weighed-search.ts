import type { Session, Task } from '../core/domain/session.js';
import type { GraphDeps } from './graph-deps.js';
import type { MessageReading } from './message-reading.js';

/** What articles answer: how things are, and what to do where something does not work. */
const ANSWERED_BY_ARTICLES = ['article', 'trouble'] as const;
/** From here on the likeliest article is quoted rather than what the words alone find: more where nothing is asked. */
const [LIKELY, LIKELY_UNASKED] = [0.25, 0.4];
/** Below this share a message hardly asks what articles answer: more where nothing is asked. */
const [HARDLY, HARDLY_UNASKED] = [0.2, 0.5];
/** From here on no other article may answer. */
const SURE = 0.6;
/** From here on a message rather asks what articles answer than anything else. */
const RATHER = 0.5;
/** Below the first triage has not understood a message; from the second on it may only make talk. */
const [UNCLEAR, TALKS] = [0.5, 0.2];
/** From here on parts of a message ask the same thing of one article. */
const [ALL_OF_IT, ONE_ARTICLE] = [0.85, 0.5];

/** A message with what conversations have taught of it, and how sure triage is of what it asks for. */
interface Weighed {
  readonly reading: MessageReading | null;
  readonly text: string;
  readonly heard: number;
  /** True where a person has a request of the conversation: what is told then goes there. */
  readonly isWaiting: boolean;
}

/**
 * What is to be searched for, weighed by what conversations have taught of the message: one article that likely answers it in its
 * conversation, rather than another that only shares a word with it; and where it hardly asks what articles answer, nothing that is
 * not all but certain. The words alone are searched for where neither is so.
 */
export function weighed(
  deps: GraphDeps,
  session: Session,
  { reading, text, heard, isWaiting }: Weighed,
  tasks: readonly Task[],
): readonly Task[] {
  const [task, ...others] = tasks;
  const isSearched = tasks.every((one) => isPlainSearch(deps, one));
  if (!reading || !task || !isSearched || deps.models.provider !== 'offline') return tasks;
  const { article, chanceOf } = reading;
  const asksIn = (said: string): boolean => deps.dialogue.asksFor(said) || deps.dialogue.isQuestion(said);
  const share = chanceOf(...ANSWERED_BY_ARTICLES);
  const told = article !== null && !article.isContested ? article : null;
  // What is likely, and not sure, is searched for beside what the words find, and the search decides.
  const about = told && { about: told.title, only: told.chance >= SURE };
  if (others.length > 0) {
    // Of two questions each may have an article of its own.
    const isOne = tasks.filter((one) => asksIn(one.text)).length < 2 && (told?.chance ?? 0) >= ONE_ARTICLE;
    return about && isOne && share >= ALL_OF_IT ? [{ ...task, text, ...about }] : tasks;
  }
  const asks = asksIn(text);
  // A first message leans on nothing: what its words find stands for itself.
  const isFirst = session.lastReply === null;
  const isLikely = share >= RATHER && share * (told?.chance ?? 0) >= (asks ? LIKELY : LIKELY_UNASKED);
  if (about && !isFirst && isLikely) return [{ ...task, ...about }];
  // Who greets and tells who they are may say "be patient with me", and asks for nothing yet.
  const isTold = isFirst && !text.includes('?') && heard < UNCLEAR && chanceOf('talk') >= TALKS;
  const least = isTold ? HARDLY_UNASKED : isFirst ? 0 : asks ? HARDLY : HARDLY_UNASKED;
  return share < least && !isWaiting ? [{ ...task, unsure: true }] : tasks;
}

function isPlainSearch({ agents }: GraphDeps, { agent, about, list, asks, proposal }: Task): boolean {
  return agent === agents.forRoute('knowledge') && !about && !list && !asks && !proposal;
}
