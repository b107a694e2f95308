import type { Session, Task } from '../core/domain/session.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { GraphDeps } from './graph-deps.js';
import { newTask, tasksOf } from './message-tasks.js';
import type { MessagePart } from './record-questions.js';

/** One task for what the record answers, and those of the rest; a person who was asked for takes over after the answer. */
export function tasksOfOwn(
  deps: GraphDeps,
  session: Session,
  classification: Classification,
  parts: readonly MessagePart[],
): readonly Task[] {
  // "What if I pause now, do I lose my bookings?" asks one thing of the record, on that condition.
  const supposesOnly = (text: string): boolean =>
    !text.includes('?') && deps.dialogue.supposing(text) !== null;
  const told = parts.find(({ about }) => about !== undefined);
  if (told?.about) return [{ ...newTask(deps, told.text, 'knowledge'), about: told.about }];
  const own = parts.filter(({ asks }) => asks.length > 0);
  const said = own.map(({ text }) => text).join(' ');
  const names = [...new Set(own.flatMap(({ asks }) => asks))];
  const first: readonly Task[] = own.length === 0 ? [] : [{ ...newTask(deps, said, 'account'), asks: names }];
  const rest = parts
    .filter(
      ({ asks, person, text }) => asks.length === 0 && !person && !(own.length > 0 && supposesOnly(text)),
    )
    .map(({ text }) => text)
    .join(' ');
  const wantsPerson = classification.humanReason === 'customer_request' || parts.some(({ person }) => person);
  const passed = parts.find((part) => part.passed !== undefined);
  if (passed) return besidePassed(deps, session, classification, parts, passed);
  if (wantsPerson) return [...first, newTask(deps, rest, ESCALATION_ROUTE)];
  if (rest === '') return first;
  const heard = deps.language.requests(rest, session.language);
  const requests = heard.map(({ text, route }) => ({ text, route: route ?? ('knowledge' as const) }));
  const others = tasksOf(rest, { ...classification, requests }, deps.agents).filter(
    ({ route }) => route !== ESCALATION_ROUTE,
  );
  // What the record answers is said in the order in which it was asked, before anything is changed.
  const isLast =
    (parts[0]?.asks.length ?? 0) === 0 && others.every(({ route }) => !deps.agents.changes(route));
  return isLast ? [...others, ...first] : [...first, ...others];
}

/** What is asked beside the wish that the team be asked something is answered first. */
function besidePassed(
  deps: GraphDeps,
  session: Session,
  classification: Classification,
  parts: readonly MessagePart[],
  { text, passed }: MessagePart,
): readonly Task[] {
  const asked = { ...newTask(deps, text, ESCALATION_ROUTE), ...(passed === undefined ? {} : { passed }) };
  const rest = parts.flatMap((part) => (part.person ? [] : [part.text])).join(' ');
  if (rest === '') return [asked];
  const heard = deps.language.requests(rest, session.language);
  const requests = heard.map((one) => ({ text: one.text, route: one.route ?? ('knowledge' as const) }));
  const others = tasksOf(rest, { ...classification, requests }, deps.agents);
  return [...others.filter(({ route }) => route !== ESCALATION_ROUTE), asked];
}
