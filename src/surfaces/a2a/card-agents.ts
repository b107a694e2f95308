import type { Capabilities, Capability, CapabilityAgent, OutsideCaller } from '../../core/capabilities.js';
import { HUB_AGENT } from './tasks.js';

const HUB_DESCRIPTION =
  'Customer support of CultPass, a Brazilian subscription for museums, concerts and theatre. Understands a message in English or Portuguese, asks the agent that can help, and answers with sources, or hands over to a person.';

/** The agents that other software can ask: the hub first, then those of the roster. */
export function servedAgents(
  capabilities: Pick<Capabilities, 'agents' | 'list'>,
  caller?: OutsideCaller,
): readonly CapabilityAgent[] {
  const hub: CapabilityAgent = {
    name: HUB_AGENT,
    title: '',
    description: HUB_DESCRIPTION,
    converses: true,
    capabilities: capabilities.list(caller),
  };
  return [hub, ...capabilities.agents(caller)];
}

/** Null where there is no such agent. */
export function servedAgent(
  capabilities: Pick<Capabilities, 'agents' | 'list'>,
  name: string,
  caller?: OutsideCaller,
): CapabilityAgent | null {
  return servedAgents(capabilities, caller).find((agent) => agent.name === name) ?? null;
}

/** Path below which an agent is reached. */
export function agentPath(name: string): string {
  return `/agents/${name}`;
}

/** Where its messages go, by JSON-RPC. */
export function rpcPath(name: string): string {
  return name === HUB_AGENT ? '/a2a' : agentPath(name);
}

/** Where a capability is called directly; of the hub, at the agent that has it. */
export function skillPath(agent: string, { name, agent: owner }: Capability): string {
  return `${agentPath(agent === HUB_AGENT ? owner : agent)}/skills/${name}`;
}
