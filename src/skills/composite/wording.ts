import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { inLanguage, languageAmong } from '../../core/domain/language.js';
import type { SkillResult } from '../../core/domain/skill.js';
import type { Language } from '../../core/domain/taxonomy.js';

const FOLDER = fileURLToPath(new URL('./texts/', import.meta.url));

const wordingSchema = z.strictObject({
  unfinished: z.string(),
  withheld: z.string(),
  conflict: z.string(),
  done: z.string().includes('{found}'),
});

/** What is said where nothing can be said for certain, in one language: true in any trade, and without a promise. */
export interface Wording extends z.infer<typeof wordingSchema> {
  readonly language: Language;
}

/** The words of the language that a run is to be answered in, by its input; English where there are none of it. */
export function wordingOf(input: JsonObject): Wording {
  const known = readdirSync(FOLDER).map((file) => basename(file, '.yaml'));
  const asked = [input.language, input.locale].find((one) => typeof one === 'string');
  const language = languageAmong(asked, known) ?? 'en';
  const words: unknown = parse(readFileSync(`${FOLDER}${language}.yaml`, 'utf8'));
  return { ...wordingSchema.parse(words), language };
}

/** Fields that hold what is said to somebody, the surest first. */
const MESSAGE_FIELDS = [
  'user_message',
  'customer_message',
  'reply',
  'message',
  'response',
  'answer',
  'draft',
  'email',
  'body',
  'text',
  'content',
] as const;
const FINDING_FIELDS = ['summary', 'explanation', 'conclusion', 'result', 'title'] as const;

/** The text of a result that may be read to the person who asked, null where it has none. */
export function messageOf(result: SkillResult, language: Language): string | null {
  switch (result.kind) {
    case 'investigation': {
      const { customer_message, explanation } = result.value;
      return inLanguage(customer_message ?? {}, language) ?? explanation;
    }
    case 'composite':
      return result.value.user_message || null;
    case 'review':
      return null;
    case 'generation':
      return fieldOf(result.value.data, MESSAGE_FIELDS, language);
    case 'plain':
      return typeof result.value === 'string'
        ? result.value || null
        : fieldOf(result.value, MESSAGE_FIELDS, language);
  }
}

/** One line about a result, for the one who runs the skill. */
export function findingOf(result: SkillResult, language: Language): string {
  switch (result.kind) {
    case 'investigation':
      return result.value.root_cause ?? 'the cause was not found';
    case 'composite':
      return result.value.summary;
    case 'review':
      return reviewFinding(result.value);
    case 'generation':
      return (
        fieldOf(result.value.data, [...FINDING_FIELDS, ...MESSAGE_FIELDS], language) ??
        plainly(result.value.data)
      );
    case 'plain':
      return fieldOf(result.value, [...FINDING_FIELDS, ...MESSAGE_FIELDS], language) ?? plainly(result.value);
  }
}

function reviewFinding(review: { readonly pass: boolean; readonly issues: readonly string[] }): string {
  if (review.pass) return 'passed';
  return review.issues.length > 0 ? `not passed: ${review.issues.join('; ')}` : 'not passed';
}

function fieldOf(value: JsonValue | undefined, fields: readonly string[], language: Language): string | null {
  if (!isObject(value)) return null;
  for (const field of fields) {
    const own = Object.hasOwn(value, field) ? value[field] : undefined;
    const text = isObject(own) ? (own[language] ?? own.en) : own;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return null;
}

/** The single values of a result, as `name: value`. */
function plainly(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (!isObject(value))
    return typeof value === 'object' ? `${JSON.stringify(value).slice(0, 200)}` : String(value);
  const single = Object.entries(value).filter(([, item]) => item !== null && typeof item !== 'object');
  return single.map(([name, item]) => `${name}: ${String(item)}`).join(', ') || 'done';
}
