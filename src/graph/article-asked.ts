import { LIKELY, likeliest, WHOLE_WORDS } from './article-meant.js';
import { listAsked } from './dialogue-lists.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import type { GraphDeps } from './graph-deps.js';
import { hearAct, isBelieved } from './heard-act.js';

/** Of messages that are general with at least this chance an article must be at least so sure to answer them. */
const GENERAL: readonly (readonly [chance: number, least: number])[] = [
  [0.8, 0.5],
  [0.5, 0.65],
];
/** An article that is this sure answers what is hardly anything but general. */
const [HARDLY_OWN, SURE_ARTICLE] = [0.35, 0.8];
/** From here on triage is believed that a change is asked for, or that something is to be looked into. */
const SURE_CHANGE = 0.6;
/** And that a record is asked about, which only a surely general question is not. */
const [SURE_RECORD, SURELY_OWN_GENERAL] = [0.75, 0.85];
const SURE_FAULT = 0.85;
/** So sure must be an article of few words, and of what is like a question about a record that is spoken of. */
const [TERSE_WORDS, TERSE, SURE_OF_DETAIL] = [5, 0.7, 0.85];
/** From here on a part of a message has an article of its own. */
const ANOTHER = 0.6;
/** A general question is one of its own from here on, where something else was asked before it. */
const GENERAL_REPLY = 0.6;
/** From here on a message that names what is the customer's own asks how things are all the same. */
const GENERAL_BY_NAME = 0.9;

/**
 * The article that answers a message which asks how things are, whatever words of it are those of records, lists and small talk:
 * "I want to RATE it. Where is that?". What asks of the customer's own, wants something done, or has an open question before it is
 * left to those.
 * @returns its title; null where there is none, or the company has not taught what asks how things are
 */
export async function articleAsked(turn: DialogueTurn): Promise<string | null> {
  const { deps, graph, session, state, text } = turn;
  const kind = deps.dialogue.readQuestion(text);
  const { requests = [], humanReason = null, confidence = 0 } = graph.classification ?? {};
  const isCalled = humanReason !== null && humanReason !== 'sentiment_priority';
  const isSeveral = requests.length > 1 && requests.some(({ route }) => route !== 'knowledge');
  if (!kind || isCalled || isSeveral || text.trim().split(/\s+/).length < WHOLE_WORDS) return null;
  const general = kind.chanceOf('general');
  // What went wrong with what is theirs is looked into.
  // What a change would be like is told by its own terms: "can I pause for 30 days?"
  const isChange = requests.some(({ route }) => route === 'action') && confidence >= SURE_CHANGE;
  const isAct = (deps.dialogue.read(text)?.acts.length ?? 0) > 0;
  const isOwn = requests.some(({ route }) => route === 'account') && confidence >= SURE_RECORD;
  if ((isOwn && general < SURELY_OWN_GENERAL) || deps.dialogue.readOwnAsked(text).questions.length > 0)
    return null;
  if (isAct || isChange || deps.dialogue.supposed(text, session.language) !== null) return null;
  const heard = await hearAct(turn);
  if (heard && isBelieved(heard, turn)) return null;
  const isFaulty = requests.some(({ route }) => route === 'investigation') && confidence >= SURE_FAULT;
  if (isFaulty && general < GENERAL_BY_NAME) return null;
  // A reply that chooses may sound like anything.
  const isReply = graph.focus !== null || requests.length > 1;
  if (isReply && general < GENERAL_REPLY) return null;
  const others = kind.own + kind.detail + kind.chanceOf('order') + kind.chanceOf('programme');
  const [, least] = GENERAL.find(([chance]) => general >= chance) ?? [
    0,
    others < HARDLY_OWN ? SURE_ARTICLE : null,
  ];
  if (least === null || (await deps.tools.pending.findOpenConfirmation(session.threadId))) return null;
  if (general < GENERAL_BY_NAME && (await namedOwn({ deps, session, text })).length > 0) return null;
  // "And in Brasília?" goes on with a list.
  const list = deps.dialogue.readList(text, { now: deps.tools.clock.now(), language: session.language });
  if ((await listAsked(turn)) !== null || (state.listed != null && list?.narrows)) return null;
  const read = deps.dialogue.read(text);
  const asksDetail = (read?.asked.length ?? 0) > 0;
  if (asksDetail && read?.points && state.shown.length > 0) return null;
  const isTerse = text.trim().split(/\s+/).length <= TERSE_WORDS;
  const atLeast = Math.max(least, isReply ? LIKELY : 0, asksDetail ? SURE_OF_DETAIL : 0, isTerse ? TERSE : 0);
  const best = await likeliest(deps, session, text);
  if (!best || best.confidence < atLeast) return null;
  // Of two questions each may have an article of its own.
  const parts = requests.length < 2 ? [] : requests.map((request) => likeliest(deps, session, request.text));
  const isOne = (await Promise.all(parts)).every(
    (other) => !other || other.confidence < ANOTHER || other.articleId === best.articleId,
  );
  return isOne ? best.title : null;
}

/** From here on the last sentence of a message asks for a person. */
const PERSON = 0.7;

/** True where a message that tells more ends with the wish for a person: "I have no access to that address. Pass me to somebody then". */
export function endsAskingForPerson({ deps, graph, session, text }: DialogueTurn): boolean {
  // What triage hears is answered beside it.
  if (graph.classification?.humanReason != null) return false;
  const sentences = deps.dialogue.sentencesIn(text);
  const last = sentences.at(-1) ?? '';
  if (sentences.length < 2 || last.includes('?')) return false;
  return (deps.dialogue.guessAct(last, 'answered', session.language)?.chanceOf('human') ?? 0) >= PERSON;
}

/** Of so many words a message that asks nothing may give what an article asked for. */
const MOST_DETAILS = 30;
/** A number that stands for somebody or something, or an address. */
const DETAIL = /\d[\d./ -]{8,}\d|[^\s@]+@[^\s@]+\.[^\s@]+/u;

/** True where somebody gives, after an article that said what is needed, their details: those are for the team. */
export function givesDetails({ graph, session, state, text }: DialogueTurn): boolean {
  const { requests = [] } = graph.classification ?? {};
  const isAfter = state.article !== null && session.lastReply !== null && graph.focus === null;
  if (!isAfter || text.includes('?') || requests.some(({ route }) => route === 'action')) return false;
  return text.split(/\s+/).length <= MOST_DETAILS && DETAIL.test(text);
}

/** From here on a message asks how things are: none of the customer's records tells it. */
const SURELY_GENERAL = 0.85;

/** True where a message asks how things are, so that what no article answers is not answered from records either. */
export function asksGenerally({ dialogue }: Pick<GraphDeps, 'dialogue'>, text: string): boolean {
  return (dialogue.readQuestion(text)?.chanceOf('general') ?? 0) >= SURELY_GENERAL;
}
