import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatOfFile } from '../../../src/triage-batch/read-tickets.js';
import { MAX_ROW_BYTES } from '../../../src/triage-batch/ticket-input.js';
import { brief, readAll } from './batch-support.js';

const jsonl = async (content: string | Uint8Array) =>
  (await readAll(content, { format: 'jsonl' })).map(brief);

describe('tickets from JSON lines', () => {
  test('take the text by precedence and put the subject in front', async () => {
    expect(
      await jsonl(
        [
          '{"id":"a","message":"m","text":"t"}',
          '{"id":"b","text":"t","body":"b"}',
          '{"id":"c","body":"b","description":"d"}',
          '{"id":"d","description":"d","subject":"s","title":"x"}',
          '{"id":"e","title":"only"}',
          '{"id":"f","message":" ","text":"t"}',
        ].join('\n'),
      ),
    ).toEqual(['a=m', 'b=t', 'c=b', 'd=s\nd', 'e=only', 'f=t']);
  });

  test('keep an id as it was given and make one from the line where there is none', async () => {
    const items = await readAll(
      '{"id":7,"text":"x"}\n\n{"text":"y"}\n{"id":"","text":"z"}\n{"ticket_id":"t","text":"w"}',
      {
        format: 'jsonl',
      },
    );
    expect(items.map((item) => item.id)).toEqual([7, 'line-3', 'line-4', 't']);
  });

  test.each([
    ['{"id":"a"}', 'no text'],
    ['{"id":"a","message":"  "}', 'no text'],
    ['{"id":"a","message":5}', 'no text'],
    ['{"id":"a"', 'not valid JSON'],
    ['"a"', 'not a JSON object'],
    ['[{"message":"x"}]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{"id":{},"message":"x"}', 'id must be'],
    ['{"id":12345678901234567890,"message":"x"}', 'id must be'],
    ['{"id":"a\\nb","message":"x"}', 'id must be'],
    [`{"id":"a","message":"${'\\u0000\\u0001'.repeat(20)}x"}`, 'binary'],
  ])('refuse %s', async (line, reason) => {
    const [first, second] = await readAll(`${line}\n{"id":"z","text":"fine"}`, { format: 'jsonl' });
    expect(first).toMatchObject({
      kind: 'broken',
      line: 1,
      reason: expect.stringContaining(reason),
      code: 'input_invalid',
    });
    expect(second).toMatchObject({ kind: 'ticket', id: 'z', line: 2 });
  });

  test('[BAD-03] refuse the second ticket of an id, whatever its type', async () => {
    expect(await jsonl('{"id":"1","text":"a"}\n{"id":1,"text":"b"}\n{"id":"2","text":"c"}')).toEqual([
      '1=a',
      '!2 duplicate id',
      '2=c',
    ]);
  });

  test('drop stray control characters of a text', async () => {
    expect(await jsonl('{"id":"a","text":"one line of te\\u0000xt\\tand\\nmore"}')).toEqual([
      'a=one line of text\tand\nmore',
    ]);
  });

  test('report a row that is too long without holding it', async () => {
    const long = `{"id":"l","text":"${'x'.repeat(MAX_ROW_BYTES)}"}`;
    const items = await readAll(
      `{"id":"a","text":"a"}\n${long}\n{"id":"b","text":"b"}`,
      { format: 'jsonl' },
      10_000,
    );
    expect(items.map(brief)).toEqual(['a=a', `!2 the row is longer than ${MAX_ROW_BYTES} bytes`, 'b=b']);
    expect(items[1]).toMatchObject({ code: 'input_too_large' });
    expect((await readAll(long, { format: 'jsonl' }, 10_000)).map(brief)).toEqual([
      `!1 the row is longer than ${MAX_ROW_BYTES} bytes`,
    ]);
    expect(
      (await readAll(`${long}\n{"id":"b","text":"b"}`, { format: 'jsonl' }, 1 << 20)).map(brief),
    ).toHaveLength(2);
  });

  test('stop at a limit, which counts rows that are broken too', async () => {
    const items = await readAll('{"text":"a"}\nbad\n{"text":"b"}\n{"text":"c"}', {
      format: 'jsonl',
      limit: 3,
    });
    expect(items.map(brief)).toEqual(['line-1=a', '!2 the line is not valid JSON', 'line-3=b']);
  });
});

describe('encodings', () => {
  const text = '{"id":"é","text":"ação"}\r\n{"id":"2","text":"não 😀"}\r\n';
  const wanted = ['é=ação', '2=não 😀'];

  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 little endian with a mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 little endian', Buffer.from(text, 'utf16le')],
    ['UTF-16 big endian with a mark', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 big endian', Buffer.from(text, 'utf16le').swap16()],
  ])('[BAD-03] %s is read, wherever the chunks are cut', async (_, bytes) => {
    for (const chunk of [1, 2, 3, 7, 1000]) {
      expect((await readAll(bytes, { format: 'jsonl' }, chunk)).map(brief)).toEqual(wanted);
    }
  });

  test('a line that is not UTF-8 is read as Windows-1252, with one remark', async () => {
    const notes: string[] = [];
    const bytes = Buffer.concat([
      Buffer.from('{"id":"1","text":"não"}\n'),
      Buffer.from('{"id":"2","text":"a\xe7\xe3o \x80 5"}\n', 'latin1'),
      Buffer.from('{"id":"3","text":"\xe9"}', 'latin1'),
    ]);
    const items = await readAll(bytes, { format: 'jsonl', onNote: (note) => notes.push(note) });
    expect(items.map(brief)).toEqual(['1=não', '2=ação € 5', '3=é']);
    expect(notes).toEqual([expect.stringContaining('line 2 is not UTF-8')]);
  });

  test('an empty input has no tickets', async () => {
    for (const content of ['', '\n\n', '\ufeff', 'id,text\n']) expect(await readAll(content)).toEqual([]);
  });

  test('[BAD-03] no bytes at all can break the reader, and every line is accounted for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.integer({ min: 1, max: 50 }),
        async (bytes, chunk) => {
          const items = await readAll(bytes, { format: 'jsonl' }, chunk);
          const lines = items.map((item) => item.line);
          expect([...lines].sort((a, b) => a - b)).toEqual(lines);
          expect(new Set(lines).size).toBe(lines.length);
        },
      ),
    );
  });
});

describe('formats', () => {
  test('are told from the ending of a file name', () => {
    expect(formatOfFile('a/b.jsonl')).toBe('jsonl');
    expect(formatOfFile('B.NDJSON')).toBe('jsonl');
    expect(formatOfFile('x.csv')).toBe('csv');
    expect(() => formatOfFile('x.xlsx')).toThrow(/\.jsonl, \.ndjson or \.csv.*x\.xlsx/);
  });

  test('are told from the first lines of standard input', async () => {
    expect((await readAll('\n{"id":"a","text":"x"}\n')).map(brief)).toEqual(['a=x']);
    expect((await readAll('oops\n{"id":"a","text":"x"}\n', {}, 100)).map(brief)).toEqual([
      '!1 the line is not valid JSON',
      'a=x',
    ]);
    expect((await readAll('id,text\na,x\n')).map(brief)).toEqual(['a=x']);
  });
});
