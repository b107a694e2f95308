import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailFiles } from '../../core/ports/mail.js';

/** Files below `mail/` of the data directory, one folder a conversation, for their owner's eyes only. */
export function createMailFiles(dataDir: string): MailFiles {
  const folder = (threadId: string): string => join(dataDir, 'mail', plain(threadId));
  /** None where no mail with files came. */
  const names = async (threadId: string): Promise<readonly string[]> => {
    const found = await readdir(folder(threadId)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return found.sort();
  };
  return {
    list: async (threadId) =>
      Promise.all(
        (await names(threadId)).map(async (name) => {
          const { size } = await stat(join(folder(threadId), name));
          return { name, size };
        }),
      ),
    // Only what is listed is read: no name leads out of the folder.
    read: async (threadId, name) =>
      (await names(threadId)).includes(name) ? readFile(join(folder(threadId), name)) : null,
    async keep(threadId, name, content) {
      const path = join('mail', plain(threadId), plain(name));
      await mkdir(folder(threadId), { recursive: true, mode: 0o700 });
      await writeFile(join(dataDir, path), content, { mode: 0o600 });
      return path;
    },
  };
}

/** A name that is one on every system, and leads nowhere. */
function plain(name: string): string {
  return name
    .replace(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '_')
    .slice(-100);
}
