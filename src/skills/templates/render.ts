import Mustache from 'mustache';
import { type JsonObject, type JsonValue, own } from '../../core/domain/json.js';
import { HubError, messageOf } from '../../core/errors.js';

/** A parsed template: what Mustache's grammar knows, without what packs may not use. */
type TemplateToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string }
  | {
      readonly kind: 'section';
      readonly name: string;
      readonly inverted: boolean;
      readonly body: TemplateTokens;
    };
export type TemplateTokens = readonly TemplateToken[];

/**
 * Parses a Mustache template.
 * @throws HubError `skill_invalid` (a tag that is not closed, a partial); the message says what and where
 */
export function parseMustache(template: string): TemplateTokens {
  const writer = new Mustache.Writer();
  // Its cache would keep every template for ever.
  Reflect.set(writer, 'templateCache', undefined);
  let spans: Mustache.TemplateSpans;
  try {
    spans = writer.parse(template) as Mustache.TemplateSpans;
  } catch (error) {
    throw new HubError(
      'skill_invalid',
      `The template is not Mustache: ${messageOf(error)}`,
      {},
      { cause: error },
    );
  }
  return spans.flatMap((span) => toToken(span));
}

function toToken(span: Mustache.TemplateSpans[number]): TemplateToken[] {
  const [type, value] = span;
  switch (type) {
    case 'text':
      return [{ kind: 'text', text: value }];
    case 'name':
    case '&':
      return [{ kind: 'value', name: value }];
    case '#':
    case '^': {
      const body = Array.isArray(span[4]) ? span[4] : [];
      return [
        {
          kind: 'section',
          name: value,
          inverted: type === '^',
          body: body.flatMap((inner) => toToken(inner)),
        },
      ];
    }
    case '>':
      throw new HubError(
        'skill_invalid',
        `The template includes the partial "${value}"; partials are not available in packs, so put its text here`,
      );
    default:
      return [];
  }
}

/** Longest rendered text, in characters: about 100,000 tokens, which is more than most models take. */
export const MAX_RENDERED_CHARS = 400_000;
const MAX_REPEATS = 100_000;

/**
 * Fills a Mustache template with data. Unlike Mustache itself it escapes nothing (a prompt is no HTML), writes objects and
 * lists as JSON, and looks at the data's own fields only: no lambdas, no inherited properties. What is filled in is never
 * rendered again.
 * @throws HubError `skill_invalid` (the template is wrong), `input_too_large`
 */
export function renderTemplate(template: string, data: JsonObject): string {
  const output = new Output();
  write(parseMustache(template), [data], output);
  return output.text();
}

/** The name of the variable where a template is that one variable and nothing else, else null. */
export function onlyVariable(template: string): string | null {
  const [token, ...rest] = parseMustache(template.trim());
  return token?.kind === 'value' && rest.length === 0 ? token.name : null;
}

/** What a dotted name is in the data; undefined where there is no such field. */
export function lookUp(name: string, data: JsonObject): JsonValue | undefined {
  return find(name, [data]);
}

/** The data a name is looked up in: the innermost section last. */
type Scopes = readonly JsonValue[];

function write(tokens: TemplateTokens, scopes: Scopes, output: Output): void {
  for (const token of tokens) {
    if (token.kind === 'text') output.add(token.text);
    else if (token.kind === 'value') output.add(textOf(find(token.name, scopes)));
    else if (token.inverted) {
      if (isEmpty(find(token.name, scopes))) write(token.body, scopes, output);
    } else writeSection(find(token.name, scopes), token.body, scopes, output);
  }
}

function writeSection(
  value: JsonValue | undefined,
  body: TemplateTokens,
  scopes: Scopes,
  output: Output,
): void {
  if (value === undefined || isEmpty(value)) return;
  output.repeat(isList(value) ? value.length : 1);
  if (isList(value)) for (const entry of value) write(body, [...scopes, entry], output);
  else write(body, value === true ? scopes : [...scopes, value], output);
}

function find(name: string, scopes: Scopes): JsonValue | undefined {
  if (name === '.') return scopes.at(-1);
  const [first = '', ...rest] = name.split('.');
  for (const scope of [...scopes].reverse()) {
    const found = own(scope, first);
    if (found !== undefined) return rest.reduce<JsonValue | undefined>(own, found);
  }
  return undefined;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return !value || (isList(value) && value.length === 0);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** Stops while the text grows, and not when it has filled the memory: sections in sections multiply. */
class Output {
  readonly #parts: string[] = [];
  #length = 0;
  #repeats = 0;

  /** Counts what a section is about to write, since sections that write nothing take time all the same. */
  repeat(times: number): void {
    this.#repeats += times;
    if (this.#repeats > MAX_REPEATS) throw tooLarge(`repeats its sections more than ${MAX_REPEATS} times`);
  }

  add(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_RENDERED_CHARS) throw tooLarge(`is longer than ${MAX_RENDERED_CHARS} characters`);
    this.#parts.push(text);
  }

  text(): string {
    return this.#parts.join('');
  }
}

function tooLarge(how: string): HubError {
  return new HubError('input_too_large', `The rendered text ${how}; give less data to the template`);
}
