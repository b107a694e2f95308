import type { App } from '../../core/app.js';
import type { Capability, CapabilityAgent, OutsideCaller } from '../../core/capabilities.js';
import type { CompanyProfile } from '../../core/domain/company.js';
import { HUB_AGENT } from './tasks.js';

/** What the hub as a whole is for. */
function hubDescription({ name, about }: CompanyProfile): string {
  return `Customer support of ${name}, ${about.en}. Understands a message in English or Portuguese, asks the agent that can help, and answers with sources, or escalates to a person.`;
}

/** What the list of agents is made of. */
export type ServedBy = Pick<App, 'capabilities' | 'company'>;

/** The agents that other software can ask: the hub first, then those of the roster. */
export function servedAgents(
  { capabilities, company }: ServedBy,
  caller?: OutsideCaller,
): readonly CapabilityAgent[] {
  const hub: CapabilityAgent = {
    name: HUB_AGENT,
    title: '',
    description: hubDescription(company),
    converses: true,
    capabilities: capabilities.list(caller),
  };
  return [hub, ...capabilities.agents(caller)];
}

/** Null where there is no such agent. */
export function servedAgent(served: ServedBy, name: string, caller?: OutsideCaller): CapabilityAgent | null {
  return servedAgents(served, caller).find((agent) => agent.name === name) ?? null;
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
