import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { LANGUAGES } from '../../core/domain/taxonomy.js';
import type { HubRequest } from './hub-requests.js';
import { PROMPTS } from './prompts.js';
import { RESOURCE_KINDS, templateOf, variableOf } from './resource-uris.js';
import { ownTickets } from './tickets.js';

/** The most that the protocol lets a server suggest. */
const MOST = 100;

/** Suggests values for a variable of a resource template or an argument of a prompt. */
export async function complete({ params }: CompleteRequest, hub: HubRequest): Promise<CompleteResult> {
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
      return LANGUAGES;
    default:
      return [];
  }
}
