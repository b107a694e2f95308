import type { Draft, Focus, Task } from '../core/domain/session.js';
import { ESCALATION_ROUTE } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import { chooseRemoteAgent } from '../runtime/remote/choose-agent.js';
import { addressedIn, asFarAsItCan, sayWhatFor } from './addressed-agent.js';
import { type AgentResults, agentResults, BY_MODEL } from './agent-results.js';
import { isSupposedFault, withoutTakenUp } from './change-heard.js';
import { CLARIFY, messageOf, SUPERVISOR, withSignIn, wordsIn } from './clarify.js';
import { nameContradictions } from './contradictions.js';
import type { RoutedTurn } from './conversation-tasks.js';
import { dialogueNaming, namedAhead } from './dialogue-records.js';
import { dialogueAnswer } from './dialogue-turn.js';
import { explainedInstead } from './explained-instead.js';
import type { GraphDeps } from './graph-deps.js';
import { type InConversation, NOTHING } from './in-conversation.js';
import { initialTasks } from './initial-tasks.js';
import { whatIsMeant } from './message-reading.js';
import { newTask } from './message-tasks.js';
import { answersInput, isReply } from './open-question.js';
import { withPerformedActions } from './performed-actions.js';
import { articleBeforePerson } from './reading-decision.js';
import { reachableAgents, reassignTo } from './remote-routing.js';
import { repeatsReply } from './reply-text.js';
import type { RoutingDecision, RoutingFacts } from './routing-facts.js';
import { DETAILS, decideRoute } from './routing-rules.js';
import { toldAgain } from './said-drafts.js';
import type { HubStateType, HubUpdate } from './state.js';
import { markUnanswered } from './unanswered-parts.js';

/** Below this confidence of triage it is looked for whether a record is named. */
const UNSURE = 0.5;

/**
 * The router: takes in what the last agent answered, and decides by rules where the turn goes next. The supervisor
 * carries the decision out.
 */
export function routeNode(deps: GraphDeps) {
  const names = new Set([...deps.agents.all, ...deps.remote.list()].map((agent) => agent.name));
  return async (state: HubStateType): Promise<HubUpdate> => {
    const { classification, session } = state;
    if (!classification || !session) throw new Error('The router was called before triage');
    const focus =
      state.focus && (names.has(state.focus.agent) || state.focus.agent === SUPERVISOR) ? state.focus : null;
    const written = messageOf(state);
    // "None of these. How much is Premium?" asks what it asks after it; a model reads for itself what is an aside.
    const isAnswer = focus !== null && focus.intent !== CLARIFY;
    const text = deps.models.provider === 'offline' && !isAnswer ? whatIsMeant(deps, written) : written;
    const elsewhere = reachableAgents(deps, session, state.trace);
    const isFirst = state.tasks.length === 0;
    const spoken = isFirst ? await dialogueAnswer(deps, state, written) : NOTHING;
    // What was said just now is no answer to what may come after it: "and if I come back earlier?".
    const isSupposed = deps.dialogue.supposed(written, session?.language ?? 'en') !== null;
    const isAgain = isSupposed && repeatsReply(spoken.spoken?.text ?? '', session, written);
    const here = isAgain ? NOTHING : spoken;
    const turn = { state, session, classification, text, focus, here, elsewhere };
    const heard = withPerformedActions(deps, agentResults(state, names, deps.agents), state.trace, session);
    const checked = nameContradictions(heard, state.trace, deps.tools.texts.for(session.language));
    const meant = withSignIn(checked, { session, classification }, deps.tools.texts);
    const told = await explainedInstead(deps, session, meant);
    const known = asFarAsItCan(
      await withoutTakenUp(deps, session, told),
      session,
      deps.agents,
      deps.tools.texts,
    );
    const harvested =
      elsewhere.length > 0 ? known : markUnanswered(known, { trace: state.trace, dialogue: deps.dialogue });
    for (const { agent, provider, text: answer, unanswered } of harvested.drafts.slice(state.drafts.length)) {
      const details = { provider, characters: answer.length, unanswered };
      deps.tools.log.info({ agent, action: 'answered', ticketId: session.ticketId, details });
    }
    const open = elsewhere.length > 0 ? leftOpen(harvested, turn) : null;
    if (!open) {
      // What is asked may point at what is named beside it: "the samba must go. What do I lose if I cancel that one?"
      const named = async (said: string) => dialogueNaming({ deps, session, text: said }, state.dialogue);
      const naming = isFirst && !here.spoken ? ((await named(text)) ?? (await named(written))) : null;
      return { ...(naming ? { dialogue: naming } : {}), ...(await routeNext(deps, turn, harvested)) };
    }
    return chooseRemoteAgent(deps.tools, elsewhere, session, open.text).then((agent) =>
      routeNext(deps, turn, agent === null ? harvested : reassignTo(agent, harvested)),
    );
  };
}

/** The general question to which the help centre had no answer just now; null where there is none. */
function leftOpen(
  { tasks, drafts, answered }: AgentResults,
  { classification, elsewhere }: RoutedTurn,
): Task | null {
  const task = tasks[answered];
  if (task?.route !== 'knowledge' || !drafts.at(-1)?.unanswered) return null;
  if (classification.requests.length === 0 || elsewhere.some(({ name }) => name === task.agent)) return null;
  return task;
}

/** Decides, and says at once what the agent that was addressed cannot do. */
async function routeNext(deps: GraphDeps, turn: RoutedTurn, harvested: AgentResults): Promise<HubUpdate> {
  const { session, text } = turn;
  const { beside } = turn.here;
  const drafts = beside ? [ownDraft(beside.text, null)] : harvested.drafts;
  let current =
    harvested.tasks.length > 0 ? harvested : { ...harvested, drafts, tasks: await freshTasks(deps, turn) };
  const unsure = turn.classification.confidence < UNSURE;
  const names = unsure && (await namedAhead({ deps, session, text })) !== null;
  for (;;) {
    const told = await toldAgain(deps, turn, current);
    if (told !== null) current = { ...current, drafts: [] };
    const decision = told
      ? ({ kind: 'escalate', reason: told, rule: DETAILS } as const)
      : (leftToRules(current) ?? decideRoute(factsOf(deps, turn, current, names)));
    deps.tools.log.info({
      agent: SUPERVISOR,
      action: 'routed',
      ticketId: session.ticketId,
      details: { ...decision, ...(turn.here.reader === undefined ? {} : { reader: turn.here.reader }) },
    });
    if (decision.kind !== 'outside') return applyDecision(deps, decision, current, turn, text);
    current = sayWhatFor(decision, current, session, deps.tools.texts);
  }
}

/** From here on a sentence says that an answer did not help. */
const UNHELPED = 0.5;

/** The tasks of a message; nothing is quoted for them from the article that it says it is not about. */
async function freshTasks(deps: GraphDeps, turn: RoutedTurn): Promise<readonly Task[]> {
  const heard = (await initialTasks(deps, turn)).map((task) =>
    isSupposedFault(deps, task) ? { ...task, ...newTask(deps, task.text, 'knowledge') } : task,
  );
  const tasks = withFirstAid(deps, turn, heard);
  const { dialogue } = deps;
  const isHeard = dialogue.sentencesIn(wordsIn(turn.state)).some((sentence) => {
    const guess = dialogue.guessAct(sentence, 'answered', turn.session.language);
    return (guess?.chanceOf('not_helpful', 'wrong_answer') ?? 0) >= UNHELPED;
  });
  const isUnhelped = isHeard || dialogue.insists(wordsIn(turn.state));
  const said = { unhelped: true, ...(isHeard ? { rejected: true } : {}) };
  const asked = isUnhelped ? tasks.map((task) => ({ ...task, ...said })) : tasks;
  const article = turn.state.dialogue?.article;
  if (!article || !deps.dialogue.turnsAway(wordsIn(turn.state), article.title)) return asked;
  return asked.map((task) => (task.about === article.title ? task : { ...task, except: article.title }));
}

/** Before a person is called for a message, what one article surely says of it. */
function withFirstAid(
  deps: GraphDeps,
  { classification, here, text }: RoutedTurn,
  tasks: readonly Task[],
): readonly Task[] {
  const isTold = tasks[0]?.about !== undefined || here.own != null || here.isTold === true;
  if (isTold || here.spoken || here.adds || deps.models.provider !== 'offline') return tasks;
  const about = articleBeforePerson(deps, classification, here.reading ?? null, text);
  if (about === null) return tasks;
  return [{ ...newTask(deps, text, 'knowledge'), about, only: true }, newTask(deps, text, ESCALATION_ROUTE)];
}

/** What rules are to answer instead of a model stays with the agent whose model it was: once for each task. */
function leftToRules({ tasks }: AgentResults): RoutingDecision | null {
  const task = tasks.findIndex(({ status, withoutModel }) => status === 'todo' && withoutModel === true);
  const agent = tasks[task]?.agent;
  return agent === undefined ? null : { kind: 'agent', task, agent, verbatim: false, rule: 'R19' };
}

function factsOf(
  deps: GraphDeps,
  { state, session, classification, text, focus, here, elsewhere }: RoutedTurn,
  current: AgentResults,
  names: boolean,
) {
  return {
    text,
    classification,
    tasks: current.tasks,
    focus,
    // What is surely asked of an article answers no question that is open: "how do I add the card?".
    isReply: !(here.only && here.isTold) && isReply(deps, focus, text, session),
    hops: current.route.length,
    maxHops: deps.maxHops,
    canAskModel: deps.models.provider === 'openai',
    settledReasons: session.settledReasons,
    addressed: addressedIn(session, deps.agents),
    inFocus:
      names ||
      deps.dialogue.corrects(text) ||
      // "I want to pause" names what is wanted, and nothing beside it.
      (deps.dialogue.asksFor(text) && deps.dialogue.changesNamed(text).length === 1) ||
      deps.dialogue.comparedIn(text) !== null ||
      (state.dialogue?.focus != null && deps.dialogue.read(text)?.points === true) ||
      (state.dialogue != null &&
        deps.dialogue.picksShown(text, state.dialogue, {
          now: deps.tools.clock.now(),
          language: session.language,
        })),
    isForAnother: session.life === 'grief' && deps.dialogue.ofAnother(text),
    spoken: spokenOf(here),
    adds: here.adds ?? null,
    leans:
      here.orders !== undefined ||
      here.own != null ||
      here.about !== null ||
      here.accepted !== null ||
      here.list != null,
    isTold:
      here.own != null ||
      here.isTold === true ||
      (here.about === null && !here.symptom && current.tasks[0]?.about !== undefined) ||
      (answersInput(deps, focus, text, session) && !deps.language.hintsAtDanger(text)),
    isSupposed: isOnlySupposed(deps, classification, text),
    elsewhere,
  };
}

/** True where nothing has happened, whatever tone it is asked in: "if you charge me twice, do I get it back?". */
function isOnlySupposed(
  { dialogue, language }: GraphDeps,
  { humanReason }: Classification,
  text: string,
): boolean {
  const isCalled = humanReason !== null && humanReason !== 'sentiment_priority';
  return (
    !isCalled && !language.hintsAtDanger(text) && dialogue.sentencesIn(text).every(dialogue.asksOnCondition)
  );
}

function spokenOf({ spoken }: InConversation): RoutingFacts['spoken'] {
  if (!spoken) return null;
  if (spoken.escalate) return 'unhelped';
  if (spoken.isExact) return 'exact';
  return spoken.isCertain ? 'certain' : 'answered';
}

function applyDecision(
  deps: GraphDeps,
  decision: Exclude<RoutingDecision, { kind: 'outside' }>,
  { tasks, drafts, route }: AgentResults,
  { session, focus, here: { spoken, beside } }: RoutedTurn,
  text: string,
): HubUpdate {
  const by = `rule:${decision.rule}`;
  switch (decision.kind) {
    case 'agent':
      return {
        drafts,
        ...(beside ? { dialogue: beside.state } : {}),
        tasks: activate(
          tasks,
          decision,
          decision.verbatim ? { text, ...(focus?.remote ? { remote: focus.remote } : {}) } : {},
        ),
        route: [...route, { to: decision.agent, by }],
        next: decision.agent,
      };
    case 'ask_model':
      return {
        drafts,
        tasks: activate(tasks, { task: decision.task, agent: BY_MODEL }, {}),
        route: [...route, { to: BY_MODEL, by }],
        next: BY_MODEL,
      };
    case 'clarify': {
      const asked = { agent: SUPERVISOR, intent: 'clarify', choices: [], attempts: 1 };
      const question = ownDraft(deps.tools.texts.for(session.language).say('clarify'), asked);
      return { tasks, drafts: [question], route: [...route, { to: 'customer', by }], next: 'review' };
    }
    case 'spoken': {
      const { text: words, state: dialogue } = spoken ?? { text: '', state: null };
      const drafts = [ownDraft(words, spoken?.focus ?? null)];
      return { tasks: [], drafts, dialogue, route: [...route, { to: 'customer', by }], next: 'review' };
    }
    case 'escalate':
      return {
        tasks: spoken?.passed
          ? [{ ...newTask(deps, spoken.passed, ESCALATION_ROUTE), passed: spoken.passed }]
          : tasks,
        drafts: spoken?.escalate ? [ownDraft(spoken.text, null)] : drafts,
        route: [...route, { to: 'escalation', by: `${by}:${decision.reason}` }],
        next: 'escalate',
      };
    default:
      return { tasks, drafts, route, next: 'review' };
  }
}

/** What the hub says by itself. */
function ownDraft(text: string, focus: Focus | null): Draft {
  return { agent: SUPERVISOR, text, provider: 'offline', focus, unanswered: false, paused: false };
}

/** @param more replaces what the task says, where the customer's own words count */
function activate(
  tasks: readonly Task[],
  { task: index, agent }: { readonly task: number; readonly agent: string },
  more: Partial<Task>,
): readonly Task[] {
  return tasks.map((task, at) =>
    at === index ? { ...task, agent, ...more, status: 'active' as const } : task,
  );
}
