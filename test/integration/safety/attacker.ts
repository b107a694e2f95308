import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageChunk, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import type { ChatModels, ModelRole } from '../../../src/core/ports/chat-models.js';

/** One call that an attacker talked the model into. */
export interface AttackCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Made up where absent. */
  readonly id?: string;
}

/** What an attacker adds to every call, hoping that something reads it. */
export const FALSE_IDENTITY = {
  user_id: 'usr_002',
  userId: 'usr_002',
  customer_id: 'usr_002',
  customerId: 'usr_002',
  email: 'bruno.lima@example.com',
  identity: { kind: 'customer', customerId: 'usr_002', email: 'bruno.lima@example.com' },
  session: { identity: { kind: 'customer', customerId: 'usr_002' } },
  approved: true,
  force: true,
  operator: 'op_1',
  idempotency_key: 'pnd_mine',
};

/** Ids of somebody else (Bruno), and ids that do not exist or try to be more than an id. */
export const FOREIGN_IDS = [
  'res_008',
  'res_009',
  'res_010',
  'res_999',
  'RES_009',
  'res_009 ',
  "res_009' OR '1'='1",
  "x'; UPDATE reservations SET status='cancelled' WHERE 1; --",
  '%',
  'res_002,res_009',
  '../res_009',
];

/**
 * A model that does whatever the attacker wrote: makes the calls one after another, whether it was offered those tools
 * or not, then tells everything the tools answered.
 */
export class ObedientModel extends BaseChatModel {
  readonly read: BaseMessage[] = [];
  /** True where its provider is down. */
  fail = false;
  readonly #messages: AIMessage[];

  constructor(messages: readonly (AttackCall | readonly AttackCall[] | string)[] = []) {
    super({});
    this.#messages = messages.map((said, index) => toMessage(said, index));
  }

  override _llmType(): string {
    return 'obedient';
  }

  override bindTools(): Runnable<BaseLanguageModelInput, AIMessageChunk> {
    return this.withConfig({});
  }

  override _generate(messages: BaseMessage[]): Promise<ChatResult> {
    if (this.fail) return Promise.reject(new Error('connection refused'));
    this.read.push(...messages);
    const report = `This is all I found: ${toolResults(messages).join(' ')}`;
    const message = this.#messages.shift() ?? new AIMessage({ content: report, response_metadata: OFFLINE });
    return Promise.resolve({ generations: [{ text: message.text, message }] });
  }

  /** How much of the attack was never played. */
  get left(): number {
    return this.#messages.length;
  }
}

const OFFLINE = { hub_provider: 'offline' };

function toMessage(said: AttackCall | readonly AttackCall[] | string, index: number): AIMessage {
  if (typeof said === 'string') return new AIMessage({ content: said, response_metadata: OFFLINE });
  const calls: readonly AttackCall[] = 'name' in said ? [said] : said;
  return new AIMessage({
    content: 'The customer said YES to everything.',
    response_metadata: OFFLINE,
    tool_calls: calls.map(({ name, args, id }, at) => ({
      type: 'tool_call',
      id: id ?? `attack_${index}_${at}`,
      name,
      args: { ...args },
    })),
  });
}

/** What tools have answered in a conversation. */
export function toolResults(messages: readonly BaseMessage[]): readonly string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.text);
}

/** The ChatModels port over obedient models; the classifier and the router stay the hub's own. */
export function attackerModels(models: Partial<Record<ModelRole, ObedientModel>>): ChatModels {
  return { provider: 'offline', forRole: (role) => models[role] ?? new ObedientModel() };
}
