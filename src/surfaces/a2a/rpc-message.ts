import type { Message, Part, SendMessageConfiguration } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { z } from 'zod';
import { cleanText } from '../../core/clean-text.js';
import type { InboxContent } from '../../core/ports/inbox.js';
import { REMOTE_HOPS_METADATA } from '../../core/ports/remote-agents.js';
import type { TaskContent, TaskMessage } from './tasks.js';

/** A yes or no to the question a task waits with. */
const answerSchema = z.union([
  z.looseObject({ pending_id: z.string().min(1), answer: z.enum(['yes', 'no']) }),
  z
    .looseObject({ pendingId: z.string().min(1), answer: z.enum(['yes', 'no']) })
    .transform(({ pendingId, answer }) => ({ pending_id: pendingId, answer })),
]);
/** What agents answer with; `text` and `data` stand for it on many cards. */
const OUTPUT = /^(?:text(?:\/(?:plain|\*))?|data|json|application\/(?:json|\*)|task-status|\*\/\*|\*)$/i;
const TEXT = /^(?:text(?:\/[\w.+*-]+)?)?(?:;.*)?$/i;
const JSON_TYPE = /^(?:data|json|application\/(?:[\w.-]+\+)?json)?(?:;.*)?$/i;

/**
 * What a message of the protocol says to an agent.
 * @throws ContentTypeNotSupportedError for files and for other types than text and JSON
 * @throws RequestMalformedError for an answer that stands beside other words
 */
export function readMessage(message: Message): TaskMessage {
  const { messageId, taskId, contextId, parts, metadata } = message;
  return {
    messageId,
    content: contentOf(parts),
    taskId: taskId || undefined,
    contextId: contextId || undefined,
    ...(metadata && { metadata }),
    shown: message,
  };
}

function contentOf(parts: readonly Part[]): TaskContent {
  const words: string[] = [];
  const answers: TaskContent[] = [];
  for (const { content, mediaType } of parts) {
    if (content?.$case === 'text' && TEXT.test(mediaType)) words.push(content.value);
    else if (content?.$case === 'data' && JSON_TYPE.test(mediaType)) {
      const read = answerSchema.safeParse(content.value);
      if (read.success)
        answers.push({ kind: 'answer', pendingId: read.data.pending_id, answer: read.data.answer });
      // Other programs say things in JSON; the agent reads it as it stands.
      else words.push(JSON.stringify(content.value));
    } else throw notSupported(isFile(content) ? `file ${mediaType}`.trim() : mediaType);
  }
  const [answer] = answers;
  if (!answer) return { kind: 'text', text: words.join('\n') };
  if (answers.length === 1 && words.length === 0) return answer;
  throw new RequestMalformedError('An answer to a question stands alone in its message.');
}

/** What the inbox keeps of a message: what it says, with the number of hubs it came through. */
export function inboxContentOf({ content, metadata }: TaskMessage): InboxContent {
  if (content.kind !== 'text') return content;
  const text = cleanText(content.text);
  const hops = metadata?.[REMOTE_HOPS_METADATA];
  const counted = typeof hops === 'number' && Number.isInteger(hops) && hops >= 0;
  return { kind: 'text', text, ...(counted && { hops }) };
}

function isFile(content: Part['content']): boolean {
  return content?.$case === 'raw' || content?.$case === 'url';
}

/** @throws ContentTypeNotSupportedError where the client can read nothing of what agents say */
export function checkOutputModes(configuration: SendMessageConfiguration | undefined): void {
  const modes = configuration?.acceptedOutputModes ?? [];
  if (modes.length === 0 || modes.some((mode) => OUTPUT.test(mode.trim()))) return;
  throw notSupported(modes.join(', '));
}

function notSupported(type: string): ContentTypeNotSupportedError {
  const message = `Incompatible content type: ${type.slice(0, 120)} is not supported; there are text/plain and application/json.`;
  return new ContentTypeNotSupportedError(message);
}
