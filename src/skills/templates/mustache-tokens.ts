import Mustache from 'mustache';
import { HubError } from '../../core/errors.js';

/** A parsed template: what Mustache's grammar knows, without what packs may not use. */
export type TemplateToken =
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
    const why = error instanceof Error ? error.message : String(error);
    throw new HubError('skill_invalid', `The template is not Mustache: ${why}`, {}, { cause: error });
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
