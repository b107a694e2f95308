import semver from 'semver';
import { HubError } from '../../core/errors.js';
import { didYouMean } from '../../core/nearest.js';
import type { Catalog, Pack } from './pack.js';

/** Newest first. */
function compareNewestFirst(a: string, b: string): number {
  return semver.rcompare(a, b);
}

/** True for a version such as `1.2.0`; leading zeros and the like are none. */
export function isVersion(text: string): boolean {
  return semver.valid(text) === text;
}

/** True for a version or a range such as `^1.0.0` or `1.x`. */
export function isRange(text: string): boolean {
  return text.length <= 100 && semver.validRange(text) !== null;
}

/**
 * The versions that fit, newest first; pre-releases (`2.0.0-beta.1`) after all others, and only where they are asked for or
 * no other version fits.
 * @param range all fit where absent
 */
export function fitting(versions: readonly string[], range?: string): readonly string[] {
  const fits =
    range === undefined ? versions : versions.filter((version) => semver.satisfies(version, range.trim()));
  const ordered = [...fits].sort(compareNewestFirst);
  return [
    ...ordered.filter((version) => semver.prerelease(version) === null),
    ...ordered.filter((version) => semver.prerelease(version) !== null),
  ];
}

const RANKS = { active: 0, poc: 1, deprecated: 2 } as const;

/** A catalog of packs; of several with the same id and version the first counts. */
export function createCatalog(packs: readonly Pack[]): Catalog {
  const byId = new Map<string, Map<string, Pack>>();
  for (const pack of packs) {
    const versions = byId.get(pack.id) ?? new Map<string, Pack>();
    if (!versions.has(pack.version)) versions.set(pack.version, pack);
    byId.set(pack.id, versions);
  }
  const all = Object.freeze([...byId.values()].flatMap((versions) => [...versions.values()]));
  const best = [...byId.values()].flatMap((versions) => choose(versions) ?? []);
  const current = best.filter(({ summary }) => summary.status !== 'deprecated');
  const list = Object.freeze([...current, ...best.filter((pack) => !current.includes(pack))]);
  return {
    list: () => list,
    all: () => all,
    get(id, range) {
      const versions = byId.get(id);
      if (versions === undefined) {
        const message = `There is no skill "${String(id).slice(0, 100)}".${didYouMean(String(id), byId.keys())}`;
        throw new HubError('skill_unknown', message, { skill: String(id).slice(0, 100), field: 'skill' });
      }
      const found = range === undefined || isRange(range) ? choose(versions, range) : undefined;
      if (found !== undefined) return found;
      const there = fitting([...versions.keys()]).join(', ');
      const asked = String(range).slice(0, 100);
      const what = isRange(String(range))
        ? `no version ${asked}`
        : `no version "${asked}", which is neither a version nor a range`;
      throw new HubError('skill_unknown', `The skill ${id} has ${what}. There is: ${there}.`, {
        skill: id,
        version: asked,
        field: 'version',
      });
    },
  };
}

/** The newest that fits; active before poc before deprecated, and a pre-release only where nothing else fits. */
function choose(versions: ReadonlyMap<string, Pack>, range?: string): Pack | undefined {
  const fit = fitting([...versions.keys()], range).flatMap((version) => versions.get(version) ?? []);
  return [...fit].sort((a, b) => RANKS[a.summary.status] - RANKS[b.summary.status])[0];
}
