/** A term of the hub's vocabulary in words; one that is not known is shown as it came. */
export function term(group: Readonly<Record<string, string>>, key: string): string {
  const known = Object.hasOwn(group, key) ? group[key] : undefined;
  return known ?? key.replaceAll('_', ' ');
}
