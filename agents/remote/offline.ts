import type { OfflineStep } from '../../src/core/ports/offline-policy.js';
import type { AgentContext } from '../../src/runtime/agent-state.js';
import { dashed, say } from '../../src/runtime/offline-step.js';
import type { OfflineDeps } from '../offline-support.js';
import { gapBefore, remoteAnswer } from './agent.js';

const MAX_FACTS = 6;

/**
 * The words of another agent without a model: said as they are, and whose they are.
 * @returns null where no other agent was asked
 */
export function remoteStep(deps: Pick<OfflineDeps, 'texts'>, context: AgentContext): OfflineStep | null {
  const answer = remoteAnswer(context);
  if (answer?.outcome !== 'answered') return null;
  const { agent, text, facts, focus } = answer;
  const [only, ...more] = facts;
  const said =
    text !== '' ? text : more.length === 0 ? (only ?? '') : (dashed(facts.slice(0, MAX_FACTS)) ?? '');
  return say(
    deps.texts.for(context.session.language).say('remote_says', { agent, gap: gapBefore(said), text: said }),
    { focus },
  );
}
