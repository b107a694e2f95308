import { toHubError } from '../../core/errors.js';
import type { CommandContext } from '../command.js';
import { oneLine } from '../printable.js';
import { ensureWebBuilt } from '../web-build.js';
import { type ServerOptions, startServer } from './server.js';

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

/** Serves until it is stopped; what runs then may end. @throws HubError `usage` where the port is not free */
export async function serve(context: CommandContext): Promise<number> {
  const { app, io, stop } = context;
  const say = (line: string): void => void io.err.write(`${line}\n`);
  const webDir = await builtPages(say, (error) =>
    app.log.error({ agent: 'http', action: 'pages_not_built' }, error),
  );
  return await serveUntil(stop, context, webDir === null ? {} : { webDir }, (url) => say(startLine(url)));
}

/** Serves until the signal is aborted, and then lets turns end. @throws HubError `usage` as {@link serve} */
export async function serveUntil(
  stop: AbortSignal,
  { app, config }: Pick<CommandContext, 'app' | 'config'>,
  options: ServerOptions,
  onListening: (url: string) => void,
): Promise<number> {
  const server = await startServer(app, config, options);
  const { url } = server;
  app.log.info({ agent: 'http', action: 'listening', details: { url, demo: app.sessions.demo } });
  onListening(url);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  const cut = await server.close();
  app.log.info({ agent: 'http', action: 'stopped', details: { cut } });
  return 0;
}
