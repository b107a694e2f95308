import { AIMessage } from '@langchain/core/messages';
import { carryOutDecision } from '../runtime/decided-action.js';
import type { GraphDeps } from './graph-deps.js';
import { HubState, type HubStateType, type HubUpdate } from './state.js';

/** Where a turn goes next that an answer to an open question has ended already. */
export const ANSWERED = 'answered';

/**
 * A yes or no that a developer types as the next message, where the run before waits for one. The new run has replaced
 * that one, so the question is settled from its stored row.
 * @returns null where nothing of this customer's is open in the thread, or the message is something else
 */
export async function answeredInStudio(
  { tickets, tools, language, dialogue, trustUserEmail }: GraphDeps,
  { user_email: email }: Pick<HubStateType, 'user_email'>,
  threadId: string,
  text: string,
): Promise<HubUpdate | null> {
  if (!trustUserEmail || !email) return null;
  const open = await tools.pending.findOpenConfirmation(threadId);
  const customer = open && (await tools.customers.findByEmail(email));
  if (!open || customer?.customerId !== open.customerId) return null;
  const spoken = (await tickets.getClassification(open.ticketId))?.language;
  const { kind } = language.readYesNo(
    dialogue.withoutAsides(text),
    spoken ?? language.detectLanguage(text).language,
  );
  if (kind !== 'yes' && kind !== 'no') return null;
  await tickets.addMessage(open.ticketId, 'customer', text);
  const decided = await tools.pending.decide(open.pendingId, {
    approved: kind === 'yes',
    by: `customer:${open.customerId}`,
  });
  const { text: reply, messageId } = await carryOutDecision({ tickets, tools }, decided);
  return {
    messages: [new AIMessage(reply)],
    ticket_id: open.ticketId,
    next: ANSWERED,
    reply: { text: reply, provider: 'offline', citations: [], escalated: false, messageId },
  };
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** Messages, as Studio knows them: it draws a conversation and not a list of objects. */
const MESSAGES: JsonSchema = { type: 'array', items: { type: 'object' }, langgraph_type: 'messages' };
const CUSTOMER: JsonSchema = {
  type: ['string', 'null'],
  title: 'Customer',
  description: 'E-mail address of the customer who writes; empty for one who is not signed in.',
};

/** What a person gives a run: everything else of the state is the hub's own. */
const INPUT: JsonSchema = objectOf({ messages: MESSAGES, user_email: CUSTOMER });

/** Every channel by its name; what they hold is shown with a thread. */
const STATE: JsonSchema = objectOf({
  ...Object.fromEntries(Object.keys(HubState.spec).map((channel) => [channel, {}])),
  messages: MESSAGES,
  user_email: CUSTOMER,
});

interface Described {
  readonly builder: object;
  getSubgraphsAsync(namespace?: string, recurse?: boolean): AsyncIterable<readonly [string, object]>;
}

/**
 * Says what the graph's state is and what a run of it takes. Studio's server asks a graph itself first; where it gets no
 * answer it reads the types of the whole program, which takes it up to a minute, and offers every channel in its form.
 */
export async function describedForStudio<Graph extends Described>(graph: Graph): Promise<Graph> {
  describe(graph.builder, INPUT);
  for await (const [path, subgraph] of graph.getSubgraphsAsync(undefined, true)) {
    const { builder } = subgraph as { readonly builder?: WithTools };
    if (!builder) continue;
    describe(builder, STATE);
    const tools = builder.nodes?.tools?.runnable;
    if (tools) tools.name = `${path.split('|').at(-1)} tools`;
  }
  return graph;
}

interface WithTools {
  readonly nodes?: { readonly tools?: { readonly runnable?: { name?: string } } };
}

/** A definition in the shape that the server asks for; the graph itself validates by none but its own kinds. */
function describe(builder: object, input: JsonSchema): void {
  const state = { getJsonSchema: () => STATE, getInputJsonSchema: () => input };
  const described = builder as Record<'_schemaRuntimeDefinition' | '_inputRuntimeDefinition', unknown>;
  // What is described by a schema of its own is validated by it.
  if (described._schemaRuntimeDefinition !== undefined) return;
  Object.assign(described, {
    _schemaRuntimeDefinition: state,
    _inputRuntimeDefinition: state,
    _outputRuntimeDefinition: state,
  });
}

function objectOf(properties: JsonSchema): JsonSchema {
  return { type: 'object', properties };
}
