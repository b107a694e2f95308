import { issueTypeOf } from '../core/domain/company.js';
import type { RecordList } from '../core/domain/entity.js';
import type { Session, Task } from '../core/domain/session.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { ActionTool } from '../runtime/define-tool.js';
import { addressedIn } from './addressed-agent.js';
import {
  answeringArticle,
  asksOfOwn,
  joinsTwo,
  plausibleArticle,
  tasksAbout,
  withAnsweringArticles,
} from './article-meant.js';
import { isMisheardChange, likeliestChange } from './change-heard.js';
import { conversationTasks, type RoutedTurn } from './conversation-tasks.js';
import { namedOwn, ownRecords } from './dialogue-records.js';
import type { GraphDeps } from './graph-deps.js';
import { asksGenerally, type MessageReading } from './message-reading.js';
import { isTriggered, messageTasks, namesSymptom, newTask, tasksOf, tellsNoFault } from './message-tasks.js';
import { answersInput } from './open-question.js';
import { isWithPerson } from './request-status.js';
import { askedOfEach } from './shared-questions.js';
import { weighed } from './weighed-search.js';

/** Confidence below which a look-up in the customer's records is a guess, and the help centre is searched instead. */
const MIN_LOOKUP = 0.42;
/** Probability of small talk from which a part of a message asks for nothing. */
const SMALL_TALK = 0.6;
/** Minimum probability that an article answers a message, and that the message is one that articles answer. */
const MIN_ARTICLE = 0.5;
/** Minimum probability of the article that answers a legal or privacy request before an operator does. */
const MIN_LEGAL_ARTICLE = 0.6;
/** Confidence below which triage only guesses that a question is a legal one. */
const MIN_LEGAL = 0.55;
/** The engine's intent of a customer who wants their personal data. */
const PRIVACY_REQUEST = 'privacy_request';

/** Divides a message into tasks: by what it means in its conversation, otherwise by triage and the search of articles. */
export async function initialTasks(deps: GraphDeps, turn: RoutedTurn): Promise<readonly Task[]> {
  const { apart, others } = turn.here;
  if (apart) {
    const each = apart.map(({ here, text, classification }) =>
      initialTasks(deps, { ...turn, here, text, classification: classification ?? turn.classification }),
    );
    return (await Promise.all(each)).flat();
  }
  const tasks = await askedOfEach(deps, turn.session, await tasksRead(deps, turn));
  if (!others) return tasks;
  const { here, text } = others;
  const classification = others.classification ?? turn.classification;
  const more = await tasksRead(deps, { ...turn, here, text, classification, focus: null });
  const isChange = ({ route }: Task): boolean => deps.agents.changes(route);
  return [...tasks.filter((task) => !isChange(task)), ...more, ...tasks.filter(isChange)];
}

async function tasksRead(deps: GraphDeps, turn: RoutedTurn): Promise<readonly Task[]> {
  const { session, classification, text, here, focus } = turn;
  if (focus && answersInput(deps, focus, text, session))
    return [{ text, route: 'action', agent: focus.agent, status: 'todo' }];
  const inConversation = conversationTasks(deps, turn);
  if (inConversation) return inConversation;
  const question = questionInsteadOfChange(deps, turn);
  if (question !== null) return [newTask(deps, question, 'knowledge')];
  // A message that is certainly read as a question is answered, and not escalated as a legal request.
  const isCertainQuestion = here.about !== null && here.only === true && here.isTold === true;
  const legal = isCertainQuestion ? [] : await articleBeforeOperator(deps, turn);
  if (legal.length > 0) return legal;
  const addressed = addressedIn(session, deps.agents);
  const isOne = classification.requests.length === 1 && !addressed;
  if (isOne && focus === null && joinsTwo(deps, session, text)) return [newTask(deps, text, 'action')];
  const owned = await ownedOf(deps, session, classification, text, here.list ?? null);
  const article = async () =>
    (here.message ? likelyArticle(here.message) : null) ??
    answeringArticle(deps, { classification, session, text, focus });
  return (
    (await listTasks(deps, turn, owned, article)) ??
    (await articleTasks(deps, turn, article)) ??
    classifiedTasks(deps, turn, owned)
  );
}

/** What the customer has, which answers about the company's offers take into account. */
type Owned = Pick<Task, 'owned'>;

/**
 * The question of a message that rejects a change: "I don't want another, I only want to know when it ends".
 * @returns null where the message has no such question, or triage hears no single change in it
 */
function questionInsteadOfChange(
  deps: GraphDeps,
  { classification, focus, text }: RoutedTurn,
): string | null {
  const { agents, dialogue, models } = deps;
  if (focus !== null || models.provider !== 'offline') return null;
  const [request, ...others] = classification.requests;
  const isChange = request?.route != null && others.length === 0 && agents.changes(request.route);
  return isChange && dialogue.changesNamed(text).length === 0 ? dialogue.onlyAsked(text) : null;
}

/** The task of a message that asks for a list or selects from one, or that refers to an article; null where it does not. */
async function listTasks(
  deps: GraphDeps,
  { here, text }: RoutedTurn,
  owned: Owned,
  article: () => Promise<string | null>,
): Promise<readonly Task[] | null> {
  const { about, list } = here;
  // A list of the customer's own records gives way to an article, except where it leads to a change.
  if (list && (!list.own || list.changes || (await article()) === null)) {
    const route = list.own ? ('account' as const) : ('knowledge' as const);
    return [{ text, list, ...owned, route, agent: deps.agents.forRoute(route), status: 'todo' }];
  }
  if (here.chooses) return [{ ...newTask(deps, text, 'knowledge'), ...owned }];
  return about === null ? null : tasksAbout(deps, here.asked ?? text, about, here.only);
}

/** The task of a message that articles answer although triage sends it elsewhere; null where triage decides. */
async function articleTasks(
  deps: GraphDeps,
  { session, classification, text }: RoutedTurn,
  article: () => Promise<string | null>,
): Promise<readonly Task[] | null> {
  if (addressedIn(session, deps.agents)) return null;
  const { requests } = classification;
  const isSymptom =
    (requests.some(({ route }) => route === 'investigation') && namesSymptom(deps, text, session)) ||
    requests.some((request) => isTriggered(deps, request, session));
  if (!isSymptom) {
    if (tellsNoFault(deps, text, classification)) return [newTask(deps, text, 'knowledge')];
    const about = await article();
    if (about !== null) return [{ ...newTask(deps, text, 'knowledge'), about }];
  }
  const isKnowledge = requests.length === 1 && requests[0]?.route === 'knowledge';
  return isKnowledge && (await asksOfOwn(deps, session, text)) ? [newTask(deps, text, 'action')] : null;
}

/** The requests that triage found, as tasks. */
async function classifiedTasks(
  deps: GraphDeps,
  { session, classification, text, here, focus }: RoutedTurn,
  owned: Owned,
): Promise<readonly Task[]> {
  const { confidence, requests } = classification;
  const addressed = addressedIn(session, deps.agents);
  const isGuess = confidence < MIN_LOOKUP && requests.length === 1 && deps.models.provider === 'offline';
  const asKnowledge = (task: Task): Task => ({
    ...task,
    ...owned,
    route: 'knowledge',
    agent: deps.agents.forRoute('knowledge'),
  });
  const isVisitor = session.identity.kind !== 'customer';
  const isForArticles = (task: Task): boolean => {
    if (!addressed && isMisheardChange(deps, session, task, focus)) return true;
    // A visitor has nothing that could be changed: "can I pause it, and for how long?" asks how that goes.
    const isChange = task.route !== null && deps.agents.changes(task.route);
    if (!addressed && isVisitor && isChange) return deps.dialogue.isQuestion(task.text);
    if (task.route !== 'account') return false;
    // A visitor who mentions nothing of their own asks about the company's offers: "what is it, and how much money?".
    const isOfVisitor = isVisitor && !deps.dialogue.ofSelf(task.text);
    return isGuess || (!addressed && (isOfVisitor || asksGenerally(deps, task.text)));
  };
  const all = tasksOf(text, classification, deps.agents);
  const asking = all.filter((task) => !isSmallTalk(deps, task));
  const tasks = (asking.length > 0 ? asking : all).map((task) =>
    isForArticles(task) ? asKnowledge(task) : task.route === 'knowledge' ? { ...task, ...owned } : task,
  );
  if (addressed) return tasks;
  const parts = await withAnsweringArticles(deps, session, await withoutTerms(deps, session, tasks));
  const searched = await messageTasks(deps, session, classification, parts);
  // Nothing is searched for small talk.
  if (requests.length === 0) return searched;
  const isWaiting = await isWithPerson({ deps, session });
  return weighed(
    deps,
    session,
    { reading: here.reading ?? null, text, heard: confidence, isWaiting },
    searched,
  );
}

/**
 * The tasks without a question about the terms of the change before it, which the confirmation states: "cancel the samba. Can I get the
 * money back?". The same change again, or one of another record, is a request of its own: "can you cancel the one on Friday too?".
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
  const selectsRecord = async (text: string): Promise<boolean> =>
    dialogue.addsAnother(text) ||
    dialogue.readList(text, options)?.narrows === true ||
    (await namedOwn({ deps, session, text })).length > 0;
  const kept: Task[] = [];
  for (const task of tasks) {
    const last = kept.at(-1);
    const [tool, before] = [toolOf(task), last ? toolOf(last) : null];
    const isSameEntity = tool?.target !== undefined && tool.target.entity === before?.target?.entity;
    const isAboutTerms = isSameEntity && tool !== before && dialogue.isQuestion(task.text);
    if (!isAboutTerms || (await selectsRecord(task.text))) kept.push(task);
  }
  return kept;
}

/** True for a part of a message that asks for nothing: "ok, I will run then. Did my payment go through?". */
function isSmallTalk({ dialogue, models }: GraphDeps, { route, text }: Task): boolean {
  if (route !== 'knowledge' || models.provider !== 'offline' || dialogue.isQuestion(text)) return false;
  return (dialogue.readQuestion(text)?.chanceOf('talk') ?? 0) >= SMALL_TALK;
}

function likelyArticle({ chanceOf, article }: MessageReading): string | null {
  const isLikely =
    article?.isContested === false && chanceOf('article') >= MIN_ARTICLE && article.chance >= MIN_ARTICLE;
  return isLikely ? article.title : null;
}

/**
 * A calm legal or privacy request that an article answers, and then an operator: "I would like a copy of my data". A customer who only
 * asks how that works needs no operator.
 * @returns no tasks where triage hears no such request, the customer is upset, or no article answers it
 */
async function articleBeforeOperator(
  deps: GraphDeps,
  { session, classification, text }: RoutedTurn,
): Promise<readonly Task[]> {
  const { confidence, humanReason, requests, sentiment } = classification;
  const isCalm = sentiment === 'neutral' || sentiment === 'positive';
  const others = requests.filter(({ route }) => route !== 'knowledge');
  if (humanReason !== 'legal' || others.length !== 1 || !isCalm || deps.models.provider !== 'offline')
    return [];
  const about = await plausibleArticle(deps, session, text, MIN_LEGAL_ARTICLE);
  if (about === null) return [];
  const answer = { ...newTask(deps, text, 'knowledge'), about };
  const asked = deps.language.requests(text, session.language);
  const isPrivacy = asked.every(({ intent }) => intent === PRIVACY_REQUEST);
  // Some questions only resemble a legal one: "does my review show my full name?".
  const isGuess = text.includes('?') && confidence < MIN_LEGAL && !deps.language.hintsAtDanger(text);
  const { dialogue } = deps;
  // Who asks whether it is possible asks for nothing yet.
  const isHow = [text, ...dialogue.partsOf(text), ...asked.map((one) => one.text)].some(dialogue.asksHow);
  const isQuestion = isHow || dialogue.asksPossible(text);
  const isAnswered =
    dialogue.besideOnlyAsked(text) !== null ||
    (requests.length === 1 && (isGuess || (isPrivacy && isQuestion)));
  return isAnswered ? [answer] : [answer, newTask(deps, text, ESCALATION_ROUTE)];
}

/** The customer's upcoming records, where the message asks about the company's offers or names one of the records. */
async function ownedOf(
  deps: GraphDeps,
  session: Session,
  { issueType }: Classification,
  text: string,
  list: RecordList | null,
): Promise<Owned> {
  if (deps.models.provider !== 'offline') return {};
  const isOffered = list ? !list.own : issueTypeOf(deps.tools.company, issueType).offered;
  // "I have a ticket for the reading" names one of them, whatever it asks.
  const isNamed = list === null && (await namedOwn({ deps, session, text })).length > 0;
  if (!isOffered && !isNamed) return {};
  const records = await ownRecords({ deps, session });
  return {
    owned: records.filter(({ upcoming }) => upcoming).map(({ title, startsAt }) => ({ title, startsAt })),
  };
}
