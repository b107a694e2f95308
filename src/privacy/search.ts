import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, relative } from 'node:path';
import { hasCode } from '../core/errors.js';
import type { Needle, Remains } from '../core/privacy.js';

const CHUNK = 4 << 20;

/** Every regular file below a directory; links are not followed. */
export function filesBelow(dir: string): readonly string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/**
 * Looks for texts in the bytes of files, whatever the format and whatever the case of ASCII letters: also in parts of a
 * database file that no table owns any more. JSON's way of writing quotes and accents is looked for too.
 */
export function searchFiles(root: string, files: readonly string[], needles: readonly Needle[]): Remains {
  const patterns = needles.flatMap(({ what, text }) =>
    formsOf(what, text).map((bytes) => ({ what, bytes: folded(bytes) })),
  );
  const overlap = Math.max(1, ...patterns.map(({ bytes }) => bytes.length));
  let bytes = 0;
  const leftovers = files.flatMap((file) => {
    const counts = new Map<Needle['what'], number>();
    bytes += eachChunk(file, overlap, (text) => {
      for (const pattern of patterns)
        if (text.includes(pattern.bytes)) counts.set(pattern.what, (counts.get(pattern.what) ?? 0) + 1);
    });
    return [...counts].map(([what, count]) => ({ file: nameOf(root, file), what, count }));
  });
  return { files: files.length, bytes, leftovers };
}

/** A part of a file is its bytes, each as a character. */
function formsOf(what: Needle['what'], text: string): readonly Buffer[] {
  if (what === 'file') return [Buffer.from(text, 'latin1')];
  const forms = [text, JSON.stringify(text).slice(1, -1), asciiJson(text)];
  return [...new Set(forms)].map((form) => Buffer.from(form, 'utf8'));
}

function nameOf(root: string, file: string): string {
  const name = relative(root, file);
  return name.startsWith('..') ? file : name;
}

/** Bytes as characters, so that text search works on them; one byte is one character. */
function folded(bytes: Buffer): string {
  return bytes.toString('latin1').toLowerCase();
}

function asciiJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** @returns the size of the file; one that is gone by now has none */
function eachChunk(file: string, overlap: number, work: (text: string) => void): number {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
  const chunk = Buffer.alloc(CHUNK + overlap);
  let kept = 0;
  let total = 0;
  try {
    for (;;) {
      const read = readSync(descriptor, chunk, kept, CHUNK, null);
      if (read === 0) return total;
      total += read;
      const filled = kept + read;
      work(folded(chunk.subarray(0, filled)));
      kept = Math.min(overlap, filled);
      chunk.copyWithin(0, filled - kept, filled);
    }
  } finally {
    closeSync(descriptor);
  }
}
