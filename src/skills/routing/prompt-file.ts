import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import type { SkillModel } from '../../core/ports/skill-model.js';
import { renderTemplate } from '../templates/render.js';
import { dataBlock } from './data-block.js';

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
