import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import type { SkillResult } from '../../core/domain/skill.js';

export type Wording = 'en' | 'pt-BR';

/** The language a run is to be answered in, from its input. */
export function wordingOf(input: JsonObject): Wording {
  const { language, locale } = input;
  return [language, locale].some((one) => typeof one === 'string' && /^pt/i.test(one)) ? 'pt-BR' : 'en';
}

/** What is said where nothing can be said for certain: true in any trade, and without a promise. */
export const NEUTRAL: Readonly<
  Record<'unfinished' | 'withheld' | 'conflict' | 'done', Readonly<Record<Wording, string>>>
> = {
  unfinished: {
    en: 'This could not be finished automatically. A person needs to look at it.',
    'pt-BR': 'Não foi possível concluir isto automaticamente. Uma pessoa precisa analisar o caso.',
  },
  withheld: {
    en: 'The answer did not pass its review. A person needs to look at it first.',
    'pt-BR': 'A resposta não passou na revisão. Uma pessoa precisa analisá-la antes.',
  },
  conflict: {
    en: 'What was found does not agree. A person needs to look at it.',
    'pt-BR': 'O que foi encontrado não combina. Uma pessoa precisa analisar o caso.',
  },
  done: { en: 'What came of it', 'pt-BR': 'O que resultou' },
};

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
export function messageOf(result: SkillResult, wording: Wording): string | null {
  switch (result.kind) {
    case 'investigation': {
      const { customer_message, explanation } = result.value;
      return customer_message?.[wording] ?? customer_message?.en ?? explanation;
    }
    case 'composite':
      return result.value.user_message || null;
    case 'review':
      return null;
    case 'generation':
      return fieldOf(result.value.data, MESSAGE_FIELDS, wording);
    case 'plain':
      return typeof result.value === 'string'
        ? result.value || null
        : fieldOf(result.value, MESSAGE_FIELDS, wording);
  }
}

/** One line about a result, for the one who runs the skill. */
export function findingOf(result: SkillResult, wording: Wording): string {
  switch (result.kind) {
    case 'investigation':
      return result.value.root_cause ?? 'the cause was not found';
    case 'composite':
      return result.value.summary;
    case 'review':
      return reviewFinding(result.value);
    case 'generation':
      return (
        fieldOf(result.value.data, [...FINDING_FIELDS, ...MESSAGE_FIELDS], wording) ??
        plainly(result.value.data)
      );
    case 'plain':
      return fieldOf(result.value, [...FINDING_FIELDS, ...MESSAGE_FIELDS], wording) ?? plainly(result.value);
  }
}

function reviewFinding(review: { readonly pass: boolean; readonly issues: readonly string[] }): string {
  if (review.pass) return 'passed';
  return review.issues.length > 0 ? `not passed: ${review.issues.join('; ')}` : 'not passed';
}

function fieldOf(value: JsonValue | undefined, fields: readonly string[], wording: Wording): string | null {
  if (!isObject(value)) return null;
  for (const field of fields) {
    const own = Object.hasOwn(value, field) ? value[field] : undefined;
    const text = isObject(own) ? (own[wording] ?? own.en) : own;
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
