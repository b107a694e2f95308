import { crc32, deflateSync } from 'node:zlib';

/** A PNG picture of one colour, that browsers draw. */
export function png(width = 8, height = 8, [red, green, blue] = [40, 120, 200]): Buffer {
  const row = Buffer.from([
    0,
    ...Array.from({ length: width }, () => [red ?? 0, green ?? 0, blue ?? 0]).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([size, typed, sum]);
}

/** A document that begins as one does. */
export function pdf(words = 'receipt'): Buffer {
  return Buffer.from(`%PDF-1.4\n% ${words}\n%%EOF\n`);
}

/** The beginning of an archive with these parts, which are empty. */
export function archive(...names: readonly string[]): Buffer {
  return Buffer.concat(
    names.map((name) => {
      const head = Buffer.alloc(30);
      head.write('PK\x03\x04', 'latin1');
      head.writeUInt16LE(name.length, 26);
      return Buffer.concat([head, Buffer.from(name, 'latin1')]);
    }),
  );
}
