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
  const against = dialogue.setAgainst(complaint ?? text, spoken);
  // What is set against something is a matter of the record, or has its place in the question before.
  const isBrief = text.trim().split(/\s+/).length <= MOST_SET;
  const ofRecord =
    against !== null && isBrief ? dialogue.readOwnAsked(dialogue.askedBefore(against) ?? against) : null;
  const isSet = complaint !== null || (ofRecord?.topics.length ?? 0) > 0;
  const instead = isSet ? null : meantInstead(deps, text);
  const meant = (isSet ? against : null) ?? complaint ?? instead;
  if (meant === null) return null;
  const said = dialogue.askedBefore(meant) ?? meant;
  const before = state?.question ?? previousMessage ?? null;
  const isSupposed = dialogue.asksOnCondition(`${said.replace(/[?]+$/u, '')}?`);
  // "Not the password, I mean the e-mail" is asked what was asked of the password.
  const other =
    instead && before && !isSupposed && inPlaceOf(before, text.slice(0, text.lastIndexOf(instead)), said);
  if (other) return { text: other, question: other, instead: true };
  const { opens, topics } = dialogue.readOwnAsked(said);
  const isLong = said.split(/\s+/).length >= WHOLE && dialogue.asksFor(said);
  if (!isSupposed && dialogue.changesNamed(said).length > 0) return { text: said, question: said };
  const isWhole = said.includes('?') || opens || topics.length > 0 || isLong || isSupposed;
  // What names a record asks of that one: it is read with the question before elsewhere.
  const isNamed = (await namedOwn({ deps, session, text: said })).length > 0;
  if (isWhole || isNamed || before === null) {
    const question = said.includes('?') || isNamed ? said : `${said}?`;
    return { text: question, question, ...(instead !== null && said === instead ? { instead: true } : {}) };
  }
  const whole = `${before.replace(/[\s?!.]+$/u, '')}, ${said.replace(/[\s?!.]+$/u, '')}?`;
  return { text: whole, question: whole };
}

/** Of more words what is taken back tells something of its own; of fewer nothing is said in its place. */
const [MOST_TAKEN_BACK, FEWEST_MEANT] = [8, 3];
/** In so few words something is only meant. */
const LEAD = 2;

/**
 * What a message says that it means, after a few words on what it does not: "that's if I cancel. I meant if I don't". Null where it says no
 * such thing, or orders something first that it then corrects.
 */
function meantInstead({ dialogue }: GraphDeps, text: string): string | null {
  const after = dialogue.meantInstead(text)?.trim() ?? null;
  if (after === null || after.split(/\s+/).length < FEWEST_MEANT) return null;
  const before = text.slice(0, text.lastIndexOf(after));
  const words = before.trim().split(/\s+/).length;
  // "I mean, how many days?" asks it by itself, and "actually only 30" has its place in what was said before.
  const isOwn = !/[?\d]/.test(after) && dialogue.readOwnAsked(after).topics.length > 0;
  if (words <= LEAD && !isOwn) return null;
  // So has a name alone: "no, I meant Salvador".
  const isNamed = !after.includes('?') && !isOwn && after.split(/\s+/).length < WHOLE;
  if (isNamed) return null;
  const isOrder = dialogue.changesNamed(before).length > 0 && !dialogue.asksOnCondition(`${before}?`);
  return words <= MOST_TAKEN_BACK && !isOrder && !before.includes('?') ? after : null;
}

/** Shorter words name nothing. */
const NAME = /\p{L}[\p{L}-]{3,}/gu;

/**
 * The question before, with what is meant in the place of what is not; null where that does not stand in it, or something is asked by itself.
 * @param denied "not the password, I mean"
 */
function inPlaceOf(before: string, denied: string, meant: string): string | null {
  if (meant.includes('?')) return null;
  const names = (denied.match(NAME) ?? []).map(
    (word) => new RegExp(`(?:\\p{L}{1,5}\\s+)?${word}(?!\\p{L})`, 'iu'),
  );
  const named = names.findLast((name) => name.test(before));
  return named ? before.replace(named, meant.replace(/[\s.!]+$/u, '')) : null;
}
