import {
  type JSONRPCRequest,
  type ListResourcesRequest,
  type ListResourcesResult,
  type ListResourceTemplatesRequest,
  type ListResourceTemplatesResult,
  type ReadResourceRequest,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ScopeChallenge,
} from '@modelcontextprotocol/server';
import type { Capabilities, OutsideCaller } from '../../core/capabilities.js';
import type { Scope } from '../../core/domain/customer.js';
import type { JsonObject } from '../../core/domain/json.js';
import type { TicketMessage } from '../../core/domain/ticket.js';
import { HubError } from '../../core/errors.js';
import { toTicketViewJson } from '../desk-json.js';
import { toPendingJson } from '../reply-json.js';
import { demandFirstPage, type HubRequest, pageOf } from './hub-requests.js';

export const RESOURCE_KINDS = ['article', 'skill', 'ticket'] as const;
type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** What an address names. */
interface ResourceName {
  readonly kind: ResourceKind;
  readonly id: string;
}

const ADDRESS = /^(article|skill|ticket):\/\/([^/?#]+)$/;

export function resourceUri({ kind, id }: ResourceName): string {
  return `${kind}://${encodeURIComponent(id)}`;
}

/** Null for what is no address of this server. */
function parseUri(uri: string): ResourceName | null {
  const [, kind, id] = ADDRESS.exec(uri) ?? [];
  if (kind === undefined || id === undefined) return null;
  try {
    return { kind: kind as ResourceKind, id: decodeURIComponent(id) };
  } catch {
    // A broken percent sign.
    return null;
  }
}

/** The same as a template, whose variable completion knows by name. */
export function templateOf(kind: ResourceKind): string {
  return `${kind}://{${variableOf(kind)}}`;
}

export function variableOf(kind: ResourceKind): string {
  return `${kind}_id`;
}

/** What reading a ticket takes. */
const TICKET_SCOPE: Scope = 'account:read';

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

const LISTED = 100;

/** A ticket in a list. */
interface TicketEntry {
  readonly ticketId: string;
  /** How its conversation began; null where nothing was said. */
  readonly title: string | null;
  readonly updatedAt: string;
}

/** The newest ticket of each of the customer's conversations, the latest first; none for others. */
export async function ownTickets({ app, caller }: HubRequest): Promise<readonly TicketEntry[]> {
  if (!caller.scopes.includes(TICKET_SCOPE)) return [];
  const threads = await app.conversations.list(caller.identity, LISTED);
  return threads.flatMap(({ ticketId, title, updatedAt }) =>
    ticketId === null ? [] : [{ ticketId, title, updatedAt }],
  );
}

/**
 * A ticket: for an operator with everything the desk has, for a customer their own one as the chat shows it.
 * @throws HubError `not_found` (also where it is somebody else's), `scope_missing`
 */
async function readTicket(ticketId: string, hub: HubRequest): Promise<JsonObject> {
  const { app, caller } = hub;
  const { operator, identity, scopes } = caller;
  if (!scopes.includes(TICKET_SCOPE) && (operator || identity.kind === 'customer')) {
    throw new HubError('scope_missing', `Reading a ticket takes the scope ${TICKET_SCOPE}.`, {
      scope: TICKET_SCOPE,
    });
  }
  if (operator) return plain(toTicketViewJson(await app.desk.show(ticketId)));
  // An anonymous conversation belongs to the one who knows its id; its ticket's id proves nothing.
  if (identity.kind !== 'customer') throw new HubError('not_found', 'There is no such ticket.');
  const { ticket } = await app.desk.show(ticketId);
  // Whose conversation it is decides, and it hands out nothing that is meant for the desk.
  const thread = await app.conversations.show(identity, ticket.threadId);
  const isNewest = thread.ticketId === ticketId;
  return plain({
    ticket_id: ticketId,
    thread_id: ticket.threadId,
    status: ticket.status,
    owner: ticket.owner,
    operator: ticket.operatorName,
    created_at: ticket.createdAt,
    updated_at: ticket.updatedAt,
    resolved_at: ticket.resolvedAt,
    pending: isNewest && thread.pending ? toPendingJson(thread.pending) : null,
    messages: thread.messages.filter((message) => message.ticketId === ticketId).map(toMessageJson),
  });
}

function toMessageJson({ role, author, content, citations, createdAt }: TicketMessage) {
  return {
    role,
    author,
    content,
    citations: citations.map(({ articleId, title }) => ({ article_id: articleId, title })),
    created_at: createdAt,
  };
}

/** Wire forms are JSON by construction; only their types say less. */
function plain(value: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

const PAGE = 100;
const JSON_TYPE = 'application/json';
const MARKDOWN = 'text/markdown';

/** Articles, skills and the customer's own tickets, by address. */
export async function listResources(
  { params }: ListResourcesRequest,
  hub: HubRequest,
): Promise<ListResourcesResult> {
  const all = [...(await articles(hub)), ...skills(hub), ...(await tickets(hub))];
  all.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  const { items, ...next } = pageOf(all, ({ uri }) => uri, params?.cursor, PAGE);
  return { resources: [...items], ...next };
}

const TEMPLATES: Readonly<Record<ResourceKind, { readonly title: string; readonly description: string }>> = {
  article: {
    title: 'Help centre article',
    description: 'A whole article of the knowledge base, as Markdown.',
  },
  skill: { title: 'Skill', description: 'What a skill is for, with the schemas of its input and output.' },
  ticket: {
    title: 'Ticket',
    description: 'A ticket with its conversation. Customers see their own ones, operators all.',
  },
};

export function listTemplates({ params }: ListResourceTemplatesRequest): ListResourceTemplatesResult {
  demandFirstPage(params?.cursor);
  return {
    resourceTemplates: Object.entries(TEMPLATES).map(([kind, about]) => ({
      name: kind,
      uriTemplate: templateOf(kind as ResourceKind),
      mimeType: kind === 'article' ? MARKDOWN : JSON_TYPE,
      ...about,
    })),
  };
}

/**
 * Reads a resource. What does not exist and what is somebody else's is not found in the same words.
 * @throws ResourceNotFoundError, HubError `scope_missing`
 */
export async function readResource(
  { params: { uri } }: ReadResourceRequest,
  hub: HubRequest,
): Promise<ReadResourceResult> {
  const name = parseUri(uri);
  if (!name) throw new ResourceNotFoundError(uri);
  try {
    return await READ[name.kind](uri, name.id, hub);
  } catch (error) {
    if (error instanceof HubError && error.code === 'not_found') throw new ResourceNotFoundError(uri);
    throw error;
  }
}

type Read = (uri: string, id: string, hub: HubRequest) => Promise<ReadResourceResult>;

const READ: Readonly<Record<ResourceKind, Read>> = {
  article: async (uri, id, { app }) => {
    const { title, content } = await app.kb.show(id);
    return { contents: [{ uri, mimeType: MARKDOWN, text: `# ${title}\n\n${content}\n` }] };
  },
  skill: async (uri, id, hub) => {
    const capability = hub.app.capabilities
      .list(hub.caller)
      .find(({ kind, name }) => kind === 'skill' && name === id);
    if (!capability) throw new ResourceNotFoundError(uri);
    const { name, title, description, tags, effect, inputSchema, outputSchema } = capability;
    const summary = {
      ...{ skill_id: name, title, description, tags: [...tags], effect },
      input_schema: inputSchema,
      output_schema: outputSchema,
    };
    const knowledge = seesKnowledge(hub) ? hub.app.workbench.knowledge(id) : null;
    const json = jsonContent(uri, summary);
    return { contents: knowledge === null ? [json] : [json, { uri, mimeType: MARKDOWN, text: knowledge }] };
  },
  ticket: async (uri, id, hub) => ({ contents: [jsonContent(uri, await readTicket(id, hub))] }),
};

/** What experts wrote for colleagues is not for every customer's program. */
function seesKnowledge({ local, caller }: HubRequest): boolean {
  return local || caller.operator !== undefined;
}

function jsonContent(uri: string, data: JsonObject) {
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(data, null, 2) };
}

async function articles({ app }: HubRequest): Promise<readonly Resource[]> {
  return (await app.kb.list()).map(({ articleId, title, tags, updatedAt }) => ({
    uri: resourceUri({ kind: 'article', id: articleId }),
    name: articleId,
    title,
    ...(tags.length === 0 ? {} : { description: `Tags: ${tags.join(', ')}` }),
    mimeType: MARKDOWN,
    annotations: { lastModified: updatedAt },
  }));
}

function skills({ app, caller }: HubRequest): readonly Resource[] {
  return app.capabilities
    .list(caller)
    .filter(({ kind }) => kind === 'skill')
    .map(({ name, title, description }) => ({
      uri: resourceUri({ kind: 'skill', id: name }),
      ...{ name, title, description },
      mimeType: JSON_TYPE,
    }));
}

async function tickets(hub: HubRequest): Promise<readonly Resource[]> {
  return (await ownTickets(hub)).map(({ ticketId, title, updatedAt }) => ({
    uri: resourceUri({ kind: 'ticket', id: ticketId }),
    name: ticketId,
    title: title ?? ticketId,
    mimeType: JSON_TYPE,
    annotations: { lastModified: updatedAt },
  }));
}
