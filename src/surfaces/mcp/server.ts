import { McpServer, type McpServerFactory, type ServerContext } from '@modelcontextprotocol/server';
import { instructionsFor, serverInfo } from './about.js';
import { complete } from './completions.js';
import { type HubRequest, hubRequest, type McpApp, type McpServerFactoryOptions } from './hub-requests.js';
import { getPrompt, listPrompts } from './prompts.js';
import { toProtocolError } from './protocol-errors.js';
import { scopeChallenge } from './request-scopes.js';
import { listResources, listTemplates, readResource } from './resources.js';
import { callTool } from './tool-calls.js';
import { listTools } from './tools.js';

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
