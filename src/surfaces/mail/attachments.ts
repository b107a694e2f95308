import type { MailSupport } from '../../core/mail.js';
import type { MailAttachment } from '../../core/ports/mailbox.js';

/** What may be kept, by the ending of its name; nothing that a program would run or a browser would draw a page of. */
const KEPT = /\.(?:pdf|png|jpe?g|gif|webp|heic|txt|csv|docx|xlsx|odt|ods)$/i;
const MOST_FILES = 10;
const MOST_BYTES = 10 * 1024 * 1024;
const NAME_CHARS = 80;

/** What became of the attachments of a mail. */
export interface KeptAttachments {
  /** Where each is, from the data directory on. */
  readonly kept: readonly string[];
  /** Names of those that were too large, too many, or of a kind that is not kept. */
  readonly left: readonly string[];
}

/** Keeps the attachments of a mail as files; the same mail again writes the same files. */
export async function keepAttachments(
  { files }: Pick<MailSupport, 'files'>,
  { threadId, mailId }: { readonly threadId: string; readonly mailId: string },
  attachments: readonly MailAttachment[],
): Promise<KeptAttachments> {
  const kept: string[] = [];
  const left: string[] = [];
  let bytes = 0;
  for (const [index, { name, content }] of attachments.entries()) {
    const shown = shownName(name);
    const fits = kept.length < MOST_FILES && bytes + content.byteLength <= MOST_BYTES;
    if (!fits || !KEPT.test(shown)) {
      left.push(shown);
      continue;
    }
    bytes += content.byteLength;
    kept.push(await files.keep(threadId, `${mailId.slice(-8)}-${index + 1}-${shown}`, content));
  }
  return { kept, left: left.slice(0, MOST_FILES) };
}

/** A sender's name for a file, as operators may read it: without folders, control characters and tricks of direction. */
function shownName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const plain = base.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return plain === '' ? 'file' : plain.slice(-NAME_CHARS);
}
