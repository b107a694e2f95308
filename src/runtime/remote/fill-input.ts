import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import type { Language } from '../../core/domain/taxonomy.js';
import type { RemoteCard, RemoteReasoner, RemoteSkill } from '../../core/ports/remote-agents.js';
import { fold } from '../../core/text.js';
import { contentWords, keywordIn, sameWord } from './keyword-match.js';

/** What a remote agent may know of a request. */
export interface RemoteGoal {
  /** The request, without what the other agent does not need. */
  readonly text: string;
  /** Null where the agent may not have it. */
  readonly language: Language | null;
  /** Null where the agent may not have it, or it is not known. */
  readonly customerName: string | null;
}

type Schema = Readonly<Record<string, unknown>>;

const WORDS_FIELD =
  /^(?:q|query|question|text|message|prompt|request|goal|task|search|search_?(?:text|term|query)|topic|problem|pergunta|texto|mensagem|busca|consulta|pedido)$/i;
const PLACE_FIELD =
  /^(?:place|location|venue|city|near|where|address|destination|local|cidade|lugar|endereco|bairro|neighbou?rhood|area)$/i;
const DATE_FIELD = /^(?:date|day|on|when|data|dia)$/i;
const LANGUAGE_FIELD = /^(?:language|lang|locale|idioma|lingua)$/i;
const NAME_FIELD = /^(?:customer_?name|full_?name|nome_?completo)$/i;

const PLACE =
  /(?<![\p{L}\p{N}])(?:near|at|in|around|close to|next to|perto d[aeo]|pr[oó]ximo [aà]o?|n[ao]|em)\s+(?:the\s+|o\s+|a\s+)?(\p{Lu}[\p{L}\p{N}'’.-]*(?:\s+(?:(?:d[aeo]s?|of|the|e)\s+)?\p{Lu}[\p{L}\p{N}'’.-]*)*)/gu;
const ISO_DATE = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;

/**
 * The input of a skill as far as rules can read it from the request; null where a required field cannot be filled, or
 * where nothing of the request would be in it: a call without what was asked answers something else.
 */
export function fillInput(skill: RemoteSkill, goal: RemoteGoal): JsonObject | null {
  if (!skill.specific) return null;
  const schema = skill.specific.inputSchema as Schema;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const input: Record<string, JsonValue> = {};
  let asked = false;
  for (const [name, field] of Object.entries(properties)) {
    const wanted = isObject(field) ? valueFor(name, field, goal) : null;
    // An optional field is filled only with the request itself or its language.
    if (wanted === null || (!required.includes(name) && wanted.kind === 'person')) continue;
    input[name] = wanted.value;
    asked ||= wanted.kind === 'request';
  }
  const complete = required.every((name) => Object.hasOwn(input, name));
  return complete && (asked || Object.keys(properties).length === 0) ? input : null;
}

interface FieldValue {
  readonly value: JsonValue;
  readonly kind: 'request' | 'language' | 'person';
}

function valueFor(name: string, field: Schema, goal: RemoteGoal): FieldValue | null {
  if (field.type !== 'string') return null;
  const value = stringFor(name, field, goal);
  if (value === null || !fits(value.value as string, field)) return null;
  return value;
}

function stringFor(name: string, field: Schema, goal: RemoteGoal): FieldValue | null {
  if (LANGUAGE_FIELD.test(name)) {
    const language = goal.language && languageFor(field, goal.language);
    return language ? { value: language, kind: 'language' } : null;
  }
  if (Array.isArray(field.enum)) {
    const named = field.enum.filter((value) => typeof value === 'string' && keywordIn(goal.text, [value]));
    return named.length === 1 ? { value: named[0] as string, kind: 'request' } : null;
  }
  if (NAME_FIELD.test(name)) return goal.customerName ? { value: goal.customerName, kind: 'person' } : null;
  if (WORDS_FIELD.test(name)) return { value: goal.text, kind: 'request' };
  const found = PLACE_FIELD.test(name)
    ? [...goal.text.matchAll(PLACE)].map((match) => match[1] ?? '')
    : DATE_FIELD.test(name) || field.format === 'date'
      ? (goal.text.match(ISO_DATE) ?? [])
      : [];
  const distinct = [...new Set(found.map((value) => value.replace(/[.,-]+$/, '')).filter(Boolean))];
  return distinct.length === 1 ? { value: distinct[0] as string, kind: 'request' } : null;
}

/** The language in the form the field takes. */
function languageFor(field: Schema, language: Language): string | null {
  if (!Array.isArray(field.enum)) return language;
  const short = language.slice(0, 2);
  return (
    field.enum.map(String).find((value) => value === language || fold(value).slice(0, 2) === short) ?? null
  );
}

function fits(value: string, { minLength, maxLength, pattern }: Schema): boolean {
  if (typeof minLength === 'number' && value.length < minLength) return false;
  if (typeof maxLength === 'number' && value.length > maxLength) return false;
  // A pattern of strangers is not run: it may be made to take for ever.
  return pattern === undefined;
}

/**
 * Checks input that a model has read from the request: every value must stand in it. Names, numbers or dates that it does
 * not contain were made up, or come from elsewhere.
 */
export function isFromRequest(input: JsonObject, goal: RemoteGoal, skill: RemoteSkill): boolean {
  const allowed = [goal.text, goal.language ?? '', goal.customerName ?? ''].map(plain).join(' | ');
  const properties = skill.specific?.inputSchema.properties;
  const fields = isObject(properties) ? properties : {};
  return (
    Object.keys(input).length > 0 &&
    Object.entries(input).every(([name, value]) => {
      const field = isObject(fields[name]) ? (fields[name] as Schema) : {};
      return leaves(value as JsonValue).every((leaf) => isFrom(leaf, field, allowed));
    })
  );
}

function isFrom(leaf: JsonValue, field: Schema, allowed: string): boolean {
  if (typeof leaf === 'number') return numbersIn(allowed).includes(leaf);
  if (typeof leaf !== 'string') return false;
  // One of the values the other side lists says nothing that was not offered.
  if (Array.isArray(field.enum)) return field.enum.includes(leaf);
  const words = plain(leaf);
  return words !== '' && allowed.includes(words);
}

function numbersIn(text: string): readonly number[] {
  return (text.match(/\d+(?:[.,]\d+)?/g) ?? []).map((found) => Number(found.replace(',', '.')));
}

function leaves(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => leaves(item));
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap((item) => leaves(item as JsonValue));
  return [value];
}

function plain(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}.,:/-]+/gu, ' ')
    .trim();
}

/** How another agent is asked. */
type CallPlan =
  | {
      readonly kind: 'specific';
      readonly skill: RemoteSkill;
      readonly input: JsonObject;
      readonly by: 'rule' | 'model';
      readonly reason: string;
    }
  | { readonly kind: 'generic' | 'give_up'; readonly by: 'rule' | 'model'; readonly reason: string };

interface PlanParts {
  readonly goal: RemoteGoal;
  readonly reasoner: RemoteReasoner | undefined;
  readonly meaning?: Meaning | undefined;
  readonly ticketId: string;
  readonly signal: AbortSignal;
}

/** Skills that are tried by rules, and shown to a model. */
const TRIED = 3;
const SHOWN = 8;

/**
 * Rules first: the best skill that fits and whose input can be read from the request. A model is asked only where a skill
 * fits but its input needs understanding, or where there is no other way than a skill.
 */
export async function planCall(parts: PlanParts, card: RemoteCard): Promise<CallPlan> {
  const { goal, reasoner, meaning, ticketId, signal } = parts;
  // Where a message may be sent, a skill is called by its own words alone.
  const ranked = rankSkills(goal.text, card, card.generic ? undefined : meaning).filter(
    ({ skill }) => skill.specific !== null,
  );
  const fitting = ranked.filter(({ score }) => score >= SKILL_FITS).slice(0, TRIED);
  for (const { skill, score } of fitting) {
    const input = fillInput(skill, goal);
    if (input) return { kind: 'specific', skill, input, by: 'rule', reason: `fits ${score.toFixed(2)}` };
  }
  const offered = fitting.length > 0 ? fitting : card.generic ? [] : ranked.slice(0, SHOWN);
  const skills = offered.map(({ skill }) => skill);
  const filled =
    skills.length > 0 ? await reasoner?.fill({ goal: goal.text, ticketId, signal }, skills) : null;
  const chosen = filled && skills.find(({ id }) => id === filled.skill);
  if (chosen && isFromRequest(filled.input, goal, chosen)) {
    return {
      kind: 'specific',
      skill: chosen,
      input: filled.input,
      by: 'model',
      reason: 'read from the request',
    };
  }
  const reason = fitting.length > 0 ? 'input_not_in_request' : 'no_skill_fits';
  return { kind: card.generic ? 'generic' : 'give_up', by: 'rule', reason };
}

/** A skill of a card, and how well it fits a request: 0 to 1. */
export interface RankedRemoteSkill {
  readonly skill: RemoteSkill;
  readonly score: number;
}

/** From here on a skill is taken to be meant: a third of what the request is about. */
export const SKILL_FITS = 0.34;
/** A word of the description says less of what a skill is for than its name, tags and examples. */
const IN_DESCRIPTION = 0.7;

/**
 * The skills of a card, best first: how much of what the request is about they name, or how much the request is like one
 * of their examples. Words of a card are claims; all they can win is that the request is sent there.
 */
export function rankSkills(goal: string, card: RemoteCard, meaning?: Meaning): readonly RankedRemoteSkill[] {
  const words = contentWords(goal);
  const names = namesIn(goal);
  return card.skills
    .map((skill) => ({
      skill,
      score: Math.max(scoreOf(words, names, skill), scoreOfMeaning(words, names, skill, meaning)),
    }))
    .sort((a, b) => b.score - a.score);
}

/** The best skill that fits; null where none does. */
export function bestFit(goal: string, card: RemoteCard, meaning?: Meaning): RankedRemoteSkill | null {
  const [best] = rankSkills(goal, card, meaning);
  return best && best.score >= SKILL_FITS ? best : null;
}

/** How near two texts are in what they mean, 0 to 1, in whatever languages they are; the words of each are given. */
export type Meaning = (one: readonly string[], other: readonly string[]) => number;

/** From here on two texts speak of one matter. */
const SAME_MATTER = 0.65;

/** Below that of a skill that names what is asked: a matter in other words is less than the words themselves. */
function scoreOfMeaning(
  words: readonly string[],
  names: ReadonlySet<string>,
  { id, name, description, tags, examples }: RemoteSkill,
  meaning: Meaning | undefined,
): number {
  const asked = words.filter((word) => !names.has(word));
  if (meaning === undefined || asked.length === 0) return 0;
  const said = contentWords([id.replaceAll('_', ' '), name, description, ...tags, ...examples].join(' '));
  const near = meaning(asked, said);
  return near < SAME_MATTER ? 0 : SKILL_FITS + (near - SAME_MATTER) / 10;
}

/** Words that name a person or a place in the request: which one is meant, and not what is asked about it. */
function namesIn(goal: string): ReadonlySet<string> {
  // Capitals say nothing where everything is written in them.
  if (!/\p{Ll}/u.test(goal)) return new Set();
  const capitals = goal.match(/(?<=[\p{L}\p{N},;:'")] +)\p{Lu}[\p{L}\p{N}]*/gu) ?? [];
  return new Set(capitals.flatMap(contentWords));
}

function scoreOf(words: readonly string[], names: ReadonlySet<string>, skill: RemoteSkill): number {
  if (words.length === 0) return 0;
  const named = contentWords([skill.id, skill.name, ...skill.tags].join(' ').replaceAll('_', ' '));
  const examples = skill.examples.map(contentWords);
  const strong = [...named, ...examples.flat()];
  const described = contentWords(skill.description);
  const weights = words.map((word) => (has(strong, word) ? 1 : has(described, word) ? IN_DESCRIPTION : 0));
  // One word of a long description in common is chance.
  const certain = weights.some((weight) => weight === 1) || weights.filter((weight) => weight > 0).length > 1;
  // A name that the skill does not know is a value for it; where there are only names, they are what is asked about.
  const asked = words.filter((word, at) => (weights[at] ?? 0) > 0 || !names.has(word)).length;
  const coverage = weights.reduce<number>((sum, weight) => sum + weight, 0) / Math.max(1, asked);
  return certain ? Math.max(coverage, ...examples.map((example) => likeness(words, example))) : 0;
}

/** How much two sets of words have in common (Dice). */
function likeness(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 0;
  return (2 * a.filter((word) => has(b, word)).length) / (a.length + b.length);
}

function has(words: readonly string[], wanted: string): boolean {
  return words.some((word) => sameWord(word, wanted));
}
