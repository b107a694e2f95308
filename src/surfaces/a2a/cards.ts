import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  AgentCard,
  type AgentExtension,
  type AgentInterface,
  type AgentSkill,
  type SecurityRequirement,
  type SecurityScheme,
} from '@a2a-js/sdk';
import type { Capability, CapabilityAgent, OutsideCaller } from '../../core/capabilities.js';
import type { CompanyProfile } from '../../core/domain/company.js';
import { SCOPES } from '../../core/domain/customer.js';
import { type JsonObject, mapValues } from '../../core/domain/json.js';
import { takesToken } from '../capability-json.js';
import { outsideCaller, publicUrl } from '../http/client.js';
import type { HttpDeps } from '../http/http-deps.js';
import { createRouter, type HubContext, type HubRouter } from '../http/router.js';
import {
  agentPath,
  callerSecretExtension,
  knownAgent,
  rpcPath,
  servedAgents,
  skillPath,
} from './a2a-auth.js';
import { A2A_CAPABILITIES, A2A_VERSIONS } from './rpc.js';
import { answerSchema, bodySchema } from './skill-schemas.js';
import { HUB_AGENT } from './tasks.js';

/** What cards say of the server that gives them out. */
interface CardSettings {
  readonly company: CompanyProfile;
  /** Absolute, without a slash at the end. */
  readonly baseUrl: string;
  /** True where a program without a token may ask. */
  readonly anonymous: boolean;
  /** Of the hub. */
  readonly version: string;
}

const BINDING = 'JSONRPC';
/** Media types of messages, both ways. */
const MODES = ['text/plain', 'application/json'] as const;

const SCHEME = 'bearer';

/** The version of the hub, as its package says. */
export function hubVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** The card of an agent, made of what the rosters and the skills say. */
function buildCard(agent: CapabilityAgent, settings: CardSettings): AgentCard {
  const { baseUrl, anonymous, version } = settings;
  return {
    name: agent.title === '' ? 'UDA-Hub' : `UDA-Hub ${agent.title}`,
    description: agent.description,
    supportedInterfaces: interfaces(`${baseUrl}${rpcPath(agent.name)}`),
    provider: { organization: settings.company.name, url: baseUrl },
    version,
    documentationUrl: `${baseUrl}/docs`,
    capabilities: {
      ...A2A_CAPABILITIES,
      extensions: [specificSkills(agent, baseUrl), ...(anonymous ? [callerSecretExtension()] : [])],
    },
    securitySchemes: { [SCHEME]: { scheme: { $case: 'httpAuthSecurityScheme', value: bearer(anonymous) } } },
    securityRequirements: anonymous ? [{ schemes: {} }, needs()] : [needs()],
    defaultInputModes: [...MODES],
    defaultOutputModes: [...MODES],
    skills: agent.capabilities.map(toSkill),
    signatures: [],
  };
}

function interfaces(url: string): AgentInterface[] {
  return A2A_VERSIONS.map((protocolVersion) => ({
    url,
    protocolBinding: BINDING,
    protocolVersion,
    tenant: '',
  }));
}

function bearer(anonymous: boolean): { scheme: string; bearerFormat: string; description: string } {
  const open = anonymous ? ' General questions are answered without one.' : '';
  return {
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `A signed JWT of a customer or an operator, with some of the scopes ${SCOPES.join(', ')}. A skill names the one it needs.${open}`,
  };
}

function needs(...scopes: readonly string[]): SecurityRequirement {
  return { schemes: { [SCHEME]: { list: [...scopes] } } };
}

function toSkill({ name, title, description, tags, access, scope }: Capability): AgentSkill {
  const closed = access === 'customer' || scope !== null;
  return {
    id: name,
    name: title,
    description,
    tags: tags.length === 0 ? [name] : [...tags],
    examples: [],
    inputModes: [...MODES],
    outputModes: [...MODES],
    securityRequirements: closed ? [needs(...(scope === null ? [] : [scope]))] : [],
  };
}

/** Names the extension of a card that describes how each skill is called with structured input. */
const SPECIFIC_SKILLS = 'urn:uda-hub:a2a:specific-skills:v1';

/** The extension with all skills of an agent. */
function specificSkills(agent: CapabilityAgent, baseUrl: string): AgentExtension {
  return {
    uri: SPECIFIC_SKILLS,
    description:
      'Each skill is also called directly: its input, as input_schema says, is sent to its endpoint as JSON, and a successful answer is as output_schema says. Skills with requires_confirmation answer first with what they would do (status 202), and do it when the confirmation_token comes back.',
    required: false,
    params: { skills: agent.capabilities.map((one) => specificSkill(agent.name, one, baseUrl)) },
  };
}

/** How one skill is called directly. */
function specificSkill(agent: string, capability: Capability, baseUrl: string): JsonObject {
  const { name, title, description, effect, access, scope } = capability;
  return {
    name,
    title,
    description,
    endpoint: `${baseUrl}${skillPath(agent, capability)}`,
    method: 'POST',
    input_schema: bodySchema(capability),
    output_schema: answerSchema(capability),
    effect,
    read_only: effect === 'read',
    requires_sign_in: access === 'customer',
    scope,
    requires_confirmation: takesToken(capability),
  };
}

/** Where clients look for a card, below an agent and below the root. */
const CARD_NAMES = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
const SHORT_NAMES = ['', '/', '/agent-card.json', '/agent.json', ...CARD_NAMES];
const VERSION_HEADER = 'a2a-version';
const MAX_AGE_SECONDS = 300;

/** The cards, and lists of agents and of their skills. Open to everybody. */
export function cardRoutes(deps: HttpDeps, version: string): HubRouter {
  const { app, config } = deps;
  const router = createRouter();
  const settings = (c: HubContext): CardSettings => ({
    baseUrl: publicUrl(c, config.server),
    anonymous: config.server.anonymousAgents,
    version,
    company: app.company,
  });
  const card = async (c: HubContext, name: string): Promise<Response> => {
    const agent = knownAgent(app, name, await staffOf(c, deps));
    const built = buildCard(agent, settings(c));
    return cached(c, speaksCurrent(c) ? currentCard(built) : readableByAll(built));
  };

  for (const path of CARD_NAMES) {
    router.get(path, (c) => card(c, HUB_AGENT));
    router.get(`/a2a${path}`, (c) => card(c, HUB_AGENT));
  }
  router.get('/a2a', (c) => card(c, HUB_AGENT));
  router.get('/agents', async (c) => {
    const { baseUrl } = settings(c);
    const agents = servedAgents(app, await staffOf(c, deps));
    return cached(c, { agents: agents.map((agent) => listed(agent, baseUrl)) });
  });
  router.get('/agents/:agent/skills', async (c) => {
    const agent = knownAgent(app, c.req.param('agent'), await staffOf(c, deps));
    const { baseUrl } = settings(c);
    return cached(c, { skills: agent.capabilities.map((one) => specificSkill(agent.name, one, baseUrl)) });
  });
  for (const path of SHORT_NAMES) router.get(`/agents/:agent${path}`, (c) => card(c, c.req.param('agent')));
  return router;
}

function listed({ name, title, description }: CapabilityAgent, baseUrl: string): JsonObject {
  return {
    name,
    title: title === '' ? 'UDA-Hub' : title,
    description,
    url: `${baseUrl}${rpcPath(name)}`,
    card_url: `${baseUrl}${name === HUB_AGENT ? '' : agentPath(name)}/.well-known/agent-card.json`,
  };
}

/**
 * An operator's programs see skills with the fields that are theirs. A card has to be readable with any token, also one
 * that has run out: it tells how to get a better one.
 */
async function staffOf(c: HubContext, { app }: HttpDeps): Promise<OutsideCaller | undefined> {
  const header = c.req.header('authorization');
  if (header === undefined) return undefined;
  try {
    const caller = await outsideCaller(header, app.sessions, 'a2a', { anonymous: true });
    return caller.operator === undefined ? undefined : caller;
  } catch {
    return undefined;
  }
}

/** Clients of 1.0 name their version; those of 0.3 knew no such header. */
function speaksCurrent(c: HubContext): boolean {
  const asked = c.req.header(VERSION_HEADER) ?? c.req.query('A2A-Version') ?? '';
  return /^[1-9]\d*(\.|$)/.test(asked.trim());
}

function cached(c: HubContext, document: JsonObject): Response {
  const body = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const shared = c.req.header('authorization') === undefined ? 'public' : 'private';
  const headers = {
    etag,
    'cache-control': `${shared}, max-age=${MAX_AGE_SECONDS}`,
    vary: 'A2A-Version, Authorization',
  };
  if (knows(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
  return c.body(body, 200, { ...headers, 'content-type': 'application/json' });
}

function knows(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}

/** What a client that speaks 0.3 alone calls its version. */
const LEGACY_VERSION = '0.3.0';

/** A card as protocol 1.0 writes it, and nothing else. */
function currentCard(card: AgentCard): JsonObject {
  return AgentCard.toJSON(card) as JsonObject;
}

/**
 * A card that clients of 0.3 read, and those of 1.0 too: fields that only one of them knows stand side by side. It is
 * for the one who does not say a version, as clients of 0.3 do.
 */
function readableByAll(card: AgentCard): JsonObject {
  const [preferred] = card.supportedInterfaces;
  if (preferred === undefined) throw new Error('a card has an interface');
  const { url, protocolBinding: transport } = preferred;
  const current = AgentCard.toJSON(card) as JsonObject;
  const { securityRequirements: _, securitySchemes: __, skills: ___, ...rest } = current;
  return {
    ...rest,
    protocolVersion: LEGACY_VERSION,
    // The name that drafts of 1.0 had for it.
    protocolVersions: [...A2A_VERSIONS],
    url,
    preferredTransport: transport,
    additionalInterfaces: [{ url, transport }],
    supportsAuthenticatedExtendedCard: card.capabilities?.extendedAgentCard ?? false,
    securitySchemes: mapValues(card.securitySchemes, legacyScheme),
    security: card.securityRequirements.map(legacyRequirement),
    securityRequirements: current.securityRequirements,
    skills: card.skills.map(legacySkill),
  };
}

function legacyScheme({ scheme }: SecurityScheme): JsonObject {
  if (scheme?.$case !== 'httpAuthSecurityScheme') throw new Error('the hub has bearer tokens only');
  return { type: 'http', ...scheme.value };
}

function legacyRequirement({ schemes }: SecurityRequirement): JsonObject {
  return mapValues(schemes, ({ list }) => list);
}

function legacySkill(skill: AgentSkill): JsonObject {
  const { id, name, description, tags, inputModes, outputModes, securityRequirements } = skill;
  const closed = securityRequirements.length > 0;
  return {
    id,
    name,
    description,
    tags,
    inputModes,
    outputModes,
    ...(closed ? { security: securityRequirements.map(legacyRequirement) } : {}),
  };
}
