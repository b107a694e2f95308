import type { Choice, ToolTrace } from '../../src/core/domain/session.js';
import type { OfflineStep } from '../../src/core/ports/chat-models.js';
import { type Several, selectSeveral } from '../../src/dialogue/index.js';
import type { Selection } from '../../src/nlu/slots/index.js';
import { nameInOrder, titledIn, titledLike } from '../../src/nlu/titles.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import type { ActionTarget, ActionTool, ListedRecord } from '../../src/runtime/define-tool.js';
import {
  call,
  explainFailure,
  focusOn,
  isWithheld,
  lastCall,
  numbered,
  say,
} from '../../src/runtime/offline-step.js';
import {
  candidate,
  listingTool,
  type OfflineDeps,
  POINTS,
  recordLine,
  recordsOf,
} from '../offline-support.js';
import { daysIn, orderIn, startingAfter, sumPointedAt } from './offline-numbers.js';
import { orders, othersSpokenOf, placeBeside } from './offline-others.js';

/** A change that is made to a record. */
type TargetTool = ActionTool & { readonly target: ActionTarget };

/** Records that are listed with a question at most. */
export const MAX_LISTED = 8;
const MAX_ATTEMPTS = 3;
/** Of so many words at most an order may name nothing. */
const BARE_WORDS = 4;
const NONE_NAMED: Several = { ids: [], among: [] };

/**
 * Finds the one record the customer means, or asks which. The rules themselves decide whether it may be changed: a record
 * that is named clearly goes to the tool even where the rules will refuse it, so that the customer learns the reason.
 * @param isOrdered true where the words put one into something: none is to stay as it is
 */
export function targetStep(
  deps: OfflineDeps,
  context: AgentContext,
  tool: TargetTool,
  isOrdered = false,
): OfflineStep {
  const { target } = tool;
  const list = listingTool(deps.roster.all.values(), target.entity);
  const listed = list && lastCall(context, list.name);
  if (list && !listed) return call(list.name);
  // One that is named by its id goes to the tool, also where the list may not be seen.
  if (listed?.ok === false && deps.nlu.slots.ids.find(context.task.text).length === 0)
    return explainFailure(deps, context, listed);
  const all = recordsOf(deps, context, target.entity);
  const eligible = target.eligible(all, saidIn(deps, context, target));
  const texts = deps.texts.for(context.session.language);
  const read: Several = isOrdered ? { ids: [], among: [] } : severalOf(deps, context, eligible);
  // "I want to drop Elis, my sister cannot come": what only the reason for it sounds like is no wish to keep it.
  const isWanted = read.onlyKept === true && orders(deps, context, tool.name);
  const several: Several = isWanted ? { ids: [], among: [] } : read;
  if (several.onlyKept) return say(texts.say('nothing_changed'));
  const chosen = choose(deps, context, { target, several, eligible, all });
  if (chosen.kind === 'one') return callFor(tool, all, chosen.id);
  // Whoever may do it to none is not asked to which.
  if (isWithheld(context, tool)) return say(texts.sayOf('refusal', 'scope_missing'));
  const about = { tool: tool.name, entity: target.entity };
  // Where there is nothing at all, no words are the name of anything.
  if (eligible.length === 0 && (chosen.mentioned === null || all.length === 0)) {
    // The rules say why the only one, or the one that is pointed at, cannot be.
    const pointed = POINTS.test(context.task.text) ? context.dialogue?.focus : null;
    const only = all.length === 1 ? all[0] : all.find(({ id }) => id === pointed);
    return only ? callFor(tool, all, only.id) : say(texts.say('none_for', about));
  }
  // What was listed is asked about again, not what else there is.
  const before = context.focus?.intent === tool.name ? pick(eligible, listedIn(context)) : [];
  const some = chosen.among.length > 0 ? chosen.among : before;
  const shown = (some.length > 0 ? some : eligible).slice(0, MAX_LISTED);
  const lines = numbered(shown.map((record) => recordLine(deps, context, target.entity, record)));
  const next = focusOn(context, 'action', tool.name, shown.map(toChoice));
  if (next.attempts > MAX_ATTEMPTS) return say('', { unanswered: true });
  if (chosen.mentioned !== null) {
    const { entity } = target;
    const list = shown.length === 0 ? null : lines;
    const by = daysIn(deps, context, chosen.mentioned);
    return say(texts.say('no_such_one', { entity, mentioned: chosen.mentioned, list, by }), { focus: next });
  }
  return say(texts.say('which_one', { ...about, list: lines }), { focus: next });
}

/** True where the text names a record to come by title, date or place, and not what the customer has one of. */
export function namesRecord(deps: OfflineDeps, context: AgentContext): boolean {
  const { text } = context.task;
  if (deps.nlu.slots.speaksOfSingle(text)) return false;
  // Only what there are several of can be compared.
  if (deps.nlu.slots.comparedIn(text) !== null) return true;
  if (context.dialogue?.focus != null && POINTS.test(text)) return true;
  const entities = new Set(deps.roster.actions.flatMap(({ target }) => (target ? [target.entity] : [])));
  const shown = (context.dialogue?.shown ?? []).filter(({ entity }) => entities.has(entity));
  if (shown.length > 1 && countsIn(deps, context, shown.map(toChoice))) return true;
  const records = [...entities].flatMap((entity) => recordsOf(deps, context, entity));
  const selection = deps.nlu.slots.selectCandidate(
    text,
    records.filter(({ upcoming }) => upcoming).map(candidate),
    optionsOf(context),
  );
  return (
    selection.kind === 'one' &&
    (selection.by === 'title' || selection.by === 'date' || selection.by === 'location')
  );
}

/** True where the text says by their places which of a list are meant: "the first two". */
function countsIn({ nlu }: OfflineDeps, context: AgentContext, list: readonly Choice[]): boolean {
  const options = { ...optionsOf(context), listed: list.map(({ id }) => id) };
  const picked = nlu.slots.selectCandidate(context.task.text, list, options);
  if (picked.kind === 'one') return picked.by === 'ordinal';
  return selectSeveral(nlu, context.task.text, list, options).ids.length > 1;
}

/**
 * "All of them": the next one that was not tried, until the program may do it to none, or the customer says no to one of those that
 * were not named each for itself.
 * @returns null where one was meant, or all are done
 */
export function nextTarget(
  deps: OfflineDeps,
  context: AgentContext,
  done: readonly ToolTrace[],
): OfflineStep | null {
  const tool = deps.roster.findAction(done.at(-1)?.tool ?? '');
  const target = tool?.target;
  if (!tool || !target) return null;
  if (done.some(({ code }) => code === 'scope_missing')) return null;
  const eligible = target.eligible(recordsOf(deps, context, target.entity), saidIn(deps, context, target));
  const { ids, named } = severalOf(deps, context, eligible);
  if (!named && done.some(({ code }) => code === 'confirmation_rejected')) return null;
  const tried = new Set(done.map((entry) => entry.args[target.input]));
  const next = ids.find((id) => !tried.has(id));
  return next === undefined ? null : call(tool.name, { [target.input]: next });
}

/** The records that are meant where it is more than one; what the agent listed last is all there is to choose from. */
function severalOf(deps: OfflineDeps, context: AgentContext, eligible: readonly ListedRecord[]): Several {
  const { text } = context.task;
  if (deps.nlu.slots.readCorrection(text) !== null) return NONE_NAMED;
  const candidates = eligible.map(candidate);
  const several = selectSeveral(deps.nlu, text, candidates, selectionOf(context));
  const { ids, among } = several;
  const others = ids.length + (several.kept ?? []).length > 0 ? [] : othersSpokenOf(deps, context, eligible);
  if (others.length > 0) return { ...several, ids: others };
  return { ...several, ids: meant(ids, listedIn(context)), among: meant(among, listedIn(context)) };
}

/** A choice is read by the list that the agent showed, else by what the conversation showed last. */
function selectionOf(context: AgentContext) {
  const listed = listedIn(context);
  const shown = (context.dialogue?.shown ?? []).map(({ id }) => id);
  const by = listed.length > 0 ? listed : shown;
  // One alone is no list to count in.
  return { ...optionsOf(context), ...(by.length > 1 || listed.length > 0 ? { listed: by } : {}) };
}

/** "Both" is said of what was listed, where something was. */
function meant(ids: readonly string[], listed: readonly string[]): readonly string[] {
  return listed.length > 0 ? ids.filter((id) => listed.includes(id)) : ids;
}

type Chosen =
  | { readonly kind: 'one'; readonly id: string }
  | {
      readonly kind: 'unclear';
      readonly among: readonly ListedRecord[];
      readonly mentioned: string | null;
    };

/** What is chosen from, with what the text says of several. */
interface Choosable {
  readonly target: ActionTarget;
  readonly several: Several;
  readonly eligible: readonly ListedRecord[];
  readonly all: readonly ListedRecord[];
}

function choose(
  deps: OfflineDeps,
  context: AgentContext,
  { target, several, eligible, all }: Choosable,
): Chosen {
  const { slots } = deps.nlu;
  const { ids, among, rest } = several;
  if (ids[0] !== undefined) return { kind: 'one', id: ids[0] };
  if (among.length > 0) return { kind: 'unclear', among: pick(eligible, among), mentioned: null };
  const said = slots.readCorrection(context.task.text)?.after ?? rest ?? context.task.text;
  const text = orderIn(deps, said, eligible.map(candidate), optionsOf(context));
  const [id] = slots.ids.find(text);
  // An id that is not among the customer's own goes to the tool too: it answers "not found", no matter who owns it.
  if (id) return { kind: 'one', id };
  const listed = listedIn(context);
  const options = selectionOf(context);
  const offered = eligible.filter((record) => listed.includes(record.id));
  // A plain yes to an offer of one thing is about that thing.
  const agrees = slots.readYesNo(text, context.session.language).kind === 'yes';
  if (offered.length === 1 && offered[0] && agrees) return { kind: 'one', id: offered[0].id };
  const first = slots.selectCandidate(text, eligible.map(candidate), options);
  // "Work" and "January" are everyday words, and titles too.
  const titled =
    first.kind === 'one' && first.by !== 'date'
      ? null
      : (titledIn(text, all) ??
        (text.trim().split(/\s+/).length > BARE_WORDS ? null : titledLike(deps.nlu, text, eligible)));
  if (titled !== null) return { kind: 'one', id: titled };
  const second = slots.selectCandidate(text, all.map(candidate), options);
  // What is named is meant, also where that has been cancelled: never the only other one for it.
  const named = second.kind !== 'none' && second.kind !== 'all' && second.by === 'title' ? idsOf(second) : [];
  // "The one on 29.11" is found by its day: such figures are no sum.
  const isGuess = first.kind === 'none' || (first.kind === 'one' && first.by === 'only');
  const sum = named.length === 0 ? sumPointedAt(deps, context, eligible, isGuess) : null;
  if (sum)
    return sum.id === null
      ? { kind: 'unclear', among: [], mentioned: sum.said }
      : { kind: 'one', id: sum.id };
  const [next] = startingAfter(context.now, all, named);
  if (next && isGuess) return { kind: 'one', id: next.id };
  // Who names what it cannot be done to means neither the only other one nor one that shares a word with it.
  const isLess = isGuess || (first.kind !== 'all' && 'by' in first && first.by === 'title');
  if (isLess && second.kind === 'one' && second.by === 'title') return { kind: 'one', id: second.id };
  const elsewhere =
    first.kind === 'one' && first.by === 'only'
      ? placeBeside(
          deps,
          context,
          eligible.find(({ id }) => id === first.id),
        )
      : null;
  if (elsewhere !== null) return { kind: 'unclear', among: [], mentioned: elsewhere };
  if (first.kind === 'one') return { kind: 'one', id: first.id };
  if (first.kind === 'many') return { kind: 'unclear', among: pick(eligible, first.ids), mentioned: null };
  // What has become of it says which one is meant, and is no name.
  const isKnown = saidIn(deps, context, target).size > 0;
  const isNone = first.kind === 'none' && !isKnown;
  const mentioned = isNone
    ? (first.mentioned ?? (listed.length > 0 ? null : nameInOrder(deps.nlu, text)))
    : null;
  // What it cannot be done to is meant where its title says so: the rules say why not.
  if (second.kind === 'one' && second.by === 'title') return { kind: 'one', id: second.id };
  if (mentioned === null) {
    // What was listed is all there is to choose from.
    const open = offered.length > 0 ? offered : eligible;
    const inFocus = open.find((record) => record.id === context.dialogue?.focus);
    // "Go ahead and cancel" names nothing: what was just spoken of is meant.
    const words = text.trim().split(/\s+/);
    const isBare = words.length <= BARE_WORDS && !words.some((word) => slots.isThing(word.toLowerCase()));
    if (inFocus && (isBare || POINTS.test(text))) return { kind: 'one', id: inFocus.id };
    const [only, ...others] = eligible;
    if (!only || others.length > 0) return { kind: 'unclear', among: [], mentioned: null };
    const elsewhere = placeBeside(deps, context, only);
    return elsewhere === null
      ? { kind: 'one', id: only.id }
      : { kind: 'unclear', among: [], mentioned: elsewhere };
  }
  if (second.kind === 'one') return { kind: 'one', id: second.id };
  if (second.kind === 'many') return { kind: 'unclear', among: pick(all, second.ids), mentioned: null };
  return { kind: 'unclear', among: [], mentioned };
}

function callFor({ name, target }: TargetTool, all: readonly ListedRecord[], id: string): OfflineStep {
  const record = all.find((one) => one.id === id);
  return call((record && target.instead?.(record)) ?? name, { [target.input]: id });
}

function saidIn(deps: OfflineDeps, { task }: AgentContext, { entity }: ActionTarget): ReadonlySet<string> {
  return deps.nlu.slots.saidOf(task.text, entity);
}

function optionsOf({ now, session }: AgentContext) {
  return { now: new Date(now), language: session.language };
}

function listedIn({ focus }: AgentContext): readonly string[] {
  return (focus?.choices ?? []).map(({ id }) => id);
}

function pick(from: readonly ListedRecord[], ids: readonly string[]): readonly ListedRecord[] {
  return from.filter(({ id }) => ids.includes(id));
}

function idsOf(selection: Extract<Selection, { readonly kind: 'one' | 'many' }>): readonly string[] {
  return selection.kind === 'one' ? [selection.id] : selection.ids;
}

function toChoice({ id, title, startsAt }: Choice): Choice {
  return { id, title, startsAt };
}
