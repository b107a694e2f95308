/** One `{dotted.name}` of a template, with what makes it readable where it says so (`{paid_cents|money}`). */
export interface Placeholder {
  readonly name: string;
  readonly path: readonly string[];
  readonly format: 'money' | 'date' | 'datetime' | null;
  /** Where it stands in the template. */
  readonly start: number;
  readonly end: number;
}

/** A template in order: texts as they are meant, without the signs that tell braces from placeholders. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  /** A brace that is written as such, `{{` or `}}`. */
  | { readonly kind: 'brace'; readonly text: string; readonly start: number }
  | ({ readonly kind: 'placeholder' } & Placeholder);

const MARK = /\{\{|\}\}|\{([A-Za-z_]\w*(?:\.\w+)*)(?:\|(money|date|datetime))?\}/g;

/**
 * Takes a template apart. `{{` is a brace, and so is the `}}` that closes it; any other brace that is no placeholder is
 * text, so that JSON (`{"a": {"b": 1}}`) is what it looks like.
 */
export function templateParts(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  let open = 0;
  const addText = (to: number): void => {
    if (to > from) parts.push({ kind: 'text', text: template.slice(from, to), start: from });
  };
  for (const match of template.matchAll(MARK)) {
    const [mark, name, format] = match;
    const start = match.index;
    if (mark === '}}' && open === 0) continue;
    addText(start);
    from = start + mark.length;
    if (name === undefined) {
      open += mark === '{{' ? 1 : -1;
      parts.push({ kind: 'brace', text: mark.charAt(0), start });
    } else parts.push({ kind: 'placeholder', ...placeholder(name, format), start, end: from });
  }
  addText(template.length);
  return parts;
}

function placeholder(name: string, format = ''): Pick<Placeholder, 'name' | 'path' | 'format'> {
  return { name, path: name.split('.'), format: (format || null) as Placeholder['format'] };
}
