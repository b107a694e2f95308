import type { JsonObject } from '../../core/domain/json.js';
import { placeholderNames } from '../expressions/placeholders.js';
import { requiredOf } from '../pack/checks/json-schema-at.js';
import { CERTAIN } from '../routing/ask-model.js';
import {
  askLevel,
  type CompositeEnv,
  choosesAmongAll,
  heightOf,
  type Part,
  startTrace,
} from './composite-env.js';
import { readInRequest } from './level2-parameter-resolver.js';
import { circleIn, connect, orderOf, type PlanDraft } from './plan-order.js';
import {
  type Intent,
  outputFields,
  type Plan,
  type PlanAnswer,
  type PlanStep,
  planAnswerSchema,
  propertiesOf,
} from './schemas.js';

/**
 * Level 1: the execution plan. Made by rule from `dependencies`, `inputs`, `conditions` and `loops`, and from what skills
 * are known to need and give. The model is asked only in a dynamic composite where a part needs what nothing is known to
 * give.
 */
export async function decompose(env: CompositeEnv, intent: Intent): Promise<Plan> {
  const trace = startTrace(env, 1);
  const chosen = env.parts.filter((part) => intent.parts.includes(part.name));
  const byRule = draftPlan(env, chosen, intent.mode);
  const unclear = chosen.filter((part) => unclearFields(env, part, byRule.get(part.name)).length > 0);
  if (env.pack.descriptor.routing?.strategy !== 'dynamic' || unclear.length === 0 || chosen.length < 2) {
    return planOf(env, byRule, [trace('rule', describe(byRule), 'Dependencies and inputs say it all.')]);
  }
  const asked = await askLevel(env, {
    prompt: 'decompose',
    view: { parts: chosen.map(describePart), fields: Object.keys(env.input).join(', ') },
    data: env.input,
    schema: planAnswerSchema,
    check: (answer) => faultsOf(answer, chosen),
  });
  const names = unclear.map((part) => part.name).join(', ');
  if (!asked.ok || asked.answer.confidence < CERTAIN) {
    const why = asked.ok ? `the model is not sure (confidence ${asked.answer.confidence})` : asked.reason;
    const reason = `It is not clear where ${names} gets its inputs from, and ${why}; dependencies decide.`;
    return planOf(env, byRule, [trace('fallback', describe(byRule), reason)]);
  }
  const drafts = merge(byRule, asked.answer);
  const said = { confidence: asked.answer.confidence, cost_usd: asked.cost_usd };
  return planOf(env, drafts, [trace('model', describe(drafts), asked.answer.reason, said)]);
}

function draftPlan(env: CompositeEnv, chosen: readonly Part[], mode: Intent['mode']): Map<string, PlanDraft> {
  const { routing } = env.pack.descriptor;
  const drafts = new Map<string, PlanDraft>();
  for (const { name, sub } of chosen) {
    const depends_on = sub.dependencies.filter((one) => chosen.some((part) => part.name === one));
    drafts.set(name, { part: name, depends_on, after: [], inputs: givenInputs(sub) });
  }
  connect(drafts, {
    order: env.parts.map((part) => part.name),
    sequential: mode === 'sequential',
    conditions: routing?.conditions ?? [],
    loops: routing?.loops ?? [],
    needs: (name, field) => isNeeded(schemaOf(env, name), field),
    givers: (name) => giversOf(env, chosen, name),
  });
  return drafts;
}

function givenInputs({ inputs }: Part['sub']): PlanDraft['inputs'] {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([field, from]) => (from === undefined ? [] : [[field, from] as const])),
  );
}

/** Required, or not known to the schema, so that only the pack knows what it is for. */
function isNeeded(schema: JsonObject | undefined, field: string): boolean {
  return requiredOf(schema).includes(field) || !Object.hasOwn(propertiesOf(schema), field);
}

/** For each required field that nothing else gives: the parts whose output is known to have it. */
function giversOf(env: CompositeEnv, chosen: readonly Part[], name: string): readonly string[] {
  const part = chosen.find((one) => one.name === name);
  if (part === undefined) return [];
  return openFields(env, part).flatMap((field) =>
    chosen
      .filter(
        (other) => other.name !== name && other.pack !== null && outputFields(other.pack).includes(field),
      )
      .map((other) => other.name),
  );
}

/** Required fields that neither the pack, nor the composite's input, nor a default gives. */
function openFields(env: CompositeEnv, part: Part): readonly string[] {
  const schema = part.pack?.descriptor.input_schema;
  const properties = propertiesOf(schema);
  return requiredOf(schema).filter((field) => {
    const property = properties[field];
    // Of what is asked, some fields stand in the words.
    if (choosesAmongAll(env.pack) && readInRequest(env.input, schema ?? {}, field) !== undefined)
      return false;
    const hasDefault = typeof property === 'object' && property !== null && 'default' in property;
    return !Object.hasOwn(part.sub.inputs, field) && env.input[field] === undefined && !hasDefault;
  });
}

/** Those of which no other part is known to give them, and the pack names no dependency that might. */
function unclearFields(env: CompositeEnv, part: Part, draft: PlanDraft | undefined): readonly string[] {
  if (part.sub.dependencies.length > 0 || (draft?.depends_on.length ?? 0) > 0) return [];
  return openFields(env, part);
}

const REFERENCE = /^\{[a-z_][a-z0-9_]*(?:\.[A-Za-z0-9_]+)+\}$/;

/** What the model must mend: parts that are missing, unknown or there twice, and circles. */
function faultsOf(answer: PlanAnswer, chosen: readonly Part[]): readonly string[] {
  const names = chosen.map((part) => part.name);
  const planned = answer.steps.map((step) => step.part);
  const unknown = planned.filter((name) => !names.includes(name));
  const missing = names.filter((name) => !planned.includes(name));
  const twice = planned.filter((name, place) => planned.indexOf(name) !== place);
  const circle = circleIn(
    new Map(answer.steps.map(({ part, depends_on }) => [part, { depends_on, after: [] }])),
  );
  return [
    ...unknown.map((name) => `steps: there is no part ${name}`),
    ...missing.map((name) => `steps: the part ${name} is missing`),
    ...twice.map((name) => `steps: the part ${name} is there twice`),
    ...(circle.length > 0 ? [`steps: ${circle.join(' waits for ')}, which is a circle`] : []),
  ];
}

/** The model adds what the pack leaves open; what the pack says stands. */
function merge(byRule: ReadonlyMap<string, PlanDraft>, answer: PlanAnswer): Map<string, PlanDraft> {
  const merged = new Map<string, PlanDraft>();
  for (const [name, draft] of byRule) merged.set(name, { ...draft, depends_on: [...draft.depends_on] });
  for (const step of answer.steps) {
    const draft = merged.get(step.part);
    if (draft === undefined) continue;
    for (const [field, from] of Object.entries(step.inputs)) {
      const [source = ''] = placeholderNames(from)[0]?.split('.') ?? [];
      const known = REFERENCE.test(from) && (source === 'input' || merged.has(source));
      if (known && !Object.hasOwn(draft.inputs, field)) draft.inputs[field] = from;
    }
    const sources = placeholderNames(Object.values(step.inputs)).map((name) => name.split('.')[0] ?? '');
    for (const other of [...step.depends_on, ...sources]) {
      if (other === step.part || !merged.has(other) || draft.depends_on.includes(other)) continue;
      draft.depends_on.push(other);
      if (circleIn(merged).length > 0) draft.depends_on.pop();
    }
  }
  return merged;
}

function planOf(env: CompositeEnv, drafts: ReadonlyMap<string, PlanDraft>, trace: Plan['trace']): Plan {
  const order = orderOf(
    drafts,
    env.parts.map((part) => part.name),
  );
  const steps = order.flatMap((name, place): PlanStep[] => {
    const draft = drafts.get(name);
    if (draft === undefined) return [];
    const refused = refusal(env, name) ?? circleFault(drafts, name);
    return [{ step: place + 1, ...draft, ...(refused === null ? {} : { refused }) }];
  });
  const plan = steps.map(({ step, part, depends_on, after }) => ({ step, part, depends_on, after }));
  return { steps, trace: trace.map((entry) => ({ ...entry, plan })) };
}

/** A part that is not there or is nested too deep is not run; the others are. */
function refusal(env: CompositeEnv, name: string): PlanStep['refused'] | null {
  const part = env.parts.find((one) => one.name === name);
  if (part?.fault) return { code: part.fault.code, message: part.fault.message };
  const maxDepth = env.pack.descriptor.routing?.max_depth ?? 3;
  if (!part?.pack || heightOf(part.pack, env.context.services.catalog) <= maxDepth) return null;
  return {
    code: 'skill_too_deep',
    message: `The part ${name} (${part.pack.id}) has skills nested deeper than routing.max_depth ${maxDepth} of ${env.pack.id} allows.`,
  };
}

function circleFault(drafts: ReadonlyMap<string, PlanDraft>, name: string): PlanStep['refused'] | null {
  const circle = circleIn(drafts);
  if (!circle.includes(name)) return null;
  return {
    code: 'skill_invalid',
    message: `The parts ${circle.join(', ')} wait for each other in a circle.`,
  };
}

function describe(drafts: ReadonlyMap<string, PlanDraft>): string {
  if (drafts.size === 0) return 'no steps';
  return [...drafts.values()]
    .map(({ part, depends_on }) =>
      depends_on.length > 0 ? `${part} after ${depends_on.join(' and ')}` : part,
    )
    .join('; ');
}

function schemaOf(env: CompositeEnv, name: string) {
  return env.parts.find((part) => part.name === name)?.pack?.descriptor.input_schema;
}

function describePart({ name, sub, pack }: Part) {
  return {
    name,
    title: pack?.summary.title ?? name,
    description: sub.description ?? pack?.summary.description ?? '',
    needs: Object.keys(propertiesOf(pack?.descriptor.input_schema)).join(', ') || 'anything',
    gives: (pack === null ? [] : outputFields(pack)).join(', ') || 'unknown',
  };
}
