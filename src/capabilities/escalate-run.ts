import { issueTypeOf } from '../core/domain/company.js';
import type { SkillRun, SkillSummary } from '../core/domain/skill.js';
import { withNextStep } from '../core/i18n/index.js';
import { demandCustomer } from './caller-session.js';
import type { CapabilityDeps } from './capability-deps.js';
import type { CheckedCall } from './checked-call.js';
import { openConversation, tell } from './open-conversation.js';
import type { EscalatedRun } from './skill-outcome.js';

const FOUND = 12;

/** Puts the question of a waiting run to the operators: with a ticket that has what was found, and the ways to go on. */
export async function escalateRun(
  deps: CapabilityDeps,
  skill: SkillSummary,
  run: SkillRun,
  { call, language, callId }: Pick<CheckedCall, 'call' | 'language' | 'callId'>,
): Promise<EscalatedRun> {
  const { tickets, tools } = deps;
  const { ticketId } = await openConversation(deps, {
    caller: call.caller,
    customerId: demandCustomer(call.caller),
    language,
    callId,
    what: skill.title,
    agent: 'investigation',
    issueType: issueTypeOf(tools.company, '').id,
    route: 'investigation',
  });
  await tools.skills.assign(run.runId, ticketId);
  const handoff = run.handoff;
  const known = await tickets.listEscalations(ticketId);
  if (known.length === 0 && handoff) {
    const cause = handoff.proposal?.root_cause ?? 'no cause found';
    await tickets.escalate(ticketId, {
      reason: 'requires_human',
      summary: `${skill.title}: ${handoff.question}`,
      found: [
        `${run.skillId} ${run.skillVersion}: ${cause}`,
        ...handoff.found.slice(0, FOUND).map(({ name, finding }) => `${name}: ${finding}`),
      ],
      tried: [`${run.skillId}: ${handoff.tried.join(' > ')}; asks: ${handoff.question}`],
      options: handoff.options.map(({ id, label }) => `${id}: ${label} (run ${run.runId})`),
    });
  }
  const texts = deps.tools.texts.for(language);
  const message = withNextStep(texts, texts.sayOf('escalated', 'requires_human'), deps.nextStep(language));
  await tell(deps, ticketId, message);
  return { ticketId, message };
}
