import { Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { companyProfile } from '../../app/company.js';
import type { OutsideCaller } from '../../core/capabilities.js';
import { ANONYMOUS, SCOPES } from '../../core/domain/customer.js';
import { toHubError } from '../../core/errors.js';
import { type CommandContext, type CommandHost, readConfig, withApp } from '../command.js';
import { toProblem } from '../http/problem.js';
import { createMcpServerFactory, type McpApp } from './server.js';
import { StdioTransport } from './stdio-transport.js';

/**
 * Keeps a process's standard output for the protocol: the stream that is returned writes to it, and whatever else writes
 * there from now on, a library or a stray message, goes to standard error.
 */
function reserveOutput(output: NodeJS.WriteStream, others: NodeJS.WriteStream): Writable {
  const write = output.write.bind(output);
  output.write = others.write.bind(others) as typeof output.write;
  return new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, done) => void write(chunk, encoding, done),
  });
}

export interface McpOptions {
  /** The customer's e-mail address, on the word of the one who starts the command; anonymous where absent. */
  readonly as?: string;
}

/** How long what was asked may still take when the client has closed its end, and when the process is to stop. */
const DRAIN_MS = 60_000;
const STOP_MS = 1_500;
/** For the errors that say why the hub did not open. */
const ERROR_DRAIN_MS = 500;

/** The application, once it is open, and who calls. */
interface Opened {
  readonly app: McpApp;
  readonly caller: OutsideCaller;
}

/**
 * Serves one client on standard input and output until it leaves. It is greeted at once, while the hub is still opened.
 * @throws HubError `customer_unknown`, and what `createApp` throws
 */
export async function serveMcp(host: CommandHost, options: McpOptions): Promise<void> {
  const transport = new StdioTransport(process.stdin, reserveOutput(process.stdout, process.stderr), {
    drainMs: DRAIN_MS,
  });
  const company = companyProfile(await readConfig(host));
  const opening = deferred<Opened>();
  const app = opening.promise.then((opened) => opened.app);
  // Where it does not open, and no request waits for it, only the process says so.
  app.catch(() => undefined);
  const factory = createMcpServerFactory(app, {
    company,
    caller: async () => (await opening.promise).caller,
    local: true,
  });
  const onerror = (error: Error) =>
    void app.then(
      (opened) => logFault(opened, error),
      () => undefined,
    );
  serveStdio(factory, { transport, onerror });
  const work = async (context: CommandContext) => {
    opening.resolve({ app: context.app, caller: await callerOf(context, options) });
    context.stop.addEventListener('abort', () => transport.end(STOP_MS), { once: true });
    if (context.stop.aborted) transport.end(STOP_MS);
    await transport.closed;
    return undefined;
  };
  try {
    await withApp(host, work, { checkpointer: 'sqlite' });
  } catch (error) {
    opening.reject(new Error(toProblem(toHubError(error)).detail));
    transport.end(ERROR_DRAIN_MS);
    await transport.closed;
    throw error;
  }
}

async function callerOf({ app }: CommandContext, { as: email }: McpOptions): Promise<OutsideCaller> {
  const identity = email === undefined ? ANONYMOUS : await app.signIn(email);
  return { identity, scopes: SCOPES, channel: 'mcp' };
}

/** Noise on the line is the client's fault, and may help who writes it. */
function logFault({ log }: McpApp, error: Error): void {
  log.warn({ agent: 'mcp', action: 'protocol_error', details: { message: error.message } });
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> = { resolve: () => {}, reject: () => {} };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Requests wait for it; where there are none, the error has no other receiver.
  promise.catch(() => undefined);
  return { promise, ...settle };
}
