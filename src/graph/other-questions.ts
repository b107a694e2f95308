import { HumanMessage } from '@langchain/core/messages';
import type { Classification } from '../core/domain/ticket.js';
import { likeliest } from './article-meant.js';
import type { BesideOthers } from './dialogue-beside.js';
import type { HeardMessage } from './heard-message.js';
import { type InConversation, NOTHING, type OtherQuestions } from './in-conversation.js';
import { readMessage } from './message-reading.js';
import { recordQuestions } from './record-questions.js';
import type { HubStateType } from './state.js';
import { isOwed } from './unanswered-parts.js';

/** Reads a message; null where it is nothing of this kind. */
type Read = (heard: HeardMessage) => Promise<InConversation | null>;
/** What a text means by itself, with what triage makes of it. */
type ReadAgain = (heard: HeardMessage, text: string) => Promise<InConversation>;

/** What was answered of several questions, and those that were not. */
interface Taken {
  readonly here: InConversation;
  readonly rest: string;
}

/**
 * What a reader makes of a message, with what it leaves of it: a reader that knows the answer to one of several questions says nothing of
 * the others, so each of those is read by itself.
 */
export async function withOthers(
  heard: HeardMessage,
  found: InConversation,
  reader: Read,
  readAgain: ReadAgain,
): Promise<InConversation> {
  const taken = leftBeside(found) ?? (await takenOf(heard, found, reader));
  // Each reading leaves less of the message.
  if (taken === null || taken.rest.trim() === '' || taken.rest.length >= heard.text.length) return found;
  const { here, rest } = taken;
  if (changes(heard, rest)) return found;
  const state = here.spoken?.state ?? here.beside?.state ?? heard.state;
  const turn = { ...heard, state, graph: { ...heard.graph, dialogue: state } };
  const read = await readAgain(turn, rest);
  // The same once more is no answer to another question.
  const isAgain = read.spoken !== null && isWithin(read.spoken.text, here.spoken?.text ?? here.beside?.text);
  const other = isAgain ? NOTHING : read;
  const isMore = other.accepted !== null || other.orders !== undefined || other.adds != null;
  if (isMore || other.spoken?.escalate || other.spoken?.passed || other.talks) return found;
  return joined(here, { text: rest, classification: classified(turn, rest), here: other });
}

/** From here on one article, or the customer's record, surely answers a question that stands alone. */
const [BY_ARTICLE, BY_RECORD] = [0.6, 0.85];

/**
 * Reads the questions of a message apart, where it consists of nothing else and each is surely answered by itself: "when am I charged, how
 * many visits are left, and do unused ones roll over?". Readers of a whole message take what one question says for part of another.
 * @returns null where it asks one thing, something leans on what stands beside it, or more is wanted than to be told something
 */
export async function readApart(heard: HeardMessage, readAgain: ReadAgain): Promise<InConversation | null> {
  const { deps, graph, session, text } = heard;
  const { dialogue } = deps;
  const isCalled = (graph.classification?.humanReason ?? 'sentiment_priority') !== 'sentiment_priority';
  if (isCalled || graph.focus !== null || (await deps.tools.pending.findOpenConfirmation(session.threadId)))
    return null;
  const parts = dialogue.partsOf(text).filter((part) => asksSomething(dialogue, part));
  if (parts.length < 2 || changes(heard, text)) return null;
  for (const part of parts) if (!(await standsAlone(heard, part))) return null;
  const read: OtherQuestions[] = [];
  let { state } = heard;
  for (const part of parts) {
    const turn = { ...heard, state, graph: { ...heard.graph, dialogue: state } };
    const here = await readAgain(turn, part);
    const isMore = here.accepted !== null || here.orders !== undefined || here.adds != null || here.symptom;
    if (isMore || here.own?.some(({ person }) => person) || here.spoken?.escalate || here.spoken?.passed)
      return null;
    state = here.spoken?.state ?? here.beside?.state ?? state;
    read.push({ text: part, classification: classified(turn, part), here });
  }
  const said = read.flatMap(({ here }) => here.spoken ?? here.beside ?? []);
  const last = said.at(-1);
  const texts = said.map((one) => one.text).join('\n\n');
  if (last && read.every(({ here }) => here.spoken)) return { ...NOTHING, spoken: { ...last, text: texts } };
  return {
    ...NOTHING,
    isTold: true,
    beside: last ? { text: texts, state: last.state, rest: '' } : null,
    apart: read
      .filter(({ here }) => !here.spoken)
      .map((one) => ({ ...one, here: { ...one.here, beside: null } })),
  };
}

/** True for a question that leans on nothing, and that the customer's record, a list or one article surely answers. */
async function standsAlone({ deps, session }: HeardMessage, part: string): Promise<boolean> {
  const { dialogue, tools } = deps;
  const { language } = session;
  if (!dialogue.isQuestion(part) || dialogue.read(part)?.points === true) return false;
  const { questions } = dialogue.readOwnAsked(part);
  if (questions.some(({ taught, person }) => !taught && !person)) return true;
  if (questions.length > 0 && (dialogue.readQuestion(part)?.own ?? 0) >= BY_RECORD) return true;
  if (dialogue.readList(part, { now: tools.clock.now(), language })?.isWhole === true) return true;
  const best = await likeliest(deps, session, part);
  return best !== undefined && best.confidence >= BY_ARTICLE;
}

/** True where one of two texts stands in the other. */
function isWithin(one: string, other: string | undefined): boolean {
  return other !== undefined && (one.includes(other) || other.includes(one));
}

/** What a reader itself has left of the message. */
function leftBeside(found: InConversation): Taken | null {
  const { besides, beside, own } = found;
  if (besides !== undefined) {
    const { besides: _asked, ...here } = found;
    return { here, rest: besides };
  }
  if (!beside || own) return null;
  return { here: { ...found, beside: { ...beside, rest: '' } }, rest: beside.rest };
}

/** What a reader takes of each question by itself; null where it takes all of them, or none without the others. */
async function takenOf(heard: HeardMessage, found: InConversation, read: Read): Promise<Taken | null> {
  const { deps, graph, text } = heard;
  const { spoken, list, talks } = found;
  const isAnswer =
    spoken !== null && !talks && !spoken.escalate && !spoken.passed && !spoken.focus && !spoken.asks;
  if ((!isAnswer && !list) || graph.classification?.humanReason != null) return null;
  const parts = questionsIn(heard, text);
  if (parts.length < 2) return null;
  let { state } = heard;
  const answers: InConversation[] = [];
  const rest: string[] = [];
  for (const part of parts) {
    const alone = await read(await heardOf({ ...heard, state }, part));
    const isTaken = list ? alone?.list != null : alone?.spoken != null && !alone.spoken.focus;
    if (isTaken && alone) {
      answers.push(alone);
      state = alone.spoken?.state ?? state;
    } else if (!asksSomething(deps.dialogue, part)) continue;
    else rest.push(part);
  }
  const [only, ...others] = answers;
  if (!only || rest.length === 0) return null;
  if (!only.spoken) return others.length > 0 ? null : { here: { ...found, ...only }, rest: rest.join(' ') };
  const said = answers.flatMap((one) => one.spoken?.text ?? []).join(' ');
  return { here: { ...found, spoken: { ...only.spoken, text: said, state } }, rest: rest.join(' ') };
}

/** From here on a part is one that the customer's own record answers. */
const OWN = 0.75;

/** True where a part is owed an answer, whatever is called out before what it asks: "sweet. So how many visits now?". */
function asksSomething(dialogue: HeardMessage['deps']['dialogue'], part: string): boolean {
  return [part, ...dialogue.sentencesIn(part)].some(
    (text) => isOwed(dialogue, text, true) || (dialogue.readQuestion(text)?.own ?? 0) >= OWN,
  );
}

/** True where a text asks for more than to be told something: a change waits for its own confirmation, whose terms say what comes of it. */
function changes({ deps, session }: HeardMessage, text: string): boolean {
  const requests = deps.language.requests(text, session.language);
  return requests.some(({ route }) => route !== 'knowledge' && route !== 'account' && route !== null);
}

/** The questions of a message, each as one. */
function questionsIn({ deps: { dialogue } }: HeardMessage, text: string): readonly string[] {
  const asks = (part: string): boolean =>
    dialogue.isQuestion(part) || (dialogue.readFacets(part)?.asked.length ?? 0) > 0;
  const asked = (part: string): string => (/[?!.]\s*$/.test(part) ? part : `${part}?`);
  return dialogue
    .partsOf(text)
    .filter((part) => !dialogue.isReasonOf(part, text))
    .flatMap((part) => (/\?\s+\p{L}/u.test(part) ? dialogue.sentencesIn(part) : [part]))
    .filter(asks)
    .map(asked);
}

/** A part of a message as a message. */
async function heardOf(heard: HeardMessage, text: string): Promise<HeardMessage> {
  const { deps } = heard;
  const turn = { ...heard, text, graph: saying(heard, text) };
  const message = heard.message && (await readMessage(turn, deps.messages));
  const read = deps.dialogue.read(text) ?? heard.read;
  return { ...turn, written: text, read, message, own: () => recordQuestions(turn) };
}

/** The turn of somebody who wrote only a part of the message. */
export function saying(heard: HeardMessage, text: string): HubStateType {
  const { messages } = heard.graph;
  const at = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const said = messages.map((message, index) => (index === at ? new HumanMessage(text) : message));
  return { ...heard.graph, messages: said, classification: classified(heard, text) };
}

/** What triage makes of a part of a message. */
function classified(
  { deps, graph, session }: Pick<HeardMessage, 'deps' | 'graph' | 'session'>,
  text: string,
): Classification | null {
  const { classification } = graph;
  const requests = deps.language.requests(text, session.language);
  return (
    classification && {
      ...classification,
      confidence: Math.max(0, ...requests.map(({ confidence }) => confidence)),
      requests: requests.map((one) => ({ text: one.text, route: one.route ?? ('knowledge' as const) })),
    }
  );
}

/** Both together: what either says from the conversation is said first, and what either needs an agent for is a task. */
function joined(here: InConversation, others: OtherQuestions): InConversation {
  const [first, next] = [here.spoken ?? here.beside, others.here.spoken ?? others.here.beside];
  const texts = [first, next].flatMap((one) => (one ? [one.text] : []));
  const last = next ?? first;
  const named = here.reader === undefined ? {} : { reader: here.reader };
  const said: BesideOthers | null = last ? { text: texts.join('\n\n'), state: last.state, rest: '' } : null;
  if (here.spoken && others.here.spoken && said)
    return { ...here, spoken: { ...here.spoken, ...others.here.spoken, text: said.text } };
  // What needs no agent at all is said by the conversation itself.
  const needsAgent =
    here.own != null || here.list != null || here.accepted !== null || here.orders !== undefined;
  if (others.here.spoken && said && !needsAgent)
    return { ...NOTHING, spoken: { ...others.here.spoken, text: said.text }, ...named };
  return {
    ...(here.spoken ? NOTHING : here),
    beside: said,
    ...(others.here.spoken ? {} : { others: { ...others, here: { ...others.here, beside: null } } }),
    ...named,
  };
}
