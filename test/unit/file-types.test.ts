import { describe, expect, it } from 'vitest';
import { knownFile, shownName } from '../../src/core/file-types.js';
import { archive, pdf, png } from '../support/files.js';

const HTML = Buffer.from('<!doctype html><script>alert(1)</script>');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
const kind = (name: string, content: Buffer): string | null => knownFile(name, content)?.kind ?? null;

describe('what a file is', () => {
  it('[ATT-03] is what its first bytes say, and its name must not say otherwise', () => {
    expect(kind('a.png', png())).toBe('png');
    expect(kind('a.PDF', pdf())).toBe('pdf');
    expect(kind('a.csv', Buffer.from('a;b\n1;2'))).toBe('csv');
    expect(kind('notas.txt', Buffer.from('São Paulo', 'latin1'))).toBe('txt');
    expect(kind('a.docx', archive('[Content_Types].xml', 'word/document.xml'))).toBe('docx');
    expect(kind('a.xlsx', archive('[Content_Types].xml', 'xl/workbook.xml'))).toBe('xlsx');
    expect(kind('a.odt', archive('mimetypeapplication/vnd.oasis.opendocument.text'))).toBe('odt');
    for (const [name, content] of [
      ['page.html', HTML],
      ['page.png', HTML],
      ['page.pdf', HTML],
      ['logo.svg', SVG],
      ['logo.png', SVG],
      ['run.exe', Buffer.from('MZ\x90\x00\x03', 'latin1')],
      ['run.txt', Buffer.from('MZ\x90\x00\x03', 'latin1')],
      ['photo.exe', png()],
      ['photo.html', png()],
      ['page.html.png', HTML],
      ['a.zip', archive('a.txt')],
      ['a.docx', archive('a.txt')],
      ['a.docx', archive('[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin')],
      ['a.docm', archive('[Content_Types].xml', 'word/document.xml')],
      ['a.txt', pdf()],
      ['noname', HTML],
    ] as const)
      expect(knownFile(name, content), name).toBeNull();
  });

  it('[ATT-03] gives a picture under the name of another picture, or of none, its right ending', () => {
    expect(knownFile('photo.jpg', png())).toMatchObject({ name: 'photo.png', type: 'image/png' });
    expect(knownFile('photo', png())?.name).toBe('photo.png');
    expect(knownFile('photo.jpeg', Buffer.from('\xff\xd8\xff\xe0', 'latin1'))?.name).toBe('photo.jpeg');
    expect(knownFile('', png())?.name).toBe('file.png');
  });

  it('[ATT-04] is called by a name that leads nowhere and reads as it is', () => {
    for (const [said, shown] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\Users\\ana\\photo.png', 'photo.png'],
      ['a\u0000b\r\nSet-Cookie: x.png', 'abSet-Cookie_ x.png'],
      ['invoice\u202Egnp.exe', 'invoicegnp.exe'],
      ['.htaccess', 'htaccess'],
      ['...', ''],
      ['a"b<c>.png', 'a_b_c_.png'],
      ['recibo São João.png', 'recibo São João.png'],
    ] as const)
      expect(shownName(said), said).toBe(shown);
    const long = shownName(`${'ã'.repeat(500)}.pdf`);
    expect([...long].length).toBeLessThanOrEqual(80);
    expect(long.endsWith('….pdf')).toBe(true);
  });
});
