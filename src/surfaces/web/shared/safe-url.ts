/**
 * The address, normalised, where it is an https one of an allowed host (or of a name below one that begins with a dot:
 * `.example.com`), without user name and on the usual port; else null.
 */
export function safeUrl(url: string, hosts: readonly string[]): string | null {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return null;
  }
  if (
    parsed.protocol !== 'https:' ||
    parsed.username !== '' ||
    parsed.password !== '' ||
    parsed.port !== ''
  ) {
    return null;
  }
  const host = parsed.hostname.toLowerCase();
  const allowed = hosts.some((one) => {
    const name = one.toLowerCase();
    return name.startsWith('.') ? host.endsWith(name) : host === name;
  });
  return allowed ? parsed.href : null;
}
