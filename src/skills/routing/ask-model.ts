import { readFileSync } from 'node:fs';
import { type ZodType, z } from 'zod';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { HubError, toHubError } from '../../core/errors.js';
import type { SkillModel, SkillModelAnswer } from '../../core/ports/chat-models.js';
import type { Log } from '../../core/ports/system.js';
import { abortReason, untilAborted } from '../../core/signals.js';
import { readModelJson } from '../templates/model-session.js';
import { renderTemplate } from '../templates/render.js';

const MAX_TEXT = 4_000;
const MAX_BLOCK = 24_000;
const MAX_DEPTH = 8;
const MAX_ITEMS = 50;

/**
 * Data as a model may see it: JSON in which nothing can end the block it is in (`<` is written as its escape), with
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

/** The first part of the prompt at every level. */
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

/** Level 0: what the model says about which skills are needed. */
export const routeAnswerSchema = z.object({
  skills: z.array(z.string().max(64)).max(50),
  mode: z.enum(['parallel', 'sequential']).default('sequential'),
  complexity: z.number().min(1).max(10).transform(Math.round).default(1),
  reason: z.string().max(2_000).default(''),
  confidence: z.number().min(0).max(1),
});
export type RouteAnswer = z.infer<typeof routeAnswerSchema>;

/** Below this a model's choice is not taken as it is. */
export const CERTAIN = 0.7;

/** The names that exist, each once, in the model's order; what it invented is dropped. */
export function knownNames(names: readonly string[], known: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => known.includes(name));
}

/** A question whose answer is one JSON object. */
export interface ModelQuestion<Answer> {
  /** Names the question in the log. */
  readonly name: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: ZodType<Answer>;
  /** Faults the schema cannot see, one sentence each. */
  readonly check?: (answer: Answer) => readonly string[];
}

/** What a question is asked with. */
export interface Asking {
  readonly model: SkillModel;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Whose cost it is, where it is made for a ticket. */
  readonly ticketId?: string | null;
  /** Called with what each call cost. */
  readonly onCall?: (answer: SkillModelAnswer) => void;
}

/** The model's answer, or why there is none, so that a rule has to decide. */
export type Asked<Answer> =
  | { readonly ok: true; readonly answer: Answer; readonly attempts: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Asks the writing model for a JSON object, and once more with the faults where it does not fit. Never throws: offline, a
 * model that fails, and one that answers nonsense twice, are answers without a value.
 */
export async function askModel<Answer>(
  question: ModelQuestion<Answer>,
  asking: Asking,
): Promise<Asked<Answer>> {
  if (asking.model.provider === 'offline') return { ok: false, reason: 'there is no model (offline)' };
  let faults: readonly string[] = [];
  for (let attempt = 1; attempt <= 2; attempt++) {
    const text = await complete(question, faults, asking);
    if (text instanceof HubError) {
      asking.log.warn({
        agent: 'skills',
        action: 'model_level_failed',
        details: { question: question.name, code: text.code, message: text.message },
      });
      return { ok: false, reason: `the model could not be asked (${text.code})` };
    }
    const read = readAnswer(question, text);
    if ('answer' in read) return { ok: true, answer: read.answer, attempts: attempt };
    faults = read.faults;
  }
  asking.log.warn({
    agent: 'skills',
    action: 'model_level_bad_output',
    details: { question: question.name, faults },
  });
  return { ok: false, reason: 'the model answered nothing usable twice' };
}

async function complete<Answer>(
  { system, prompt, schema }: ModelQuestion<Answer>,
  faults: readonly string[],
  { model, signal, ticketId, onCall }: Asking,
): Promise<string | HubError> {
  try {
    if (signal.aborted) return abortReason(signal);
    const answer = await untilAborted(
      model.complete({
        role: 'write',
        temperature: 0,
        system: `${system}\nAnswer with one JSON object that fits this JSON Schema, and nothing else:\n${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))}`,
        prompt:
          faults.length === 0
            ? prompt
            : `${prompt}\n\nYour last answer was refused:\n${faults.map((fault) => `- ${fault}`).join('\n')}\nAnswer again, with these faults mended.`,
        json: true,
        ...(ticketId ? { ticketId } : {}),
        signal,
      }),
      signal,
    );
    onCall?.(answer);
    return answer.text;
  } catch (error) {
    return toHubError(error);
  }
}

function readAnswer<Answer>(
  { schema, check }: ModelQuestion<Answer>,
  text: string,
): { readonly answer: Answer } | { readonly faults: readonly string[] } {
  const reply = readModelJson(text);
  if ('problem' in reply) return { faults: [reply.problem] };
  const parsed = schema.safeParse(reply.value);
  if (!parsed.success) {
    return {
      faults: parsed.error.issues
        .slice(0, 10)
        .map((issue) => `${issue.path.join('.') || 'the object'}: ${issue.message}`),
    };
  }
  const faults = check?.(parsed.data) ?? [];
  return faults.length > 0 ? { faults } : { answer: parsed.data };
}
