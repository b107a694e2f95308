import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { compileCondition, type Scope } from '../expressions/expression.js';
import { placeholderNames } from '../expressions/placeholders.js';
import { reachedFrom } from '../graph-walk.js';
import type { Descriptor } from '../pack/descriptor-schema.js';
import type { Plan, StepRecord } from './schemas.js';

/** The latest settled record of each part. */
export type Settled = ReadonlyMap<string, StepRecord>;

/**
 * What conditions and `inputs` of a composite may look at: the input's fields by name, `input`, each part by its name, by
 * `steps.<name>` and as `step_1`, `step_2` in the order of the pack, and `now`. A part that has not run is null.
 */
export function variablesOf(input: JsonObject, parts: readonly string[], settled: Settled, now: Date): Scope {
  const views = parts.map((part) => [part, viewOf(settled.get(part))] as const);
  return {
    ...input,
    input,
    now,
    ...Object.fromEntries(views.map(([, view], index) => [`step_${index + 1}`, view])),
    steps: Object.fromEntries(views),
    ...Object.fromEntries(views),
  };
}

function viewOf(record: StepRecord | undefined): JsonObject | null {
  if (record === undefined) return null;
  return {
    status: record.status,
    output: record.output,
    error: record.error,
    // What a nested composite says beside its output.
    ...(record.result?.kind === 'composite'
      ? { summary: record.result.value.summary, user_message: record.result.value.user_message }
      : {}),
  };
}

/** The parts that dotted names of an expression or a template lead to. */
export function partsNamed(names: readonly string[], parts: readonly string[]): string[] {
  const named = names.flatMap((name) => {
    const [first = '', second = ''] = name.split('.');
    if (parts.includes(first)) return [first];
    if (first === 'steps' && parts.includes(second)) return [second];
    const place = /^step_(\d+)$/.exec(first);
    const part = place === null ? undefined : parts[Number(place[1]) - 1];
    return part === undefined ? [] : [part];
  });
  return [...new Set(named)];
}

/** A step of the plan while it is being made. */
export interface PlanDraft {
  readonly part: string;
  readonly depends_on: string[];
  readonly after: string[];
  readonly inputs: Record<string, JsonValue>;
}

type Drafts = ReadonlyMap<string, PlanDraft>;
type Routing = NonNullable<Descriptor['routing']>;

interface Connections {
  /** All parts of the composite, in the order of the pack. */
  readonly order: readonly string[];
  readonly sequential: boolean;
  readonly conditions: Routing['conditions'];
  readonly loops: Routing['loops'];
  /** Whether a part cannot do without a field. */
  needs(part: string, field: string): boolean;
  /** Parts whose output has a field that this part needs and nothing else gives. */
  givers(part: string): readonly string[];
}

/**
 * Adds to the dependencies that the pack declares those that follow from it: a part waits for what its inputs refer to,
 * for what gives it a field it needs, for what the condition that chooses it looks at, and for the end of a loop that
 * repeats what it depends on. Nothing is added that would make a circle: in a loop a part may look at what comes later.
 */
export function connect(drafts: Drafts, connections: Connections): void {
  const { order, conditions, loops } = connections;
  const place = (name: string) => order.indexOf(name);
  for (const loop of loops) wait(drafts, drafts.get(loop.after), loop.back_to, 'after');
  // What stands earlier in the pack first, so that a look ahead is what gives way.
  for (const ahead of [false, true]) {
    for (const draft of drafts.values()) {
      for (const [field, from] of Object.entries(draft.inputs)) {
        for (const source of partsNamed(placeholderNames(from), order)) {
          if (place(source) > place(draft.part) !== ahead || repeats(drafts, loops, draft.part, source))
            continue;
          wait(drafts, draft, source, connections.needs(draft.part, field) ? 'depends_on' : 'after');
        }
      }
      for (const giver of connections.givers(draft.part)) {
        const later = place(giver) > place(draft.part);
        if (later === ahead && !(later && connections.sequential)) wait(drafts, draft, giver, 'depends_on');
      }
    }
  }
  for (const condition of conditions) {
    const looksAt = partsNamed(compileCondition(condition.if).names, order);
    for (const name of [...condition.then, ...condition.else]) {
      for (const source of looksAt) wait(drafts, drafts.get(name), source, 'after');
    }
  }
  for (const loop of loops) {
    const body = loopBody(drafts, loop);
    for (const draft of drafts.values()) {
      const repeated = draft.depends_on.some((name) => body.has(name));
      if (repeated && !body.has(draft.part)) wait(drafts, draft, loop.after, 'after');
    }
  }
}

function wait(
  drafts: Drafts,
  draft: PlanDraft | undefined,
  source: string,
  how: 'depends_on' | 'after',
): void {
  if (draft === undefined || source === draft.part || !drafts.has(source)) return;
  if (draft.depends_on.includes(source) || (how === 'after' && draft.after.includes(source))) return;
  draft[how].push(source);
  if (circleIn(drafts).length > 0) draft[how].pop();
}

/** Whether a part looks at a later one of the loop it is repeated by: at what that said the last time. */
function repeats(drafts: Drafts, loops: Routing['loops'], part: string, source: string): boolean {
  return loops.some(
    (loop) => loop.after === source && (loop.back_to === part || loopBody(drafts, loop).has(part)),
  );
}

/** What each part waits for. */
type Waits = ReadonlyMap<string, Pick<PlanDraft, 'depends_on' | 'after'>>;

/** The parts that a part waits for, directly or through others. */
function awaitedBy(waits: Waits, part: string): ReadonlySet<string> {
  return reachedFrom(part, (name) => {
    const { depends_on = [], after = [] } = waits.get(name) ?? {};
    return [...depends_on, ...after];
  });
}

/** The parts a loop runs again: `back_to`, `after`, and those that lie between them by dependencies. */
export function loopBody(
  waits: Waits,
  loop: Pick<Routing['loops'][number], 'after' | 'back_to'>,
): ReadonlySet<string> {
  const awaited = awaitedBy(waits, loop.after);
  const between = [...waits.keys()].filter(
    (name) => awaited.has(name) && awaitedBy(waits, name).has(loop.back_to),
  );
  return new Set([loop.back_to, loop.after, ...between]);
}

/** The parts of one circle, empty where there is none. */
export function circleIn(waits: Waits): readonly string[] {
  return [...waits.keys()].filter((name) => awaitedBy(waits, name).has(name));
}

/** The order of a sequential run: as in the pack, but nothing before what it waits for. */
export function orderOf(drafts: Drafts, order: readonly string[]): readonly string[] {
  const left = order.filter((name) => drafts.has(name));
  const sorted: string[] = [];
  while (left.length > 0) {
    const free = left.findIndex((name) => {
      const draft = drafts.get(name);
      return ![...(draft?.depends_on ?? []), ...(draft?.after ?? [])].some(
        (other) => other !== name && left.includes(other),
      );
    });
    // In a circle nothing is free; it is refused later, and the order does not matter.
    sorted.push(...left.splice(Math.max(free, 0), 1));
  }
  return sorted;
}

/** Whether a step waits for another, directly or through others. */
export function waitsFor(plan: Plan, part: string, other: string): boolean {
  return awaitedBy(new Map(plan.steps.map((step) => [step.part, step])), part).has(other);
}
