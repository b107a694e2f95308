import type { Route } from '../core/domain/taxonomy.js';
import type { QuestionGuess } from '../dialogue/index.js';
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
/** So sure must be an article of few words, and of what is like a question about a record that is spoken of. */
const [TERSE_WORDS, TERSE, SURE_OF_DETAIL] = [5, 0.7, 0.85];
/** From here on a part of a message has an article of its own. */
const ANOTHER = 0.6;

/**
 * The article that answers a message which asks how things are, whatever words of it are those of records, lists and small talk:
 * "I want to RATE it. Where is that?". What asks of the customer's own, wants something done, or has an open question before it is
 * left to those.
 * @returns its title; null where there is none, or the company has not taught what asks how things are
 */
export async function articleAsked(turn: DialogueTurn): Promise<string | null> {
  const { deps, graph, session, text } = turn;
  const kind = deps.dialogue.readQuestion(text);
  const words = text.trim().split(/\s+/).length;
  if (!kind || words < WHOLE_WORDS || (await isForOthers(turn, kind))) return null;
  const { requests = [] } = graph.classification ?? {};
  const others = kind.own + kind.detail + kind.chanceOf('order') + kind.chanceOf('programme');
  const [, least] = GENERAL.find(([chance]) => kind.chanceOf('general') >= chance) ?? [
    0,
    others < HARDLY_OWN ? SURE_ARTICLE : null,
  ];
  const best = least === null ? undefined : await likeliest(deps, session, text);
  const isReply = graph.focus !== null || requests.length > 1;
  const asksDetail = (deps.dialogue.read(text)?.asked.length ?? 0) > 0;
  const atLeast = Math.max(
    least ?? 1,
    isReply ? LIKELY : 0,
    asksDetail ? SURE_OF_DETAIL : 0,
    words <= TERSE_WORDS ? TERSE : 0,
  );
  if (!best || best.confidence < atLeast) return null;
  // Of two questions each may have an article of its own.
  const parts = requests.length < 2 ? [] : requests.map((request) => likeliest(deps, session, request.text));
  const isOne = (await Promise.all(parts)).every(
    (other) => !other || other.confidence < ANOTHER || other.articleId === best.articleId,
  );
  return isOne ? best.title : null;
}

/** From here on triage is believed that a change is asked for, that a record is, and that something is to be looked into. */
const [SURE_CHANGE, SURE_RECORD, SURE_FAULT] = [0.6, 0.75, 0.85];
/** From here on a message reports that something went wrong. */
const TROUBLE = 0.5;
/** Where questions, records, changes and faults go at any company. */
const BUILT_IN_ROUTES: ReadonlySet<Route> = new Set(['knowledge', 'account', 'action', 'investigation']);
/** So general must a message be to be none of these: a reply to a question, about a record, about a fault or what it names. */
const [GENERAL_REPLY, GENERAL_RECORD, GENERAL_FAULT] = [0.6, 0.85, 0.9];

/**
 * True where something else than an article answers a message: a person, the customer's record, the terms of a change, a procedure, the
 * list or the record that is spoken of, or the conversation itself.
 */
async function isForOthers(turn: DialogueTurn, kind: QuestionGuess): Promise<boolean> {
  const { deps, graph, session, state, text } = turn;
  const { dialogue, tools } = deps;
  const general = kind.chanceOf('general');
  const { requests = [], humanReason = null, confidence = 0 } = graph.classification ?? {};
  const isOf = (route: Route, least: number): boolean =>
    confidence >= least && requests.some((request) => request.route === route);
  const isCalled = humanReason !== null && humanReason !== 'sentiment_priority';
  if (isCalled || deps.language.hintsAtDanger(text)) return true;
  // A route that the company has named has an agent of its own.
  if (confidence >= SURE_CHANGE && requests.some(({ route }) => !BUILT_IN_ROUTES.has(route))) return true;
  if (requests.length > 1 && requests.some(({ route }) => route !== 'knowledge')) return true;
  if ((graph.focus !== null || requests.length > 1) && general < GENERAL_REPLY) return true;
  if (isOf('account', SURE_RECORD) && general < GENERAL_RECORD) return true;
  if (isOf('investigation', SURE_FAULT) && general < GENERAL_FAULT) return true;
  if (isOf('investigation', SURE_CHANGE) && kind.chanceOf('trouble') >= TROUBLE) return true;
  // What a change would be like is told by its own terms: "can I pause for 30 days?"
  if (isOf('action', SURE_CHANGE) || dialogue.supposed(text, session.language) !== null) return true;
  const read = dialogue.read(text);
  if (dialogue.readOwnAsked(text).questions.length > 0 || (read?.acts.length ?? 0) > 0) return true;
  if ((read?.asked.length ?? 0) > 0 && read?.points && state.shown.length > 0) return true;
  const heard = await hearAct(turn);
  if (heard && isBelieved(heard, turn)) return true;
  if (await tools.pending.findOpenConfirmation(session.threadId)) return true;
  if (general < GENERAL_FAULT && (await namedOwn({ deps, session, text })).length > 0) return true;
  // "And in Brasília?" goes on with a list.
  const list = dialogue.readList(text, { now: tools.clock.now(), language: session.language });
  return (state.listed != null && list?.narrows === true) || (await listAsked(turn)) !== null;
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
export function givesDetails({ deps, graph, session, state, text }: DialogueTurn): boolean {
  const { requests = [] } = graph.classification ?? {};
  const isAfter = state.article !== null && session.lastReply !== null && graph.focus === null;
  if (!isAfter || !DETAIL.test(text) || text.split(/\s+/).length > MOST_DETAILS) return false;
  const general = deps.dialogue.readQuestion(text)?.chanceOf('general') ?? 0;
  return general < GENERAL_REPLY && requests.every(({ route }) => route !== 'action' && route !== 'account');
}

/** From here on a message asks how things are: none of the customer's records tells it. */
const SURELY_GENERAL = 0.85;

/** True where a message asks how things are, so that what no article answers is not answered from records either. */
export function asksGenerally({ dialogue }: Pick<GraphDeps, 'dialogue'>, text: string): boolean {
  return (dialogue.readQuestion(text)?.chanceOf('general') ?? 0) >= SURELY_GENERAL;
}
