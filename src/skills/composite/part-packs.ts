import { HubError, toHubError } from '../../core/errors.js';
import { type SubSkill, subSkillSchema } from '../pack/descriptor-schema.js';
import type { Catalog, Pack } from '../pack/pack.js';

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
export function heightOf(pack: Pack, catalog: Catalog | null, heights = new Map<string, number>()): number {
  const key = keyOf(pack);
  const known = heights.get(key);
  if (known !== undefined) return known;
  // Stands until the height is known: whoever meets it again on the way down is inside itself.
  heights.set(key, Number.POSITIVE_INFINITY);
  let height = 0;
  for (const part of partsOf(pack, catalog)) {
    if (part.pack !== null) height = Math.max(height, heightOf(part.pack, catalog, heights));
  }
  heights.set(key, height + 1);
  return height + 1;
}

/** Whether neither the skill nor any of its parts changes anything, so that a call may be left out. */
export function onlyReads(pack: Pack, catalog: Catalog | null, seen = new Set<string>()): boolean {
  if (seen.has(keyOf(pack))) return true;
  seen.add(keyOf(pack));
  if (pack.summary.effect !== 'read') return false;
  return partsOf(pack, catalog).every((part) => part.pack === null || onlyReads(part.pack, catalog, seen));
}

function keyOf({ id, version, hash, folder }: Pack): string {
  return `${id}@${version}:${hash}:${folder}`;
}
