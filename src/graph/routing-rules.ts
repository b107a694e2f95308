import type { Task } from '../core/domain/session.js';
import { ESCALATION_ROUTE, type EscalationReason } from '../core/domain/taxonomy.js';
import { keywordIn } from '../runtime/remote/keyword-match.js';
import { isLeftToPerson, isPressing, isWorkedOnFirst } from './anger.js';
import type { RoutingDecision, RoutingFacts } from './routing-facts.js';

type WithoutRule<Decision> = Decision extends unknown ? Omit<Decision, 'rule'> : never;
type Decided = WithoutRule<RoutingDecision> | null;

interface Rule {
  readonly id: string;
  readonly about: string;
  decide(facts: RoutingFacts): Decided;
}

/** Below this confidence of triage no rule is certain: fewer than half of such guesses are right. */
const UNCERTAIN = 0.5;
/** Below this not even what it would be made to makes a change of a guess. */
const HARDLY = 0.3;
/** A vague message of at most this many words is asked back about, once. */
const VAGUE_WORDS = 4;
const CLARIFY = 'clarify';
/** The rule by which what is told later goes to the person who has the rest. */
export const DETAILS = 'R20';
/** What is answered before a person is asked for: nothing that waits for the customer. */
const TOLD_FIRST: ReadonlySet<string> = new Set(['knowledge', 'account']);
/** Escalates, unless an operator has returned it to the hub for that. */
function escalate({ settledReasons }: RoutingFacts, reason: EscalationReason): Decided {
  return settledReasons?.includes(reason) ? null : ({ kind: 'escalate', reason } as const);
}

/** Why the part of a message that is for a person is: what triage heard in all of it, where an article was quoted first. */
function reasonFor({ tasks: [first], classification }: RoutingFacts): EscalationReason {
  const { requiresHuman, humanReason } = classification;
  if (requiresHuman && first?.about !== undefined) return humanReason ?? 'requires_human';
  return humanReason === 'legal' ? 'legal' : 'customer_request';
}

const isFirst = (facts: RoutingFacts): boolean => facts.tasks.every((task) => task.status === 'todo');
const words = (text: string): number => text.trim().split(/\s+/).filter(Boolean).length;
/** A person is asked for last: whatever else the message asks is answered first. */
const nextTask = ({ tasks }: RoutingFacts): number => {
  const first = tasks.findIndex(({ status, route }) => status === 'todo' && route !== ESCALATION_ROUTE);
  return first === -1 ? tasks.findIndex(({ status }) => status === 'todo') : first;
};

function forRoute(route: Task['route']) {
  return (facts: RoutingFacts): Decided => {
    const index = nextTask(facts);
    const task = facts.tasks[index];
    return task && task.route === route
      ? ({ kind: 'agent', task: index, agent: task.agent, verbatim: false } as const)
      : null;
  };
}

/** A question of its own, or what needs the customer's own data: no reply to what somebody elsewhere wants to know. */
function isCertainlyOurs({ classification, tasks, text }: RoutingFacts): boolean {
  const [task] = tasks;
  if (task?.route === ESCALATION_ROUTE) return true;
  if (text.includes('?') && words(text) > VAGUE_WORDS) return true;
  return task?.route !== 'knowledge' && classification.confidence >= UNCERTAIN;
}

/** The open task that agents elsewhere may have: a general question, not a greeting. */
function generalTask(facts: RoutingFacts): { readonly index: number; readonly task: Task } | null {
  const index = nextTask(facts);
  const task = facts.tasks[index];
  const asksSomething = facts.classification.requests.length > 0;
  return task?.route === 'knowledge' && asksSomething && !facts.addressed ? { index, task } : null;
}

/** What the agent that was addressed does with the next task. */
function addressedTask(facts: RoutingFacts): Decided {
  const { addressed, focus, isReply, classification } = facts;
  const index = nextTask(facts);
  const task = facts.tasks[index];
  // What an investigation advises passes the gates wherever it was begun.
  if (!addressed || !task || task.proposal) return null;
  const { name: agent, routes } = addressed;
  const outside = (other: string | null) => ({ kind: 'outside', task: index, agent, other }) as const;
  if (focus && isReply && focus.intent !== CLARIFY && focus.agent !== agent) return outside(focus.agent);
  if (classification.requests.length === 0) return routes[0] === 'knowledge' ? null : outside(null);
  return routes.includes(task.route)
    ? ({ kind: 'agent', task: index, agent, verbatim: false } as const)
    : outside(task.agent);
}

/** True where the words of a skill made an investigation of what triage did not take for one: "no signal" is not too few then. */
function claimedBySkill({ tasks: [first], classification }: RoutingFacts): boolean {
  const symptom = (one?: { readonly route: Task['route'] }): boolean => one?.route === 'investigation';
  return symptom(first) && !classification.requests.some(symptom);
}

/**
 * The router, first match wins. Ids are stable and say nothing about the order: rules that came later stand where they
 * belong. A rule says where a turn goes only where that is certain; the chat model is asked where none does. Ids are
 * logged and stored with the turn.
 */
export const ROUTING_RULES: readonly Rule[] = [
  {
    id: 'R1',
    about: 'the hop limit is reached',
    decide: ({ hops, maxHops }) =>
      hops >= maxHops ? ({ kind: 'escalate', reason: 'hop_limit' } as const) : null,
  },
  {
    id: 'R18',
    about: 'what the conversation itself answers: about what was just shown, said or done, and small talk',
    decide: (facts) => {
      const { humanReason } = facts.classification;
      const mayStay =
        humanReason === null ||
        humanReason === 'sentiment_priority' ||
        facts.spoken === 'exact' ||
        (facts.spoken === 'certain' && humanReason === 'customer_request');
      if (!isFirst(facts) || !facts.spoken || !mayStay) return null;
      return facts.spoken === 'unhelped' ? escalate(facts, 'low_confidence') : ({ kind: 'spoken' } as const);
    },
  },
  {
    id: DETAILS,
    about: 'only tells more of what a person has already been given',
    decide: (facts) => (isFirst(facts) && facts.adds ? escalate(facts, facts.adds) : null),
  },
  {
    id: 'R2',
    about:
      'triage says that a person is needed, or who mourns speaks of what was the dead’s: nothing of their own is changed for it',
    decide: (facts) => {
      if (isFirst(facts) && facts.isForAnother) return escalate(facts, 'requires_human');
      const { requiresHuman, humanReason } = facts.classification;
      if (!isFirst(facts) || !requiresHuman || facts.isTold || facts.isSupposed) return null;
      const { tasks, classification } = facts;
      const calmly = humanReason === 'sentiment_priority' && isWorkedOnFirst(tasks, classification);
      return calmly ? null : escalate(facts, humanReason ?? 'requires_human');
    },
  },
  {
    id: 'R3',
    about:
      'a part of the message asks for a person, and whatever else it asks of articles and records is answered',
    decide: (facts) => {
      const asks = facts.tasks.some(({ route, status }) => route === ESCALATION_ROUTE && status === 'todo');
      const waits = facts.tasks.some(({ route, status }) => status === 'todo' && TOLD_FIRST.has(route));
      return asks && !waits ? escalate(facts, reasonFor(facts)) : null;
    },
  },
  {
    id: 'R4',
    about:
      'frustrated, and high or urgent: at once, or after what was plainly asked for has been looked up or investigated',
    decide: (facts) => {
      const { classification, tasks } = facts;
      const waits = facts.isTold || isWorkedOnFirst(tasks, classification);
      const due = isFirst(facts) ? !waits : isLeftToPerson(tasks, classification);
      return isPressing(classification) && due && !facts.isSupposed
        ? escalate(facts, 'sentiment_priority')
        : null;
    },
  },
  {
    id: 'R5',
    about: 'a reply to an open question goes back to the agent that asked',
    decide: ({ focus, isReply, tasks, addressed }) => {
      const asked =
        focus && focus.intent !== CLARIFY && isReply && tasks.length === 1 && tasks[0]?.status === 'todo';
      const may = asked && (!addressed || addressed.name === focus.agent);
      return may ? ({ kind: 'agent', task: 0, agent: focus.agent, verbatim: true } as const) : null;
    },
  },
  {
    id: 'R14',
    about:
      'a reply to the question of an agent elsewhere, in whatever words, goes back to it: unless it is a question, or certainly about the customer’s own data',
    decide: (facts) => {
      const { focus, tasks, addressed } = facts;
      const open = focus?.remote && !addressed && tasks.length === 1 && tasks[0]?.status === 'todo';
      return open && !isCertainlyOurs(facts)
        ? ({ kind: 'agent', task: 0, agent: focus.agent, verbatim: true } as const)
        : null;
    },
  },
  {
    id: 'R15',
    about:
      'the words of a general question name an agent elsewhere; what reads or changes the customer’s data, a symptom or the wish for a person stays here, whatever words it uses',
    decide: (facts) => {
      const general = generalTask(facts);
      if (!general) return null;
      const named = (facts.elsewhere ?? []).flatMap(({ name, keywords }) => {
        const keyword = keywordIn(general.task.text, keywords);
        return keyword === null ? [] : [{ name, length: keyword.length }];
      });
      const [best] = named.sort((a, b) => b.length - a.length);
      return best
        ? ({ kind: 'agent', task: general.index, agent: best.name, verbatim: false } as const)
        : null;
    },
  },
  {
    id: 'R16',
    about: 'the help centre had no answer, and a skill of an agent elsewhere fits',
    decide: (facts) => {
      const general = generalTask(facts);
      const agent = facts.elsewhere?.find(({ name }) => name === general?.task.agent);
      return general && agent
        ? ({ kind: 'agent', task: general.index, agent: agent.name, verbatim: false } as const)
        : null;
    },
  },
  {
    id: 'R6',
    about: 'too vague to act on: ask back once',
    decide: (facts) => {
      const { classification, focus, addressed } = facts;
      const short = words(facts.text) <= VAGUE_WORDS && !facts.text.includes('?');
      // What changes something is not guessed at, however many words it has.
      const changes = facts.tasks[0]?.route === 'action' && (!addressed || addressed.routes[0] === 'action');
      const vague =
        !facts.leans &&
        // Nobody is asked back about what an article was found for.
        facts.tasks[0]?.about === undefined &&
        !claimedBySkill(facts) &&
        classification.confidence < UNCERTAIN &&
        classification.requests.length === 1 &&
        (short || (changes && !facts.canAskModel)) &&
        !(changes && facts.inFocus && classification.confidence >= HARDLY);
      return isFirst(facts) && vague && focus?.intent !== CLARIFY ? ({ kind: CLARIFY } as const) : null;
    },
  },
  {
    id: 'R13',
    about:
      'the conversation is held to one agent: it answers what it can in its own way, and says what it is for where it cannot',
    decide: addressedTask,
  },
  {
    id: 'R7',
    about: 'no rule is certain: the model chooses',
    decide: (facts) => {
      const uncertain = facts.classification.confidence < UNCERTAIN && facts.tasks.length === 1;
      return facts.canAskModel && isFirst(facts) && uncertain && facts.classification.requests.length > 0
        ? ({ kind: 'ask_model', task: 0 } as const)
        : null;
    },
  },
  { id: 'R8', about: 'a request to change something', decide: forRoute('action') },
  { id: 'R9', about: 'an account inquiry', decide: forRoute('account') },
  { id: 'R10', about: 'a symptom that needs diagnosis', decide: forRoute('investigation') },
  { id: 'R11', about: 'a general question', decide: forRoute('knowledge') },
  {
    id: 'R17',
    about: 'a request for an agent with a route of its own',
    decide: (facts) => {
      const index = nextTask(facts);
      const task = facts.tasks[index];
      return task && task.route !== ESCALATION_ROUTE
        ? ({ kind: 'agent', task: index, agent: task.agent, verbatim: false } as const)
        : null;
    },
  },
  {
    id: 'R12',
    about: 'every part is answered',
    decide: (facts) => (nextTask(facts) === -1 ? ({ kind: 'finish' } as const) : null),
  },
];

/** Applies the rules in order. R12 or a route rule always holds, so a decision is always found. */
export function decideRoute(facts: RoutingFacts): RoutingDecision {
  for (const rule of ROUTING_RULES) {
    const decision = rule.decide(facts);
    if (decision) return { ...decision, rule: rule.id } as RoutingDecision;
  }
  return { kind: 'finish', rule: 'R12' };
}
