import { readFileSync } from 'node:fs';
import type { AgentCard, AgentExtension, AgentInterface, AgentSkill, SecurityRequirement } from '@a2a-js/sdk';
import type { Capability, CapabilityAgent } from '../../core/capabilities.js';
import { SCOPES } from '../../core/domain/access.js';
import type { CompanyProfile } from '../../core/domain/company.js';
import type { JsonObject } from '../../core/domain/json.js';
import { callerSecretExtension } from './caller-secret.js';
import { rpcPath, skillPath } from './card-agents.js';
import { A2A_CAPABILITIES, A2A_VERSIONS } from './rpc.js';
import { answerSchema, bodySchema, takesToken } from './skill-schemas.js';

/** What cards say of the server that gives them out. */
export interface CardSettings {
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
export function buildCard(agent: CapabilityAgent, settings: CardSettings): AgentCard {
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
export const SPECIFIC_SKILLS = 'urn:uda-hub:a2a:specific-skills:v1';

/** The extension with all skills of an agent. */
export function specificSkills(agent: CapabilityAgent, baseUrl: string): AgentExtension {
  return {
    uri: SPECIFIC_SKILLS,
    description:
      'Each skill is also called directly: its input, as input_schema says, is sent to its endpoint as JSON, and a successful answer is as output_schema says. Skills with requires_confirmation answer first with what they would do (status 202), and do it when the confirmation_token comes back.',
    required: false,
    params: { skills: agent.capabilities.map((one) => specificSkill(agent.name, one, baseUrl)) },
  };
}

/** How one skill is called directly. */
export function specificSkill(agent: string, capability: Capability, baseUrl: string): JsonObject {
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
