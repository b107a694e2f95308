import { issueTypeOf } from '../core/domain/company.js';
import type { JsonObject } from '../core/domain/json.js';
import type { Session, Task } from '../core/domain/session.js';
import type { Route } from '../core/domain/taxonomy.js';
import type { Classification } from '../core/domain/ticket.js';
import type { AgentRoster } from '../runtime/agent-definition.js';
import { isForCustomers } from '../runtime/caller-facts.js';
import { plausibleArticle } from './article-meant.js';
import type { GraphDeps } from './graph-deps.js';

/**
 * The tasks of a message with its symptoms divided by skill. A symptom goes to the skill for it; without such a skill, or for a visitor
 * who has no records, it goes to an article or to the customer's records.
 * @param said the tasks before symptoms are considered
 */
export async function messageTasks(
  deps: GraphDeps,
  session: Session,
  classification: Classification,
  requested: readonly Task[],
): Promise<readonly Task[]> {
  const { agents, tools, models } = deps;
  const { identity } = session;
  const hasSymptom = requested.some(({ route }) => route === 'investigation');
  const tasks = requested
    .filter((task) => !(hasSymptom && isRemedy(deps, task, session)))
    .map((task) =>
      isOfOtherSystem(deps, task, session) ||
      isTriggered(deps, task, session) ||
      (isRemedy(deps, task, session) && namesSymptom(deps, task.within ?? task.text, session))
        ? sentToSkills(task, agents)
        : task,
    )
    .flatMap((task) => symptomsOf(deps, task, session))
    .slice(0, MAX_TASKS);
  if (tasks.every(({ route }) => route !== 'investigation')) return tasks;
  // The facts that trigger conditions use, here as in the investigation.
  const customer = identity.kind === 'customer' ? await tools.customers.facts(identity.customerId) : null;
  const toArticles = (task: Task, about?: string): Task => ({
    ...task,
    ...(about === undefined ? {} : { about }),
    agent: agents.forRoute('knowledge'),
  });
  return Promise.all(
    tasks.map(async (task) => {
      if (task.route !== 'investigation') return task;
      if (identity.kind !== 'customer') return toArticles(task);
      if (hasSkill(deps, task.text, session, classification, customer ? { customer } : {})) return task;
      const { explained } = issueTypeOf(tools.company, classification.issueType);
      if (explained) return toArticles(task);
      // A model may choose any procedure by its description.
      if (models.provider === 'openai') return task;
      // Instructions help a customer who cannot find something more than a list of their records.
      const article = await plausibleArticle(deps, session, task.text);
      return article === null ? { ...task, agent: agents.fromRecord(task.route) } : toArticles(task, article);
    }),
  );
}

/** True for a change of a record that the message does not mention: in "charged twice, I want my money back" it is the remedy of the symptom. */
function isRemedy(
  { dialogue, language, tools }: GraphDeps,
  task: Task,
  { language: customerLanguage }: Session,
) {
  const text = task.within ?? task.text;
  if (task.route !== 'action' || dialogue.speaksOfThings(text)) return false;
  const [likeliest] = [...language.chances(text, customerLanguage)].sort(([, one], [, other]) => other - one);
  return Boolean(tools.roster.findAction(likeliest?.[0] ?? '')?.target);
}

/**
 * The symptoms of a request that triage found as one. A sentence that is certainly for another skill begins another symptom; a sentence
 * for no skill belongs to the symptom before it.
 */
function symptomsOf({ tools }: GraphDeps, task: Task, session: Session): readonly Task[] {
  if (task.route !== 'investigation' || session.identity.kind !== 'customer') return [task];
  const among = skillsFor(tools, session);
  const skillFor = (text: string, from: number): string | null => {
    const requests = tools.language.requests(text, session.language);
    const intents = requests.filter(({ confidence }) => confidence >= from).map(({ intent }) => intent);
    const { kind, ranked } = tools.skills.pick({ text, intents, among });
    return kind === 'one' ? (ranked[0]?.skillId ?? null) : null;
  };
  const parts: { skillId: string | null; text: string }[] = [];
  for (const { segment } of SENTENCES.segment(task.text)) {
    const skillId = skillFor(segment, CERTAIN_INTENT);
    const last = parts.at(-1);
    const before = last?.skillId ?? (last && skillId !== null ? skillFor(last.text, 0) : null);
    if (!last || (skillId !== null && before !== null && before !== skillId)) {
      parts.push({ skillId, text: segment });
    } else {
      last.text += segment;
      last.skillId ??= skillId;
    }
  }
  // An opening that is for no certain skill stays with the rest, unless its likeliest skill is that of the whole.
  const [first] = parts;
  const isOne =
    parts.length < 2 ||
    !first ||
    (first.skillId === null && skillFor(first.text, 0) !== skillFor(task.text, 0));
  return isOne ? [task] : parts.map(({ text }) => ({ ...task, text: text.trim() }));
}

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/** True where the text contains keywords of a skill: the symptom is certain then, whatever articles say about it. */
export function namesSymptom({ tools }: GraphDeps, text: string, session: Session): boolean {
  if (session.identity.kind !== 'customer') return false;
  const { ranked } = tools.skills.pick({ text, among: skillsFor(tools, session) });
  return ranked[0]?.why.some((why) => why.startsWith('keyword')) ?? false;
}

/** Confidence below which a fault is a mere guess of triage. */
const MIN_FAULT = 0.35;

/** True where a message that triage takes for a symptom needs no investigation: the customer disputes a rule, or triage only guesses. */
export function tellsNoFault(
  { dialogue, models }: GraphDeps,
  text: string,
  { requests, confidence, humanReason }: Classification,
): boolean {
  const isSymptom = requests.some(({ route }) => route === 'investigation');
  if (models.provider !== 'offline' || !isSymptom || humanReason === 'requires_human') return false;
  return dialogue.argues(text) || (confidence < MIN_FAULT && requests.length === 1);
}

function skillsFor({ skills }: GraphDeps['tools'], session: Session): readonly string[] {
  return skills
    .list()
    .filter((skill) => isForCustomers(skill, session))
    .map((skill) => skill.id);
}

/** Minimum confidence for an intent to be certain. */
const CERTAIN_INTENT = 0.7;
/** Score of a skill of which a keyword of three words occurs: no coincidence, whatever the intents say. */
const THREE_WORDS = 0.16;
/** Score of a skill of which a keyword of two words occurs. */
const TWO_WORDS = 0.14;

/**
 * True where keywords of a skill for systems other than the company's occur in a request that no intent of the company explains: the
 * tracking of a container is no question for the help centre.
 */
function isOfOtherSystem({ tools }: GraphDeps, { route, text }: Task, session: Session): boolean {
  if (route !== 'knowledge' || session.identity.kind !== 'customer') return false;
  const among = tools.skills
    .list()
    .filter((skill) => skill.reach === 'everybody' && isForCustomers(skill, session))
    .map((skill) => skill.id);
  if (among.length === 0) return false;
  const { kind, ranked } = tools.skills.pick({ text, among });
  const [best] = ranked;
  if (kind !== 'one' || !best?.why.some((why) => why.startsWith('keyword'))) return false;
  if (best.score >= THREE_WORDS) return true;
  return tools.language
    .requests(text, session.language)
    .every(({ confidence }) => confidence < CERTAIN_INTENT);
}

/**
 * True where keywords of a skill without an intent of its own occur in a question or a look-up: its triggers alone decide. One word is
 * not enough to turn a certain look-up into an investigation, and changes are never turned into one.
 */
export function isTriggered(
  { tools, agents }: GraphDeps,
  { route, text }: Pick<Task, 'route' | 'text'>,
  session: Session,
): boolean {
  if ((route !== 'knowledge' && route !== 'account') || session.identity.kind !== 'customer') return false;
  if (!agents.routes.includes('investigation')) return false;
  const { language, skills } = tools;
  const open = skillsFor(tools, session);
  const taught = skills.pick({ text: '', intents: language.symptoms, among: open });
  const among = open.filter((id) => !taught.ranked.some(({ skillId }) => skillId === id));
  if (among.length === 0) return false;
  const { kind, ranked } = skills.pick({ text, among });
  const [best] = ranked;
  if (kind !== 'one' || !best?.why.some((why) => why.startsWith('keyword'))) return false;
  if (route === 'knowledge' || best.score >= TWO_WORDS) return true;
  return language.requests(text, session.language).every(({ confidence }) => confidence < CERTAIN_INTENT);
}

/** True where a text without a question mark names a change that applies to no particular record, such as one of the plan. */
export function ordersOfPlan({ dialogue, tools }: GraphDeps, text: string): boolean {
  const named = text.includes('?') ? [] : dialogue.changesNamed(text);
  return named.some(({ tool }) => tool !== null && !tools.roster.findAction(tool)?.target);
}

/** Minimum confidence of triage for a change to be certain. */
const CERTAIN_CHANGE = 0.7;
/** Maximum number of words in an order that contains nothing else. */
const MAX_ORDER_WORDS = 5;

/** True where a message only orders a change by name: "cancel it, I do not want it at that price" asks nothing about the price. */
export function isPlainOrder(
  { agents, dialogue }: GraphDeps,
  classification: Classification | null,
  text: string,
): boolean {
  const [request, ...others] = classification?.requests ?? [];
  if (
    !classification ||
    !request ||
    others.length > 0 ||
    classification.confidence < CERTAIN_CHANGE ||
    text.includes('?')
  )
    return false;
  const isChange = request.route !== null && agents.changes(request.route);
  const [order = ''] = text.split(/[,.;!]/);
  return (
    isChange && order.trim().split(/\s+/).length <= MAX_ORDER_WORDS && dialogue.changesNamed(order).length > 0
  );
}

/** Minimum confidence for a sentence to order what a tool does. */
const MIN_ORDER = 0.5;

/** True where a sentence orders an intent that a tool declares as its own effect. */
export function ordersOfTool({ language, tools }: GraphDeps, session: Session, text: string): boolean {
  return language
    .requests(text, session.language)
    .some(
      ({ intent, confidence }) =>
        confidence >= MIN_ORDER && tools.roster.actions.some(({ does }) => does?.includes(intent)),
    );
}

/** Minimum confidence for a sentence to report a symptom. */
const MIN_SYMPTOM = 0.5;

/** True where a sentence reports a symptom, by its intent or by keywords of a skill. */
export function reportsFault(deps: GraphDeps, session: Session, text: string): boolean {
  const requests = deps.language.requests(text, session.language);
  const isSymptom = requests.some(
    ({ route, confidence }) => route === 'investigation' && confidence >= MIN_SYMPTOM,
  );
  return isSymptom || namesSymptom(deps, text, session);
}

/** A message as one task of a route. */
export function newTask({ agents }: Pick<GraphDeps, 'agents'>, text: string, route: Route): Task {
  return { text, route, agent: agents.forRoute(route), status: 'todo' };
}

function sentToSkills(task: Task, agents: AgentRoster): Task {
  return { ...task, route: 'investigation', agent: agents.forRoute('investigation') };
}

/** True where triggers of a skill match the symptom, or nearly match so that a model may choose the skill. */
function hasSkill(
  { tools, models }: GraphDeps,
  text: string,
  session: Session,
  { issueType }: Classification,
  facts: JsonObject,
): boolean {
  const among = skillsFor(tools, session);
  if (among.length === 0) return false;
  const intents = tools.language.requests(text, session.language).map((request) => request.intent);
  const pick = tools.skills.pick({ text, intents, issueCategory: issueType, facts, among });
  return pick.kind !== 'none' || (models.provider === 'openai' && pick.ranked.length > 0);
}

/**
 * The requests of a message as tasks; small talk is one task for the knowledge agent. Changes come last, because they wait for a
 * confirmation and the other answers must not wait with them.
 */
export function tasksOf(text: string, classification: Classification, agents: AgentRoster): readonly Task[] {
  const requests =
    classification.requests.length > 0 ? classification.requests : [{ text, route: 'knowledge' as const }];
  const tasks = requests.slice(0, MAX_TASKS).map((request) => ({
    text: request.text,
    ...(request.text !== text && (requests.length === 1 || mayRefer(request.text)) ? { within: text } : {}),
    route: request.route,
    agent: agents.forRoute(request.route),
    status: 'todo' as const,
  }));
  const isChange = (task: Task): boolean => agents.changes(task.route);
  return [...tasks.filter((task) => !isChange(task)), ...tasks.filter(isChange)];
}

const MAX_TASKS = 4;

/** Maximum number of words in a part that may refer to the rest of its message: "what can I do about that?". */
const MAX_REFERRING_WORDS = 8;

function mayRefer(part: string): boolean {
  return part.trim().split(/\s+/).length <= MAX_REFERRING_WORDS;
}
