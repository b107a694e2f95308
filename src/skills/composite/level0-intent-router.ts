import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { RankedSkill, SkillRequest } from '../../core/ports/skills.js';
import { compileCondition } from '../expressions/expression.js';
import { valueAt } from '../expressions/sparse-scope.js';
import { CERTAIN, knownNames, routeAnswerSchema } from '../routing/ask-model.js';
import { type Route, routeRequest } from '../routing/route-request.js';
import { createPhraseTrie, foldWords } from '../routing/trigger-entry.js';
import { indexOf } from '../routing/trigger-index.js';
import {
  askLevel,
  type CompositeEnv,
  choosesAmongAll,
  onlyReads,
  type Part,
  startTrace,
  type TraceData,
} from './composite-env.js';
import type { Intent } from './schemas.js';

const MAX_SKILLS = 6;

/**
 * Level 0 over all skills: which of them a request needs. The triggers name as many as the text has requests; those that the
 * same words name are run side by side. Where no trigger matches, the model chooses.
 * @throws HubError `skill_unknown`, with what comes nearest, where no skill is certain to fit
 */
async function routeCatalog(env: CompositeEnv): Promise<Intent> {
  const trace = startTrace(env, 0);
  const { catalog, model, log } = env.context.services;
  const index = indexOf(catalog.list());
  const request = requestOf(env);
  const groups = index.requested(request).slice(0, MAX_SKILLS);
  if (groups.length > 0) {
    const named = [...new Map(groups.flat().map((skill) => [skill.skillId, skill])).values()].slice(
      0,
      MAX_SKILLS,
    );
    const ids = named.map(({ skillId }) => skillId);
    const why = named.map(({ skillId, why }) => `${skillId} (${why.join(', ')})`).join('; ');
    const rivals = groups
      .map((group) => group.map(({ skillId }) => skillId).filter((id) => ids.includes(id)))
      .filter((group) => group.length > 1);
    const mode = env.pack.descriptor.execution.allow_parallel ? 'parallel' : 'sequential';
    return catalogIntent(trace, 'rule', ids, mode, `Triggers match: ${why}.`, ids.length, {}, rivals);
  }
  let cost_usd = 0;
  const route = await routeRequest(request, {
    index,
    model,
    log,
    signal: env.context.signal,
    ticketId: env.context.ticketId ?? null,
    onCall: (call) => {
      cost_usd += call.costUsd;
      env.context.meter.modelCall(call);
    },
  });
  if (route.kind !== 'run') throw noneFits(route);
  const { by, reason, confidence, complexity, mode } = route;
  const ids = route.skills.slice(0, MAX_SKILLS).map(({ skillId }) => skillId);
  const said = by === 'model' ? { confidence, cost_usd } : {};
  return catalogIntent(trace, by, ids, mode, reason, complexity, said);
}

/** What the triggers look at: the words, what is known, and only skills that the one who asks may have run. */
function requestOf({ input, parts, context }: CompositeEnv): SkillRequest {
  const { text, facts, issue_category: category } = input;
  const may = parts.flatMap(({ name, pack }) =>
    pack !== null && (context.mayRun?.(pack) ?? true) && onlyReads(pack, context.services.catalog)
      ? [name]
      : [],
  );
  return {
    text: typeof text === 'string' ? text : '',
    facts: { ...input, ...(isObject(facts) ? facts : {}) },
    among: may,
    ...(typeof category === 'string' ? { issueCategory: category } : {}),
  };
}

function catalogIntent(
  trace: ReturnType<typeof startTrace>,
  by: 'rule' | 'model' | 'fallback',
  parts: string[],
  mode: Intent['mode'],
  reason: string,
  complexity: number,
  said: TraceData,
  rivals: string[][] = [],
): Intent {
  const decided = `${mode}: ${parts.join(', ')}; complexity ${complexity}`;
  return {
    parts,
    mode,
    complexity,
    reason,
    trace: [trace(by, decided, reason, { plan: { mode, parts }, ...said })],
    ...(rivals.length > 0 ? { rivals } : {}),
  };
}

function noneFits(route: Exclude<Route, { kind: 'run' }>): HubError {
  const near: readonly (Pick<RankedSkill, 'title'> & { readonly skillId: string })[] =
    route.kind === 'ask' ? route.options.map(({ id, label }) => ({ skillId: id, title: label })) : [];
  const perhaps =
    near.length === 0
      ? ''
      : ` Perhaps one of these: ${near.map((one) => `${one.skillId} (${one.title})`).join(', ')}.`;
  return new HubError('skill_unknown', `No skill is certain to fit this request. ${route.reason}${perhaps}`, {
    near: near.map(({ skillId }) => skillId),
  });
}

type Mode = Intent['mode'];

/**
 * Level 0: which parts run, in parallel or one after the other, why, and how complex it is. All strategies but `dynamic` are
 * decided by rule; `dynamic` by the triggers of the parts, else by the model, else (offline) all parts run in order.
 */
export async function routeParts(env: CompositeEnv): Promise<Intent> {
  const { routing, execution } = env.pack.descriptor;
  if (choosesAmongAll(env.pack)) return routeCatalog(env);
  const strategy = routing?.strategy ?? 'sequential';
  if (strategy === 'dynamic') return routeDynamic(env);
  const mode: Mode = strategy === 'sequential' || !execution.allow_parallel ? 'sequential' : 'parallel';
  const reason =
    strategy === 'conditional'
      ? 'The strategy is conditional: conditions choose among the parts as results come in.'
      : `The strategy is ${strategy}: every part runs.`;
  return intentOf(
    env,
    startTrace(env, 0),
    'rule',
    env.parts.map((part) => part.name),
    mode,
    reason,
  );
}

async function routeDynamic(env: CompositeEnv): Promise<Intent> {
  const trace = startTrace(env, 0);
  const mode: Mode = env.pack.descriptor.execution.allow_parallel ? 'parallel' : 'sequential';
  const open = env.parts.filter((part) => conditionsHold(part, env.input));
  if (open.length <= 1) {
    const reason =
      open.length === 1 ? 'Only one part is open to this input.' : 'No part is open to this input.';
    return intentOf(
      env,
      trace,
      'rule',
      open.map((part) => part.name),
      'sequential',
      reason,
    );
  }
  const matched = matchTriggers(open, env.input);
  if (matched.size > 0) {
    const why = [...matched].map(([part, words]) => `${part} ("${words.join('", "')}")`).join(', ');
    return intentOf(env, trace, 'rule', [...matched.keys()], mode, `Triggers match: ${why}.`);
  }
  const names = namesOf(open);
  const asked = await askLevel(env, {
    prompt: 'route',
    view: { parts: open.map(describePart) },
    data: env.input,
    schema: routeAnswerSchema,
    check: ({ skills }) =>
      knownNames(skills, names).length > 0 ? [] : [`skills: none of them is one of ${names.join(', ')}`],
  });
  if (!asked.ok) return everything(env, trace, open, asked.reason);
  const { answer } = asked;
  if (answer.confidence < CERTAIN) {
    return everything(env, trace, open, `the model is not sure (confidence ${answer.confidence})`);
  }
  const chosen = knownNames(answer.skills, names);
  const wanted: Mode = mode === 'parallel' ? answer.mode : 'sequential';
  const said = { confidence: answer.confidence, cost_usd: asked.cost_usd };
  return intentOf(env, trace, 'model', chosen, wanted, answer.reason, answer.complexity, said);
}

function everything(
  env: CompositeEnv,
  trace: ReturnType<typeof startTrace>,
  open: readonly Part[],
  why: string,
): Intent {
  const reason = `No trigger matches and ${why}, so all parts run in order.`;
  return intentOf(env, trace, 'fallback', namesOf(open), 'sequential', reason);
}

/** Whoever was chosen needs those it depends on. Parts stand in the order of the pack. */
function intentOf(
  env: CompositeEnv,
  trace: ReturnType<typeof startTrace>,
  by: 'rule' | 'model' | 'fallback',
  chosen: readonly string[],
  mode: Mode,
  reason: string,
  complexity = complexityOf(env, chosen.length),
  said: TraceData = {},
): Intent {
  const wanted = new Set(chosen);
  for (const name of wanted) {
    const part = env.parts.find((one) => one.name === name);
    for (const dependency of part?.sub.dependencies ?? []) wanted.add(dependency);
  }
  const parts = namesOf(env.parts).filter((name) => wanted.has(name));
  const decided = `${parts.length === 0 ? 'nothing to run' : `${mode}: ${parts.join(', ')}`}; complexity ${complexity}`;
  return {
    parts,
    mode,
    complexity,
    reason,
    trace: [trace(by, decided, reason, { plan: { mode, parts }, ...said })],
  };
}

/** 1 for a single part, one more for each further part, loop, condition and part that has parts itself; 10 at most. */
function complexityOf({ pack, parts }: CompositeEnv, chosen: number): number {
  const { routing } = pack.descriptor;
  const nested = parts.filter((part) => part.pack?.descriptor.type === 'composite').length;
  const extra = (routing?.loops.length ?? 0) + (routing?.conditions.length ?? 0) + nested;
  return Math.max(1, Math.min(10, chosen + extra));
}

/**
 * The parts of which a trigger word is in a text of the input: the words the composite gives the part, and the keywords
 * of the part's own skill.
 */
function matchTriggers(parts: readonly Part[], input: JsonObject): ReadonlyMap<string, readonly string[]> {
  const trie = createPhraseTrie();
  for (const [owner, part] of parts.entries()) {
    const own = part.pack?.descriptor.triggers.keywords ?? [];
    for (const phrase of new Set([...part.sub.triggers, ...own])) trie.add(foldWords(phrase), owner, phrase);
  }
  const matched = new Map<string, string[]>();
  for (const text of textsIn(input)) {
    for (const hit of trie.find(foldWords(text))) {
      const name = parts[hit.owner]?.name ?? '';
      const words = matched.get(name) ?? [];
      if (!words.includes(hit.phrase)) words.push(hit.phrase);
      matched.set(name, words);
    }
  }
  return matched;
}

const MAX_TEXTS = 100;

function textsIn(value: JsonValue | undefined, depth = 4): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value)
    .flatMap((item: JsonValue | undefined) => textsIn(item, depth - 1))
    .slice(0, MAX_TEXTS);
}

/**
 * The trigger conditions of the part's own skill, over the composite's input. One that looks at what the input does not have
 * says nothing about this input: the part finds it out for itself.
 */
function conditionsHold({ pack }: Part, input: JsonObject): boolean {
  const scope = { ...input, input };
  return (pack?.descriptor.triggers.conditions ?? [])
    .map((condition) => compileCondition(condition))
    .filter(({ names }) => names.every((name) => valueAt(scope, name.split('.')) !== undefined))
    .every((condition) => condition.holds(scope));
}

function describePart({ name, sub, pack }: Part): JsonObject {
  return {
    name,
    title: pack?.summary.title ?? name,
    description: sub.description ?? pack?.summary.description ?? '',
  };
}

function namesOf(parts: readonly Part[]): readonly string[] {
  return parts.map((part) => part.name);
}
