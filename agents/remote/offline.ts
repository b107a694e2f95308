import { agentTextsFor } from '../../src/core/i18n/agent-texts.js';
import type { OfflineStep } from '../../src/core/ports/offline-policy.js';
import type { AgentContext } from '../../src/runtime/agent-state.js';
import { dashed, say } from '../offline-support.js';
import { heardFrom } from './heard.js';

const MAX_FACTS = 6;

/**
 * The words of another agent without a model: said as they are, and whose they are.
 * @returns null where no other agent was asked
 */
export function remoteStep(context: AgentContext): OfflineStep | null {
  const heard = heardFrom(context);
  if (heard?.outcome !== 'answered') return null;
  const { agent, text, facts, focus } = heard;
  const [only, ...more] = facts;
  const said =
    text !== '' ? text : more.length === 0 ? (only ?? '') : (dashed(facts.slice(0, MAX_FACTS)) ?? '');
  return say(agentTextsFor(context.session.language).says({ agent, text: said }), { focus });
}
