import {
  McpServer,
  type McpServerFactory,
  type Result,
  type SpecTypeName,
  type SpecTypes,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { INSTRUCTIONS, serverInfo } from './about.js';
import { complete } from './completions.js';
import { type HubRequest, hubRequest, type McpApp, type McpServerFactoryOptions } from './hub-requests.js';
import { getPrompt, listPrompts } from './prompts.js';
import { toProtocolError } from './protocol-errors.js';
import { scopeChallenge } from './request-scopes.js';
import { listResources, listTemplates, readResource } from './resources.js';
import { callTool } from './tool-calls.js';
import { listTools } from './tools.js';

export type { McpApp, McpServerFactoryOptions } from './hub-requests.js';

/** The schemas of what requests carry. */
type ParamsName = Extract<SpecTypeName, `${string}RequestParams`>;

/**
 * Makes the servers that the SDK's entries ask for, one a connection or HTTP request, for every protocol version.
 * Making one is cheap and asks nothing of the application: a client is greeted while that is still being opened.
 */
export function createMcpServerFactory(
  app: McpApp | Promise<McpApp>,
  options: McpServerFactoryOptions,
): McpServerFactory {
  const info = serverInfo();
  return () => {
    const mcp = new McpServer(info, { instructions: INSTRUCTIONS });
    // Lists follow the application, so they are answered here and not from what was registered once.
    const { server } = mcp;
    server.registerCapabilities({ tools: {}, resources: {}, prompts: {}, completions: {} });
    /** With its schema: without one the SDK calls it a fault of the server where a client sends what does not fit. */
    const serve = <Params extends ParamsName>(
      method: string,
      params: Params,
      answer: (request: { readonly params: SpecTypes[Params] }, hub: HubRequest) => Result | Promise<Result>,
    ): void =>
      server.setRequestHandler(method, { params: specTypeSchemas[params] }, async (given, ctx) => {
        const opened = await app;
        try {
          const request = { params: given as SpecTypes[Params] };
          return await answer(request, await hubRequest(server, ctx, opened, options));
        } catch (error) {
          throw toProtocolError(error, opened);
        }
      });
    serve('tools/list', 'PaginatedRequestParams', listTools);
    serve('tools/call', 'CallToolRequestParams', callTool);
    serve('resources/list', 'PaginatedRequestParams', listResources);
    serve('resources/templates/list', 'PaginatedRequestParams', listTemplates);
    serve('resources/read', 'ReadResourceRequestParams', readResource);
    serve('prompts/list', 'PaginatedRequestParams', listPrompts);
    serve('prompts/get', 'GetPromptRequestParams', getPrompt);
    serve('completion/complete', 'CompleteRequestParams', complete);
    // Over HTTP the entries ask this before they dispatch: a missing scope is an answer of the protocol there.
    mcp.resolveScopeChallenge = async ({ request, authInfo }) =>
      authInfo && scopeChallenge(request, (await app).capabilities, await options.caller(authInfo));
    return mcp;
  };
}
