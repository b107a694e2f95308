import type { ListToolsRequest, ListToolsResult, Tool } from '@modelcontextprotocol/server';
import type { Capability } from '../../core/capabilities.js';
import type { HubRequest } from './hub-requests.js';
import { demandFirstPage } from './pages.js';
import { STATUS_TOOL, WITHDRAW_TOOL } from './status-tool.js';
import { inputSchemaOf, outputSchemaOf } from './tool-schemas.js';

/** Made once for each capability, not for each request: a list is long, and every new session asks for it. */
const made = new WeakMap<Capability, Tool>();

/** All tools, whoever asks: what somebody may not use says so when it is called. */
export function listTools({ params }: ListToolsRequest, { app, caller }: HubRequest): ListToolsResult {
  demandFirstPage(params?.cursor);
  return { tools: [...app.capabilities.list(caller).map(toTool), STATUS_TOOL, WITHDRAW_TOOL] };
}

function toTool(capability: Capability): Tool {
  const known = made.get(capability);
  if (known) return known;
  const { name, title, description, effect } = capability;
  const tool = {
    name,
    title,
    description: effect === 'irreversible' ? `${description} ${ASKS_FIRST}` : description,
    inputSchema: inputSchemaOf(capability) as Tool['inputSchema'],
    outputSchema: outputSchemaOf(capability) as NonNullable<Tool['outputSchema']>,
    annotations: {
      title,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'irreversible',
      idempotentHint: effect !== 'irreversible',
      openWorldHint: false,
    },
  };
  made.set(capability, tool);
  return tool;
}

const ASKS_FIRST = 'Asks the user before it acts.';
