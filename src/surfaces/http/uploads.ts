import { z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { type FileLimits, fileTooLarge } from '../../core/attachments.js';
import { depthOf } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { type FileInput, isPicture } from '../../core/file-types.js';
import type { ReadFile } from '../../core/ports/thread-store.js';
import type { HubContext, HubEnv } from './client.js';
import { problemOf, sendProblem } from './problem.js';
import { idSchema } from './schemas.js';

const KB = 1_024;
/** Articles and files of the company are longer than messages. */
const LONG_BODIES = /^\/api\/desk\/(?:knowledge|company)(?:\/|$)/;
const MESSAGES = /^\/api\/(?:threads\/[^/]+\/messages|desk\/tickets\/[^/]+\/\w+)$/;
/** What they hold is no text: their routes read it themselves, once it is known that the caller may send so many. */
export const UPLOADS = /^\/api\/(?:threads|desk\/tickets)\/[^/]+\/files$/;
const MAX_BYTES = 64 * KB;
const MAX_LONG_BYTES = 1_024 * KB;
/** Deeper than anything meant in earnest; functions that walk a value call themselves once a level. */
const MAX_DEPTH = 40;
/** The largest body that other programs may send, in bytes. */
const MAX_PROGRAM_BYTES = 1_024 * KB;

/**
 * Reads the body once, up to the limit, and hands it to what follows: whole, as UTF-8, and no deeper than can be walked.
 * A body that is empty is none.
 */
export function requestBody(maxMessageChars: number): MiddlewareHandler<HubEnv> {
  // The longest message that is allowed fits in, also where each character takes three bytes.
  const message = Math.max(MAX_BYTES, maxMessageChars * 3 + KB);
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.method === 'OPTIONS') return next();
    const { path } = c.req;
    if (UPLOADS.test(path)) return next();
    const limit = LONG_BODIES.test(path) ? MAX_LONG_BYTES : MESSAGES.test(path) ? message : MAX_BYTES;
    const bytes = await readBody(c, limit);
    if (bytes === null) throw tooLarge(limit);
    c.set('rawBody', bytes);
    const read = toText(bytes);
    if ('fault' in read) return sendProblem(problemOf(400, 'input_invalid', read.message, c.req.path));
    const isEmpty = bytes.length === 0 && isJsonType(c);
    Object.assign(c.req.bodyCache, { text: Promise.resolve(isEmpty ? '{}' : read.text) });
    return next();
  };
}

/** The whole body; null where it is larger than so many bytes. What is beyond that is not read. */
export async function readBody(c: HubContext, limit: number): Promise<Uint8Array | null> {
  const declared = Number(c.req.header('content-length') ?? '0');
  if (declared > limit) return null;
  const { body } = c.req.raw;
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > limit) {
      void reader.cancel().catch(() => {});
      return null;
    }
    chunks.push(value);
  }
}

function tooLarge(limit: number): HubError {
  return new HubError('input_too_large', `The body is larger than ${Math.floor(limit / KB)} kB.`);
}

/** Why a body cannot be read, with a sentence that says so. */
export interface BodyFault {
  readonly fault: 'too_large' | 'empty' | 'not_text' | 'too_deep' | 'not_json';
  readonly message: string;
}

/** True where the request calls its body JSON. */
export function isJsonType(c: HubContext): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(c.req.header('content-type') ?? '');
}

/** The JSON that another program sends; of an empty body the fault `empty`. */
export async function readJson(c: HubContext): Promise<{ readonly value: unknown } | BodyFault> {
  const bytes = await readBody(c, MAX_PROGRAM_BYTES);
  if (bytes === null) return { fault: 'too_large', message: tooLarge(MAX_PROGRAM_BYTES).message };
  const read = toText(bytes);
  if ('fault' in read) return read;
  try {
    return { value: JSON.parse(read.text) };
  } catch {
    return { fault: bytes.length === 0 ? 'empty' : 'not_json', message: 'The body is not JSON.' };
  }
}

/** A body as text that functions can walk. */
function toText(bytes: Uint8Array): { readonly text: string } | BodyFault {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (depthOf(text) <= MAX_DEPTH) return { text };
    return { fault: 'too_deep', message: 'The body is nested too deeply.' };
  } catch {
    return { fault: 'not_text', message: 'The body is not UTF-8 text.' };
  }
}

const binary = { schema: z.string().openapi({ format: 'binary' }) };

/** The request that puts a file on a conversation: its bytes as they are, its name in the address. */
export const uploadRequest = {
  query: z.object({ name: z.string().min(1).max(500).openapi({ example: 'receipt.pdf' }) }),
  body: { required: true, content: { 'application/octet-stream': binary } },
};

/** The ids of files that a message comes with. */
export const fileIdsSchema = z
  .array(idSchema)
  .max(20)
  .optional()
  .openapi({ description: 'Files of this conversation that came with no message yet, in their order.' });

/** The answer that is a file. */
export const fileResponse = {
  200: {
    description:
      'Its bytes. Raster pictures, by their first bytes, may be shown; everything else is an attachment.',
    content: { 'application/octet-stream': binary },
  },
};

/**
 * The file of an upload. What is sent as its type is not looked at, and no more is read than may be kept.
 * @throws HubError `file_too_large`
 */
export async function uploadOf(c: HubContext, name: string, limits: FileLimits): Promise<FileInput> {
  const content = await readBody(c, limits.maxBytes);
  if (content === null) throw fileTooLarge(limits);
  if (content.byteLength === 0) throw new HubError('input_invalid', 'The file is empty.', { field: 'body' });
  return { name, content };
}

/** Whatever a file holds, a browser runs nothing of it: it is shown as a raster picture, or saved. */
export function sendFile(c: HubContext, { file, content }: ReadFile): Response {
  const how = isPicture(file.type) ? 'inline' : 'attachment';
  const plain = file.name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const exact = encodeURIComponent(file.name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return c.body(new Uint8Array(content), 200, {
    'content-type': file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type,
    'content-disposition': `${how}; filename="${plain}"; filename*=UTF-8''${exact}`,
    // It never changes, and is the caller's alone.
    'cache-control': 'private, no-store',
  });
}
