import { asked, type Failure, says } from './checks.js';
import type { Blame, BlamedStep, PlayedRun, PlayedTurn } from './run.js';
import type { EvalFacts, Scenario, ToolFacts } from './scenario.js';
import type { TraceStep } from './trace.js';

/** What a failed conversation is judged by. */
interface Held extends Pick<PlayedRun, 'turns' | 'failures'> {
  readonly scenario: Scenario;
  readonly facts: EvalFacts;
}

type Verdict = Omit<Blame, 'turn'>;

/** What people decided is no refusal of a rule. */
const DECIDED = ['confirmation_rejected', 'approval_rejected', 'pending_withdrawn', 'pending_expired'];
/** Reasons that only triage can give. */
const TRIAGED = ['requires_human', 'customer_request', 'sentiment_priority', 'legal'];

/**
 * The first step that went wrong in a conversation that failed: told from its first failure and the trace of the turn
 * that it was seen in, or of the turn that led there where it was seen at the end only.
 */
export function blameFor(
  scenario: Scenario,
  { turns, failures }: Pick<PlayedRun, 'turns' | 'failures'>,
  facts: EvalFacts,
): Blame {
  const held = { scenario, facts, turns, failures };
  const at = turns.findIndex((turn) => turn.failures.length > 0);
  const first = turns[at]?.failures[0];
  if (first) return { turn: at, ...judge(held, at, first) };
  const [ending] = failures;
  if (!ending) throw new Error('A conversation that passed is blamed on nothing');
  const turn = turnOf(held, ending);
  return { turn, ...judge(held, turn, ending) };
}

/** The turn that a failure at the end comes from. */
function turnOf({ turns, scenario, facts }: Held, { kind, wanted }: Failure): number {
  const last = Math.max(0, turns.length - 1);
  const found = (test: (turn: PlayedTurn) => boolean): number => {
    const at = turns.findIndex(test);
    return at < 0 ? last : at;
  };
  if (kind === 'escalated') return found(({ answer }) => answer?.escalated === true);
  if (kind === 'not_called')
    return found((turn) => calls(turn).some(({ name, details }) => details.ok && wanted.includes(name)));
  if (kind === 'unchanged')
    return found((turn) => calls(turn).some(({ name, details }) => details.ok && facts.tools[name]?.changes));
  if (kind === 'called' || kind === 'database') {
    const wanted = toolsFor(scenario, facts).flatMap(({ routes }) => routes);
    const led = turns.findIndex((turn) => wanted.includes(triagedRoute(turn) ?? ''));
    return led < 0 ? 0 : turns.findLastIndex((turn, at) => at >= led && turn.trace.length > 0);
  }
  return last;
}

function judge(held: Held, at: number, failure: Failure): Verdict {
  const turn = held.turns[at];
  if (failure.kind === 'simulator') return verdict('simulator', failure.message);
  if (turn === undefined) return verdict('fault', 'nothing was answered');
  if (turn.answer === null || turn.answer.escalation?.reason === 'fault')
    return verdict('fault', 'the hub broke in this turn');
  const rejected = turn.trace.find(({ kind }) => kind === 'guardrail');
  if (rejected) return verdict('guardrail', `a draft was rejected: ${String(rejected.details.fault)}`);
  if (failure.kind === 'language') return verdict('triage', 'the language was not recognised');
  switch (failure.kind) {
    case 'escalated':
      return judgeEscalation(turn, failure);
    case 'articles':
      return judgeArticles(held, turn, failure.wanted);
    case 'contains':
    case 'lacks':
      return judgeWords(held, at, failure);
    case 'unchanged':
    case 'not_called':
      return judgeChange(held, at);
    case 'asks':
    case 'not_asked':
      return judgeQuestion(held, turn, failure.wanted[0] ?? '');
    case 'open':
      return failure.wanted[0] === 'nothing'
        ? verdict('triage', 'what the customer said did not close what is open')
        : judgeQuestion(held, turn, 'confirm');
    default:
      return judgeAction(held, turn);
  }
}

function judgeEscalation({ answer, trace }: PlayedTurn, { wanted }: Failure): Verdict {
  const reason = answer?.escalation?.reason;
  const searched = trace.some(({ kind }) => kind === 'retrieval');
  if (reason === 'hop_limit') return verdict('route', 'the agents handed it to and fro');
  if (wanted[0] === 'false') {
    if (reason !== undefined && TRIAGED.includes(reason)) return verdict('triage', `triage found ${reason}`);
    return searched
      ? verdict('retrieval', 'no article was sure enough to answer from')
      : verdict('triage', 'it was not understood, and nothing was looked up');
  }
  const triage = trace.find(({ kind }) => kind === 'triage');
  if (triage?.details.requiresHuman === true)
    return verdict('route', 'triage wanted a person, and none was called');
  return wanted[0] === 'low_confidence' && searched
    ? verdict('retrieval', 'an article that does not answer was sure enough')
    : verdict('triage', 'the need for a person was not seen');
}

function judgeArticles({ facts }: Held, turn: PlayedTurn, wanted: readonly string[]): Verdict {
  const hits = hitsOf(turn);
  if (hits.some(({ article }) => wanted.includes(article)))
    return verdict('passage', 'the article was found, and not answered from');
  if (turn.trace.some(({ kind }) => kind === 'retrieval'))
    return verdict('retrieval', 'the search did not find the article');
  return misled(turn, facts.search) ?? verdict('reference', 'the agent did not search');
}

function judgeWords(held: Held, at: number, failure: Failure): Verdict {
  const turn = held.turns[at] as PlayedTurn;
  const expected = turn.expect ?? held.scenario.expect;
  if (turn.answer?.escalated && expected?.escalated !== true)
    return judgeEscalation(turn, { ...failure, wanted: ['false'] });
  const refused = calls(turn).find(isRefused);
  if (refused) return verdict('policy', `${refused.name} refused: ${String(refused.details.code)}`);
  const hits = hitsOf(turn);
  if (expected?.articles && !hits.some(({ article }) => expected.articles?.includes(article)))
    return judgeArticles(held, turn, expected.articles);
  if (hits.length > 0 && !calls(turn).some(({ name }) => held.facts.tools[name]?.changes)) {
    const known = hits.some(({ content }) => failure.wanted.some((one) => says(content, one)));
    return known || failure.kind === 'lacks'
      ? verdict('passage', 'the article was found, and the wrong part of it was said')
      : verdict('retrieval', 'no article was found that says it');
  }
  if (turn.answer && asked(turn.answer) === 'which')
    return verdict('reference', 'it asked back instead of answering');
  // Where rows, tools and questions are as they should be, the message was understood.
  const { database, unchanged, tools, open } = held.scenario.expect ?? {};
  if (held.failures.length === 0 && (database || unchanged || tools || open) && at === held.turns.length - 1)
    return verdict('wording', 'the right thing came of it, and it was not said');
  if (!turn.trace.some(({ kind }) => kind === 'route'))
    return verdict('triage', 'the message was answered without an agent');
  if (turn.trace.some(({ kind, details }) => kind === 'route' && details.kind === 'clarify'))
    return verdict('triage', 'it was too vague for triage');
  return calls(turn).some(({ name }) => held.facts.tools[name]?.agents.length)
    ? verdict('wording', 'the agent looked it up, and did not say it')
    : verdict('reference', 'the agent did not look it up');
}

/** Something was changed that should have stayed. */
function judgeChange({ turns }: Held, at: number): Verdict {
  const before = turns[at - 1]?.answer;
  if (before?.pending?.kind !== 'confirmation')
    return verdict('gate', 'it was done without having been asked');
  return verdict('triage', 'what the customer said was taken for a yes');
}

/** A question that was not asked, or another one that was. */
function judgeQuestion({ scenario, facts }: Held, turn: PlayedTurn, wanted: string): Verdict {
  const { answer } = turn;
  if (wanted === 'nothing') {
    return answer && asked(answer) === 'confirm'
      ? verdict('triage', 'a change was offered that nobody asked for')
      : verdict('reference', 'it asked back instead of answering');
  }
  if (wanted !== 'confirm' && answer && asked(answer) === 'confirm')
    return verdict('reference', 'it chose one instead of asking which');
  if (answer?.escalated) return judgeEscalation(turn, { kind: 'escalated', message: '', wanted: ['false'] });
  return misled(turn, toolsFor(scenario, facts)) ?? expectedActionOf(turn, facts);
}

/** A change that should have been made, and was not, or was made to something else. */
function judgeAction(held: Held, turn: PlayedTurn): Verdict {
  const { scenario, facts, turns } = held;
  const open = turns.at(-1)?.answer?.pending;
  if (turns.some((one) => calls(one).some(({ name, details }) => details.ok && facts.tools[name]?.changes)))
    return verdict('reference', 'something was changed, and not this');
  if (open?.kind === 'approval') return verdict('policy', 'it waits for an operator');
  if (open) return verdict('triage', 'what the customer said was not taken for a yes');
  return misled(turn, toolsFor(scenario, facts)) ?? expectedActionOf(turn, facts);
}

/** The agent was right, and nothing came of it. */
function expectedActionOf(turn: PlayedTurn, facts: EvalFacts): Verdict {
  const refused = calls(turn).find((step) => isRefused(step) && facts.tools[step.name]);
  if (!refused) return verdict('reference', 'the agent did not know which record was meant');
  return facts.tools[refused.name]?.changes
    ? verdict('policy', `${refused.name} refused: ${String(refused.details.code)}`)
    : verdict('gate', `${refused.name} failed: ${String(refused.details.code)}`);
}

/** Null where the message went to an agent with one of the tools. */
function misled(turn: PlayedTurn, wanted: readonly ToolFacts[]): Verdict | null {
  const route = triagedRoute(turn);
  if (route === null) return verdict('triage', 'the message was answered without an agent');
  if (turn.trace.some(({ kind, details }) => kind === 'route' && details.kind === 'clarify'))
    return verdict('triage', 'it was too vague for triage');
  const went = turn.answer?.agents ?? [];
  if (wanted.length === 0 || wanted.some(({ agents }) => agents.some((agent) => went.includes(agent))))
    return null;
  return wanted.some(({ routes }) => routes.includes(route))
    ? verdict('route', `triage said ${route}, and it went to ${went.join(', ') || 'nobody'}`)
    : verdict('triage', `triage said ${route}`);
}

/** The tools that the conversation should have used; those that change something where it names none. */
function toolsFor({ expect }: Scenario, facts: EvalFacts): readonly ToolFacts[] {
  const called = expect?.tools?.called ?? [];
  return toolsOf(
    called.length > 0 ? called : Object.keys(facts.tools).filter((name) => facts.tools[name]?.changes),
    facts,
  );
}

function toolsOf(names: readonly string[], { tools }: EvalFacts): readonly ToolFacts[] {
  return names.flatMap((name) => tools[name] ?? []);
}

function triagedRoute({ trace }: PlayedTurn): string | null {
  const route = trace.find(({ kind }) => kind === 'triage')?.details.route;
  return typeof route === 'string' ? route : null;
}

function calls({ trace }: PlayedTurn): readonly TraceStep[] {
  return trace.filter(({ kind }) => kind === 'tool');
}

function isRefused({ details }: TraceStep): boolean {
  return details.ok === false && !DECIDED.includes(String(details.code));
}

interface Hit {
  readonly article: string;
  readonly content: string;
}

function hitsOf({ trace }: PlayedTurn): readonly Hit[] {
  return trace
    .filter(({ kind }) => kind === 'retrieval')
    .flatMap(({ details }) => (Array.isArray(details.hits) ? (details.hits as readonly Hit[]) : []));
}

function verdict(step: BlamedStep, why: string): Verdict {
  return { step, why };
}
