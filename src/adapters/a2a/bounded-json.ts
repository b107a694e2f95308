import type { JsonObject, JsonValue } from '../../core/domain/json.js';

/** What may become `__proto__`, also where it is written in escapes. */
const SUSPECT = /__proto__|\\u/;
const OPENS = new Set(['{', '[']);
const CLOSES = new Set(['}', ']']);

/**
 * Reads JSON that a stranger wrote: not deeper than `maxDepth`, so that whoever walks through it does not run out of
 * stack, and without `__proto__`, which would change an object that it is copied into.
 * @returns undefined where it is not JSON, or too deep
 */
export function readJson(text: string, maxDepth: number): JsonValue | undefined {
  if (depthOf(text) > maxDepth) return undefined;
  try {
    // Looking at every value takes a multiple of the time, and is hardly ever needed.
    return JSON.parse(text, SUSPECT.test(text) ? withoutPrototype : undefined) as JsonValue;
  } catch {
    return undefined;
  }
}

/** An own property; what every object inherits is not part of what was sent. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function withoutPrototype(key: string, value: JsonValue): JsonValue | undefined {
  return key === '__proto__' ? undefined : value;
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as string;
    if (quoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (OPENS.has(sign)) deepest = Math.max(deepest, ++depth);
    else if (CLOSES.has(sign)) depth -= 1;
  }
  return deepest;
}
