/** A file that belongs to a message of a conversation. */
export interface AttachedFile {
  /** Nobody can guess it. */
  readonly fileId: string;
  /** As people may read it: see `shownName` in src/core/file-types.ts. */
  readonly name: string;
  /** What its first bytes are, never what its sender says. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

/** Who puts a file on a conversation: its customer, or an operator. */
export type Uploader = 'customer' | `operator:${string}`;

/** A file as it comes from a client, before its message. */
export interface FileInput {
  /** As its sender calls it; may hold anything. */
  readonly name: string;
  readonly content: Uint8Array;
  /** Made up where absent. The same id once more changes nothing. */
  readonly fileId?: string;
}

/** Of files that were attached to the conversation before, in the order in which they are shown. */
export type FileIds = readonly string[];

/** Under what name an operator's files are kept. */
export function uploaderOf({ operatorId }: { readonly operatorId: string }): Uploader {
  return `operator:${operatorId}`;
}

/** What stands as the content of a message that is nothing but files. */
export function namesOf(files: readonly AttachedFile[]): string {
  return files.map(({ name }) => name).join(', ');
}

/** True for a message that says nothing besides its files. */
export function isFilesOnly({
  content,
  files = [],
}: {
  readonly content: string;
  readonly files?: readonly AttachedFile[];
}): boolean {
  return files.length > 0 && content === namesOf(files);
}
