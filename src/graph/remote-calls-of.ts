import type { ToolTrace } from '../core/domain/session.js';
import type { ToolCallRecord } from '../core/domain/turn.js';
import { ASK_REMOTE_AGENT, remoteShape } from '../runtime/remote/remote-shape.js';

type Step = ReturnType<typeof remoteShape.parse>['steps'][number];

/**
 * What asking an agent elsewhere was made of, as calls of their own, so that whoever reads the turn sees every decision
 * and every try, as `remote:partner.specific(find_spot)`; then the call itself, with what came of it. Null for any other.
 */
export function remoteCallsOf({ agent, tool, args, result }: ToolTrace): readonly ToolCallRecord[] | null {
  const parsed = tool === ASK_REMOTE_AGENT ? remoteShape.safeParse(result) : null;
  if (!parsed?.success) return null;
  const { steps, outcome, code } = parsed.data;
  const failed = outcome === 'gave_up';
  const whole = { agent, tool, args, ok: !failed, ...(failed ? { code: code ?? 'remote_failed' } : {}) };
  return [...steps.map((step) => recordOf(agent, step)), whole];
}

function recordOf(agent: string, step: Step): ToolCallRecord {
  if (step.kind === 'decision') {
    const { decision, by, reason, skill } = step;
    const args = { decision, by, reason, ...(skill === null ? {} : { skill }) };
    return { agent, tool: `remote:${agent}.decision`, args, ok: true };
  }
  const { way, skill, attempt, ok, code, ms } = step;
  const name = `remote:${agent}.${way}${skill === null ? '' : `(${skill})`}`;
  return { agent, tool: name, args: { attempt, ms }, ok, ...(code === null ? {} : { code }) };
}
