import { issueTypeOf } from '../core/domain/company.js';
import { NEW_DIALOGUE } from '../core/domain/session.js';
import type { Classification } from '../core/domain/ticket.js';
import { ANSWER_READERS } from './answer-readers.js';
import { wordsIn } from './clarify.js';
import { CONVERSATION_READERS, type ConversationReader, forPerson } from './conversation-readers.js';
import { namedOwn } from './dialogue-records.js';
import type { GraphDeps } from './graph-deps.js';
import type { HeardMessage } from './heard-message.js';
import { type InConversation, NOTHING } from './in-conversation.js';
import { readMessage, whatIsMeant } from './message-reading.js';
import { readApart, saying, withOthers } from './other-questions.js';
import { asksForMore, decideByReading, isForArticles, type ReadingDecision } from './reading-decision.js';
import { recordQuestions } from './record-questions.js';
import { statusText } from './request-status.js';
import type { HubStateType } from './state.js';

/**
 * Answers what a message does in the conversation rather than asks of the company: about a record that was just shown, why,
 * what was done, whether it worked, whether anybody is there, what became of an earlier request, small talk. The readers are
 * two lists, `CONVERSATION_READERS` and `ANSWER_READERS`; between what the second says and what the company's conversations
 * have taught of such messages, `decideByReading` decides.
 * @returns `NOTHING` where the message asks for something else too
 */
export async function dialogueAnswer(
  deps: GraphDeps,
  graph: HubStateType,
  written: string,
): Promise<InConversation> {
  const heard = await hear(deps, graph, written);
  if (!heard) return NOTHING;
  const apart = await readApart(heard, readAgain);
  if (apart) return { ...apart, reader: 'read_apart' };
  const first = await firstOf(CONVERSATION_READERS, heard);
  const others = (found: InConversation, readers: readonly ConversationReader[]): Promise<InConversation> => {
    const reader = readers.find(({ name }) => name === found.reader);
    return reader ? withOthers(heard, found, reader.read, readAgain) : Promise.resolve(found);
  };
  if (first) return others(first, CONVERSATION_READERS);
  const { message } = heard;
  const here = (await firstOf(ANSWER_READERS, heard)) ?? NOTHING;
  const { about: _leans, asked: _asked, reader = null, ...claims } = here;
  const isMore = here.talks !== undefined && asksForMore(message);
  // An order of what is to stay is no order of a change.
  const isWrong = isMore && !(here.talks === 'leaves' && message?.kind === 'order');
  const isClaimed = !isWrong && Object.values(claims).some((one) => one != null && one !== false);
  const exact = here.own?.some((part) => part.exact);
  const claimed = isClaimed ? (reader ?? '') : null;
  const decision = message && !exact && (await decideByReading(heard, heard.read, message, claimed));
  if (decision) return { ...(await decided(heard, decision)), reader: `taught_${decision.kind}` };
  const reading = message;
  if (isWrong) return { ...NOTHING, reading };
  const mayTell = message !== null && isForArticles(heard) && (await namedOwn(heard)).length === 0;
  return others({ ...here, ...(mayTell ? { message } : {}), reading }, ANSWER_READERS);
}

/** What a part of a message means by itself. */
async function readAgain(heard: HeardMessage, text: string): Promise<InConversation> {
  return dialogueAnswer(heard.deps, saying(heard, text), text);
}

/** The message with what is known of it; null where a model answers, or one agent was addressed. */
async function hear(deps: GraphDeps, graph: HubStateType, written: string): Promise<HeardMessage | null> {
  const { session } = graph;
  // "I do not want to pause, I want to see my bookings" is what it means.
  const text = whatIsMeant(deps, written);
  const read = session && deps.models.provider === 'offline' ? deps.dialogue.read(text) : null;
  if (!session || !read || session.agent !== undefined) return null;
  const before = graph.dialogue ?? NEW_DIALOGUE;
  // "I don't mean a gift" leaves what was quoted of gifts: nothing leans on it, and it is not quoted again.
  const isAway = (title: string) =>
    session.meant?.instead === true || deps.dialogue.turnsAway(wordsIn(graph), title);
  const away = before.article && isAway(before.article.title) ? before.article : null;
  const state = away ? { ...before, article: null } : before;
  const turn = { deps, graph, session, text, state, away, texts: deps.tools.texts.for(session.language) };
  const question = deps.dialogue.readQuestion(text);
  const isOffered = (question?.chanceOf('programme') ?? 0) >= OFFERED;
  // Where only one of the two hears a question for what is on, the whole message decides.
  const isHeardOffered = graph.classification != null && hearsOffer(deps, graph.classification);
  const isRead = question !== null && !(isPlainQuestion(graph) && !isOffered && !isHeardOffered);
  const message = isRead ? await readMessage(turn, deps.messages) : null;
  let own: ReturnType<HeardMessage['own']> | undefined;
  return {
    ...turn,
    ...{ written, read, message },
    own() {
      own ??= recordQuestions(turn);
      return own;
    },
  };
}

/** What the first reader of a list makes of the message that makes anything of it. */
async function firstOf(
  readers: readonly ConversationReader[],
  heard: HeardMessage,
): Promise<InConversation | null> {
  for (const { name, read } of readers) {
    const found = await read(heard);
    if (found) return { ...found, reader: name };
  }
  return null;
}

/** From here on a question may ask for what anybody may choose from. */
const OFFERED = 0.5;
/** True where triage hears a question for what anybody may choose from. */
function hearsOffer({ tools }: GraphDeps, { issueType }: Classification): boolean {
  return issueTypeOf(tools.company, issueType).offered;
}

/** From here on triage is believed that a question is a general one. */
const CERTAIN_QUESTION = 0.6;

/** True for a first message that triage surely hears as a question for the help centre: it leans on nothing, and is searched for once. */
function isPlainQuestion({ classification, session }: HubStateType): boolean {
  const { requests = [], confidence = 0 } = classification ?? {};
  const isKnowledge = requests.length === 1 && requests.every(({ route }) => route === 'knowledge');
  return session?.lastReply === null && isKnowledge && confidence >= CERTAIN_QUESTION;
}

async function decided(heard: HeardMessage, decision: ReadingDecision): Promise<InConversation> {
  switch (decision.kind) {
    case 'article':
      return { ...NOTHING, about: decision.title, only: true, isTold: true };
    case 'person':
      return forPerson(heard.text);
    case 'order':
      return { ...NOTHING, orders: heard.text };
    case 'case':
      return { ...NOTHING, spoken: { text: await statusText(heard), state: heard.state } };
  }
}
