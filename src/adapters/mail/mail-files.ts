import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailFiles } from '../../core/ports/mail.js';

/** Files below `mail/` of the data directory, one folder a conversation, for their owner's eyes only. */
export function createMailFiles(dataDir: string): MailFiles {
  return {
    async keep(threadId, name, content) {
      const path = join('mail', plain(threadId), plain(name));
      await mkdir(join(dataDir, 'mail', plain(threadId)), { recursive: true, mode: 0o700 });
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
