import type { CompositeTraceEntry } from '../../core/domain/composite-result.js';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { SkillCaller, SkillReach, SkillSummary } from '../../core/domain/skill.js';
import { HubError, toHubError } from '../../core/errors.js';
import type { DataSources } from '../../core/ports/index.js';
import { linkWithin } from '../../core/signals.js';
import { reachedFrom } from '../graph-walk.js';
import { type SubSkill, subSkillSchema } from '../pack/descriptor-schema.js';
import type { Catalog, OWN_PROMPTS, Pack } from '../pack/pack.js';
import {
  type Asked,
  askModel,
  type ModelQuestion,
  promptFor,
  renderPrompt,
  systemPrompt,
} from '../routing/ask-model.js';
import type { RunContext } from '../run/run-context.js';
import { sourceSpec } from '../sources/call-plan.js';

/** How far packs reach, each worked out once. */
export interface Reaches {
  of(pack: Pack): SkillReach;
  /** The same object each time. */
  summary(pack: Pack): SkillSummary;
}

interface AllowedCaller {
  readonly caller: SkillCaller;
  readonly allowed: SkillReach;
}

/** A part of a composite with the pack that does its work, or why there is none. */
export interface Part {
  readonly name: string;
  readonly sub: SubSkill;
  readonly pack: Pack | null;
  readonly fault: HubError | null;
}

/**
 * The parts in the order of the pack. A part whose skill is not there is a part with a fault, not an error. Of a pack that
 * chooses among all skills they are those that only read, without others that choose so.
 */
export function partsOf(pack: Pack, catalog: Catalog | null): readonly Part[] {
  if (choosesAmongAll(pack)) return (catalog?.list() ?? []).flatMap((one) => asPart(one) ?? []);
  return pack.descriptor.sub_skills.map((sub) => {
    const nested = pack.parts.get(sub.name);
    if (nested !== undefined) return { name: sub.name, sub, pack: nested, fault: null };
    try {
      if (sub.skill === undefined || catalog === null) throw missing(pack, sub);
      return { name: sub.name, sub, pack: catalog.get(sub.skill, sub.version), fault: null };
    } catch (error) {
      return { name: sub.name, sub, pack: null, fault: toHubError(error) };
    }
  });
}

/** Whether the parts are all skills there are, of which each request chooses. */
export function choosesAmongAll({ descriptor }: Pack): boolean {
  return descriptor.routing?.catalog === true;
}

/** Names that conditions have another meaning for. */
const RESERVED = /^(?:input|steps|now|result|step_\d+)$/;

function asPart(pack: Pack): Part | null {
  const { id, summary } = pack;
  if (choosesAmongAll(pack) || RESERVED.test(id)) return null;
  if (summary.effect !== 'read' || summary.status === 'deprecated') return null;
  return { name: id, sub: subSkillSchema.parse({ name: id, skill: id }), pack, fault: null };
}

function missing(pack: Pack, sub: SubSkill): HubError {
  return new HubError(
    'skill_unknown',
    `The part ${sub.name} of ${pack.id} has no skill behind it: ${sub.path ?? sub.skill ?? 'neither path nor skill is given'}.`,
    { skill: pack.id, part: sub.name },
  );
}

/**
 * How many levels of skills a part adds below its composite: 1 for one that has no parts itself. A skill that contains
 * itself has no end.
 */
export function heightOf(pack: Pack, catalog: Catalog | null, heights = new Map<Pack, number>()): number {
  const known = heights.get(pack);
  if (known !== undefined) return known;
  // Stands until the height is known: whoever meets it again on the way down is inside itself.
  heights.set(pack, Number.POSITIVE_INFINITY);
  const below = packsIn(pack, catalog).map((part) => heightOf(part, catalog, heights));
  const height = Math.max(0, ...below) + 1;
  heights.set(pack, height);
  return height;
}

/** Whether neither the skill nor any of its parts changes anything, so that a call may be left out. */
export function onlyReads(pack: Pack, catalog: Catalog | null): boolean {
  const below = reachedFrom(pack, (one) => packsIn(one, catalog));
  return [pack, ...below].every(({ summary }) => summary.effect === 'read');
}

function packsIn(pack: Pack, catalog: Catalog | null): readonly Pack[] {
  return partsOf(pack, catalog).flatMap((part) => part.pack ?? []);
}

/** The prompts of the levels: `route`, `decompose`, `resolve`, `synthesize`. A pack's own of the same name replaces one. */
const COMPOSITE_PROMPTS = new URL('./prompts/', import.meta.url);

/** What the levels of one run share. Nothing in it changes but the trace, which grows. */
export interface CompositeEnv {
  readonly pack: Pack;
  readonly input: JsonObject;
  readonly context: RunContext;
  readonly parts: readonly Part[];
}

export type TraceEntry = CompositeTraceEntry;

/** What an entry tells as data. */
export type TraceData = {
  readonly [Key in 'step' | 'plan' | 'input' | 'output' | 'confidence' | 'cost_usd']?:
    | TraceEntry[Key]
    | undefined;
};

const MAX_TRACED = 2_000;

/** A trace is kept with the run, beside the results themselves. */
function short(value: JsonValue): JsonValue {
  const text = JSON.stringify(value);
  return text.length <= MAX_TRACED ? value : `${text.slice(0, MAX_TRACED)}…`;
}

/** Begins a trace entry; the entry is made where the decision is, and carries the time since. */
export function startTrace(env: CompositeEnv, level: TraceEntry['level']) {
  const began = performance.now();
  return (by: TraceEntry['by'], decided: string, reason: string, data: TraceData = {}): TraceEntry => {
    const known = Object.entries(data).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, short(value)] as const],
    );
    const entry = {
      ...{ level, decided, by, reason, duration_ms: millisecondsSince(began) },
      ...(Object.fromEntries(known) as TraceData),
    };
    env.context.emit({ type: 'level', step: `level_${level}`, details: entry });
    return entry;
  };
}

/** Milliseconds, to a hundredth. */
export function millisecondsSince(began: number): number {
  return Math.round((performance.now() - began) * 100) / 100;
}

/** What a level asks the model: the name of its prompt, what fills it, and the data that are nobody's instructions. */
interface LevelQuestion<Answer> extends Pick<ModelQuestion<Answer>, 'schema' | 'check'> {
  readonly prompt: (typeof OWN_PROMPTS.composite)[number];
  readonly view: JsonObject;
  readonly data: JsonObject;
}

/**
 * Asks the writing model on behalf of a level: counted, and for no longer than a part may take. Never throws; a prompt of
 * the pack that cannot be rendered is a reason to decide by rule, as is a model that gives no answer.
 */
export async function askLevel<Answer>(
  env: CompositeEnv,
  { prompt, view, data, schema, check }: LevelQuestion<Answer>,
): Promise<Asked<Answer> & { readonly cost_usd: number }> {
  let cost_usd = 0;
  const { services, meter, signal, ticketId = null } = env.context;
  const limitMs = env.pack.descriptor.execution.timeout_per_skill * 1_000;
  const limited = linkWithin(limitMs, () => undefined, signal);
  try {
    const template = promptFor(prompt, services.model, COMPOSITE_PROMPTS, env.pack.prompts);
    const question = {
      name: `composite_${prompt}`,
      system: systemPrompt(),
      prompt: renderPrompt(template, { ...aboutSkill(env.pack), ...view }, data),
      schema,
      ...(check === undefined ? {} : { check }),
    };
    const asked = await askModel(question, {
      model: services.model,
      log: services.log,
      signal: limited.signal,
      ticketId,
      onCall: (answer) => {
        cost_usd += answer.costUsd;
        meter.modelCall(answer);
      },
    });
    return { ...asked, cost_usd };
  } catch (error) {
    return {
      ok: false,
      reason: `the prompt ${prompt} cannot be used (${toHubError(error).message})`,
      cost_usd,
    };
  } finally {
    limited.release();
  }
}

function aboutSkill({ summary, knowledge }: Pack): JsonObject {
  return {
    title: summary.title,
    description: summary.description,
    knowledge: knowledge?.slice(0, 4_000) ?? '',
  };
}

/** Looks at a pack and at everything it may run: nothing of it is run. */
export function createReaches(catalog: Catalog, isCustomersOwn: DataSources['isCustomersOwn']): Reaches {
  const known = new WeakMap<Pack, SkillSummary>();
  const summary = (pack: Pack): SkillSummary => {
    const before = known.get(pack);
    if (before !== undefined) return before;
    const below = reachedFrom(pack, (one) => packsUnder(one, catalog));
    const isBound = [pack, ...below].every((one) => readsCustomersOwn(one, isCustomersOwn));
    const made: SkillSummary = { ...pack.summary, reach: isBound ? 'customer' : 'everybody' };
    known.set(pack, made);
    return made;
  };
  return { of: (pack) => summary(pack).reach, summary };
}

/** Whether a run may reach so far: staff may see every customer's data. */
export function mayReach(reach: SkillReach, { caller, allowed }: AllowedCaller): boolean {
  return caller.kind === 'operator' || reach === 'customer' || allowed === 'everybody';
}

/**
 * Refuses a customer's run that would reach farther than it may. Staff may see every customer's data.
 * @throws HubError `forbidden`
 */
export function demandReach({ id }: Pack, reach: SkillReach, by: AllowedCaller): void {
  if (mayReach(reach, by)) return;
  const message = `The skill ${id} asks sources that cannot be held to one customer's rows, so it runs for the support team alone.`;
  throw new HubError('forbidden', message, { skill: id });
}

/** A part that is not there reads nothing; whatever runs in its place one day is looked at when it does. */
function packsUnder(pack: Pack, catalog: Catalog): readonly Pack[] {
  // What chooses among all skills is held to what its caller may run when it chooses.
  if (choosesAmongAll(pack)) return [];
  const called = Object.values(pack.tree?.steps ?? {}).flatMap(({ action }) =>
    action.type === 'skill' ? (find(catalog, action.skill, action.version) ?? []) : [],
  );
  return [...packsIn(pack, catalog), ...called];
}

function find(catalog: Catalog, id: string, version: string | undefined): Pack | null {
  try {
    return catalog.get(id, version);
  } catch (error) {
    if (error instanceof HubError && error.code === 'skill_unknown') return null;
    throw error;
  }
}

/** What it declares is all it can ask. A template, a rule and a function of ours see their input and nothing else. */
function readsCustomersOwn({ descriptor }: Pack, isCustomersOwn: DataSources['isCustomersOwn']): boolean {
  const { data_sources: sources, implementation } = descriptor;
  if (implementation?.type === 'cli_command') return false;
  return Object.entries(sources).every(([name, declared]) => isCustomersOwn(sourceSpec(name, declared)));
}
