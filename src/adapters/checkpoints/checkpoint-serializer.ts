import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Fields = Record<string, unknown>;

/** The messages of conversations, by the name under which the library stores them. */
const MESSAGES = new Map<string, new (fields: never) => BaseMessage>([
  ['AIMessage', AIMessage],
  ['HumanMessage', HumanMessage],
  ['SystemMessage', SystemMessage],
  ['ToolMessage', ToolMessage],
]);
const NAMES = new Map<unknown, string>([...MESSAGES].map(([name, message]) => [message.prototype, name]));
const FIELDS = [
  'id',
  'name',
  'content',
  'additional_kwargs',
  'response_metadata',
  'tool_calls',
  'invalid_tool_calls',
  'usage_metadata',
  'tool_call_id',
  'status',
  'artifact',
] as const;
const KNOWN: ReadonlySet<string> = new Set(FIELDS);
/** Keys by which the libraries mark what is more than plain data, and one that makes an object something else. */
const MARKS: ReadonlySet<string> = new Set(['lc', '__lc_escaped__', 'toJSON', '__proto__']);
const UNDEFINED = { lc: 2, type: 'undefined' } as const;

/** Something that is neither plain data nor one of the messages. */
class Unusual extends Error {}

/**
 * Writes and reads checkpoints in the library's own format, each value visited once: the library's serializer visits
 * it several times, and waits once for every value it reads. What is out of the ordinary is left to the library.
 */
export class CheckpointSerializer implements SerializerProtocol {
  /** @param library what a checkpointer of the library uses by itself */
  constructor(private readonly library: SerializerProtocol) {}

  async dumpsTyped(value: unknown): Promise<[string, Uint8Array]> {
    if (value instanceof Uint8Array) return this.library.dumpsTyped(value);
    const json = unlessUnusual(() => JSON.stringify(toJson(value)));
    return json === null ? this.library.dumpsTyped(value) : ['json', Buffer.from(json)];
  }

  async loadsTyped(type: string, data: Uint8Array | string): Promise<unknown> {
    if (type !== 'json') return this.library.loadsTyped(type, data);
    const text = typeof data === 'string' ? data : Buffer.from(data).toString();
    const loaded = unlessUnusual(() => ({ value: fromJson(JSON.parse(text)) }));
    return loaded === null ? this.library.loadsTyped(type, data) : loaded.value;
  }
}

function unlessUnusual<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unusual) return null;
    throw error;
  }
}

function toJson(value: unknown): Json {
  if (value === undefined) return UNDEFINED;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object') throw new Unusual();
  if (Array.isArray(value)) return value.map(toJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return mapPlain(value as Fields, toJson);
  return messageToJson(value as Fields, NAMES.get(prototype));
}

function messageToJson(message: Fields, name: string | undefined): Json {
  if (name === undefined) throw new Unusual();
  const kwargs: Record<string, Json> = {};
  for (const field of FIELDS) if (message[field] !== undefined) kwargs[field] = toJson(message[field]);
  return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs };
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fromJson);
  const record = value as Fields;
  if (record.lc === 2 && record.type === 'undefined') return undefined;
  return record.lc === 1 ? messageFromJson(record) : mapPlain(record, fromJson);
}

function messageFromJson({ id, kwargs }: Fields): BaseMessage {
  const Message = Array.isArray(id) ? MESSAGES.get(String(id[2])) : undefined;
  if (Message === undefined || typeof kwargs !== 'object' || kwargs === null) throw new Unusual();
  if (Object.keys(kwargs).some((key) => !KNOWN.has(key))) throw new Unusual();
  return new Message(mapPlain(kwargs as Fields, fromJson) as never);
}

function mapPlain<T>(record: Fields, map: (value: unknown) => T): Record<string, T> {
  const mapped: Record<string, T> = {};
  for (const key of Object.keys(record)) {
    if (MARKS.has(key)) throw new Unusual();
    mapped[key] = map(record[key]);
  }
  return mapped;
}
