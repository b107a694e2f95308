import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessage, type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { Runnable } from '@langchain/core/runnables';
import { z } from 'zod';
import { parseObject } from '../../core/domain/json.js';
import { toHubError } from '../../core/errors.js';
import type {
  RemoteMatter,
  RemoteOffer,
  RemoteReasoner,
  RemoteSkill,
} from '../../core/ports/remote-agents.js';
import type { Log } from '../../core/ports/system.js';
import { ticketMark } from './resilient-chat-model.js';
import type { AnswerMetadata } from './usage.js';

interface ModelRemoteReasonerOptions {
  readonly model: BaseChatModel;
  /** What the model is told when it chooses an agent, fills in the input of a skill, and when a call has failed. */
  readonly prompts: { readonly choose: string; readonly fill: string; readonly lookAgain: string };
  readonly log: Log;
}

/** No optional keys: strict structured output wants every key. The input is text, since every skill's is another. */
const fillSchema = z.object({ skill: z.string(), input_json: z.string() });
const lookAgainSchema = z.object({ fits: z.boolean(), words: z.string(), reason: z.string() });

/** Bounded to the agents that are offered. */
const chooseSchema = (agents: readonly string[]) =>
  z.object({ agent: z.enum([NO_AGENT, ...agents]), reason: z.string() });
const NO_AGENT = 'none';

const SCHEMA_CHARS = 3_000;
/** What is shown of an agent's own words, and how many of its skills. */
const TEXT_CHARS = 300;
const SHOWN_SKILLS = 12;

/** Asks a chat model about requests to other agents. An answer that the offline rules had to give counts as none. */
export function createModelRemoteReasoner({
  model,
  prompts,
  log,
}: ModelRemoteReasonerOptions): RemoteReasoner {
  const filling = model.withStructuredOutput(fillSchema, { name: 'remote_input', includeRaw: true });
  const looking = model.withStructuredOutput(lookAgainSchema, { name: 'second_look', includeRaw: true });
  const ask = async <T>(
    structured: Runnable<BaseLanguageModelInput, { raw: BaseMessage; parsed: unknown }>,
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
    async choose(matter, offers) {
      const names = offers.map(({ agent }) => agent);
      const choosing = model.withStructuredOutput(chooseSchema(names), {
        name: 'remote_choice',
        includeRaw: true,
      });
      const lines = [`Question: ${matter.goal}`, 'Services:', ...offers.map(describeOffer)];
      const answer = await ask<{ agent: string; reason: string }>(choosing, prompts.choose, matter, lines);
      if (answer === null) return null;
      const { agent, reason } = answer;
      if (agent === NO_AGENT) return { agent: null, reason };
      return names.includes(agent) ? { agent, reason } : null;
    },
    async fill(matter, skills) {
      const lines = [`Request: ${matter.goal}`, 'Skills:', ...skills.map(describe)];
      const answer = await ask<z.infer<typeof fillSchema>>(filling, prompts.fill, matter, lines);
      const input = answer && parseObject(answer.input_json);
      return answer && input ? { skill: answer.skill, input } : null;
    },
    lookAgain(matter, failed, code) {
      const lines = [`Request: ${matter.goal}`, `Called: ${describe(failed)}`, `Error: ${code}`];
      return ask(looking, prompts.lookAgain, matter, lines);
    },
  };
}

function describeOffer({ agent, description, card }: RemoteOffer): string {
  const skills = card.skills.slice(0, SHOWN_SKILLS).map(({ name, description: does, examples }) => ({
    name,
    description: does.slice(0, TEXT_CHARS),
    ...(examples[0] === undefined ? {} : { example: examples[0].slice(0, TEXT_CHARS) }),
  }));
  return JSON.stringify({ agent, about: (description || card.description).slice(0, TEXT_CHARS), skills });
}

function describe({ id, name, description, specific }: RemoteSkill): string {
  const schema = JSON.stringify(specific?.inputSchema ?? {});
  const about = { id, name, description };
  return `${JSON.stringify(about)} input schema: ${schema.slice(0, SCHEMA_CHARS)}`;
}
