import {
  type AuthInfo,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  isSpecType,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import type { App } from '../../app/app.js';
import type { OutsideCaller } from '../../core/capabilities.js';
import type { CompanyProfile } from '../../core/domain/company.js';
import { type ErrorCode, toHubError } from '../../core/errors.js';
import { statusOf, toProblem } from '../http/problem.js';

/** A part of a list, and where the next one begins. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/**
 * Cuts a list into pages. A cursor names the last item that was seen, so that an item which comes or goes meanwhile
 * neither repeats others nor hides them.
 * @param all in the order of `keyOf`
 * @throws ProtocolError invalid params, for a cursor that no page has named
 */
export function pageOf<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
  size: number,
): Page<Item> {
  const after = cursor === undefined ? null : readCursor(cursor);
  const rest = after === null ? all : all.filter((item) => keyOf(item) > after);
  const items = rest.slice(0, size);
  const last = items.at(-1);
  if (last === undefined || rest.length <= size) return { items };
  return { items, nextCursor: Buffer.from(`${MARK}${keyOf(last)}`).toString('base64url') };
}

/** For lists of one page, whose cursors can only be made up. @throws ProtocolError invalid params */
export function demandFirstPage(cursor: string | undefined): void {
  if (cursor !== undefined) throw invalidCursor();
}

/** Begins every cursor of ours. */
const MARK = 'after:';

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith(MARK)) return text.slice(MARK.length);
  throw invalidCursor();
}

function invalidCursor(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor: take it from the page before.');
}

/** The methods whose handlers are the hub's, and the greeting, by the name of their type in the SDK. */
const SHAPES = {
  'completion/complete': 'CompleteRequest',
  initialize: 'InitializeRequest',
  'prompts/get': 'GetPromptRequest',
  'prompts/list': 'ListPromptsRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/read': 'ReadResourceRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'tools/call': 'CallToolRequest',
  'tools/list': 'ListToolsRequest',
} as const;

const MAX_FAULTS = 5;

/** What MCP needs of the application. */
export type McpApp = Pick<
  App,
  'company' | 'capabilities' | 'conversations' | 'desk' | 'kb' | 'workbench' | 'log'
>;

/** How requests of one connection are served. */
export interface McpServerFactoryOptions {
  /** Whose hub this is; known before the application is open. */
  readonly company: CompanyProfile;
  /**
   * Who calls. Asked for every request, because the requests of one session may carry different tokens.
   * @param authInfo what the HTTP surface has put into the request; undefined on stdio
   */
  readonly caller: (authInfo: AuthInfo | undefined) => OutsideCaller | Promise<OutsideCaller>;
  /** True where the client runs on the machine of the one who owns the hub's files (stdio): packs are no secret to them. */
  readonly local?: boolean;
}

/** One request, with everything that its handler works with. */
export interface HubRequest {
  readonly app: McpApp;
  readonly caller: OutsideCaller;
  readonly ctx: ServerContext;
  readonly local: boolean;
  /** True where the client can put a form before its user. */
  readonly canAsk: boolean;
}

/** Reads what a request says about itself. */
export async function hubRequest(
  server: Server,
  ctx: ServerContext,
  app: McpApp,
  { caller: callerOf, local = false }: McpServerFactoryOptions,
): Promise<HubRequest> {
  const verified = await callerOf(ctx.http?.authInfo);
  const program = programOf(server, ctx) ?? verified.program;
  const caller = program === undefined ? verified : { ...verified, program };
  return { app, caller, ctx, local, canAsk: canAsk(server, ctx) };
}

/** A name is cut here: it is for the log, and a client may call itself anything. */
const PROGRAM_CHARS = 100;

function programOf(server: Server, ctx: ServerContext): string | undefined {
  const info =
    (envelopeOf(ctx)?.[CLIENT_INFO_META_KEY] as Implementation | undefined) ?? server.getClientVersion();
  return info && `${info.name} ${info.version}`.slice(0, PROGRAM_CHARS).replaceAll(/\p{C}+/gu, ' ');
}

function canAsk(server: Server, ctx: ServerContext): boolean {
  const declared =
    (envelopeOf(ctx)?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ??
    server.getClientCapabilities();
  const elicitation = declared?.elicitation;
  if (!elicitation) return false;
  // An empty object is how a client said "forms" before there were other modes.
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** What a request of the 2026 protocol carries about its client; older clients say it once, when they connect. */
function envelopeOf(ctx: ServerContext): Readonly<Record<string, unknown>> | undefined {
  return ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
}

/** What is wrong with the hub and not with the request. */
export function isFault(code: ErrorCode): boolean {
  return statusOf(code) >= 500;
}

/** What a request failed with, as the protocol says it; what is inside the hub stays inside, and in its log. */
export function toProtocolError(error: unknown, { log }: Pick<McpApp, 'log'>): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const hubError = toHubError(error);
  const { code, detail } = toProblem(hubError);
  if (!isFault(hubError.code)) return new ProtocolError(ProtocolErrorCode.InvalidParams, detail, { code });
  log.error({ agent: 'mcp', action: 'request_failed', details: { code } }, error);
  return new ProtocolError(ProtocolErrorCode.InternalError, detail, { code });
}

/**
 * What is wrong with the parameters of a request, in one sentence; null where nothing is, or the method is not the
 * hub's. Left to the SDK, they would be an internal error with the parser's own report.
 */
export function paramsFault(request: JSONRPCRequest): string | null {
  if (!Object.hasOwn(SHAPES, request.method)) return null;
  const shape = SHAPES[request.method as keyof typeof SHAPES];
  if (isSpecType[shape](request)) return null;
  const result = specTypeSchemas[shape]['~standard'].validate(request);
  const issues = 'issues' in result ? (result.issues ?? []) : [];
  const faults = issues.slice(0, MAX_FAULTS).map(({ path = [], message }) => {
    const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
    return `${keys.join('.')}: ${message}`.slice(0, 200);
  });
  return `Invalid params: ${faults.join('; ')}`;
}
