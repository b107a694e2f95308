import type { Draft, Session, ToolTrace } from '../core/domain/session.js';
import type { Sentences } from '../core/i18n/index.js';
import { excerptOf } from '../core/text.js';
import type { Dialogue } from '../dialogue/index.js';
import type { AgentResults } from './agent-results.js';
import { isInWordsOf } from './reply-text.js';
import { citedIds, retrievedArticles } from './review-rules.js';

/**
 * Marks the question of a message that was to be answered just now, where nothing answers it and other parts are asked beside it: one plain
 * sentence names it, so that none is dropped in silence and nobody waits for a person who was not asked for. What is only told
 * beside a question is owed no answer. A message of which no part is answered goes to a person as before.
 */
export function markUnanswered(
  harvested: AgentResults,
  { trace, dialogue }: { readonly trace: readonly ToolTrace[]; readonly dialogue: Dialogue },
): AgentResults {
  const { tasks, drafts, answered } = harvested;
  const [draft, task] = [drafts.at(-1), tasks[answered]];
  const asked = tasks.filter(({ proposal }) => proposal === undefined);
  // A part that the conversation itself has answered is a draft without a task.
  const hasOthers = asked.length > 1 || drafts.slice(0, -1).some((one) => one.text !== '' && !one.unanswered);
  if (!draft?.unanswered || draft.provider !== 'offline' || task?.route !== 'knowledge' || !hasOthers)
    return harvested;
  // What stands in another part too is answered there.
  const isWithin = asked.some((other) => other !== task && other.text.includes(task.text));
  const question = isWithin
    ? undefined
    : dialogue.sentencesIn(task.text).find((one) => isOwed(dialogue, one, answered === tasks.length - 1));
  const found = retrievedArticles(trace.filter((entry) => entry.task === answered));
  const [nearest] = [...found].sort(([, one], [, other]) => other.confidence - one.confidence);
  const owed = { question: question?.trim() ?? null, article: nearest?.[0] ?? null };
  return { ...harvested, drafts: [...drafts.slice(0, -1), { ...draft, owed }] };
}

/** From this share of its longer words on a question is answered by what is said of its article. */
const MOSTLY = 0.75;
/** So much of a question is said again. */
const QUESTION_CHARS = 110;

/**
 * Names the questions that stay unanswered, after what is answered: not those of which another part was answered in words of them from
 * the article that came nearest, and nothing where the last answer named them too.
 * @param said what is sent of the same turn
 */
export function unansweredNote(
  drafts: readonly Draft[],
  said: readonly Draft[],
  { lastReply }: Pick<Session, 'lastReply'>,
  texts: Sentences,
): readonly string[] {
  const told = said.map(({ text }) => text).join('\n');
  const cited = new Set(citedIds(told));
  const isTold = (asked: string, article: string | null): boolean =>
    cited.has(article ?? '') && isInWordsOf(asked, told, MOSTLY);
  const questions = drafts.flatMap(({ owed }) =>
    owed?.question && !isTold(owed.question, owed.article) ? [owed.question] : [],
  );
  const quoted = [...new Set(questions)].map((question) => `"${excerptOf(question, QUESTION_CHARS)}"`);
  if (quoted.length === 0) return [];
  const note = texts.say('rest_unanswered', { count: quoted.length, questions: texts.list(quoted) });
  return lastReply?.includes(note) ? [] : [note];
}

/** The question of a message that an answer named as unanswered; null where it named none. */
export function questionNamed(reply: string, message: string, dialogue: Dialogue): string | null {
  const named = (one: string) => reply.includes(excerptOf(one.trim(), QUESTION_CHARS));
  const parts = [message, ...dialogue.partsOf(message)].flatMap((part) => dialogue.sentencesIn(part));
  return parts.find(named)?.trim() ?? null;
}

/** With fewer words a sentence leans on what stands beside it ("what is going on?", "70??"). */
const WORDS = 4;
/** With fewer words of its own it does too, unless it comes last, is of so many words, and asks this surely. */
const [OWN_WORDS, MANY_WORDS, BARELY_ASKS] = [2, 5, 0.35];
/** From here on a sentence asks for something though it is marked as no question, though it sounds like talk, or though it is short. */
const [ASKS, HARDLY_ASKS, SURELY_ASKS] = [0.5, 0.2, 0.75];
/** From here on a marked sentence of so many words asks how things are, in general or for the customer. */
const [CERTAINLY_ASKS, FEW_WORDS] = [0.9, 3];
/** From here on it only talks. */
const TALKS = 0.75;
const ASKING = ['general', 'order', 'trouble', 'programme'] as const;

/**
 * True where a sentence is owed an answer, and does not only tell what was meant: "no, I am talking about the fee".
 * @param isLast false where another part goes on from it
 */
export function isOwed(dialogue: Dialogue, sentence: string, isLast: boolean): boolean {
  const kind = dialogue.readQuestion(sentence);
  if ((kind?.chanceOf('general') ?? 0) >= SURELY_ASKS && dialogue.isQuestion(sentence)) return true;
  // "Do I lose them?" is short, and a question all the same.
  const isMarked = sentence.includes('?') && sentence.trim().split(/\s+/).length >= FEW_WORDS;
  if (isMarked && (kind?.chanceOf('general') ?? 0) + (kind?.own ?? 0) >= CERTAINLY_ASKS) return true;
  const read = dialogue.read(sentence);
  const isBare = read !== null && read.rest.length < OWN_WORDS;
  const words = sentence.trim().split(/\s+/).length;
  if (words < (isBare ? MANY_WORDS : WORDS) || (isBare && !isLast)) return false;
  if (kind === null) return dialogue.isQuestion(sentence) || dialogue.asksFor(sentence);
  const asks = ASKING.reduce((sum, one) => sum + kind.chanceOf(one), 0);
  if (kind.chanceOf('talk') >= TALKS || asks < (isBare ? BARELY_ASKS : HARDLY_ASKS)) return false;
  return dialogue.isQuestion(sentence) || (dialogue.asksFor(sentence) && asks >= ASKS);
}
