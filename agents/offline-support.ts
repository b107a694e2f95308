import type { RecordFilters, RecordList } from '../src/core/domain/entity.js';
import { statusName, type Texts, type TimeFormat } from '../src/core/i18n/index.js';
import type { OfflinePolicy, OfflineStep, OfflineTurn } from '../src/core/ports/chat-models.js';
import { mergeFilters, type Nlu, narrowsNothing } from '../src/nlu/index.js';
import { isReply } from '../src/nlu/reply.js';
import { latestIn } from '../src/nlu/slots/ordinals.js';
import type { AgentContext, AgentDefinition, AgentRoster } from '../src/runtime/agent-definition.js';
import {
  type Asked,
  type CompanyAnswers,
  type Narrowed,
  narrowedTo,
} from '../src/runtime/company-answers.js';
import type { AnyTool, ListedRecord, ToolRoster } from '../src/runtime/define-tool.js';
import { dashed, isWithheld, openInputs, say } from '../src/runtime/offline-step.js';
import { callWith, givenBefore, ownText } from './offline-asking.js';

/** What the rule policies work with. */
export interface OfflineDeps {
  readonly nlu: Nlu;
  readonly time: TimeFormat;
  readonly texts: Texts;
  readonly roster: ToolRoster;
  readonly agents: AgentRoster;
  /** What the company answers with, by name of the agent. */
  readonly answers: CompanyAnswers;
}

/** An agent with its rules for when no model can be asked. */
export interface HubAgent extends AgentDefinition {
  offline(deps: OfflineDeps): OfflinePolicy;
}

/**
 * An agent as its folder describes it, given its tools; those and its name are the roster's to say. Without rules of its own
 * it calls the tool that does what is wanted, and says what that tool says.
 */
export type AgentSpec = (
  tools: readonly AnyTool[],
) => Omit<HubAgent, 'name' | 'offline' | 'prefetch'> & Partial<Pick<HubAgent, 'offline' | 'prefetch'>>;

/** The context the prompt middleware attached. @throws Error where the policy is used outside an agent */
export function contextIn(turn: OfflineTurn): AgentContext {
  if (turn.context === undefined) throw new Error('An offline policy was called without a context');
  return turn.context as AgentContext;
}

/** The tool that lists the customer's records of an entity; null where there is none. */
export function listingTool(tools: Iterable<AnyTool>, entity: string): AnyTool | null {
  for (const tool of tools) if (tool.lists?.entity === entity) return tool;
  return null;
}

/** The customer's records of an entity, as they were last listed for this task; none where they were not. */
export function recordsOf(
  { roster }: Pick<OfflineDeps, 'roster'>,
  { trace }: Pick<AgentContext, 'trace'>,
  entity: string,
): readonly ListedRecord[] {
  const tool = listingTool(roster.all.values(), entity);
  const entry = trace.findLast(({ tool: name, ok }) => ok && name === tool?.name);
  const output = entry && tool?.output.safeParse(entry.result);
  return output?.success ? (tool?.lists?.records(output.data) ?? []) : [];
}

/** A record as the slots of the language layer choose among. */
export function candidate({ place, amount, ...record }: ListedRecord) {
  const priced = amount ? { amount: amount.minorUnits } : {};
  return { ...record, ...priced, ...(place === null ? {} : { location: place }) };
}

/** The record that the text names; null where it names none, or several. "The first one" is counted in what was shown. */
export function namedIn(
  { nlu }: Pick<OfflineDeps, 'nlu'>,
  { task, session, now, dialogue }: AgentContext,
  records: readonly ListedRecord[],
  text = task.text,
): string | null {
  const shown = (dialogue?.shown ?? []).map(({ id }) => id);
  const listed = shown.filter((id) => records.some((record) => record.id === id));
  const options = {
    now: new Date(now),
    language: session.language,
    ...(listed.length > 0 ? { listed } : {}),
  };
  const picked = nlu.slots.selectCandidate(text, records.map(candidate), options);
  return picked.kind === 'one' && picked.by !== 'only' ? picked.id : null;
}

/**
 * Ids of the records that a request names by title, or that it points at: what it says itself first, then together with the one before
 * it, which a few words lean on. None where it names none.
 */
export function namedAmong(
  deps: Pick<OfflineDeps, 'nlu'>,
  context: AgentContext,
  records: readonly ListedRecord[],
): readonly string[] {
  for (const text of new Set([ownText(context), context.task.text])) {
    const one = namedIn(deps, context, records, text);
    if (one !== null) return [one];
    const options = { now: new Date(context.now), language: context.session.language };
    const picked = deps.nlu.slots.selectCandidate(text, records.map(candidate), options);
    if (picked.kind === 'many' && picked.by === 'title') return picked.ids;
  }
  const { focus } = context.dialogue ?? {};
  return focus != null && POINTS.test(context.task.text) && records.some(({ id }) => id === focus)
    ? [focus]
    : [];
}

/** What "it" stands for; in Spanish also behind its verb: "cancélala", "cancelarlo". */
export const POINTS =
  /\b(?:it|this|that|ela|ele|essa|esse|isso|la|lo|eso|esa|ese)\b|\p{L}*[áéíóú]\p{L}{0,3}[ae]l[oa](?!\p{L})|\p{L}{3,}[aei]rl[oa](?!\p{L})/iu;

/** A record in one line. */
export function recordLine(
  deps: Pick<OfflineDeps, 'texts' | 'time'>,
  { session }: AgentContext,
  entity: string,
  { title, startsAt, place, status, amount }: ListedRecord,
): string {
  const when = startsAt && deps.time.dateTime(startsAt, session.language);
  const texts = deps.texts.for(session.language);
  // What happens at no time is told by what it is worth: what is left on a gift card.
  const where = startsAt === null && amount ? texts.money(amount.minorUnits) : place;
  const name = statusName(texts, entity, status);
  return texts.say('record_line', { entity, title, when, place: where, status: name });
}

/** What a request narrows a list down to; a short message comes with the one before it, and changes what that said. */
function filtersOf(
  { session: { previousMessage: before }, task: { text, within } }: AgentContext,
  read: (text: string) => RecordFilters,
): RecordFilters {
  if (!before || !text.startsWith(before) || text === before) return read(within ?? text);
  return mergeFilters(read(before), read(text.slice(before.length)));
}

/** The intent that an agent's list answers; undefined where it has none such. */
function listingIntent(
  { nlu, roster, agents }: OfflineDeps,
  agent: string,
  { own, entity }: RecordList,
): string | undefined {
  const names = new Set((agents.find(agent)?.tools ?? []).map(({ name }) => name));
  return nlu.intents.names.find((name) => {
    const { tool: wanted, entity: of } = nlu.intents.of(name);
    const tool = wanted !== null && names.has(wanted) ? roster.all.get(wanted) : undefined;
    if (!tool?.lists || (tool.access === 'customer') !== own) return false;
    return entity === null || of === entity;
  });
}

/** The declared questions about the customer's own that a request asks, each once. */
function asksIn({ slots }: Nlu, text: string): readonly string[] {
  const asked = slots.sentencesOf(text).flatMap((sentence) => slots.readOwnAsked(sentence).questions);
  // What sentences alone have taught is left to who knows the conversation.
  const ruled = asked.flatMap((one) => one.ruled ?? [one]);
  return [...new Set(ruled.map(({ name }) => name))];
}

/** True where the request says what the hub asked for last, and asks for nothing else. */
function repliesIn({ nlu, roster }: OfflineDeps, { focus, task, session, now }: AgentContext): boolean {
  if (focus === null) return false;
  const question = { ...focus, now: new Date(now), ...openInputs(focus, roster.all.get(focus.intent)) };
  return isReply(nlu, task.text, session.language, question);
}

/** The request as the company's own answers see it. */
export function askedOf(
  deps: OfflineDeps,
  turn: OfflineTurn,
  context: AgentContext,
  answered = false,
): Asked {
  const { task, session, now } = context;
  const options = { now: new Date(now), language: session.language };
  const texts = deps.texts.for(session.language);
  const read = (text: string) => deps.nlu.slots.filters.read(text, options).filters;
  const narrowed = (text: string): Narrowed => {
    const own = read(text);
    const before = context.dialogue?.listed?.filters;
    return { own, merged: before ? mergeFilters(before, own) : own, narrows: !narrowsNothing(own) };
  };
  const guess = deps.nlu.classifyIntent(task.text, session.language);
  const filters = task.list?.filters ?? filtersOf(context, read);
  return {
    context,
    intent: task.list?.intent ?? (task.list && listingIntent(deps, context.agent, task.list)) ?? guess.intent,
    confidence: guess.confidence,
    filters,
    narrowed,
    narrows: (wanted) => !narrowsNothing(wanted),
    narrowedTo: (wanted) =>
      narrowedTo({ texts, time: deps.time, placeIn: deps.nlu.slots.filters.placeIn }, wanted, now),
    fits: (record, entity, wanted = filters) => deps.nlu.slots.filters.fits(record, wanted, entity),
    answered,
    replies: repliesIn(deps, context),
    toolNames: turn.toolNames,
    may(name) {
      const tool = deps.roster.all.get(name);
      return tool !== undefined && !isWithheld(context, tool);
    },
    call: (tool, known = {}, among = []) =>
      callWith(deps, context, tool, { ...givenBefore(context, tool), ...known }, () => among),
    texts,
    time: deps.time,
    dates: () => deps.nlu.slots.findDates(deps.nlu.slots.filters.plain(task.within ?? task.text), options),
    said: (entity, text = task.text) => deps.nlu.slots.saidOf(text, entity),
    asks: task.asks ?? asksIn(deps.nlu, task.text),
    own: ownText(context),
    latest: latestIn(task.text),
    unexplained: deps.nlu.slots.readList(task.text, options)?.rest ?? [],
    named: (records, text) => namedIn(deps, context, records, text),
  };
}

/** Changes that are listed at most. */
const MAX_CHANGES = 6;
/** What puts a thing on hold or ends that: no other change does it. */
const OF_ITS_OWN: ReadonlySet<string> = new Set(['pause', 'resume']);

/**
 * Says that there is no such change, with those that there are, where the words want one that the company does not make: to put one
 * thing in the place of another where all that can be done is to cancel it.
 * @param taken the change that the words were taken for; null where they were taken for none
 * @returns null where there is such a change
 */
export function noSuchChange(
  { nlu, roster, texts: of }: OfflineDeps,
  context: AgentContext,
  taken: AnyTool | null,
): OfflineStep | null {
  const { changes } = nlu.slots.answers;
  const { language } = context.session;
  const texts = of.for(language);
  const text = ownText(context);
  const named = changes.kindsIn(text);
  const own = changes.orderedIn(text).filter((kind) => OF_ITS_OWN.has(kind));
  const exchanges = named.length === 0 && changes.exchanges(text) && !nlu.slots.speaksOf(text, 'refund');
  if (context.focus !== null || !(exchanges || own.length > 0)) return null;
  const does = ({ label, asks }: AnyTool): boolean => {
    const kinds = Object.values(label ?? {}).flatMap((one) => changes.kindsIn(one));
    return kinds.length === 0 || (asks?.inputs ?? []).length > 1 || own.some((kind) => kinds.includes(kind));
  };
  const { actions } = roster;
  const isOf = ({ target }: (typeof actions)[number]): boolean =>
    target !== undefined && nlu.slots.isCalled(text, target.entity);
  const ofThis = actions.filter(isOf);
  if ((taken ? [taken] : actions).some(does) || (taken === null && ofThis.length === 0)) return null;
  const labels = (ofThis.length > 0 ? ofThis : actions)
    .slice(0, MAX_CHANGES)
    .flatMap(({ label }) => label?.[language] ?? []);
  return say(texts.say('no_such_change', { list: dashed(labels) }));
}
