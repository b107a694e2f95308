import { toHubError } from '../../core/errors.js';
import { oneLine } from '../printable.js';
import { ensureWebBuilt } from '../web-build.js';

/** What is said when the server listens. */
export function startLine(url: string): string {
  return `UDA-Hub: chat ${url}/  desk ${url}/desk  API ${url}/docs`;
}

/**
 * Customers of the API need no pages: where they cannot be built, the rest is served.
 * @param say told in words what was done
 * @returns where they are; null where they could not be built
 */
export async function builtPages(
  say: (line: string) => void,
  onFault: (error: unknown) => void = () => {},
): Promise<string | null> {
  try {
    const { dir, built } = await ensureWebBuilt();
    if (built) say('Built the web pages.');
    return dir;
  } catch (error) {
    onFault(error);
    say(`Without web pages: ${oneLine(toHubError(error).message)}`);
    return null;
  }
}
