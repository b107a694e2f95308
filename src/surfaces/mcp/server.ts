import {
  type CompleteRequest,
  type CompleteResult,
  McpServer,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { instructionsFor, serverInfo } from './about.js';
import { type HubRequest, hubRequest, type McpApp, type McpServerFactoryOptions } from './hub-requests.js';
import { getPrompt, listPrompts, PROMPTS } from './prompts.js';
import { toProtocolError } from './protocol-errors.js';
import { scopeChallenge } from './request-scopes.js';
import { RESOURCE_KINDS, templateOf, variableOf } from './resource-uris.js';
import { listResources, listTemplates, readResource } from './resources.js';
import { ownTickets } from './tickets.js';
import { callTool } from './tool-calls.js';
import { listTools } from './tools.js';

/** The most that the protocol lets a server suggest. */
const MOST = 100;

/** Suggests values for a variable of a resource template or an argument of a prompt. */
async function complete({ params }: CompleteRequest, hub: HubRequest): Promise<CompleteResult> {
  const { ref, argument } = params;
  const exists =
    ref.type === 'ref/prompt'
      ? PROMPTS.some(({ name }) => name === ref.name)
      : RESOURCE_KINDS.some((kind) => templateOf(kind) === ref.uri);
  if (!exists) {
    const named = ref.type === 'ref/prompt' ? `Unknown prompt: ${ref.name}` : `Unknown template: ${ref.uri}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, named);
  }
  const known = await valuesOf(argument.name, hub);
  const typed = argument.value.toLowerCase();
  const matching = known.filter((value) => value.toLowerCase().startsWith(typed));
  const values = matching.slice(0, MOST);
  return { completion: { values, total: matching.length, hasMore: matching.length > MOST } };
}

/** Nothing is suggested for what people write themselves. */
async function valuesOf(name: string, hub: HubRequest): Promise<readonly string[]> {
  switch (name) {
    case variableOf('article'):
      return (await hub.app.kb.list()).map(({ articleId }) => articleId);
    case variableOf('skill'):
      return hub.app.capabilities
        .list(hub.caller)
        .flatMap(({ kind, name: id }) => (kind === 'skill' ? [id] : []));
    case variableOf('ticket'):
      return (await ownTickets(hub)).map(({ ticketId }) => ticketId);
    case 'language':
      return hub.app.company.languages;
    default:
      return [];
  }
}

export type { McpApp, McpServerFactoryOptions } from './hub-requests.js';

/**
 * Makes the servers that the SDK's entries ask for, one a connection or HTTP request, for every protocol version.
 * Making one is cheap and asks nothing of the application: a client is greeted while that is still being opened.
 */
export function createMcpServerFactory(
  app: McpApp | Promise<McpApp>,
  options: McpServerFactoryOptions,
): McpServerFactory {
  const info = serverInfo(options.company);
  const instructions = instructionsFor(options.company);
  return () => {
    const mcp = new McpServer(info, { instructions });
    // Lists follow the application, so they are answered here and not from what was registered once.
    const { server } = mcp;
    server.registerCapabilities({ tools: {}, resources: {}, prompts: {}, completions: {} });
    const served =
      <Request, Result>(answer: (request: Request, hub: HubRequest) => Result | Promise<Result>) =>
      async (request: Request, ctx: ServerContext): Promise<Result> => {
        const opened = await app;
        try {
          return await answer(request, await hubRequest(server, ctx, opened, options));
        } catch (error) {
          throw toProtocolError(error, opened);
        }
      };
    // What does not fit a method's parameters never comes here: the transports refuse it, see request-shapes.ts.
    server.setRequestHandler('tools/list', served(listTools));
    server.setRequestHandler('tools/call', served(callTool));
    server.setRequestHandler('resources/list', served(listResources));
    server.setRequestHandler('resources/templates/list', served(listTemplates));
    server.setRequestHandler('resources/read', served(readResource));
    server.setRequestHandler('prompts/list', served(listPrompts));
    server.setRequestHandler('prompts/get', served(getPrompt));
    server.setRequestHandler('completion/complete', served(complete));
    // Over HTTP the entries ask this before they dispatch: a missing scope is an answer of the protocol there.
    mcp.resolveScopeChallenge = async ({ request, authInfo }) =>
      authInfo && scopeChallenge(request, (await app).capabilities, await options.caller(authInfo));
    return mcp;
  };
}
