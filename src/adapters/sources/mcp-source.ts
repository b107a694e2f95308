import { createHash } from 'node:crypto';
import {
  type CallToolResult,
  Client,
  InsufficientScopeError,
  type JsonSchemaValidatorResult,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type JsonObject, type JsonValue, parseJson } from '../../core/domain/json.js';
import { HubError, messageOf } from '../../core/errors.js';
import type {
  HttpAnswer,
  HttpRequest,
  OfferedTool,
  RequestSource,
  SourceOptions,
  SourceSpec,
} from '../../core/ports/data-source.js';
import { createRetrier, TransientFault } from './fetch-text.js';
import {
  addressOf,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  misconfigured,
  type Secret,
  settingOf,
} from './settings.js';

const MAX_BYTES = 1_000_000;
const asItIs =
  <Value>() =>
  (data: unknown): JsonSchemaValidatorResult<Value> => ({
    ...{ valid: true, data: data as Value },
    errorMessage: undefined,
  });

/** An MCP server as a source: its tools are asked by name. */
interface McpSource extends RequestSource {
  tools(signal: AbortSignal): Promise<readonly OfferedTool[]>;
}

/**
 * An MCP server of the company's, over HTTP or as a program that is started. It is connected when it is first asked, and again
 * where the connection is gone. Nothing that it asks back is answered.
 *
 * A request is `READ /TOOL` or `CALL /TOOL` with the arguments as body. `READ` reaches only what the server says is read-only,
 * unless its header `harmless` is there; where the header `contract` is, a tool that has changed since is not called. An error
 * that is answered has the status 500: nobody can tell by it whether the tool did something before it failed.
 * @throws HubError `source_misconfigured`
 */
export function openMcp(spec: SourceSpec, secret: Secret): McpSource {
  const transport = transportOf(spec, secret);
  const timeoutMs = spec.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const retrier = createRetrier(spec.name);
  let connected: Promise<Client> | null = null;
  const drop = async (): Promise<void> => {
    const before = connected;
    connected = null;
    await before?.then((client) => client.close()).catch(() => undefined);
  };
  const connect = async (): Promise<Client> => {
    const client = new Client(
      { name: 'uda-hub', version: '1' },
      // To find out what a program speaks it would be started twice.
      {
        versionNegotiation: { mode: spec.command ? 'legacy' : 'auto' },
        defaultCacheTtlMs: 0,
        // What has been done is done, whatever the answer looks like; expressions judge that.
        jsonSchemaValidator: { getValidator: asItIs },
      },
    );
    client.onclose = () => {
      connected = null;
    };
    await client.connect(transport(), { timeout: timeoutMs });
    return client;
  };
  const withClient = async <Value>(work: (client: Client) => Promise<Value>): Promise<Value> => {
    try {
      connected ??= connect();
      return await work(await connected);
    } catch (error) {
      if (error instanceof HubError) throw error;
      if (error instanceof ProtocolError || isRefusal(error))
        throw new HubError('source_rejected', `${spec.name} refuses the call: ${error.message}`, {
          source: spec.name,
        });
      await drop();
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
        throw TransientFault.timedOut(timeoutMs, error);
      throw new TransientFault(messageOf(error), { cause: error });
    }
  };
  const limits = (signal: AbortSignal) => ({ signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs });
  const tools = (signal: AbortSignal): Promise<readonly OfferedTool[]> =>
    withClient(async (client) => {
      const { tools: all } = await client.listTools({}, { ...limits(signal), cacheMode: 'refresh' });
      return all.map(asTool);
    });
  const toolOf = async (name: string, signal: AbortSignal): Promise<OfferedTool> => {
    const found = (await tools(signal)).find((one) => one.name === name);
    if (found) return found;
    throw rejected(spec, `has no tool ${name}`);
  };
  const called = async (request: HttpRequest, { signal, maxBytes }: SourceOptions): Promise<HttpAnswer> => {
    const name = request.path.replace(/^\//, '');
    const tool = await toolOf(name, signal);
    const { harmless, contract } = request.headers ?? {};
    if (request.method === 'READ' && harmless === undefined && tool.annotations.readOnlyHint !== true)
      throw rejected(spec, `does not say that ${name} only reads`);
    if (contract !== undefined && contract !== contractOf(tool))
      throw rejected(spec, `has changed ${name} since it was asked about`);
    const result = await withClient((client) =>
      client.callTool({ name, arguments: request.body as JsonObject }, limits(signal)).catch(failedInside),
    );
    const body = bodyOf(result as { structuredContent?: unknown; content?: unknown });
    if (JSON.stringify(body).length > Math.min(MAX_BYTES, maxBytes ?? MAX_BYTES))
      throw new HubError('source_bad_answer', `The answer of ${spec.name} is too large.`, {
        source: spec.name,
      });
    // No block at all is how a server answers with a list of nothing.
    if (request.method === 'READ' && body === '')
      throw new HubError('source_bad_answer', `${spec.name} answers ${name} with an empty text.`, {
        source: spec.name,
      });
    return { status: result.isError === true ? FAILED : 200, body };
  };
  const read = <Value>(what: string, signal: AbortSignal, work: () => Promise<Value>) =>
    retrier.run(spec.retries ?? DEFAULT_RETRIES, what, signal, work);
  return {
    answers: 'request',
    request: (request, options) =>
      request.method === 'READ'
        ? read(JSON.stringify([request.path, request.body]), options.signal, () => called(request, options))
        : retrier.run(0, null, options.signal, () => called(request, options)),
    contract: (operation, signal) =>
      read('tools', signal, async () => contractOf(await toolOf(operation, signal))),
    tools: (signal) => read('tools', signal, () => tools(signal)),
    close: drop,
  };
}

/** True where the server takes our credentials, or what we ask for, for wrong: nothing was done. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof UnauthorizedError || error instanceof InsufficientScopeError) return true;
  return (
    error instanceof SdkHttpError && error.status >= 400 && error.status < 500 && !PASSING.has(error.status)
  );
}

/** Said of a call that was not begun; any other error may come after the deed. */
const NOT_BEGUN: ReadonlySet<number> = new Set([
  ProtocolErrorCode.ParseError,
  ProtocolErrorCode.MethodNotFound,
  ProtocolErrorCode.InvalidParams,
]);
const FAILED = 500;

function failedInside(error: unknown): Pick<CallToolResult, 'content' | 'isError'> {
  if (!(error instanceof ProtocolError) || NOT_BEGUN.has(error.code)) throw error;
  return { isError: true, content: [{ type: 'text', text: error.message }] };
}

/** Statuses that another attempt may not meet. */
const PASSING: ReadonlySet<number> = new Set([404, 408, 409, 429]);

function rejected({ name }: SourceSpec, why: string): HubError {
  return new HubError('source_rejected', `${name} ${why}, so that it was not called.`, { source: name });
}

/** What a tool takes and says of its effect: what a customer agreed to holds for exactly this. */
function contractOf({ name, inputSchema, annotations }: OfferedTool): string {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
  const said = JSON.stringify([name, inputSchema, readOnlyHint, destructiveHint, idempotentHint]);
  return createHash('sha256').update(said).digest('hex').slice(0, 16);
}

function asTool({ name, description = '', inputSchema, annotations = {} }: Tool): OfferedTool {
  return { name, description, inputSchema: inputSchema as JsonObject, annotations };
}

/** What it answers: its structured content, else its text, as JSON where it is any. */
function bodyOf({
  structuredContent,
  content,
}: {
  readonly structuredContent?: unknown;
  readonly content?: unknown;
}): JsonValue {
  if (structuredContent !== undefined) return structuredContent as JsonValue;
  const blocks = Array.isArray(content) ? (content as readonly { type?: unknown; text?: unknown }[]) : [];
  const text = blocks.flatMap((one) => (one.type === 'text' ? [String(one.text)] : [])).join('\n');
  return parseJson(text, blocks.length === 0 ? null : text);
}

function transportOf(spec: SourceSpec, secret: Secret) {
  if (spec.command !== undefined) {
    const [command = '', ...args] = spec.command;
    const env = Object.fromEntries(
      Object.entries(spec.env ?? {}).map(([name, value]) => [
        name,
        settingOf({ ...spec, credentials: value }, 'credentials', secret),
      ]),
    );
    return () =>
      new StdioClientTransport({
        ...{ command, args, stderr: 'ignore' as const, maxBufferSize: 4 * MAX_BYTES },
        env: { ...getDefaultEnvironment(), ...env },
        ...(spec.folder === undefined ? {} : { cwd: spec.folder }),
      });
  }
  const { url } = addressOf(spec, 'url', secret);
  const headers = headersOf(spec, secret);
  return () => new StreamableHTTPClientTransport(url, { requestInit: { headers, redirect: 'error' } });
}

function headersOf(spec: SourceSpec, secret: Secret): Record<string, string> {
  const auth = spec.auth ?? 'none';
  if (auth === 'none') return {};
  const value = settingOf(spec, 'credentials', secret);
  if (auth === 'bearer') return { authorization: `Bearer ${value}` };
  if (auth === 'api_key') return { [spec.header ?? 'x-api-key']: value };
  throw misconfigured(spec, `has auth: ${auth}, which an MCP server is not given`);
}
