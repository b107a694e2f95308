import { AgentCard, type AgentSkill, type SecurityRequirement, type SecurityScheme } from '@a2a-js/sdk';
import type { JsonObject } from '../../core/domain/json.js';
import { A2A_VERSIONS } from './rpc.js';

/** What a client that speaks 0.3 alone calls its version. */
const LEGACY_VERSION = '0.3.0';

/** A card as protocol 1.0 writes it, and nothing else. */
export function currentCard(card: AgentCard): JsonObject {
  return AgentCard.toJSON(card) as JsonObject;
}

/**
 * A card that clients of 0.3 read, and those of 1.0 too: fields that only one of them knows stand side by side. It is
 * for whoever does not say a version, as clients of 0.3 do.
 */
export function readableByAll(card: AgentCard): JsonObject {
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

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
