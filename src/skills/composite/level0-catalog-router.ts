import { isObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { RankedSkill, SkillRequest } from '../../core/ports/skills.js';
import { type Route, routeRequest } from '../routing/route-request.js';
import { indexOf } from '../routing/trigger-index.js';
import { type CompositeEnv, startTrace, type TraceData } from './composite-env.js';
import { onlyReads } from './part-packs.js';
import type { Intent } from './schemas.js';

const MAX_SKILLS = 6;

/**
 * Level 0 over all skills: which of them a request needs. The triggers name as many as the text has matters; those that the
 * same words name are run side by side. Where no trigger matches, the model chooses.
 * @throws HubError `skill_unknown`, with what comes nearest, where no skill is certain to fit
 */
export async function routeCatalog(env: CompositeEnv): Promise<Intent> {
  const trace = startTrace(env, 0);
  const { catalog, model, log } = env.context.services;
  const index = indexOf(catalog.list());
  const request = requestOf(env);
  const groups = index.matters(request).slice(0, MAX_SKILLS);
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
    return intentOf(trace, 'rule', ids, mode, `Triggers match: ${why}.`, ids.length, {}, rivals);
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
  return intentOf(trace, by, ids, mode, reason, complexity, said);
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

function intentOf(
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
