import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ROW_BYTES } from '../../../src/triage-batch/ticket-input.js';
import { brief, readAll } from './batch-support.js';

const csv = async (content: string, chunk = 7) =>
  (await readAll(content, { format: 'csv' }, chunk)).map(brief);
const QUOTES = 'the quotes of this row do not match';

describe('tickets from CSV', () => {
  test('have columns by the header, in any case and order', async () => {
    expect(await csv('Message,ID,Subject\nhello,a,s\n"x, y",b,\n')).toEqual(['a=s\nhello', 'b=x, y']);
  });

  test.each([';', '\t'])('may be separated by %j', async (mark) => {
    expect(await csv(`id${mark}text\na${mark}"x, ${mark} y"\n`)).toEqual([`a=x, ${mark} y`]);
  });

  test('may have quotes, line breaks and empty lines; the line number is where the row begins', async () => {
    const items = await readAll('id,text\r\n\r\na,"one\r\ntwo ""quoted"""\r\n,\r\n,none\r\n', {
      format: 'csv',
    });
    expect(items.map(brief)).toEqual(['a=one\ntwo "quoted"', 'line-6=none']);
    expect(items.map((item) => item.line)).toEqual([3, 6]);
  });

  test('lose one row to a quote that is never closed, and no other', async () => {
    const rows = ['id,text', 'a,fine', 'b,"broken', 'c,fine', 'd,"quoted, fine"', 'e,fine'];
    expect(await csv(rows.join('\n'))).toEqual([
      'a=fine',
      `!3 ${QUOTES}`,
      'c=fine',
      'd=quoted, fine',
      'e=fine',
    ]);
    expect(await csv([...rows, 'f,"broken too', 'g,fine'].join('\n'))).toEqual([
      'a=fine',
      `!3 ${QUOTES}`,
      'c=fine',
      'd=quoted, fine',
      'e=fine',
      `!7 ${QUOTES}`,
      'g=fine',
    ]);
  });

  test('may have a quote that is no quote', async () => {
    expect(await csv('id,text\na,a 5" screen\nb,"fine"\nc,another 7" one\nd,x')).toEqual([
      'a=a 5" screen',
      'b=fine',
      'c=another 7" one',
      'd=x',
    ]);
  });

  test('lose no row after a long one with an open quote', async () => {
    const filler = Array.from({ length: 40 }, (_, at) => `f${at},"${'x'.repeat(5000)}"`);
    const found = await csv(['id,text', 'a,"open', ...filler, 'z,last'].join('\n'), 4096);
    expect(found[0]).toBe(`!2 ${QUOTES}`);
    expect(found.slice(1).map((row) => row.split('=')[0])).toEqual([
      ...filler.map((row) => row.split(',')[0]),
      'z',
    ]);
  });

  test('are refused where they have more fields than the header', async () => {
    expect(await csv('id,text\na,one, two\nb,fine\nc')).toEqual([
      '!2 the row has 3 fields, the header 2',
      'b=fine',
      expect.stringContaining('!4 no text'),
    ]);
  });

  test('report a row that is too long', async () => {
    const found = await csv(`id,text\na,${'x'.repeat(MAX_ROW_BYTES)}\nb,fine`, 5000);
    expect(found).toEqual([`!2 the row is longer than ${MAX_ROW_BYTES} bytes`, 'b=fine']);
  });

  test('need a header that names the text', async () => {
    await expect(csv('a,b\n1,2')).rejects.toMatchObject({
      code: 'input_invalid',
      message: expect.stringMatching(/first line.*message.*"a,b"/),
    });
  });

  test('come back exactly as they were written, wherever the chunks are cut', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', ' ', ',', '"', '\n', ';', 'é', '😀'),
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        async (texts, chunk) => {
          const rows = texts.map((text, at) => [`t${at}`, `x${text}`]);
          const items = await readAll(stringify([['id', 'text'], ...rows]), { format: 'csv' }, chunk);
          expect(items.map((item) => (item.kind === 'ticket' ? [item.id, item.text] : item))).toEqual(rows);
        },
      ),
    );
  });

  test('no text at all can break the reader', async () => {
    const part = fc.constantFrom('a', ',', '"', '\n', '""', '",', '"\n', 'b,c\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        async (parts, chunk) => {
          const body = parts.join('');
          const items = await readAll(`id,text\n${body}\nlast,fine\n`, { format: 'csv' }, chunk);
          const lines = items.map((item) => item.line);
          expect([...lines].sort((a, b) => a - b)).toEqual(lines);
          // The last row is whole again, or part of a quoted text that began before it.
          const open = (body.match(/"/g)?.length ?? 0) % 2 === 1;
          if (!open) expect(items.at(-1)).toMatchObject({ id: 'last' });
        },
      ),
    );
  });
});
