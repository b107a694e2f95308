import { z } from 'zod';
import type { Focus, ToolTrace } from '../../src/core/domain/session.js';
import type { ErrorCode } from '../../src/core/errors.js';
import { declinedText, statusText } from '../../src/core/i18n/index.js';
import type { OfflineStep } from '../../src/core/ports/chat-models.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import type { ActionTool } from '../../src/runtime/define-tool.js';
import { focusOn, say } from '../../src/runtime/offline-step.js';
import { type OfflineDeps, recordsOf } from '../offline-support.js';

/* What the action agent says came of its changes, without a model. */

/** Below this what a customer wants was guessed. */
const GUESSED = 0.6;

const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  said: z.string().optional(),
  reason: z.string().optional(),
  offer: z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()) }).optional(),
});

/** What came of each change, one under the other. */
export function report(deps: OfflineDeps, context: AgentContext, done: readonly ToolTrace[]): OfflineStep {
  const lines = done.flatMap((entry) => {
    const tool = deps.roster.findAction(entry.tool);
    if (!tool) return [];
    const texts = deps.texts.for(context.session.language);
    const isRejected = errorSchema.safeParse(entry.result).data?.code === 'confirmation_rejected';
    // Beside what was done it is not true that nothing has changed.
    if (isRejected && done.some(({ ok }) => ok)) return [texts.say('rest_unchanged')];
    if (!entry.ok) return [refusal(deps, context, entry, tool)];
    return [tool.describe(tool.output.parse(entry.result), texts, deps.time)];
  });
  const last = errorSchema.safeParse(done.at(-1)?.result).data?.offer;
  const text = [...new Set(lines)].join('\n');
  if (last === undefined) return say(text, againWith(deps, context, done));
  const { tool: intent, args } = last;
  return say(text, { focus: { ...focusOn(context, 'action', intent, []), args, offered: true } });
}

/** Of a change that cannot be made with what was chosen something else may be: "red, then" after "there is none in black". */
function againWith(deps: OfflineDeps, context: AgentContext, done: readonly ToolTrace[]): { focus?: Focus } {
  const [only, ...others] = done;
  const tool = only && deps.roster.findAction(only.tool);
  const chosen = (tool?.asks?.inputs ?? []).filter(
    ({ name, reading }) => reading.kind === 'choice' && only && Object.hasOwn(only.args, name),
  );
  const isDenied =
    only !== undefined && !only.ok && errorSchema.safeParse(only.result).data?.said !== undefined;
  if (!tool || !isDenied || others.length > 0 || chosen.length === 0) return {};
  const names = new Set(chosen.map(({ name }) => name));
  const args = Object.fromEntries(Object.entries(only.args).filter(([name]) => !names.has(name)));
  return { focus: { ...focusOn(context, 'action', tool.name, []), args } };
}

function refusal(deps: OfflineDeps, context: AgentContext, done: ToolTrace, tool: ActionTool): string {
  const texts = deps.texts.for(context.session.language);
  const error = errorSchema.safeParse(done.result);
  const code = (error.success ? error.data.code : 'internal') as ErrorCode;
  if (code === 'confirmation_rejected') return texts.say('nothing_changed');
  if (code === 'pending_withdrawn' && error.success) return error.data.message;
  if (code === 'approval_rejected') {
    return declinedText(texts, (error.success && error.data.reason) || null);
  }
  if (error.success && error.data.said) return error.data.said;
  // What was only guessed at and would change nothing was hardly meant: nobody is told that it was done.
  const isGuessed =
    context.task.proposal === undefined && (context.classification?.confidence ?? 1) < GUESSED;
  if (code === 'already_done' && isGuessed) return texts.say('clarify');
  if (code === 'already_done' && tool.target) {
    const { entity, input } = tool.target;
    const record = recordsOf(deps, context, entity).find(({ id }) => id === done.args[input]);
    // One that it could still be done to was listed before somebody else did it.
    const isStale = record !== undefined && tool.target.eligible([record], new Set()).length > 0;
    if (record && !isStale)
      return texts.say('already_so', { fact: statusText(texts, { ...record, entity }) });
  }
  const own = tool.refused?.(code, texts);
  if (own) return own;
  const id = tool.target && done.args[tool.target.input];
  if (code === 'not_found' && tool.target && typeof id === 'string') {
    return texts.say('no_such_one', { entity: tool.target.entity, mentioned: id, list: null, by: null });
  }
  return texts.sayOf('refusal', code);
}
