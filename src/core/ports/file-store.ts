import type { AttachedFile, Uploader } from '../domain/attached-file.js';

/** A file on its way to a message. */
export interface NewFile extends AttachedFile {
  readonly threadId: string;
  readonly uploader: Uploader;
  readonly content: Uint8Array;
}

/**
 * Files of conversations. One belongs to nothing until its message is taken: that is done where the message is stored
 * (`Inbox.accept`, `TicketStore.addMessage`), in one transaction, so that no message names a file that is not there.
 * Throws HubError `database_failed` or `disk_full` on a fault.
 */
export interface FileStore {
  /**
   * Keeps it; the same id again changes nothing.
   * @param roomBytes what all files of a conversation may have together
   * @throws HubError `files_full`
   */
  keep(file: NewFile, roomBytes: number): Promise<AttachedFile>;
  /** Those of this conversation and uploader, in the order that was asked for; what is not theirs is left out. */
  find(threadId: string, uploader: Uploader, fileIds: readonly string[]): Promise<readonly AttachedFile[]>;
  /** What was sent on the conversation, or put there by the one who asks; null for any other. */
  read(threadId: string, fileId: string, reader: Uploader): Promise<ReadFile | null>;
  /** Forgets those that are older and came with no message. @returns how many */
  prune(before: Date): Promise<number>;
}

export interface ReadFile {
  readonly file: AttachedFile;
  readonly content: Uint8Array;
}
