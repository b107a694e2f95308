import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportedFile } from '../core/privacy.js';

/** Folders of conversations, as `createMailFiles` makes them. */
function foldersOf(dataDir: string, refs: readonly string[]): readonly string[] {
  return [...new Set(refs)]
    .filter((ref) => /^\w+$/.test(ref))
    .map((ref) => join('mail', ref))
    .filter((folder) => existsSync(join(dataDir, folder)));
}

/** What came with the mails of these conversations. @param refs ids of any kind; those of conversations count */
export function mailFilesOf(dataDir: string, refs: readonly string[]): readonly ExportedFile[] {
  return foldersOf(dataDir, refs).flatMap((folder) =>
    readdirSync(join(dataDir, folder)).map((name) => ({
      path: join(folder, name),
      base64: readFileSync(join(dataDir, folder, name)).toString('base64'),
    })),
  );
}

/** Removes them. @returns how many there were */
export function eraseMailFiles(dataDir: string, refs: readonly string[]): number {
  let count = 0;
  for (const folder of foldersOf(dataDir, refs)) {
    count += readdirSync(join(dataDir, folder)).length;
    rmSync(join(dataDir, folder), { recursive: true });
  }
  return count;
}
