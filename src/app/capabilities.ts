import { triageAgent } from '../../agents/triage/agent.js';
import { createCapabilities } from '../capabilities/capabilities.js';
import type { Config } from '../config/config.js';
import type { Capabilities } from '../core/capabilities.js';
import { choose } from '../desk/choice.js';
import type { DeskDeps } from '../desk/desk.js';
import { nextStep } from '../graph/next-step.js';
import { authSecrets } from './access.js';
import type { Parts } from './parts.js';

/** What other software may call, over the same stores, tools and gates as the conversations. */
export function openCapabilities(
  config: Config,
  { stores, graph, operations }: Pick<Parts, 'stores' | 'graph' | 'operations'>,
  desk: DeskDeps,
): Capabilities {
  const { guard: _turns, ...tools } = graph.tools;
  const { locale } = config;
  const secrets = authSecrets(config, tools.clock);
  const { tickets, threads, locks, idempotency, isErased } = stores;
  return createCapabilities({
    ...{ tools, tickets, threads, locks, idempotency, isErased, locale, waitMs: desk.waitMs },
    agents: graph.agents,
    triage: triageAgent,
    ids: graph.ids,
    metrics: operations.metrics,
    tracing: operations.tracing,
    secrets: () => secrets().map(({ secret }) => secret),
    chooseAtDesk: (ticketId, choice, operator) => choose(desk, ticketId, choice, operator),
    nextStep: (language) => nextStep(graph, language, undefined),
  });
}
