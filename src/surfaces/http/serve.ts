import type { CommandContext } from '../command.js';
import { builtPages, startLine } from '../web-build.js';
import { type ServerOptions, startServer } from './server.js';

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
