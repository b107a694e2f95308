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
 * Where nobody is signed in there is no record to look a symptom up in: the help centre may know what to do. A symptom
 * that no skill is for goes to who knows most about it.
 */
export async function messageTasks(
  deps: GraphDeps,
  session: Session,
  classification: Classification,
  said: readonly Task[],
): Promise<readonly Task[]> {
  const { agents, tools, models } = deps;
  const { identity } = session;
  const isLookedInto = said.some(({ route }) => route === 'investigation');
  const tasks = said
    .filter((task) => !(isLookedInto && isOfSymptom(deps, task, session)))
    .map((task) =>
      isOfOtherSystem(deps, task, session) ||
      isTriggered(deps, task, session) ||
      (isOfSymptom(deps, task, session) && namesSymptom(deps, task.within ?? task.text, session))
        ? sentToSkills(task, agents)
        : task,
    )
    .flatMap((task) => symptomsOf(deps, task, session))
    .slice(0, MAX_TASKS);
  if (tasks.every(({ route }) => route !== 'investigation')) return tasks;
  // What conditions of triggers look at; the investigation picks by the same.
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
      // A model is given all procedures with their descriptions, and may choose one.
      if (models.provider === 'openai') return task;
      // Who cannot find something is helped by what to do rather than by all that is on record.
      const article = await plausibleArticle(deps, session, task.text);
      return article === null ? { ...task, agent: agents.fromRecord(task.route) } : toArticles(task, article);
    }),
  );
}

/** True for a change of some record, where none is named or spoken of: "charged twice, I want my money back" wants what is looked into. */
function isOfSymptom({ dialogue, language, tools }: GraphDeps, task: Task, { language: spoken }: Session) {
  const text = task.within ?? task.text;
  if (task.route !== 'action' || dialogue.speaksOfThings(text)) return false;
  const [likeliest] = [...language.chances(text, spoken)].sort(([, one], [, other]) => other - one);
  return Boolean(tools.roster.findAction(likeliest?.[0] ?? '')?.target);
}

/**
 * The symptoms of a request that is one to triage: a sentence that is certainly for another skill than the rest begins
 * another, and what is for none belongs to the one before it.
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
    const skillId = skillFor(segment, SURE);
    const last = parts.at(-1);
    const before = last?.skillId ?? (last && skillId !== null ? skillFor(last.text, 0) : null);
    if (!last || (skillId !== null && before !== null && before !== skillId)) {
      parts.push({ skillId, text: segment });
    } else {
      last.text += segment;
      last.skillId ??= skillId;
    }
  }
  // Words that no skill is certain of are a symptom of their own where the whole is looked into for the same.
  const [first] = parts;
  const isOne =
    parts.length < 2 ||
    !first ||
    (first.skillId === null && skillFor(first.text, 0) !== skillFor(task.text, 0));
  return isOne ? [task] : parts.map(({ text }) => ({ ...task, text: text.trim() }));
}

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Whether the text names in so many words what a skill is for: no guess of triage then, whatever an article says of it. */
export function namesSymptom({ tools }: GraphDeps, text: string, session: Session): boolean {
  if (session.identity.kind !== 'customer') return false;
  const { ranked } = tools.skills.pick({ text, among: skillsFor(tools, session) });
  return ranked[0]?.why.some((why) => why.startsWith('keyword')) ?? false;
}

/** Below this triage hardly guesses that something is broken. */
const HARDLY = 0.35;

/** Who argues about a rule wants it explained, and a mere guess tells of no fault: nothing is looked for that may be broken. */
export function tellsNoFault(
  { dialogue, models }: GraphDeps,
  text: string,
  { requests, confidence, humanReason }: Classification,
): boolean {
  const isSymptom = requests.some(({ route }) => route === 'investigation');
  if (models.provider !== 'offline' || !isSymptom || humanReason === 'requires_human') return false;
  return dialogue.argues(text) || (confidence < HARDLY && requests.length === 1);
}

function skillsFor({ skills }: GraphDeps['tools'], session: Session): readonly string[] {
  return skills
    .list()
    .filter((skill) => isForCustomers(skill, session))
    .map((skill) => skill.id);
}

/** Below this the company's intents do not say what a request is about. */
const SURE = 0.7;
/** The score of a skill of which three words in a row are named: that is no chance, whatever an intent makes of it. */
const NAMED = 0.16;
/** The score of one of which two words in a row are named. */
const PHRASED = 0.14;

/**
 * Whether a skill that asks other systems than the company's claims in so many words what the company's intents know nothing
 * of: the tracking of a container is no question to the help centre.
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
  if (best.score >= NAMED) return true;
  return tools.language.requests(text, session.language).every(({ confidence }) => confidence < SURE);
}

/**
 * Whether the keywords of a skill claim a request of which the company's sentences teach nothing: no intent is declared for
 * such a skill, so that its triggers alone decide. A single word sends nobody there who plainly asks for a look-up, and what is
 * to be changed is changed.
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
  if (route === 'knowledge' || best.score >= PHRASED) return true;
  return language.requests(text, session.language).every(({ confidence }) => confidence < SURE);
}

/** True where a text that is marked as no question names a change that is made to no record. */
export function ordersOfPlan({ dialogue, tools }: GraphDeps, text: string): boolean {
  const named = text.includes('?') ? [] : dialogue.changesNamed(text);
  return named.some(({ tool }) => tool !== null && !tools.roster.findAction(tool)?.target);
}

/** From here on triage is sure that a change is asked for. */
const SURE_ORDER = 0.7;
/** Of so many words it says no more than what is to be done. */
const ORDER_WORDS = 5;

/** True where nothing but a change by its name is asked for: "cancel it, I do not want it at that price" asks of no price. */
export function isPlainOrder(
  { agents, dialogue }: GraphDeps,
  heard: Classification | null,
  text: string,
): boolean {
  const [request, ...others] = heard?.requests ?? [];
  if (!heard || !request || others.length > 0 || heard.confidence < SURE_ORDER || text.includes('?'))
    return false;
  const isChange = request.route !== null && agents.changes(request.route);
  const [said = ''] = text.split(/[,.;!]/);
  return isChange && said.trim().split(/\s+/).length <= ORDER_WORDS && dialogue.changesNamed(said).length > 0;
}

/** From here on a sentence orders what a tool says of itself that it does. */
const ORDERS = 0.5;

/** True where a sentence orders what a tool says that it does: no sentence of the company is about that, then. */
export function ordersOfTool({ language, tools }: GraphDeps, session: Session, text: string): boolean {
  return language
    .requests(text, session.language)
    .some(
      ({ intent, confidence }) =>
        confidence >= ORDERS && tools.roster.actions.some(({ does }) => does?.includes(intent)),
    );
}

/** From here on a sentence tells of something that is looked into. */
const SYMPTOM = 0.5;

/** True where a sentence that asks nothing says in the words of a skill what is wrong: that is looked into. */
export function reportsFault(deps: GraphDeps, session: Session, text: string): boolean {
  const requests = deps.language.requests(text, session.language);
  const isSymptom = requests.some(
    ({ route, confidence }) => route === 'investigation' && confidence >= SYMPTOM,
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

/** Whether the triggers of any skill claim the symptom, or come near enough for a model to choose. */
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
 * The parts of a message as tasks; smalltalk is one task for the knowledge agent. Changes come last, the rest in the
 * order asked: a change waits for people, and the other answers must not wait with it.
 */
export function tasksOf(text: string, classification: Classification, agents: AgentRoster): readonly Task[] {
  const requests =
    classification.requests.length > 0 ? classification.requests : [{ text, route: 'knowledge' as const }];
  const tasks = requests.slice(0, MAX_TASKS).map((request) => ({
    text: request.text,
    ...(request.text !== text && (requests.length === 1 || leans(request.text)) ? { within: text } : {}),
    route: request.route,
    agent: agents.forRoute(request.route),
    status: 'todo' as const,
  }));
  const waits = (task: Task): boolean => agents.changes(task.route);
  return [...tasks.filter((task) => !waits(task)), ...tasks.filter(waits)];
}

const MAX_TASKS = 4;

/** Of so many words a part of a message may lean on the rest of it: "what can I do about that?". */
const LEANING_WORDS = 8;

function leans(part: string): boolean {
  return part.trim().split(/\s+/).length <= LEANING_WORDS;
}
