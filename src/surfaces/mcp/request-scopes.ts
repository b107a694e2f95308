import type { JSONRPCRequest, ScopeChallenge } from '@modelcontextprotocol/server';
import type { Capabilities, OutsideCaller } from '../../core/capabilities.js';
import type { Scope } from '../../core/domain/access.js';
import { parseUri } from './resource-uris.js';

/** What reading a ticket takes. */
export const TICKET_SCOPE: Scope = 'account:read';

/** The scope that a request needs and its token lacks; undefined where nothing is missing. */
export function scopeChallenge(
  { method, params }: JSONRPCRequest,
  capabilities: Capabilities,
  caller: OutsideCaller,
): ScopeChallenge | undefined {
  const needed =
    method === 'tools/call'
      ? capabilities.list(caller).find(({ name }) => name === params?.name)?.scope
      : method === 'resources/read' && parseUri(String(params?.uri))?.kind === 'ticket'
        ? TICKET_SCOPE
        : null;
  if (!needed || caller.scopes.includes(needed)) return undefined;
  return { scopes: [needed], errorDescription: `The token lacks the scope ${needed}` };
}
