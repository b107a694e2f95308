import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../../app/app.js';
import type { Config } from '../../config/config.js';
import { HubError } from '../../core/errors.js';
import { createRunningWork } from '../../core/signals.js';
import type { Timers } from '../a2a/tasks-runner.js';
import type { CommandContext } from '../command.js';
import { openMailSurface } from '../mail/mail-surface.js';
import { builtPages, startLine } from '../web-build.js';
import { createTokenWatch } from './client.js';
import { createEventStreams } from './event-streams.js';
import { createHttpApp } from './http-app.js';
import { createStopList, type HttpDeps } from './http-deps.js';
import { PROBLEM_JSON, problemOf, sendProblem } from './problem.js';
import { createRateLimits } from './rate-limits.js';

/** A server that listens. */
export interface HttpServer {
  /** Where it is reached, without a slash at the end. */
  readonly url: string;
  /**
   * Takes no more requests, lets turns end for as long as the configuration says, ends streams and connections. The App
   * stays open. Safe to call twice. @returns how many turns were cut short
   */
  close(): Promise<number>;
}

interface ServerOptions {
  /** Where the pages were built; without it only the API is served. */
  readonly webDir?: string;
  /** How often a quiet stream says that it lives. */
  readonly heartbeatMs?: number;
  /** When tasks of other agents are begun; the machine's where absent. */
  readonly taskTimers?: Timers;
}

/** What a client may take its time with. A slow one holds a connection, not more. */
const LIMITS = {
  maxHeaderSize: 16 * 1_024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;
const UNREADABLE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const SIGN_INS_PER_MINUTE = 10;
const DEMO_SIGN_INS_PER_MINUTE = 600;

/** What all requests share. */
export function createHttpDeps(
  app: App,
  config: Config,
  { heartbeatMs, taskTimers }: Omit<ServerOptions, 'webDir'> = {},
): HttpDeps {
  const { turnsPerMinute, turnsPerMinutePerAddress } = config.server;
  const tokens = createTokenWatch(app.sessions, app.log);
  return {
    app,
    config,
    tokens,
    streams: createEventStreams(app.metrics, heartbeatMs, tokens),
    work: createRunningWork(),
    stop: createStopList(),
    limits: createRateLimits(
      {
        turnsPerIdentity: turnsPerMinute,
        turnsPerAddress: turnsPerMinutePerAddress,
        signInsPerAddress: SIGN_INS_PER_MINUTE,
        demoSignInsPerAddress: DEMO_SIGN_INS_PER_MINUTE,
      },
      app.rateCounters,
    ),
    taskTimers,
  };
}

/**
 * Serves the App.
 * @throws HubError `usage` where the address cannot be listened on
 */
export async function startServer(
  app: App,
  config: Config,
  options: ServerOptions = {},
): Promise<HttpServer> {
  const deps = createHttpDeps(app, config, options);
  const http = createHttpApp(deps, options.webDir);
  let closing: Promise<number> | undefined;
  const listener = getRequestListener(
    // Connections that are open already may send more.
    (request, env) => (closing === undefined ? http.fetch(request, env) : stopping()),
    { errorHandler: () => sendProblem(problemOf(400, 'input_invalid', 'The address or host is malformed.')) },
  );
  const server = createServer(LIMITS, (request, response) => void listener(request, response));
  server.on('clientError', refuseUnreadable);
  await listen(server, config);
  await openMailSurface(app, config);
  app.push.begin();
  return {
    url: urlOf(server.address() as AddressInfo, config.server.host),
    close: () => {
      closing ??= stop(server, deps, config.server.stopSeconds * 1_000);
      return closing;
    },
  };
}

function listen(server: Server, { server: { port, host } }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, resolve);
  });
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): HubError {
  const why =
    error.code === 'EADDRINUSE'
      ? 'it is in use; set PORT to another one'
      : error.code === 'EACCES'
        ? 'this user may not; set PORT to one above 1023'
        : error.message;
  return new HubError(
    'usage',
    `Port ${port} of ${host} cannot be listened on: ${why}.`,
    {},
    { cause: error },
  );
}

function stopping(): Response {
  const problem = problemOf(503, 'unavailable', 'The hub is being stopped. Please try again in a moment.');
  return sendProblem(problem, { connection: 'close', 'retry-after': '5' });
}

/** What is no HTTP, or too much or too slow of it, never becomes a request. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = UNREADABLE[error.code ?? ''] ?? 400;
  const body = JSON.stringify(problemOf(status, 'input_invalid', 'The request cannot be read.'));
  const head = [
    `HTTP/1.1 ${status} ${status === 400 ? 'Bad Request' : 'Refused'}`,
    `content-type: ${PROBLEM_JSON}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function urlOf({ port }: AddressInfo, host: string): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const shown = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}

async function stop(
  server: Server,
  { work, streams, stop: others }: Pick<HttpDeps, 'work' | 'streams' | 'stop'>,
  graceMs: number,
): Promise<number> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  others.stopping();
  const left = await work.settled(graceMs);
  streams.closeAll();
  await others.stop();
  // Answers that are written already get a moment to leave.
  const timer = setTimeout(() => server.closeAllConnections(), 500);
  await closed;
  clearTimeout(timer);
  return left;
}

/** Serves until it is stopped, and then lets turns end. @throws HubError `usage` where the port is not free */
export async function serve({ app, config, io, stop }: CommandContext): Promise<number> {
  const say = (line: string): void => void io.err.write(`${line}\n`);
  const webDir = await builtPages(say, (error) =>
    app.log.error({ agent: 'http', action: 'pages_not_built' }, error),
  );
  const server = await startServer(app, config, webDir === null ? {} : { webDir });
  const { url } = server;
  app.log.info({ agent: 'http', action: 'listening', details: { url, demo: app.sessions.demo } });
  say(startLine(url));
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  const cut = await server.close();
  app.log.info({ agent: 'http', action: 'stopped', details: { cut } });
  return 0;
}
