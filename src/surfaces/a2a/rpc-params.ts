import type { Message, Part, SendMessageConfiguration } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { z } from 'zod';
import { isObject } from '../../core/domain/json.js';
import type { InboxContent } from '../../core/ports/inbox.js';
import { REMOTE_HOPS_METADATA } from '../../core/ports/remote-agents.js';
import { cleanText } from '../../core/text.js';
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

const id = z.string().max(256);
const needed = id.min(1);
const count = z.int().min(0);
/** The last millisecond of the year 9999; a later one has no timestamp of four digits. */
const LAST_MS = 253_402_300_799_999;
const record = z.record(z.string(), z.unknown());
const object = z.looseObject({});

const authentication = z.looseObject({
  scheme: z.string().optional(),
  schemes: z.array(z.string()).optional(),
  credentials: z.string().nullish(),
});
const pushConfig = z.looseObject({
  id: id.nullish(),
  taskId: id.nullish(),
  url: z.string().min(1),
  token: z.string().nullish(),
  authentication: authentication.nullish(),
});
const configuration = z.looseObject({
  acceptedOutputModes: z.array(z.string()).nullish(),
  historyLength: count.nullish(),
});
const message = z.looseObject({
  messageId: needed,
  contextId: id.nullish(),
  taskId: id.nullish(),
  metadata: record.nullish(),
  extensions: z.array(z.string()).nullish(),
  referenceTaskIds: z.array(z.string()).nullish(),
});
const TASK_NAME = /^tasks\/([^/]+)$/;
/** Drafts of 1.0 name a task `tasks/<id>`, as clients made then still do. */
const task = z.preprocess(
  (given) => {
    const name = isObject(given) && given.id === undefined ? given.name : undefined;
    const found = typeof name === 'string' ? TASK_NAME.exec(name)?.[1] : undefined;
    return found === undefined ? given : { ...(given as object), id: found };
  },
  z.looseObject({ id: needed, historyLength: count.nullish(), metadata: record.nullish() }),
);

const newPart = z.looseObject({
  text: z.string().optional(),
  raw: z.base64().optional(),
  url: z.string().optional(),
  data: z.unknown().optional(),
  metadata: record.nullish(),
  filename: z.string().nullish(),
  mediaType: z.string().nullish(),
});
const CONTENTS = ['text', 'raw', 'url', 'data'] as const;
const newSend = z.looseObject({
  message: message.extend({
    role: z.enum(['ROLE_USER', 'user']),
    parts: z
      .array(
        newPart.refine((part) => CONTENTS.filter((name) => part[name] !== undefined).length === 1, {
          message: `has exactly one of ${CONTENTS.join(', ')}`,
        }),
      )
      .min(1)
      .max(100),
  }),
  configuration: configuration
    .extend({
      returnImmediately: z.boolean().nullish(),
      blocking: z.boolean().nullish(),
      taskPushNotificationConfig: pushConfig.nullish(),
    })
    .nullish(),
  metadata: record.nullish(),
});

const oldPart = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('text'), text: z.string(), metadata: record.nullish() }),
  z.looseObject({ kind: z.literal('data'), data: record, metadata: record.nullish() }),
  z.looseObject({
    kind: z.literal('file'),
    file: z.looseObject({ bytes: z.string().optional(), uri: z.string().optional() }),
    metadata: record.nullish(),
  }),
]);
const oldSend = z.looseObject({
  message: message.extend({
    kind: z.literal('message').optional(),
    role: z.enum(['user', 'ROLE_USER']),
    parts: z.array(oldPart).min(1).max(100),
  }),
  configuration: configuration
    .extend({ blocking: z.boolean().nullish(), pushNotificationConfig: pushConfig.nullish() })
    .nullish(),
  metadata: record.nullish(),
});

const list = z.looseObject({
  contextId: id.nullish(),
  status: z.string().nullish(),
  pageSize: z.int().min(1).max(100).nullish(),
  pageToken: z.string().max(500).nullish(),
  historyLength: count.nullish(),
  statusTimestampAfter: z.string().nullish(),
  lastUpdatedAfter: z.coerce.number().int().min(0).max(LAST_MS).nullish(),
  includeArtifacts: z.boolean().nullish(),
});
const oldPush = z.looseObject({ id: needed, pushNotificationConfigId: id.nullish() });

/** What the parameters of each method look like. */
const METHODS = {
  '1.0': {
    SendMessage: newSend,
    SendStreamingMessage: newSend,
    GetTask: task,
    ListTasks: list,
    CancelTask: task,
    SubscribeToTask: task,
    CreateTaskPushNotificationConfig: pushConfig.extend({ taskId: needed }),
    GetTaskPushNotificationConfig: z.looseObject({ taskId: needed, id: needed }),
    ListTaskPushNotificationConfigs: z.looseObject({ taskId: needed }),
    DeleteTaskPushNotificationConfig: z.looseObject({ taskId: needed, id: needed }),
    GetExtendedAgentCard: object.default({}),
  },
  '0.3': {
    'message/send': oldSend,
    'message/stream': oldSend,
    'tasks/get': task,
    'tasks/list': list,
    'tasks/cancel': task,
    'tasks/resubscribe': task,
    'tasks/pushNotificationConfig/set': z.looseObject({ taskId: needed, pushNotificationConfig: pushConfig }),
    'tasks/pushNotificationConfig/get': oldPush,
    'tasks/pushNotificationConfig/list': oldPush,
    'tasks/pushNotificationConfig/delete': oldPush.extend({ pushNotificationConfigId: needed }),
    'agent/getAuthenticatedExtendedCard': object.default({}),
  },
} as const;

/** Objects whose names are the protocol's; what is below others is the client's own. */
const PROTOCOL_OBJECTS: ReadonlySet<string> = new Set([
  'message',
  'parts',
  'configuration',
  'taskPushNotificationConfig',
  'pushNotificationConfig',
  'authentication',
]);

/**
 * The parameters of a method, checked, with names in the one form that JSON of the protocol has.
 * @returns null where there is no such method
 * @throws RequestMalformedError that names what is wrong
 */
export function readParams(
  wire: '0.3' | '1.0',
  method: string,
  params: unknown,
): Readonly<Record<string, unknown>> | null {
  const schemas: Readonly<Record<string, z.ZodType>> = METHODS[wire];
  const schema = Object.hasOwn(schemas, method) ? schemas[method] : undefined;
  if (!schema) return null;
  if (isObject(params) && Object.hasOwn(params, ''))
    throw new RequestMalformedError('A parameter has no name.');
  const parsed = schema.safeParse(camelNames(params));
  if (parsed.success) return parsed.data as Readonly<Record<string, unknown>>;
  const said = parsed.error.issues.slice(0, 3).map((issue) => {
    const path = issue.path.map(String).join('.').slice(0, 200);
    return `${path === '' ? 'params' : path}: ${issue.message}`;
  });
  throw new RequestMalformedError(`Invalid parameters: ${said.join('; ')}.`);
}

/** Readers of the protocol take names of its fields in the form of its definition, too: `task_id`. */
function camelNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelNames);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      // Nothing said; of data it is something.
      if (inner === null && name !== 'data') return [];
      const camel = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
      return [[camel, PROTOCOL_OBJECTS.has(camel) ? camelNames(inner) : inner]];
    }),
  );
}

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
