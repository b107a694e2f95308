import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { describe, expect, it } from 'vitest';
import { CheckpointSerializer } from '../../src/adapters/checkpoints/checkpoint-serializer.js';

const library = new MemorySaver().serde;
const hub = new CheckpointSerializer(library);

/** One value of every kind that a conversation's state holds. */
const STATE = {
  messages: [
    new HumanMessage({ id: 'h', content: 'olá "\u2028" 🙂' }),
    new AIMessage({
      id: 'a',
      name: 'account',
      content: '',
      tool_calls: [{ id: 'c', name: 'look', args: { of: null }, type: 'tool_call' }],
      response_metadata: { hub: { focus: { choices: ['one'] } } },
    }),
    new ToolMessage({ content: 'seen', tool_call_id: 'c', name: 'look', status: 'error' }),
    new SystemMessage('quiet'),
  ],
  session: { memory: null, lastReply: undefined, nested: [{ deep: [1, 2.5, Number.NaN, undefined] }] },
  empty: [[], {}, ''],
};

const parsed = async (serde: typeof library, value: unknown): Promise<unknown> =>
  JSON.parse(Buffer.from((await serde.dumpsTyped(value))[1]).toString());

describe('the serializer of checkpoints', () => {
  it('[PRF-03] writes what the library writes', async () => {
    expect(await parsed(hub, STATE)).toEqual(await parsed(library, STATE));
  });

  it.each([
    ['hub', 'library', hub, library],
    ['library', 'hub', library, hub],
    ['hub', 'hub', hub, hub],
  ])('[PRF-03] what the %s wrote, the %s reads', async (_writer, _reader, writer, reader) => {
    const [type, bytes] = await writer.dumpsTyped(STATE);
    const read = (await reader.loadsTyped(type, bytes)) as typeof STATE;
    expect(read.messages.map((message) => message.constructor)).toEqual(
      STATE.messages.map((message) => message.constructor),
    );
    expect(await parsed(library, read)).toEqual(await parsed(library, STATE));
  });

  it.each([
    ['a chunk of a message', { messages: [new AIMessageChunk({ content: 'ha', id: 'x' })] }],
    ['a set and an error', { set: new Set(['a']), error: new Error('no') }],
    ['data that looks like a mark', { args: { lc: 1, type: 'constructor', id: ['x'], kwargs: {} } }],
    ['such data in a message', new HumanMessage({ content: 'x', additional_kwargs: { lc: 1 } })],
    ['bytes', new Uint8Array([1, 2])],
    ['nothing', undefined],
  ])('[PRF-03] leaves %s to the library', async (_what, value) => {
    const [type, bytes] = await hub.dumpsTyped(value);
    const [libraryType, libraryBytes] = await library.dumpsTyped(value);
    expect(type).toBe(libraryType);
    expect(Buffer.from(bytes).toString()).toBe(Buffer.from(libraryBytes).toString());
    const outcome = (serde: typeof library) =>
      serde.loadsTyped(type, bytes).catch((error: unknown) => String(error));
    expect(await outcome(hub)).toEqual(await outcome(library));
  });
});
