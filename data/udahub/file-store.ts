import { HubError } from '../../src/core/errors.js';
import type { AttachedFile } from '../../src/core/file-types.js';
import type { Clock } from '../../src/core/ports/system.js';
import type { FileStore, NewFile } from '../../src/core/ports/thread-store.js';
import type { ExportedFile } from '../../src/core/privacy.js';
import { type Database, type Statement, storeOf, type Work } from '../database.js';
import { preparedOnUse, pruneInSteps } from '../statements.js';

const OWN = 'thread_id IN (SELECT value FROM json_each(@threads))';
/** Short enough to lie whole in one page of the database file, nearly always; of three places one does. */
const SAMPLE_BYTES = 40;
const PLACES = [0.25, 0.5, 0.75];
/** Fewer different bytes are filling, and found anywhere. */
const DIFFERENT_BYTES = 12;

interface Parameters {
  /** JSON list of conversations. */
  readonly threads: string;
}

/** The files of conversations, for their export. */
export function* exportedFiles(database: Database, parameters: Parameters): Work<readonly ExportedFile[]> {
  const files = database.prepare<
    Parameters,
    { readonly id: string; readonly name: string; readonly content: Buffer }
  >(`SELECT file_id AS id, name, content FROM message_files WHERE ${OWN} ORDER BY created_at, file_id`);
  return (yield* files.all({ threads: parameters.threads })).map(({ id, name, content }) => ({
    path: `files/${id}/${name}`,
    base64: content.toString('base64'),
  }));
}

/** Parts of their bytes that no file of another conversation has, each byte as a character: what a search for remains looks for. */
export function* fileSamples(database: Database, { threads }: Parameters): Work<readonly string[]> {
  const isCommon = database.prepare<Parameters & { readonly sample: Buffer }>(
    `SELECT 1 AS found FROM message_files WHERE NOT (${OWN}) AND instr(content, @sample) > 0 LIMIT 1`,
  );
  const contents = database
    .prepare<Parameters, Buffer>(`SELECT content FROM message_files WHERE ${OWN}`)
    .pluck();
  const samples: string[] = [];
  for (const content of yield* contents.all({ threads }))
    for (const place of PLACES) {
      const at = Math.floor(content.length * place);
      const sample = content.subarray(at, at + SAMPLE_BYTES);
      const isTelling = new Set(sample).size >= DIFFERENT_BYTES;
      if (isTelling && (yield* isCommon.get({ threads, sample })) === undefined)
        samples.push(sample.toString('latin1'));
    }
  return samples;
}

const COLUMNS = 'file_id AS fileId, name, type, size';
const NAMED = 'file_id IN (SELECT value FROM json_each(@files))';
/** They are large: other writers get their turn in between. */
const PRUNED_AT_ONCE = 10;

type Values = Readonly<Record<string, string | number | null | Uint8Array>>;

function prepare(database: Database) {
  return {
    total: database
      .prepare<[string], number>('SELECT coalesce(sum(size), 0) FROM message_files WHERE thread_id = ?')
      .pluck(),
    get: database.prepare<[string, string], AttachedFile>(
      `SELECT ${COLUMNS} FROM message_files WHERE file_id = ? AND thread_id = ?`,
    ),
    insert: database.prepare<Values>(
      `INSERT INTO message_files (file_id, thread_id, uploader, name, type, size, created_at, content)
       VALUES (@fileId, @threadId, @uploader, @name, @type, @size, @now, @content)`,
    ),
    find: database.prepare<Values, AttachedFile>(
      `SELECT ${COLUMNS} FROM message_files
       WHERE thread_id = @threadId AND uploader = @uploader AND ${NAMED}`,
    ),
    read: database.prepare<Values, AttachedFile & { readonly content: Buffer }>(
      `SELECT ${COLUMNS}, content FROM message_files
       WHERE file_id = @fileId AND thread_id = @threadId AND (message_id IS NOT NULL OR uploader = @reader)`,
    ),
    // A message that was taken and waits for its answer has its files already.
    prune: database.prepare<[string]>(
      `DELETE FROM message_files WHERE file_id IN (SELECT f.file_id FROM message_files f
         WHERE f.message_id IS NULL AND f.created_at < ? AND NOT EXISTS (SELECT 1 FROM thread_inbox i
           WHERE i.thread_id = f.thread_id AND i.client_message_id = f.client_message_id)
         LIMIT ${PRUNED_AT_ONCE})`,
    ),
    toSent: database.prepare<Values>(
      `UPDATE message_files SET client_message_id = @clientMessageId
       WHERE thread_id = @threadId AND uploader = 'customer' AND message_id IS NULL
         AND (client_message_id IS NULL OR client_message_id = @clientMessageId) AND ${NAMED}`,
    ),
    toStored: database.prepare<Values>(
      `UPDATE message_files SET message_id = @messageId
       WHERE thread_id = (SELECT thread_id FROM tickets WHERE ticket_id = @ticketId) AND message_id IS NULL AND ${NAMED}`,
    ),
  };
}

/** The table `message_files`: whatever copies, moves or erases the conversations does it to their files too. */
export function createFileStore(database: Database, clock: Clock): FileStore {
  const statements = preparedOnUse(() => prepare(database));
  const keep = function* ({ content, ...file }: NewFile, roomBytes: number): Work<AttachedFile> {
    const { fileId, threadId, size } = file;
    const known = yield* statements.get.get(fileId, threadId);
    if (known) return known;
    if (((yield* statements.total.get(threadId)) ?? 0) + size > roomBytes)
      throw new HubError('files_full', 'The files of this conversation take up all the room there is.');
    yield* statements.insert.run({ ...file, content, now: clock.now().toISOString() });
    return { fileId, name: file.name, type: file.type, size };
  };
  return storeOf<FileStore>(database, {
    keep: (file, roomBytes) => database.transaction(() => keep(file, roomBytes)),
    *find(threadId, uploader, fileIds) {
      const rows = yield* statements.find.all({ threadId, uploader, files: JSON.stringify(fileIds) });
      const byId = new Map(rows.map((row) => [row.fileId, row]));
      return fileIds.flatMap((id) => byId.get(id) ?? []);
    },
    *read(threadId, fileId, reader) {
      const row = yield* statements.read.get({ threadId, fileId, reader });
      if (!row) return null;
      const { content, ...file } = row;
      return { file, content };
    },
    prune: (before) => pruneInSteps(() => statements.prune.run(before.toISOString())),
  });
}

/** Gives files to their messages, in the transaction of the caller. Those of another message are refused. */
export function createFileBinding(database: Database) {
  const statements = preparedOnUse(() => prepare(database));
  const bind = function* (
    statement: Statement<[Values], unknown>,
    values: Values,
    files: readonly AttachedFile[],
  ): Work<void> {
    if (files.length === 0) return;
    const { changes } = yield* statement.run({
      ...values,
      files: JSON.stringify(files.map(({ fileId }) => fileId)),
    });
    if (changes !== files.length) throw new HubError('not_found', 'There is no such file.');
  };
  return {
    /** The customer's message was taken. @throws HubError `not_found` */
    sent: (threadId: string, clientMessageId: string, files: readonly AttachedFile[]): Work<void> =>
      bind(statements.toSent, { threadId, clientMessageId }, files),
    /** The message stands in the conversation. @throws HubError `not_found` */
    stored: (ticketId: string, messageId: string, files: readonly AttachedFile[]): Work<void> =>
      bind(statements.toStored, { ticketId, messageId }, files),
  };
}
