import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { z } from 'zod';
import type { JsonObject } from '../../core/domain/json.js';
import { toHubError } from '../../core/errors.js';
import type { Log } from '../../core/ports/log.js';
import type { RemoteSkill } from '../../core/ports/remote-agents.js';
import type { RemoteMatter, RemoteReasoner } from '../../core/ports/remote-reasoner.js';
import { ticketMark } from './resilient-chat-model.js';
import type { AnswerMetadata } from './usage.js';

export interface ModelRemoteReasonerOptions {
  readonly model: BaseChatModel;
  /** What the model is told when it fills in the input of a skill, and when a call has failed. */
  readonly prompts: { readonly fill: string; readonly lookAgain: string };
  readonly log: Log;
}

/** No optional keys: strict structured output wants every key. The input is text, since every skill's is another. */
const fillSchema = z.object({ skill: z.string(), input_json: z.string() });
const lookAgainSchema = z.object({ fits: z.boolean(), words: z.string(), reason: z.string() });

const SCHEMA_CHARS = 3_000;

/** Asks a chat model about requests to other agents. An answer that the offline rules had to give counts as none. */
export function createModelRemoteReasoner({
  model,
  prompts,
  log,
}: ModelRemoteReasonerOptions): RemoteReasoner {
  const filling = model.withStructuredOutput(fillSchema, { name: 'remote_input', includeRaw: true });
  const looking = model.withStructuredOutput(lookAgainSchema, { name: 'second_look', includeRaw: true });
  const ask = async <T>(
    structured: typeof filling | typeof looking,
    prompt: string,
    { ticketId, signal }: RemoteMatter,
    lines: readonly string[],
  ): Promise<T | null> => {
    try {
      const system = new SystemMessage({ content: prompt, additional_kwargs: ticketMark(ticketId) });
      const config = { signal, metadata: { ticket_id: ticketId } };
      const { raw, parsed } = await structured.invoke([system, new HumanMessage(lines.join('\n'))], config);
      const meta = (raw as AIMessage).response_metadata as Partial<AnswerMetadata>;
      return meta.hub_provider === 'offline' ? null : (parsed as T | null);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { code, message } = toHubError(error);
      log.warn({ agent: 'remote', action: 'model_not_used', ticketId, details: { code, reason: message } });
      return null;
    }
  };
  return {
    async fill(matter, skills) {
      const lines = [`Request: ${matter.goal}`, 'Skills:', ...skills.map(describe)];
      const answer = await ask<z.infer<typeof fillSchema>>(filling, prompts.fill, matter, lines);
      const input = answer && objectIn(answer.input_json);
      return answer && input ? { skill: answer.skill, input } : null;
    },
    lookAgain(matter, failed, code) {
      const lines = [`Request: ${matter.goal}`, `Called: ${describe(failed)}`, `Error: ${code}`];
      return ask(looking, prompts.lookAgain, matter, lines);
    },
  };
}

function describe({ id, name, description, specific }: RemoteSkill): string {
  const schema = JSON.stringify(specific?.inputSchema ?? {});
  const about = { id, name, description };
  return `${JSON.stringify(about)} input schema: ${schema.slice(0, SCHEMA_CHARS)}`;
}

function objectIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}
