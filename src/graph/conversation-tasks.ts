import type { Focus, Session, Task } from '../core/domain/session.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { RemoteAgent } from '../core/ports/remote-agents.js';
import { isMisheardChange } from './change-heard.js';
import type { GraphDeps } from './graph-deps.js';
import type { InConversation } from './in-conversation.js';
import { newTask, tasksOf } from './message-tasks.js';
import type { MessagePart } from './record-questions.js';
import type { HubStateType } from './state.js';

/** One turn as the router sees it. */
export interface RoutedTurn {
  readonly state: HubStateType;
  readonly session: Session;
  readonly classification: Classification;
  /** The message of the customer. */
  readonly text: string;
  /** The open question of the hub, where the agent that asked it is still available. */
  readonly focus: Focus | null;
  /** What the message means in its conversation. */
  readonly here: InConversation;
  /** Remote agents that may still be asked. */
  readonly elsewhere: readonly RemoteAgent[];
}

/** The tasks of a message that its conversation explains; null where it explains nothing. */
export function conversationTasks(deps: GraphDeps, turn: RoutedTurn): readonly Task[] | null {
  const { classification, text, here } = turn;
  const { accepted, beside } = here;
  const asked = here.besides === undefined ? [] : questionsBeside(deps, turn, here.besides);
  if (accepted) return [...asked, { ...newTask(deps, text, 'action'), proposal: accepted }];
  if (here.orders === text) return [...asked, ...changeTasks(deps, text, classification)];
  if (here.orders !== undefined) return [...asked, newTask(deps, here.orders, 'action')];
  if (here.symptom) return [{ ...newTask(deps, text, 'investigation'), about: here.symptom }];
  if (here.own) {
    const tasks = recordTasks(deps, turn, here.own);
    const requested = tasks.filter((task) => !isMisheardChange(deps, turn.session, task, turn.focus));
    return requested.length > 0 ? requested : tasks;
  }
  if (!beside) return null;
  return beside.rest === '' ? [] : requestTasks(deps, turn, beside.rest);
}

/** The questions beside a change, which are answered before its confirmation. */
function questionsBeside(deps: GraphDeps, turn: RoutedTurn, text: string): readonly Task[] {
  const requests = requestsIn(deps, turn, text).filter(
    ({ route }) => !deps.agents.changes(route) && route !== ESCALATION_ROUTE,
  );
  return requests.length === 0 ? [] : tasksOf(text, { ...turn.classification, requests }, deps.agents);
}

/** The tasks of a message that asks for a change, also where triage hears none. */
function changeTasks(deps: GraphDeps, text: string, classification: Classification): readonly Task[] {
  const { requests } = classification;
  const isChange = requests.some(({ route }) => route !== null && deps.agents.changes(route));
  return isChange ? tasksOf(text, classification, deps.agents) : [newTask(deps, text, 'action')];
}

/** One task for what the customer's records answer, then the other requests; an operator who was asked for follows the answers. */
function recordTasks(deps: GraphDeps, turn: RoutedTurn, parts: readonly MessagePart[]): readonly Task[] {
  const byArticle = parts.find(({ about }) => about !== undefined);
  if (byArticle?.about) return [{ ...newTask(deps, byArticle.text, 'knowledge'), about: byArticle.about }];
  const forwarded = parts.find(({ passed }) => passed !== undefined);
  if (forwarded) return forwardedTasks(deps, turn, parts, forwarded);
  const ofRecords = parts.filter(({ asks }) => asks.length > 0);
  const text = ofRecords.map((part) => part.text).join(' ');
  const asks = [...new Set(ofRecords.flatMap((part) => part.asks))];
  const answers = ofRecords.length === 0 ? [] : [{ ...newTask(deps, text, 'account'), asks }];
  // "What if I pause now, do I lose my bookings?": the condition belongs to the question.
  const isCondition = (part: MessagePart): boolean =>
    ofRecords.length > 0 && !part.text.includes('?') && deps.dialogue.supposing(part.text) !== null;
  const rest = parts
    .filter((part) => part.asks.length === 0 && !part.person && !isCondition(part))
    .map(({ text: part }) => (deps.dialogue.isQuestion(part) && !/[.?!]\s*$/.test(part) ? `${part}?` : part))
    .join(' ');
  const wantsPerson =
    turn.classification.humanReason === 'customer_request' || parts.some(({ person }) => person);
  if (wantsPerson) return [...answers, newTask(deps, rest, ESCALATION_ROUTE)];
  if (rest === '') return answers;
  const others = requestTasks(deps, turn, rest).filter(({ route }) => route !== ESCALATION_ROUTE);
  // Answers follow the order of the questions, and precede all changes.
  const isLast =
    (parts[0]?.asks.length ?? 0) === 0 && others.every(({ route }) => !deps.agents.changes(route));
  return isLast ? [...others, ...answers] : [...answers, ...others];
}

/** The requests beside a question that the customer wants forwarded to the operators, and then that question. */
function forwardedTasks(
  deps: GraphDeps,
  turn: RoutedTurn,
  parts: readonly MessagePart[],
  { text, passed }: MessagePart,
): readonly Task[] {
  const forwarded = {
    ...newTask(deps, text, ESCALATION_ROUTE),
    ...(passed === undefined ? {} : { passed }),
  };
  const rest = parts.flatMap((part) => (part.person ? [] : [part.text])).join(' ');
  if (rest === '') return [forwarded];
  const others = requestTasks(deps, turn, rest).filter(({ route }) => route !== ESCALATION_ROUTE);
  return [...others, forwarded];
}

/** The requests of a part of the message, as tasks. */
function requestTasks(deps: GraphDeps, turn: RoutedTurn, text: string): readonly Task[] {
  return tasksOf(text, { ...turn.classification, requests: requestsIn(deps, turn, text) }, deps.agents);
}

/** The requests of a part of the message; those without a route go to the help centre. */
function requestsIn({ language }: GraphDeps, { session }: RoutedTurn, text: string) {
  return language
    .requests(text, session.language)
    .map((request) => ({ text: request.text, route: request.route ?? ('knowledge' as const) }));
}
