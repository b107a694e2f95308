import { toHubError } from '../../core/errors.js';
import type { CommandContext } from '../command.js';
import { oneLine } from '../printable.js';
import { ensureWebBuilt } from '../web-build.js';
import { startServer } from './server.js';

/** Serves until it is stopped; what runs then may end. @throws HubError `usage` where the port is not free */
export async function serve(context: CommandContext): Promise<number> {
  const { app, config, io, stop } = context;
  const webDir = await builtPages(context);
  const server = await startServer(app, config, webDir === undefined ? {} : { webDir });
  const { url } = server;
  app.log.info({ agent: 'http', action: 'listening', details: { url, demo: app.sessions.demo } });
  io.err.write(`UDA-Hub: chat ${url}/  desk ${url}/desk  API ${url}/docs\n`);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  const cut = await server.close();
  app.log.info({ agent: 'http', action: 'stopped', details: { cut } });
  return 0;
}

/** Customers of the API need no pages: where they cannot be built, the rest is served. */
async function builtPages({ app, io }: CommandContext): Promise<string | undefined> {
  try {
    const { dir, built } = await ensureWebBuilt();
    if (built) io.err.write('Built the web pages.\n');
    return dir;
  } catch (error) {
    app.log.error({ agent: 'http', action: 'pages_not_built' }, error);
    io.err.write(`Without web pages: ${oneLine(toHubError(error).message)}\n`);
    return undefined;
  }
}
