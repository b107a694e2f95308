import type { AskedInput } from '../../src/core/domain/entity.js';
import type { Focus } from '../../src/core/domain/session.js';
import type { OfflineStep } from '../../src/core/ports/chat-models.js';
import { ordersInto } from '../../src/nlu/reply.js';
import { leadsOf, type Selection } from '../../src/nlu/slots/index.js';
import { titledIn, titledLike } from '../../src/nlu/titles.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import type { ActionTool, ListedRecord } from '../../src/runtime/define-tool.js';
import { call, explainFailure, inputAsked, lastCall } from '../../src/runtime/offline-step.js';
import { callWith, givenBefore, type Listed, saidOfInputs } from '../offline-asking.js';
import { candidate, listingTool, type OfflineDeps, recordLine, recordsOf } from '../offline-support.js';
import { MAX_LISTED, targetStep } from './offline-target.js';

type RecordInput = AskedInput & { readonly reading: { readonly kind: 'record'; readonly entity: string } };

/** A change with inputs beside its record: the record first, then what is missing, each asked for by itself. */
export function withInputs(deps: OfflineDeps, context: AgentContext, tool: ActionTool): OfflineStep {
  const before = givenBefore(context, tool);
  const { target } = tool;
  const others = (tool.asks?.inputs ?? []).filter(isRecordInput);
  for (const { reading, required } of others) {
    const list = listingTool(deps.roster.all.values(), reading.entity);
    const listed = list && lastCall(context, list.name);
    if (list && !listed) return call(list.name);
    if (listed?.ok === false && required) return explainFailure(deps, context, listed);
  }
  const beside = recordsBeside(deps, context, tool, others);
  const rest = { ...context, task: { ...context.task, text: beside.text } };
  const known = { ...before, ...beside.given };
  const next = (args: Readonly<Record<string, unknown>>): OfflineStep =>
    callWith(deps, rest, tool, args, (missing) => listFor(deps, context, missing, beside.among));
  if (!target) return next(known);
  const said = { ...saidOfInputs(deps, rest, tool), ...beside.given };
  const answers = inputAsked(context.focus, tool) !== null || Object.keys(said).length > 0;
  // A value that was asked for is no name of another record.
  if (answers && Object.hasOwn(before, target.input) && deps.nlu.slots.ids.find(beside.text).length === 0)
    return next(known);
  // What a value is called is no name of a record, and the day that one is moved to is not the day it is on.
  const options = { now: new Date(context.now), language: context.session.language };
  const asked = inputAsked(context.focus, tool)?.name ?? null;
  const text = deps.nlu.slots.withoutInputs(beside.text, tool.asks?.inputs ?? [], { ...options, asked });
  const step = targetStep(
    deps,
    { ...context, task: { ...context.task, text } },
    { ...tool, target },
    isInto(deps, context, tool),
  );
  if (step.kind === 'call' && step.tool === tool.name) return next({ ...known, ...step.args });
  const hub = step.kind === 'say' ? (step.metadata?.hub as { focus?: Focus | null } | undefined) : undefined;
  if (step.kind !== 'say' || !hub?.focus) return step;
  return { ...step, metadata: { hub: { ...hub, focus: { ...hub.focus, args: { ...before, ...said } } } } };
}

/** True where the words put a record into one of the choices of a change. */
export function isInto(
  { nlu }: OfflineDeps,
  { task, session, now }: AgentContext,
  { asks }: ActionTool,
): boolean {
  return ordersInto(nlu, task.text, asks?.inputs ?? [], { now: new Date(now), language: session.language });
}

const isRecordInput = (input: AskedInput): input is RecordInput => input.reading.kind === 'record';

/** What a message says of the records that a change takes beside its own, and the text without them. */
interface Beside {
  readonly given: Readonly<Record<string, string>>;
  /** By input, those that the words leave open. */
  readonly among: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
}

function recordsBeside(
  deps: OfflineDeps,
  context: AgentContext,
  tool: ActionTool,
  inputs: readonly RecordInput[],
): Beside {
  const asked = inputAsked(context.focus, tool)?.name;
  const given: Record<string, string> = {};
  const among = new Map<string, readonly string[]>();
  let { text } = context.task;
  for (const { name, reading } of inputs) {
    const records = recordsOf(deps, context, reading.entity);
    const found =
      name === asked
        ? {
            picked: pickedIn(deps, context, records, text, true),
            rest: withoutIds(deps, text, reading.entity),
          }
        : saidBeside(deps, context, tool, { records, entity: reading.entity, text });
    if (found === null) continue;
    if (found.picked.kind === 'one') given[name] = found.picked.id;
    else if (found.picked.kind === 'many') among.set(name, found.picked.ids);
    text = found.rest;
  }
  return { given, among, text };
}

/** Which one a text means. @param replies true where they were listed just now, so that a place or a day alone says it */
function pickedIn(
  { nlu }: OfflineDeps,
  { now, session, focus }: AgentContext,
  records: readonly ListedRecord[],
  text: string,
  replies: boolean,
): Selection {
  const listed = replies ? (focus?.choices ?? []).map(({ id }) => id) : [];
  const options = {
    ...{ now: new Date(now), language: session.language },
    ...(listed.length > 0 ? { listed } : {}),
  };
  const picked = nlu.slots.selectCandidate(text, records.map(candidate), options);
  if (picked.kind === 'one' && picked.by !== 'only') return picked;
  const titled = titledLike(nlu, text, records) ?? titledIn(text, records);
  if (titled !== null) return { kind: 'one', id: titled, by: 'title', confidence: 1 };
  return picked.kind === 'many' ? picked : { kind: 'none', mentioned: null };
}

/**
 * What is named beside the record that is changed: by its id, by what "to" or "on" leads to, or by a title that is not
 * that of the record.
 */
function saidBeside(
  deps: OfflineDeps,
  context: AgentContext,
  tool: ActionTool,
  {
    records,
    entity,
    text,
  }: { readonly records: readonly ListedRecord[]; readonly entity: string; readonly text: string },
): { readonly picked: Selection; readonly rest: string } | null {
  const isOfTarget = tool.target?.entity === entity;
  const [id] = isOfTarget ? [] : deps.nlu.slots.ids.find(text, entity);
  if (id !== undefined)
    return { picked: { kind: 'one', id, by: 'id', confidence: 1 }, rest: withoutIds(deps, text, entity) };
  for (const { head, tail } of leadsOf(text)) {
    const picked = pickedIn(deps, context, records, tail, false);
    // "Another tier" names none, and no record of another kind either.
    if (picked.kind !== 'none' || deps.nlu.slots.isCalled(tail, entity)) return { picked, rest: head };
  }
  if (isOfTarget) return null;
  const own = tool.target ? recordsOf(deps, context, tool.target.entity) : [];
  const apart = withoutTitle(text, named(deps, context, own, text));
  const picked = pickedIn(deps, context, records, apart, false);
  if (picked.kind === 'none' || !('by' in picked) || !/title|date/.test(picked.by)) return null;
  return { picked, rest: withoutTitle(text, picked.kind === 'one' ? titleOf(records, picked.id) : '') };
}

/** The title of the one record of the target's that a text names; empty where it names none. */
function named(
  deps: OfflineDeps,
  context: AgentContext,
  records: readonly ListedRecord[],
  text: string,
): string {
  const picked = pickedIn(deps, context, records, text, false);
  return picked.kind === 'one' ? titleOf(records, picked.id) : '';
}

function titleOf(records: readonly ListedRecord[], id: string): string {
  return records.find((record) => record.id === id)?.title ?? '';
}

const WORD = /[\p{L}\p{N}]+/gu;

function withoutTitle(text: string, title: string): string {
  const words = new Set((title.match(WORD) ?? []).map((word) => word.toLowerCase()));
  return words.size === 0
    ? text
    : text.replaceAll(WORD, (word) => (words.has(word.toLowerCase()) ? ' ' : word));
}

function withoutIds({ nlu }: OfflineDeps, text: string, entity: string): string {
  let rest = text;
  for (const { start, end, entity: of } of nlu.slots.ids.spans(text.toLowerCase()))
    if (of === entity) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  return rest;
}

/** The records that are listed with the question for one. */
function listFor(
  deps: OfflineDeps,
  context: AgentContext,
  { name, reading }: AskedInput,
  among: Beside['among'],
): readonly Listed[] {
  if (reading.kind !== 'record') return [];
  const { entity } = reading;
  const all = recordsOf(deps, context, entity).filter(({ upcoming }) => upcoming);
  const some = all.filter(({ id }) => among.get(name)?.includes(id));
  return (some.length > 0 ? some : all)
    .slice(0, MAX_LISTED)
    .map((record) => ({ ...record, line: recordLine(deps, context, entity, record) }));
}
