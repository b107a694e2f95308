import { z } from 'zod';
import type { EntityRecord } from '../core/domain/entity.js';
import { type DialogueState, NEW_DIALOGUE, type Session } from '../core/domain/session.js';
import { unlessUnreachable } from '../core/signals.js';
import { afterShowing, shownIn } from '../dialogue/index.js';
import { listedAfter } from './dialogue-lists.js';
import type { GraphDeps } from './graph-deps.js';
import type { HubStateType } from './state.js';

/** The records that an answer shows, and what the conversation is about after it. */
export async function dialogueAfter(
  deps: GraphDeps,
  graph: HubStateType,
  session: Session,
  text: string,
): Promise<DialogueState> {
  const state = graph.dialogue ?? NEW_DIALOGUE;
  const found = graph.trace.flatMap((entry) => (entry.ok ? listedBy(deps, entry.tool, entry.result) : []));
  const reads = graph.trace.some(
    ({ ok, tool }) => ok && deps.tools.roster.all.get(tool)?.access === 'customer',
  );
  const { identity } = session;
  const target = targetOf(deps, graph);
  const lists = graph.trace.find(({ ok, tool }) => ok && isPublicList(deps, tool));
  const own =
    (reads || target !== null || lists !== undefined) && identity.kind === 'customer'
      ? await unlessUnreachable(deps.tools.records.list(identity.customerId), [])
      : [];
  const ids = new Set(own.map(({ id }) => id));
  const known = [...own, ...found.filter(({ id }) => !ids.has(id))];
  const whenOf = (startsAt: string) => deps.tools.time.dateTime(startsAt, session.language);
  const acted = graph.trace.some(({ ok, tool }) => ok && deps.tools.roster.findAction(tool) !== null);
  const named = shownIn(text, known, whenOf);
  // "All right, I have not changed anything" is still about what was not changed.
  const shown = named.length > 0 ? asTheirs(named, own) : own.filter(({ id }) => id === target);
  // What is shown from elsewhere ends the choice.
  const looked = lists ? { tool: lists.tool, args: lists.args } : shown.length > 0 ? null : state.looked;
  const listed = listedAfter(deps, graph, session, { isPublic: lists !== undefined, shown });
  const last = graph.escalation ? 'escalated' : acted ? 'done' : 'answered';
  const after: DialogueState = {
    ...afterShowing(state, shown),
    asked: null,
    more: graph.drafts.at(-1)?.more ?? null,
    article: null,
    stuck: 0,
    last,
    listed,
    refused: refusedIn(deps, graph),
    declined: declinedIn(deps, graph) ?? (shown.length > 0 || acted ? null : (state.declined ?? null)),
    symptom: symptomIn(graph) ?? (last === 'done' ? (state.symptom ?? null) : null),
  };
  return looked === undefined ? after : { ...after, looked };
}

/** What anybody may choose from and the customer has already, where it alone is shown: "cancel it" is said of what they have. */
function asTheirs(shown: readonly EntityRecord[], own: readonly EntityRecord[]): readonly EntityRecord[] {
  const [only, ...others] = shown;
  if (!only || others.length > 0) return shown;
  const theirs = own.filter(({ title, startsAt }) => title === only.title && startsAt === only.startsAt);
  return theirs.length === 1 ? theirs : shown;
}

/** True where something else was looked for than last time: that as little was found is no repetition. */
export function looksElsewhere(deps: GraphDeps, { dialogue, trace }: HubStateType): boolean {
  const lookup = trace.find(({ ok, tool }) => ok && isPublicList(deps, tool));
  const before = dialogue?.looked;
  if (!lookup || !before) return lookup !== undefined;
  return lookup.tool !== before.tool || JSON.stringify(lookup.args) !== JSON.stringify(before.args);
}

/** What was looked into, where a procedure was found for it. What is done in between may be a step of it. */
function symptomIn({ trace }: HubStateType): string | null {
  const last = trace.findLast(({ tool, ok }) => ok && tool === INVESTIGATE);
  const { status, problem } = { ...(last?.result as object), ...last?.args } as Record<string, unknown>;
  return status !== 'undecided' && typeof problem === 'string' ? problem : null;
}

const INVESTIGATE = 'investigate';

/** Why the last change of a turn was refused, where its tool says it. */
function refusedIn({ tools }: GraphDeps, { trace }: HubStateType): string | null {
  const last = trace.findLast(({ tool }) => tools.roster.findAction(tool) !== null);
  const parsed = last && !last.ok ? refusalShape.safeParse(last.result) : null;
  return parsed?.success ? parsed.data.said : null;
}

/** The last change of a turn, where the customer turned it down and it is made to no record. */
function declinedIn({ tools }: GraphDeps, { trace }: HubStateType): DialogueState['declined'] {
  const last = trace.findLast(({ tool }) => tools.roster.findAction(tool) !== null);
  const isOfPlan = last !== undefined && tools.roster.findAction(last.tool)?.target === undefined;
  return last?.code === 'confirmation_rejected' && isOfPlan ? { tool: last.tool, args: last.args } : null;
}

/** The record that the last change of a turn was about, made or not; null where none was. */
function targetOf({ tools }: GraphDeps, { trace }: HubStateType): string | null {
  const last = trace.findLast(({ tool }) => tools.roster.findAction(tool) !== null);
  const target = last && tools.roster.findAction(last.tool)?.target;
  const id = target ? last.args[target.input] : undefined;
  return typeof id === 'string' ? id : null;
}

const refusalShape = z.object({ said: z.string() });

function isPublicList({ tools }: GraphDeps, name: string): boolean {
  const tool = tools.roster.all.get(name);
  return tool?.lists !== undefined && tool.access === 'anyone';
}

/** What a tool has listed, as records. */
function listedBy(deps: GraphDeps, name: string, result: unknown): readonly EntityRecord[] {
  const tool = deps.tools.roster.all.get(name);
  if (!tool?.lists) return [];
  const output = tool.output.safeParse(result);
  if (!output.success) return [];
  const { entity } = tool.lists;
  return tool.lists
    .records(output.data)
    .map((record) => ({ ...record, entity, amount: record.amount ?? null }));
}

/**
 * What a confirmation is about is what the conversation is about while it is open.
 * @param asked the record, and those that were asked for together with it
 * @param before what it was about until then
 */
export async function dialogueAbout(
  { tools }: GraphDeps,
  asked: {
    readonly about?: string | undefined;
    readonly together?: readonly string[];
    readonly customerId: string | null;
  },
  before: unknown,
): Promise<{ readonly dialogue?: DialogueState }> {
  const { about, together = [], customerId } = asked;
  if (about === undefined || customerId === null) return {};
  const records = await tools.records.list(customerId);
  const record = records.find(({ id }) => id === about);
  const state = (before as DialogueState | null | undefined) ?? NEW_DIALOGUE;
  const all = together.flatMap((id) => records.find((one) => one.id === id) ?? []);
  return record
    ? { dialogue: afterShowing(all.length > 1 ? afterShowing(state, all) : state, [record]) }
    : {};
}
