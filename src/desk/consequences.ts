import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { GraphDeps } from '../graph/graph-deps.js';

const MAX_ARGS = 300;

/**
 * What deciding an approval means, in plain sentences: first what a yes does, as the action itself says it (the money it
 * moves, what stands against it now), then what a no does. Read from the data as they are at this moment.
 */
export async function consequencesOf(
  { tools }: GraphDeps,
  pending: PendingAction,
  customerName: string | null,
  language: Language,
): Promise<readonly string[]> {
  const texts = tools.texts.for(language);
  const { tool: name, args, customerId } = pending;
  const customer = customerName ?? customerId;
  const action = tools.roster.findAction(name);
  const input = action?.input.safeParse(args);
  const effects =
    action && input?.success
      ? await action.consequences(tools, input.data, { customerId, customer, language })
      : [texts.say('runs', { tool: name, args: JSON.stringify(args).slice(0, MAX_ARGS), customer })];
  const when = tools.time.dateTime(pending.expiresAt, language);
  return [...effects, texts.say('tells_customer'), texts.say('on_reject'), texts.say('on_expiry', { when })];
}
