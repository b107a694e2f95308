import { isSpecType, type JSONRPCRequest, specTypeSchemas } from '@modelcontextprotocol/server';

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
