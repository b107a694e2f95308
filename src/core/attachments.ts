import type { Operator } from './domain/customer.js';
import { HubError } from './errors.js';
import { type AttachedFile, type FileIds, type FileInput, knownFile, type Uploader } from './file-types.js';
import type { Policy } from './policy/policy.js';
import type { FileStore, Ids, ReadFile } from './ports/index.js';

const MEGABYTE = 1_048_576;

/** What operators do with files. */
export interface DeskFiles {
  /**
   * Keeps a file for a reply that is still to be sent.
   * @throws HubError `not_found`, `file_too_large`, `file_type_refused`, `files_full`
   */
  attach(ticketId: string, operator: Operator, file: FileInput): Promise<AttachedFile>;
  /** What was sent on the ticket's conversation, or attached by the operator. @throws HubError `not_found` */
  file(ticketId: string, operator: Operator, fileId: string): Promise<ReadFile>;
}

/** What may come with messages; sizes in bytes. */
export interface FileLimits {
  readonly maxBytes: number;
  readonly perMessage: number;
  readonly conversationBytes: number;
  readonly types: Policy['files']['types'];
}

export function fileLimits({ files }: Pick<Policy, 'files'>): FileLimits {
  return {
    maxBytes: Math.floor(files.max_megabytes * MEGABYTE),
    perMessage: files.per_message,
    conversationBytes: Math.floor(files.conversation_megabytes * MEGABYTE),
    types: files.types,
  };
}

interface AttachingDeps {
  readonly files: FileStore;
  readonly ids: Ids;
  readonly limits: FileLimits;
}

/** Takes files into conversations: whoever puts one there, the same is looked at. Whose the conversation is, is the caller's to know. */
export class AttachmentStore {
  constructor(private readonly deps: AttachingDeps) {}

  /** @throws HubError `file_too_large`, `file_type_refused`, `files_full` */
  async keep(
    threadId: string,
    uploader: Uploader,
    { name, content, fileId }: FileInput,
  ): Promise<AttachedFile> {
    const { files, ids, limits } = this.deps;
    const size = content.byteLength;
    if (size > limits.maxBytes) throw fileTooLarge(limits);
    const known = knownFile(name, content);
    if (known === null || !limits.types.includes(known.kind))
      throw new HubError(
        'file_type_refused',
        `This file is not taken. It must be one of ${limits.types.join(', ')}, and hold what its name says.`,
      );
    const id = fileId ?? ids.unguessable('file');
    const kept = { fileId: id, threadId, uploader, name: known.name, type: known.type, size, content };
    return files.keep(kept, limits.conversationBytes);
  }

  /** Those of a message. @throws HubError `too_many_files`, `not_found` */
  async of(threadId: string, uploader: Uploader, fileIds: FileIds): Promise<readonly AttachedFile[]> {
    const { files, limits } = this.deps;
    const wanted = [...new Set(fileIds)];
    if (wanted.length > limits.perMessage)
      throw new HubError('too_many_files', `A message has at most ${limits.perMessage} files.`);
    if (wanted.length === 0) return [];
    const found = await files.find(threadId, uploader, wanted);
    if (found.length !== wanted.length) throw new HubError('not_found', 'There is no such file.');
    return found;
  }
}

/** Why a file is refused that is larger than allowed. */
export function fileTooLarge({ maxBytes }: FileLimits): HubError {
  return new HubError('file_too_large', `A file has at most ${Math.floor(maxBytes / MEGABYTE)} MB.`);
}
