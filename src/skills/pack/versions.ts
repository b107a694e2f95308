import semver from 'semver';

/** Newest first. */
export function compareNewestFirst(a: string, b: string): number {
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
