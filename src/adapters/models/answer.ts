import { randomUUID } from 'node:crypto';
import {
  AIMessage,
  AIMessageChunk,
  type AIMessageFields,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { parseObject } from '../../core/domain/json.js';
import { messageOf } from '../../core/errors.js';
import { type AnswerLimit, CUT, cutAtSentence } from './length.js';
import { readStructured, type StructuredRequest } from './structured.js';

interface Call {
  readonly name: string;
  readonly args: string | Record<string, unknown>;
  readonly id: string | undefined;
}

/** An answer as the graph may see it, or what is wrong with it. */
type Verdict = { readonly message: AIMessage } | { readonly problem: string };

/**
 * Reduces what a provider sent to what the conversation needs, and checks it: some text or a tool call, arguments
 * that are JSON objects, ids that no other call or answer of the conversation has (the tool node skips a call whose id was
 * answered before, a message takes the place of one with its id, and some servers number theirs from 0 each time), the schema where one was asked for. An answer to
 * a customer that the provider cut short ends with its last whole sentence and says so.
 */
export async function inspectAnswer(
  answer: BaseMessage,
  history: readonly BaseMessage[],
  request?: StructuredRequest,
  limit?: AnswerLimit,
): Promise<Verdict> {
  const { finish_reason: finish } = answer.response_metadata as Record<string, unknown>;
  const calls = callsOf(answer);
  const taken = new Set(
    history.flatMap((message) => (ToolMessage.isInstance(message) ? [message.tool_call_id] : [])),
  );
  const toolCalls = [];
  for (const call of calls) {
    const args = argumentsOf(call.args);
    if (args === undefined)
      return { problem: `the arguments of ${call.name || 'a tool call'} were not a JSON object` };
    const id = call.id && !taken.has(call.id) ? call.id : `call_${randomUUID()}`;
    taken.add(id);
    toolCalls.push({ type: 'tool_call' as const, name: call.name, args, id });
  }
  if (toolCalls.length === 0 && answer.text.trim() === '') return { problem: 'it was empty' };
  const tooLong = limit !== undefined && finish !== CUT && answer.text.length > limit.maxChars;
  if (finish === 'length' || tooLong) {
    // Half a form, or half the arguments of a call, may read like the whole.
    if (request !== undefined || toolCalls.length > 0 || !limit?.ending)
      return { problem: 'it was too long and was cut short; be brief' };
    answer.content = cutAtSentence(answer.text.slice(0, limit.maxChars), limit.ending);
  }
  const isKnown = history.some(({ id }) => id != null && id === answer.id);
  const message = lean(answer, toolCalls, isKnown ? randomUUID() : answer.id);
  return request === undefined ? { message } : checked(message, request);
}

/** Asks for the answer again. Written as the customer's side, because some chat templates allow no late system message. */
export function correction(problem: string, request?: StructuredRequest): HumanMessage {
  const shape =
    request === undefined
      ? ''
      : ` Reply with nothing but a JSON object that fits this schema: ${JSON.stringify(request.jsonSchema)}`;
  return new HumanMessage(`Your last reply could not be used: ${problem}. Please reply again.${shape}`);
}

async function checked(message: AIMessage, request: StructuredRequest): Promise<Verdict> {
  try {
    await readStructured(message, request);
    return { message };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Calls with their arguments as sent. A chunk's own `tool_calls` are no good: it completes broken JSON by guessing. */
function callsOf(answer: BaseMessage): Call[] {
  if (AIMessageChunk.isInstance(answer) && (answer.tool_call_chunks?.length ?? 0) > 0) {
    return (answer.tool_call_chunks ?? []).map((call) => ({
      name: call.name ?? '',
      args: call.args ?? '',
      id: call.id,
    }));
  }
  if (!AIMessage.isInstance(answer)) return [];
  const broken = (answer.invalid_tool_calls ?? []).map((call) => ({
    name: call.name ?? '',
    args: call.args ?? '',
    id: call.id,
  }));
  return [...(answer.tool_calls ?? []), ...broken].map((call) => ({
    name: call.name,
    args: call.args,
    id: call.id,
  }));
}

function argumentsOf(args: Call['args']): Record<string, unknown> | undefined {
  if (typeof args !== 'string') return args;
  // A tool without parameters is often called with nothing at all.
  if (args.trim() === '') return {};
  return parseObject(args);
}

/** Without the provider's copy of everything, which would be stored with every checkpoint. */
function lean(
  answer: BaseMessage,
  toolCalls: NonNullable<AIMessage['tool_calls']>,
  id: string | undefined,
): AIMessage {
  const { model_name: model, finish_reason: finish } = answer.response_metadata as Record<string, unknown>;
  return new AIMessage({
    id,
    content: answer.content,
    tool_calls: toolCalls,
    response_metadata: {
      ...(model !== undefined && { model_name: model }),
      ...(finish !== undefined && { finish_reason: finish }),
    },
  } as AIMessageFields);
}
