/**
 * A path of a pack, relative to the pack's folder and without `./`; null where it is absolute, leads out of the folder, or is
 * no path at all.
 */
export function safePath(path: string): string | null {
  if (path.includes('\\') || path.includes('\0') || path.startsWith('/') || /^[A-Za-z]:/.test(path))
    return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..') || parts[0]?.startsWith('@') === true) return null;
  return parts.join('/');
}

/** What to say of a path that {@link safePath} refuses. */
export function unsafePathMessage(path: string): string {
  return `The path "${path.slice(0, 100)}" leads out of the pack or is not relative to it. Name a file inside the pack's folder, with forward slashes and without "..".`;
}
