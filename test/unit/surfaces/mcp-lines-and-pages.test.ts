import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../src/surfaces/mcp/hub-requests.js';
import { LineReader } from '../../../src/surfaces/mcp/stdio-transport.js';

describe('pages of a list', () => {
  const keyOf = (item: string): string => item;

  it('[MCP-07] go on after the last item that was seen, whatever came or went before it', () => {
    const first = pageOf(['a', 'c', 'e', 'g'], keyOf, undefined, 2);
    expect(first).toMatchObject({ items: ['a', 'c'], nextCursor: expect.any(String) });
    expect(pageOf(['b', 'e', 'f', 'g'], keyOf, first.nextCursor, 3)).toEqual({ items: ['e', 'f', 'g'] });
    expect(pageOf([], keyOf, first.nextCursor, 2)).toEqual({ items: [] });
  });
});

describe('lines of the protocol', () => {
  const read = (reader: LineReader, ...chunks: readonly (string | Buffer)[]) =>
    chunks.flatMap((chunk) => [...reader.read(Buffer.from(chunk))]);

  it('[MCP-14] are cut wherever the chunks end, also within a character', () => {
    const text = 'ação';
    const bytes = Buffer.from(`{"a":"${text}"}\r\n\n  \n{"b":1}\n{"c"`);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const reader = new LineReader(100);
      const lines = read(reader, bytes.subarray(0, cut), bytes.subarray(cut));
      expect([...lines, ...reader.end()]).toEqual([
        { text: `{"a":"${text}"}` },
        { text: '{"b":1}' },
        { text: '{"c"' },
      ]);
    }
  });

  it('[MCP-14] that are too large are told of once and dropped, and the next one is read', () => {
    const reader = new LineReader(10);
    expect(read(reader, 'x'.repeat(8), 'x'.repeat(8), 'x'.repeat(80), 'xx\nnext\n')).toEqual([
      { tooLarge: true },
      { text: 'next' },
    ]);
    expect(read(reader, `${'y'.repeat(50)}\nz\n`)).toEqual([{ tooLarge: true }, { text: 'z' }]);
    expect([...reader.end()]).toEqual([]);
  });
});
