import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { SkillModel } from '../../core/ports/chat-models.js';
import { renderTemplate } from '../templates/render.js';

const MAX_TEXT = 4_000;
const MAX_BLOCK = 24_000;
const MAX_DEPTH = 8;
const MAX_ITEMS = 50;

/**
 * Data as a model may see it: JSON in which nothing can end the block it stands in (`<` is written as its escape), with
 * long texts, long lists and deep nesting cut.
 */
function dataBlock(value: JsonValue | undefined): string {
  for (const budget of [MAX_TEXT, 800, 160]) {
    const text = JSON.stringify(cut(value ?? null, budget, MAX_DEPTH), null, 1).replaceAll('<', '\\u003c');
    if (text.length <= MAX_BLOCK) return text;
  }
  const text = JSON.stringify(cut(value ?? null, 80, 3)).replaceAll('<', '\\u003c');
  return JSON.stringify({ cut: text.slice(0, MAX_BLOCK / 2) }).replaceAll('<', '\\u003c');
}

/** The value with texts of at most `maxText` signs and lists of at most 50 entries. */
function cut(value: JsonValue, maxText: number, depth: number): JsonValue {
  if (typeof value === 'string') return value.length > maxText ? `${value.slice(0, maxText)}…` : value;
  if (value === null || typeof value !== 'object') return value;
  if (depth === 0) return '…';
  if (Array.isArray(value))
    return value.slice(0, MAX_ITEMS).map((item: JsonValue) => cut(item, maxText, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .flatMap(([key, item]) => (item === undefined ? [] : [[key, cut(item, maxText, depth - 1)] as const])),
  );
}

/** Where the prompts of the levels lie. */
export const ROUTING_PROMPTS = new URL('./prompts/', import.meta.url);

/** What every level's model is told first. */
export function systemPrompt(): string {
  return readFileSync(new URL('system.txt', ROUTING_PROMPTS), 'utf8').trim();
}

/**
 * The prompt of a level for the size of the writing model: the pack's own (`NAME.small`, else `NAME`), else the one that
 * ships with the engine.
 */
export function promptFor(
  name: string,
  model: SkillModel,
  shipped: URL,
  own: ReadonlyMap<string, string> = new Map(),
): string {
  const small = model.tier('write') === 'small';
  const ofPack = (small ? own.get(`${name}.small`) : undefined) ?? own.get(name);
  return ofPack ?? readFileSync(new URL(small ? `${name}.small.txt` : `${name}.txt`, shipped), 'utf8');
}

/**
 * Fills a Mustache prompt. `data` is what a stranger may have written: it is put in as JSON that cannot end its block, and
 * appended in a block of its own where a pack's prompt has no place for it.
 * @throws HubError `skill_invalid` where the prompt is no Mustache template
 */
export function renderPrompt(template: string, view: JsonObject, data: JsonValue): string {
  const block = dataBlock(data);
  const hasPlace = /\{\{[{&]?\s*data\s*\}?\}\}/.test(template);
  const text = hasPlace ? template : `${template}\n\n<data>\n{{data}}\n</data>\n`;
  return renderTemplate(text, { ...view, data: block });
}
