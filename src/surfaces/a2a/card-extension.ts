import type { AgentExtension } from '@a2a-js/sdk';
import type { Capability, CapabilityAgent } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import { skillPath } from './card-agents.js';
import { answerSchema, bodySchema, takesToken } from './skill-schemas.js';

/** Names the extension of a card that tells how each skill is called with structured input. */
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
