import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageChunk, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';

/** What the library calls the handoff tools, before the agent's name. */
const TRANSFER = 'transfer_to_';

interface RouterCallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[];
}

/** What the router leaves to the model, on the system message. */
export interface RouterOrder {
  /** Who it is handed to where the model names nobody. */
  readonly fallback: string;
  readonly callId: string;
  /** For the log of the model's call. */
  readonly ticketId: string | null;
  /** Agents that may not be chosen for this; none where absent. */
  readonly withheld?: readonly string[];
}

/** A system message that carries an order; its text is what a real model would read. */
export function orderMessage(text: string, order: RouterOrder): SystemMessage {
  return new SystemMessage({ content: text, additional_kwargs: { hub_order: order } });
}

/**
 * The supervisor's model, asked where no rule is certain. One valid handoff comes out, whatever it answers: an invented
 * agent, two calls at once or prose are replaced by the rules' fallback.
 */
export class RouterModel extends BaseChatModel<RouterCallOptions> {
  readonly #model: BaseChatModel;

  constructor(model: BaseChatModel) {
    super({});
    this.#model = model;
  }

  static override lc_name(): string {
    return 'RouterModel';
  }

  override _llmType(): string {
    return 'hub-router';
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<RouterCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, RouterCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const order = orderIn(messages);
    const withheld = new Set((order.withheld ?? []).map((agent) => `${TRANSFER}${agent}`));
    const tools = (options.tools ?? []).filter(
      (tool) => !('name' in tool && withheld.has(String(tool.name))),
    );
    const bound = this.#model.bindTools?.(tools) ?? this.#model;
    const answer = await bound.invoke(messages);
    const known = new Set(tools.map((tool) => ('name' in tool ? tool.name : undefined)));
    const chosen = answer.tool_calls?.find((call) => known.has(call.name));
    const agent = chosen?.name.slice(TRANSFER.length) ?? order.fallback;
    return result(transfer(agent, order.callId));
  }
}

function orderIn(messages: readonly BaseMessage[]): RouterOrder {
  const order = messages.find((message) => SystemMessage.isInstance(message))?.additional_kwargs.hub_order;
  if (!order) throw new Error('The router was called without an order');
  return order as RouterOrder;
}

function transfer(agent: string, id: string): AIMessage {
  return new AIMessage({
    content: '',
    tool_calls: [{ name: `${TRANSFER}${agent}`, args: {}, id, type: 'tool_call' }],
  });
}

function result(message: AIMessage): ChatResult {
  return { generations: [{ text: message.text, message }] };
}
