import { z } from '@hono/zod-openapi';
import { type FileLimits, fileTooLarge } from '../../core/attaching.js';
import type { FileInput } from '../../core/domain/attached-file.js';
import { HubError } from '../../core/errors.js';
import { isPicture } from '../../core/file-types.js';
import type { ReadFile } from '../../core/ports/file-store.js';
import { readBody } from './request-body.js';
import type { HubContext } from './router.js';
import { idSchema } from './schemas.js';

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
