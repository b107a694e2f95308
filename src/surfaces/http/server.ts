import { getRequestListener } from '@hono/node-server';
import type { App } from '../../app/app.js';
import type { Config } from '../../config/config.js';
import { createRunningWork } from '../../core/signals.js';
import type { Timers } from '../a2a/tasks-runner.js';
import type { CommandContext } from '../command.js';
import { openMailSurface } from '../mail/mail-surface.js';
import { builtPages, startLine } from '../web-build.js';
import { createTokenWatch } from './client.js';
import { createEventStreams } from './event-streams.js';
import { Front } from './front.js';
import { createHttpApp } from './http-app.js';
import { createStopList, type HttpDeps } from './http-deps.js';
import { problemOf, sendProblem } from './problem.js';
import { createRateLimits } from './rate-limits.js';

/** A server that listens. */
export interface HttpServer {
  /** Where it is reached, without a slash at the end. */
  readonly url: string;
  /**
   * Takes no more requests, lets turns end for as long as the configuration says, ends streams and connections. The App
   * stays open. Safe to call twice.
   * @param goesOn true where another hub is to answer behind the same front: requests wait for it, connections stay
   * @returns how many turns were cut short
   */
  close(goesOn?: boolean): Promise<number>;
}

interface ServerOptions {
  /** Where the pages were built; without it only the API is served. */
  readonly webDir?: string;
  /** How often a quiet stream says that it lives. */
  readonly heartbeatMs?: number;
  /** When tasks of other agents are begun; the machine's where absent. */
  readonly taskTimers?: Timers;
  /** The port of the process, where other hubs came before or come after; one of its own where absent. */
  readonly front?: Front;
}

const SIGN_INS_PER_MINUTE = 10;
const DEMO_SIGN_INS_PER_MINUTE = 600;

/** What all requests share. */
export function createHttpDeps(
  app: App,
  config: Config,
  { heartbeatMs, taskTimers }: Omit<ServerOptions, 'webDir' | 'front'> = {},
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

/** Serves the App. @throws HubError `usage` where the address cannot be listened on */
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
  const { front = new Front() } = options;
  await front.listen(config);
  front.open((request, response) => void listener(request, response));
  await openMailSurface(app, config);
  app.push.begin();
  const graceMs = config.server.stopSeconds * 1_000;
  return {
    url: front.urlOf(config.server.host),
    close: (goesOn = false) => {
      closing ??= stop(front, deps, { graceMs, goesOn });
      return closing;
    },
  };
}

function stopping(): Response {
  const problem = problemOf(503, 'unavailable', 'The hub is being stopped. Please try again in a moment.');
  return sendProblem(problem, { connection: 'close', 'retry-after': '5' });
}

async function stop(
  front: Front,
  { work, streams, stop: others }: Pick<HttpDeps, 'work' | 'streams' | 'stop'>,
  { graceMs, goesOn }: { readonly graceMs: number; readonly goesOn: boolean },
): Promise<number> {
  if (goesOn) front.hold();
  const leave = goesOn ? null : front.close();
  others.stopping();
  const left = await work.settled(graceMs);
  streams.closeAll();
  await others.stop();
  await leave?.();
  return left;
}

/** What a process serves with, beside what every command has. */
interface Serving {
  readonly front: Front;
  /** True where another hub is to answer behind the front once this one has ended. */
  readonly goesOn: () => boolean;
}

/** Serves until it is stopped, and then lets turns end. @throws HubError `usage` where the port is not free */
export async function serve(
  { app, config, io, stop }: CommandContext,
  { front, goesOn }: Serving,
): Promise<number> {
  const say = (line: string): void => void io.err.write(`${line}\n`);
  const webDir = await builtPages(say, (error) =>
    app.log.error({ agent: 'http', action: 'pages_not_built' }, error),
  );
  const server = await startServer(app, config, { front, ...(webDir === null ? {} : { webDir }) });
  const { url } = server;
  app.log.info({ agent: 'http', action: 'listening', details: { url, demo: app.sessions.demo } });
  say(startLine(url));
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  const cut = await server.close(goesOn());
  app.log.info({ agent: 'http', action: 'stopped', details: { cut } });
  return 0;
}
