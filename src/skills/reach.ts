import type { SkillCaller, SkillReach, SkillSummary } from '../core/domain/skill.js';
import { HubError } from '../core/errors.js';
import type { DataSources } from '../core/ports/index.js';
import { choosesAmongAll, partsOf } from './composite/composite-env.js';
import type { Catalog, Pack } from './pack/pack.js';
import { sourceSpec } from './sources/call-plan.js';

/** How far packs reach, each worked out once. */
export interface Reaches {
  of(pack: Pack): SkillReach;
  /** The same object each time. */
  summary(pack: Pack): SkillSummary;
}

/** Looks at a pack and at everything it may run: nothing of it is run. */
export function createReaches(catalog: Catalog, isCustomersOwn: DataSources['isCustomersOwn']): Reaches {
  const known = new WeakMap<Pack, SkillSummary>();
  const summary = (pack: Pack): SkillSummary => {
    const before = known.get(pack);
    if (before !== undefined) return before;
    const isBound = [...allUnder(pack, catalog)].every((one) => readsCustomersOwn(one, isCustomersOwn));
    const made: SkillSummary = { ...pack.summary, reach: isBound ? 'customer' : 'everybody' };
    known.set(pack, made);
    return made;
  };
  return { of: (pack) => summary(pack).reach, summary };
}

interface AllowedCaller {
  readonly caller: SkillCaller;
  readonly allowed: SkillReach;
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
function allUnder(pack: Pack, catalog: Catalog, found = new Set<Pack>()): ReadonlySet<Pack> {
  if (found.has(pack)) return found;
  found.add(pack);
  // What chooses among all skills is held to what its caller may run when it chooses.
  if (choosesAmongAll(pack)) return found;
  for (const part of partsOf(pack, catalog)) if (part.pack !== null) allUnder(part.pack, catalog, found);
  for (const { action } of Object.values(pack.tree?.steps ?? {})) {
    if (action.type !== 'skill') continue;
    const part = find(catalog, action.skill, action.version);
    if (part !== null) allUnder(part, catalog, found);
  }
  return found;
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
