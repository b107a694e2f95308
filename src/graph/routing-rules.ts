import { agentForRoute } from '../../agents/index.js';
import type { Focus, Task } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';

/** What the rules look at. Pure data: the same facts give the same decision. */
export interface RoutingFacts {
  readonly text: string;
  readonly classification: Classification;
  readonly tasks: readonly Task[];
  /** What the hub asked last, where the answer is open. */
  readonly focus: Focus | null;
  /** True where the text reads as a reply to that question. */
  readonly isReply: boolean;
  readonly hops: number;
  readonly maxHops: number;
  /** True where a chat model can be asked when no rule is certain. */
  readonly canAskModel: boolean;
  /** Reasons for which a person handed the message back: no reason to hand it over again. */
  readonly settledReasons?: readonly EscalationReason[] | undefined;
}

export type RoutingDecision =
  | {
      readonly kind: 'agent';
      readonly task: number;
      readonly agent: string /** The task is the customer's own words, not triage's. */;
      readonly verbatim: boolean;
      readonly rule: string;
    }
  | { readonly kind: 'ask_model'; readonly task: number; readonly rule: string }
  | { readonly kind: 'clarify'; readonly rule: string }
  | { readonly kind: 'escalate'; readonly reason: EscalationReason; readonly rule: string }
  | { readonly kind: 'finish'; readonly rule: string };

type WithoutRule<Decision> = Decision extends unknown ? Omit<Decision, 'rule'> : never;

interface Rule {
  readonly id: string;
  readonly about: string;
  decide(facts: RoutingFacts): WithoutRule<RoutingDecision> | null;
}

/** Below this confidence of triage no rule is certain: fewer than half of such guesses are right. */
const UNCERTAIN = 0.5;
/** A vague message of at most this many words is asked back about, once. */
const VAGUE_WORDS = 4;
const CLARIFY = 'clarify';

/** Hands over, unless a person has handed it back for that. */
function handOver(
  { settledReasons }: RoutingFacts,
  reason: EscalationReason,
): WithoutRule<RoutingDecision> | null {
  return settledReasons?.includes(reason) ? null : ({ kind: 'escalate', reason } as const);
}

const isFirst = (facts: RoutingFacts): boolean => facts.tasks.every((task) => task.status === 'todo');

const words = (text: string): number => text.trim().split(/\s+/).filter(Boolean).length;

function nextTask(facts: RoutingFacts): number {
  return facts.tasks.findIndex((task) => task.status === 'todo');
}

function forRoute(route: Task['route']) {
  return (facts: RoutingFacts): WithoutRule<RoutingDecision> | null => {
    const index = nextTask(facts);
    const task = facts.tasks[index];
    return task && task.route === route
      ? ({ kind: 'agent', task: index, agent: task.agent, verbatim: false } as const)
      : null;
  };
}

/**
 * The router, first match wins. A rule says where a turn goes only where that is certain; the chat model is asked
 * where none does. Ids are logged and stored with the turn.
 */
export const ROUTING_RULES: readonly Rule[] = [
  {
    id: 'R1',
    about: 'the hop limit is reached',
    decide: ({ hops, maxHops }) =>
      hops >= maxHops ? ({ kind: 'escalate', reason: 'hop_limit' } as const) : null,
  },
  {
    id: 'R2',
    about: 'triage says that a person is needed',
    decide: (facts) => {
      const { requiresHuman, humanReason } = facts.classification;
      return isFirst(facts) && requiresHuman ? handOver(facts, humanReason ?? 'requires_human') : null;
    },
  },
  {
    id: 'R3',
    about: 'a part of the message asks for a person',
    decide: (facts) =>
      isFirst(facts) && facts.tasks.some((task) => task.route === 'escalation')
        ? handOver(facts, 'customer_request')
        : null,
  },
  {
    id: 'R4',
    about: 'frustrated, and high or urgent',
    decide: (facts) => {
      const { sentiment, priority } = facts.classification;
      const pressing = priority === 'high' || priority === 'urgent';
      return isFirst(facts) && sentiment === 'frustrated' && pressing
        ? handOver(facts, 'sentiment_priority')
        : null;
    },
  },
  {
    id: 'R5',
    about: 'a reply to an open question goes back to the agent that asked',
    decide: ({ focus, isReply, tasks }) => {
      const asked =
        focus && focus.intent !== CLARIFY && isReply && tasks.length === 1 && tasks[0]?.status === 'todo';
      return asked ? ({ kind: 'agent', task: 0, agent: focus.agent, verbatim: true } as const) : null;
    },
  },
  {
    id: 'R6',
    about: 'too vague to act on: ask back once',
    decide: (facts) => {
      const { classification, focus } = facts;
      const short = words(facts.text) <= VAGUE_WORDS && !facts.text.includes('?');
      // What changes something is not guessed at, however many words it has.
      const vague =
        classification.confidence < UNCERTAIN &&
        classification.requests.length === 1 &&
        (short || (facts.tasks[0]?.route === 'action' && !facts.canAskModel));
      return isFirst(facts) && vague && focus?.intent !== CLARIFY ? ({ kind: CLARIFY } as const) : null;
    },
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

/**
 * The parts of a message as tasks; smalltalk is one task for the knowledge agent. Changes come last, the rest in the
 * order asked: a change waits for people, and the other answers must not wait with it.
 */
export function tasksOf(text: string, classification: Classification): readonly Task[] {
  const requests =
    classification.requests.length > 0 ? classification.requests : [{ text, route: 'knowledge' as const }];
  const tasks = requests.slice(0, MAX_TASKS).map((request) => ({
    text: request.text,
    route: request.route,
    agent: agentForRoute(request.route),
    status: 'todo' as const,
  }));
  const waits = (task: Task): boolean => task.route === 'action';
  return [...tasks.filter((task) => !waits(task)), ...tasks.filter(waits)];
}

const MAX_TASKS = 4;
