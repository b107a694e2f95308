import type { App } from '../../app/app.js';
import type { Capability, OutsideCaller } from '../../core/capabilities.js';
import { ANONYMOUS } from '../../core/domain/customer.js';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import type { InboxContent } from '../../core/ports/inbox.js';
import type { Outcome } from './tasks-outcome.js';

/**
 * Answers a message to an agent that holds no conversations: it is given to the agent's one tool as it is.
 * @throws HubError `input_invalid` where the agent has none that takes a text
 */
export async function answerAlone(
  { capabilities }: Pick<App, 'capabilities'>,
  task: A2aTaskRecord,
  messageId: string,
  content: InboxContent,
): Promise<Outcome> {
  const agent = capabilities.agents().find(({ name }) => name === task.agent);
  const found = agent?.capabilities.flatMap((capability) => {
    const field = textField(capability);
    return field === null ? [] : [{ name: capability.name, field }];
  })[0];
  if (!found || content.kind !== 'text')
    throw new HubError('input_invalid', 'This agent takes one message in words.', { agent: task.agent });
  // The tool needs nobody signed in, and is given nobody.
  const caller: OutsideCaller = { identity: ANONYMOUS, scopes: [], channel: 'a2a' };
  const input = { [found.field]: content.text };
  const key = `a2a:${task.owner}:${messageId}`;
  const outcome = await capabilities.call({ caller, name: found.name, input, idempotencyKey: key });
  if (outcome.kind !== 'done')
    throw new HubError('internal', 'The agent has not answered.', { kind: outcome.kind });
  const { data } = outcome;
  return { state: 'completed', wait: null, said: { text: wordsOf(data), data }, told: [] };
}

/** The name of the one text that a capability takes. */
function textField({ inputSchema, access }: Capability): string | null {
  const { properties } = inputSchema as { readonly properties?: Readonly<Record<string, JsonObject>> };
  const [only, ...more] = Object.entries(properties ?? {});
  return access === 'anyone' && only?.[1].type === 'string' && more.length === 0 ? only[0] : null;
}

function wordsOf({ summary }: JsonObject): string | null {
  return typeof summary === 'string' && summary !== '' ? summary : null;
}
