import { HTTPException } from 'hono/http-exception';
import { isObject, type JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { HubContext } from '../http/http-env.js';
import { depthOf, MAX_DEPTH, readBody } from '../http/request-body.js';

/** The largest body that is read, in bytes. */
const MAX_BODY_BYTES = 1_048_576;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;

/**
 * The JSON object of a request; an empty body is an empty object.
 * @throws HubError `input_too_large`; HTTPException 400 for what is no JSON object, 415 for another type
 */
export async function readJsonObject(c: HubContext): Promise<JsonObject> {
  const bytes = await readBody(c, MAX_BODY_BYTES);
  if (bytes === null)
    throw new HubError('input_too_large', `The body is larger than ${MAX_BODY_BYTES / 1_024} kB.`);
  if (bytes.length === 0) return {};
  if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) throw new HTTPException(415);
  const value = parse(bytes);
  if (isObject(value)) return value;
  throw new HTTPException(400, { message: 'The body must be a JSON object.' });
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HTTPException(400, { message: 'The body is not UTF-8 text.' });
  }
  if (depthOf(text) > MAX_DEPTH) throw new HTTPException(400, { message: 'The body is nested too deeply.' });
  try {
    return JSON.parse(text);
  } catch {
    throw new HTTPException(400, { message: 'The body is not JSON.' });
  }
}
