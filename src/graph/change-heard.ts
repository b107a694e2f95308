import type { Focus, Session, Task } from '../core/domain/session.js';
import type { ActionTool } from '../runtime/define-tool.js';
import type { AgentResults } from './agent-results.js';
import { sentencesOf } from './claims/sentences.js';
import { namedOwn } from './dialogue-records.js';
import type { GraphDeps } from './graph-deps.js';

/** The change that a text most likely asks for. */
export function likeliestChange(
  { language, tools }: GraphDeps,
  text: string,
  session: Session,
): ActionTool | null {
  const [likeliest] = [...language.chances(text, session.language)].sort((a, b) => b[1] - a[1]);
  return likeliest ? tools.roster.findAction(likeliest[0]) : null;
}

/** True for a change that triage hears in a text which asks for none. */
export function isMisheardChange(
  deps: GraphDeps,
  session: Session,
  task: Task,
  focus: Focus | null,
): boolean {
  return onlySpans(deps, session, task, focus) || (focus === null && isUnasked(deps, session, task));
}

/** Maximum number of words in a question that may only name a period: "a month?". */
const MAX_PERIOD_WORDS = 5;
const hasShortQuestions = (text: string): boolean =>
  sentencesOf(text).every((one) => !one.question || one.text.trim().split(/\s+/).length <= MAX_PERIOD_WORDS);
/** Probability of an order below which a message orders nothing. */
const MIN_ORDER = 0.3;

/**
 * True for a cancellation that triage hears in a text which neither orders one nor says that the record is unwanted or that the
 * customer cannot attend: "I have the concert that day", "look into my cancelled bookings". Mentioning a record is no reason to ask
 * whether to cancel it.
 */
function isUnasked(deps: GraphDeps, session: Session, { route, text }: Task): boolean {
  const { agents, dialogue, models } = deps;
  if (models.provider !== 'offline' || route === null || !agents.changes(route)) return false;
  // "So I would have to cancel and book again?" begins nothing.
  if (dialogue.supposes(text)) return true;
  const tool = likeliestChange(deps, text, session);
  // A refund is never offered on a mention alone.
  if (tool?.target && !tool.name.includes('cancel')) return false;
  // "I cancelled" is a report of the past, however much it resembles an order.
  const isNamed = dialogue.changesNamed(text).length > 0;
  if (isNamed && dialogue.changesNamed(dialogue.withoutDone(text)).length === 0) return true;
  // After an event in the customer's life a mention is enough: it is the reason for the cancellation.
  if (session.life || !tool?.target) return false;
  const isMeant = dialogue.unwants(text) || dialogue.cannotGo(text) || dialogue.plainOrder(text) !== null;
  if (isMeant || isNamed) return false;
  return (dialogue.readQuestion(text)?.chanceOf('order') ?? 1) < MIN_ORDER;
}

/**
 * True for a change of no particular record that triage hears in a short question after an answer: "a week? A month?" asks how long
 * something takes, and requests no pause.
 */
function onlySpans(deps: GraphDeps, session: Session, { route, text }: Task, focus: Focus | null): boolean {
  const { agents, dialogue, models, tools } = deps;
  if (models.provider !== 'offline' || route === null || !agents.changes(route)) return false;
  if (session.lastReply === null || !text.includes('?')) return false;
  const tool = likeliestChange(deps, text, session);
  const open = tools.roster.findAction(focus?.intent ?? '');
  const isOther = hasShortQuestions(text) && tool?.target === undefined;
  const isSame = open !== null && (tool === null ? open.target === undefined : open.name === tool.name);
  if (!isOther || isSame) return false;
  return dialogue.changesNamed(text).length === 0 && dialogue.plainOrder(text) === null;
}

/** From here on a sentence is taken for an order. */
const ORDERS = 0.5;

/**
 * Without the changes of a record that name none of the customer's, where a record has answered: "I want my money back" is what a person
 * settles to whom the record is left, and "I want to know when the refund comes" asks for nothing to be cancelled.
 */
export async function withoutTakenUp(
  deps: GraphDeps,
  session: Session,
  harvested: AgentResults,
): Promise<AgentResults> {
  const { tasks, drafts, answered } = harvested;
  const [draft, from] = [drafts.at(-1), tasks[answered]];
  if (from?.route !== 'account' || deps.models.provider !== 'offline') return harvested;
  const isForPerson = draft?.needsPerson === true;
  const isTold = draft !== undefined && !draft.unanswered && draft.focus == null;
  const isVague = async ({ status, route, text, proposal }: Task): Promise<boolean> =>
    status === 'todo' &&
    route !== null &&
    deps.agents.changes(route) &&
    !proposal &&
    (isForPerson || (isTold && !ordersPlainly(deps, text))) &&
    likeliestChange(deps, text, session)?.target !== undefined &&
    (await namedOwn({ deps, session, text })).length === 0;
  const left = await Promise.all(tasks.map(async (task) => ((await isVague(task)) ? [] : [task])));
  return { ...harvested, tasks: left.flat() };
}

/** True where a part orders a change in so many words, and does not only speak of one: "I want to know when the refund comes". */
function ordersPlainly({ dialogue }: GraphDeps, text: string): boolean {
  return (
    dialogue.plainOrder(text) !== null || (dialogue.readQuestion(text)?.chanceOf('order') ?? 1) >= ORDERS
  );
}

/**
 * True where what sounds like a fault is only supposed: "if I miss it because they did not let me in, is it paid back?". Nothing has happened
 * that could be looked into.
 */
export function isSupposedFault({ dialogue, models }: GraphDeps, { route, text, about }: Task): boolean {
  const isFault = route === 'investigation' && about === undefined && models.provider === 'offline';
  return isFault && dialogue.sentencesIn(text).every(dialogue.asksOnCondition);
}
