import {
  type ListResourcesRequest,
  type ListResourcesResult,
  type ListResourceTemplatesRequest,
  type ListResourceTemplatesResult,
  type ReadResourceRequest,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { HubRequest } from './hub-requests.js';
import { demandFirstPage, pageOf } from './pages.js';
import { parseUri, type ResourceKind, resourceUri, templateOf } from './resource-uris.js';
import { ownTickets, readTicket } from './tickets.js';

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
    return {
      contents: knowledge === null ? [json] : [json, { uri, mimeType: MARKDOWN, text: knowledge }],
    };
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
