import { issueTypeOf } from '../core/domain/company.js';
import type { RecordList } from '../core/domain/entity.js';
import type { Focus, Session, Task } from '../core/domain/session.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { RemoteAgent } from '../core/ports/remote-agents.js';
import type { ActionTool } from '../runtime/define-tool.js';
import { addressedIn } from './addressed-agent.js';
import {
  articleMeant,
  asksOfOwn,
  joinsTwo,
  partsMeant,
  plausibleArticle,
  tasksAbout,
} from './article-meant.js';
import { isUnasked, likeliestChange, onlySpans } from './change-heard.js';
import { namedOwn, ownRecords } from './dialogue-records.js';
import type { GraphDeps } from './graph-deps.js';
import type { InConversation } from './in-conversation.js';
import { asksGenerally, type MessageReading } from './message-reading.js';
import { isTriggered, messageTasks, namesSymptom, newTask, tasksOf, tellsNoFault } from './message-tasks.js';
import { answersInput } from './open-question.js';
import { tasksOfOwn } from './own-tasks.js';
import { isWithPerson } from './request-status.js';
import type { HubStateType } from './state.js';
import { weighed } from './weighed-search.js';

/** One turn as the router sees it. */
export interface RoutedTurn {
  readonly state: HubStateType;
  readonly session: Session;
  readonly classification: Classification;
  /** The customer's own words. */
  readonly text: string;
  /** What the hub asked last, where whoever asked is still there. */
  readonly focus: Focus | null;
  readonly here: InConversation;
  /** Who elsewhere may still be asked. */
  readonly elsewhere: readonly RemoteAgent[];
}

/** Below this what is looked up in the customer's record is a mere guess, and a question that nothing answers the better one. */
const GUESS = 0.42;

/** The tasks that a message becomes: what the conversation says of it first, else what triage and the search take it for. */
export async function initialTasks(
  deps: GraphDeps,
  { session, classification, text, here, focus }: RoutedTurn,
): Promise<readonly Task[]> {
  const { about, accepted, beside, chooses, list } = here;
  if (focus && answersInput(deps, focus, text, session))
    return [{ text, route: 'action', agent: focus.agent, status: 'todo' }];
  const asked = here.besides === undefined ? [] : besidesOf(deps, session, classification, here.besides);
  if (accepted) return [...asked, { ...newTask(deps, text, 'action'), proposal: accepted }];
  if (here.orders === text) return [...asked, ...ordered(deps, text, classification)];
  if (here.orders !== undefined) return [...asked, newTask(deps, here.orders, 'action')];
  if (here.symptom) return [{ ...newTask(deps, text, 'investigation'), about: here.symptom }];
  if (here.own) {
    const own = await tasksOfOwn(deps, session, classification, here.own);
    const asked = own.filter(
      (task) => !onlySpans(deps, session, task, focus) && (focus !== null || !isUnasked(deps, session, task)),
    );
    return asked.length > 0 ? asked : own;
  }
  const agent = deps.agents.forRoute('knowledge');
  if (beside) {
    const requests = deps.language
      .requests(beside.rest, session.language)
      .map(({ text: part, route }) => ({ text: part, route: route ?? ('knowledge' as const) }));
    return tasksOf(beside.rest, { ...classification, requests }, deps.agents);
  }
  // "I don't want another, I only want to know when it ends" wants nothing changed, whatever triage hears in it.
  const only = focus === null && deps.models.provider === 'offline' ? deps.dialogue.onlyAsked(text) : null;
  const [heard, ...more] = classification.requests;
  const isChange = heard?.route != null && more.length === 0 && deps.agents.changes(heard.route);
  if (only !== null && isChange && deps.dialogue.changesNamed(text).length === 0)
    return [newTask(deps, only, 'knowledge')];
  // What is surely read as a question is told, and calls nobody for the law.
  const isRead = about !== null && here.only === true && here.isTold === true;
  const told = isRead ? [] : await toldFirst(deps, session, classification, text);
  if (told.length > 0) return told;
  const isOne = classification.requests.length === 1 && !addressedIn(session, deps.agents);
  if (isOne && focus === null && joinsTwo(deps, session, text)) return [newTask(deps, text, 'action')];
  const owned = await ownedOf(deps, session, classification, text, list ?? null);
  const asArticle = async () =>
    (here.message ? likelyArticle(here.message) : null) ??
    articleMeant(deps, { classification, session, text, focus });
  const isList = list != null && !(list.own && !list.changes && (await asArticle()) !== null);
  if (list && isList) {
    const route = list.own ? ('account' as const) : ('knowledge' as const);
    return [{ text, list, ...owned, route, agent: deps.agents.forRoute(route), status: 'todo' }];
  }
  if (chooses) return [{ text, ...owned, route: 'knowledge', agent, status: 'todo' }];
  if (about !== null) return tasksAbout(deps, here.asked ?? text, about, here.only);
  const addressed = addressedIn(session, deps.agents);
  const isSymptom =
    (classification.requests.some(({ route }) => route === 'investigation') &&
      namesSymptom(deps, text, session)) ||
    classification.requests.some((request) => isTriggered(deps, request, session));
  if (!addressed && !isSymptom && tellsNoFault(deps, text, classification))
    return [newTask(deps, text, 'knowledge')];
  const meant = addressed || isSymptom ? null : await asArticle();
  if (meant !== null) return [{ text, about: meant, route: 'knowledge', agent, status: 'todo' }];
  const { confidence, requests } = classification;
  const isPlain = !addressed && requests.length === 1 && requests[0]?.route === 'knowledge';
  if (isPlain && (await asksOfOwn(deps, session, text))) return [newTask(deps, text, 'action')];
  const isGuess = confidence < GUESS && requests.length === 1 && deps.models.provider === 'offline';
  const all = tasksOf(text, classification, deps.agents);
  const asking = all.filter((task) => !onlyTalks(deps, task));
  const tasks = (asking.length > 0 ? asking : all).map((task) => {
    // A visitor who says nothing of their own asks what anybody may know: "what is it, and how much money?".
    const isAnyones = session.identity.kind !== 'customer' && !deps.dialogue.ofSelf(task.text);
    const isGeneral = task.route === 'account' && !addressed && (isAnyones || asksGenerally(deps, task.text));
    if (isGeneral || (task.route === 'account' && isGuess))
      return { ...task, ...owned, route: 'knowledge' as const, agent };
    const isUnmeant =
      onlySpans(deps, session, task, focus) || (focus === null && isUnasked(deps, session, task));
    if (!addressed && isUnmeant) return { ...task, ...owned, route: 'knowledge' as const, agent };
    return task.route === 'knowledge' ? { ...task, ...owned } : task;
  });
  if (addressed) return tasks;
  const parts = await partsMeant(deps, session, await withoutTerms(deps, session, tasks));
  const searched = await messageTasks(deps, session, classification, parts);
  // Small talk is searched for nowhere.
  if (requests.length === 0) return searched;
  return weighed(
    deps,
    session,
    {
      ...{ reading: here.reading ?? null, text, heard: confidence },
      isWaiting: await isWithPerson({ deps, session }),
    },
    searched,
  );
}

/**
 * Without what only asks for the terms of the change before it: "cancel the samba. Can I get the money back?". Its confirmation says
 * them. The same change once more, and what says of which record, is a request of its own: "can you cancel the one on Friday too?".
 */
async function withoutTerms(
  deps: GraphDeps,
  session: Session,
  tasks: readonly Task[],
): Promise<readonly Task[]> {
  const { dialogue, tools } = deps;
  const options = { now: tools.clock.now(), language: session.language };
  const toolOf = ({ text, route }: Task): ActionTool | null =>
    route !== null && deps.agents.changes(route) ? likeliestChange(deps, text, session) : null;
  const saysWhich = async (text: string): Promise<boolean> =>
    dialogue.addsAnother(text) ||
    dialogue.readList(text, options)?.narrows === true ||
    (await namedOwn({ deps, session, text })).length > 0;
  const kept: Task[] = [];
  for (const task of tasks) {
    const last = kept.at(-1);
    const [tool, before] = [toolOf(task), last ? toolOf(last) : null];
    const isSame = tool?.target !== undefined && tool.target.entity === before?.target?.entity;
    const isBare = isSame && tool !== before && dialogue.isQuestion(task.text);
    if (!isBare || (await saysWhich(task.text))) kept.push(task);
  }
  return kept;
}

/** From here on a part of a message only talks. */
const TALK = 0.6;

/** True where a part that stands beside others asks for nothing: "ok, I will run then. Did my payment go through?". */
function onlyTalks({ dialogue, models }: GraphDeps, { route, text }: Task): boolean {
  if (route !== 'knowledge' || models.provider !== 'offline' || dialogue.isQuestion(text)) return false;
  return (dialogue.readQuestion(text)?.chanceOf('talk') ?? 0) >= TALK;
}

/** From here on an article likely answers, and a message is likely one that articles answer. */
const LIKELY_ARTICLE = 0.5;

function likelyArticle({ chanceOf, article }: MessageReading): string | null {
  const isLikely =
    article?.isContested === false &&
    chanceOf('article') >= LIKELY_ARTICLE &&
    (article?.chance ?? 0) >= LIKELY_ARTICLE;
  return isLikely ? (article?.title ?? null) : null;
}

/** What is asked beside an order, which is answered before the order is asked about. */
function besidesOf(
  { agents, language }: GraphDeps,
  session: Session,
  classification: Classification,
  text: string,
): readonly Task[] {
  const requests = language
    .requests(text, session.language)
    .map(({ text: part, route }) => ({ text: part, route: route ?? ('knowledge' as const) }))
    .filter(({ route }) => !agents.changes(route) && route !== ESCALATION_ROUTE);
  return requests.length === 0 ? [] : tasksOf(text, { ...classification, requests }, agents);
}

/** A change that is asked for, whatever triage takes the words for. */
function ordered(deps: GraphDeps, text: string, classification: Classification): readonly Task[] {
  const { requests } = classification;
  const isHeard = requests.some(({ route }) => route !== null && deps.agents.changes(route));
  return isHeard ? tasksOf(text, classification, deps.agents) : [newTask(deps, text, 'action')];
}

/** From here on an article tells what a calm question of law or of one's own data is about. */
const TELLS = 0.6;
/** Below this triage only guesses that a question is one of law. */
const GUESSED_LAW = 0.55;

/** The engine's intent of who asks for their own data. */
const OWN_DATA = 'privacy_request';

/**
 * "I would like a copy of my data": what its article says of it is told, and then it goes to the person who does it; who only asks how
 * that is done needs none. Nothing where triage calls nobody for the law, the customer is upset, or no article tells of it.
 */
async function toldFirst(
  deps: GraphDeps,
  session: Session,
  { confidence, humanReason, requests, sentiment }: Classification,
  text: string,
): Promise<readonly Task[]> {
  const isCalm = sentiment === 'neutral' || sentiment === 'positive';
  const wished = requests.filter(({ route }) => route !== 'knowledge');
  if (humanReason !== 'legal' || wished.length !== 1 || !isCalm || deps.models.provider !== 'offline')
    return [];
  const about = await plausibleArticle(deps, session, text, TELLS);
  if (about === null) return [];
  const told = { ...newTask(deps, text, 'knowledge'), about };
  const isOfData = deps.language.requests(text, session.language).every(({ intent }) => intent === OWN_DATA);
  // Nor who asks about something else that only sounds like it: "does my review show my full name?".
  const isGuess = text.includes('?') && confidence < GUESSED_LAW && !deps.language.hintsAtDanger(text);
  const isAsked = requests.length === 1 && (isGuess || (isOfData && deps.dialogue.asksHow(text)));
  return isAsked ? [told] : [told, newTask(deps, text, ESCALATION_ROUTE)];
}

/** What the customer has, where what anybody may choose from is asked about. */
async function ownedOf(
  deps: GraphDeps,
  session: Session,
  { issueType }: Classification,
  text: string,
  list: RecordList | null,
): Promise<Pick<Task, 'owned'>> {
  const isOffered = list ? !list.own : issueTypeOf(deps.tools.company, issueType).offered;
  // "I have a ticket for the reading" names one of them, whatever is asked.
  const isNamed = list === null && (await namedOwn({ deps, session, text })).length > 0;
  if (!(isOffered || isNamed) || deps.models.provider !== 'offline') return {};
  const own = await ownRecords({ deps, session });
  return {
    owned: own.filter(({ upcoming }) => upcoming).map(({ title, startsAt }) => ({ title, startsAt })),
  };
}
