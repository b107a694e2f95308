import type { DialogueState, Session } from '../core/domain/session.js';
import { namedOwn } from './dialogue-records.js';
import type { GraphDeps } from './graph-deps.js';

/** Of more words a message that sets one thing against another tells something. */
const MOST_SET = 8;
/** From so many words on what was meant says by itself what it asks. */
const WHOLE = 5;

/**
 * The question that a message corrects: what it says after "that is not what I asked", or sets against what it does not mean. What
 * says too little by itself is asked together with the question before: "he is 17", "teachers".
 * @returns null where it corrects nothing
 */
export async function correctedQuestion(
  deps: GraphDeps,
  state: Pick<DialogueState, 'question'> | null,
  session: Session,
  text: string,
): Promise<Session['meant'] | null> {
  const { dialogue } = deps;
  const { lastReply, previousMessage } = session;
  if (lastReply === null) return null;
  const complaint = dialogue.afterComplaint(text);
  const spoken = `${previousMessage ?? ''} ${lastReply}`;
  const meant = dialogue.setAgainst(complaint ?? text, spoken) ?? complaint;
  if (meant === null) return null;
  const said = dialogue.askedBefore(meant) ?? meant;
  const before = state?.question ?? previousMessage ?? null;
  const { opens, topics } = dialogue.readOwnAsked(said);
  // What is set against something is a matter of the record, or has its place in the question before.
  const isBrief = text.trim().split(/\s+/).length <= MOST_SET;
  if (complaint === null && (topics.length === 0 || !isBrief)) return null;
  const isLong = said.split(/\s+/).length >= WHOLE && dialogue.asksFor(said);
  if (dialogue.changesNamed(said).length > 0) return { text: said, question: said };
  const isWhole = said.includes('?') || opens || topics.length > 0 || isLong;
  // What names a record asks of that one: it is read with the question before elsewhere.
  const isNamed = (await namedOwn({ deps, session, text: said })).length > 0;
  if (isWhole || isNamed || before === null) {
    const question = said.includes('?') || isNamed ? said : `${said}?`;
    return { text: question, question };
  }
  const whole = `${before.replace(/[\s?!.]+$/u, '')}, ${said.replace(/[\s?!.]+$/u, '')}?`;
  return { text: whole, question: whole };
}
