import { isObject, type JsonObject } from '../../core/domain/json.js';

/** The object a model wrote, or what is wrong with its reply. */
type ParsedReply = { readonly value: JsonObject } | { readonly problem: string };

const MAX_REPLY_CHARS = 1_000_000;
/** Places where an object may begin that are looked at; more braces than this are no answer. */
const MAX_STARTS = 200;

/**
 * Reads the one JSON object in a model's reply. Models put it in a code fence, think aloud before it and add words around it,
 * and all of that is tolerated; JSON that is broken, or several objects of which any could be meant, is not.
 */
export function readModelJson(reply: string): ParsedReply {
  if (reply.length > MAX_REPLY_CHARS) return { problem: `it is longer than ${MAX_REPLY_CHARS} characters` };
  const text = reply.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i, '').trim();
  if (text === '') return { problem: 'it is empty' };
  const whole = parse(text);
  if (whole !== undefined)
    return isObject(whole) ? { value: whole } : { problem: 'it is JSON, but not an object' };
  const fenced = objectsIn(
    [...text.matchAll(/```[a-z0-9]*\s*\n?([\s\S]*?)```/gi)].map((match) => match[1] ?? ''),
  );
  const found = fenced.length > 0 ? fenced : objectsIn(braced(text));
  const [value, ...others] = found;
  if (value === undefined) return { problem: 'it holds no complete JSON object' };
  if (others.length > 0) return { problem: `it holds ${found.length} JSON objects, and only one is wanted` };
  return { value };
}

function objectsIn(texts: readonly string[]): JsonObject[] {
  return texts.map((text) => parse(text.trim())).filter(isObject);
}

/** The outermost objects in the text. One that is broken ends the search, or a part of it would pass for the whole. */
function braced(text: string): string[] {
  const parts: string[] = [];
  let from = text.indexOf('{');
  for (let starts = 0; from !== -1 && starts < MAX_STARTS; starts += 1) {
    const end = endOfBraces(text, from);
    const part = end === undefined ? undefined : text.slice(from, end);
    const complete = part !== undefined && isObject(parse(part));
    if (complete) parts.push(part);
    else if (/^\{\s*"/.test(text.slice(from, from + 100))) return [];
    from = text.indexOf('{', complete && end !== undefined ? end : from + 1);
  }
  return parts;
}

/** Where the object that begins at `from` ends; braces in its strings do not count. */
function endOfBraces(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
