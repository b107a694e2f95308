/** A part of a plain text. */
export type Block =
  | { readonly type: 'paragraph'; readonly lines: readonly string[] }
  | { readonly type: 'bullets'; readonly items: readonly (readonly string[])[] }
  | { readonly type: 'numbers'; readonly start: number; readonly items: readonly (readonly string[])[] };

const BULLET = /^\s{0,3}[-*•–]\s+(?=\S)/;
const NUMBER = /^\s{0,3}(\d{1,3})[.)]\s+(?=\S)/;

type Kind = 'paragraph' | 'bullets' | 'numbers' | 'empty' | 'more';

interface OpenBlock {
  readonly type: 'paragraph' | 'bullets' | 'numbers';
  readonly start: number;
  readonly items: string[][];
}

/**
 * Splits a plain text into paragraphs and simple lists. Nothing is left out but the signs that make a list; what looks
 * like markup stays as it was typed.
 */
export function toBlocks(text: string): readonly Block[] {
  const blocks: OpenBlock[] = [];
  let open: OpenBlock | undefined;
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const kind = kindOf(line, open?.type ?? null);
    if (kind === 'empty') {
      if (open?.type === 'paragraph') open = undefined;
      continue;
    }
    const words = line.replace(kind === 'bullets' ? BULLET : kind === 'numbers' ? NUMBER : /^\s+/, '');
    if (open !== undefined && (kind === 'more' || (kind === 'paragraph' && open.type === 'paragraph'))) {
      open.items.at(-1)?.push(words);
    } else if (open?.type === kind) {
      open.items.push([words]);
    } else {
      open = {
        type: kind === 'more' ? 'paragraph' : kind,
        start: Number(NUMBER.exec(line)?.[1] ?? 1),
        items: [[words]],
      };
      blocks.push(open);
    }
  }
  return blocks.map(({ type, start, items }) =>
    type === 'paragraph'
      ? { type, lines: items[0] ?? [] }
      : type === 'bullets'
        ? { type, items }
        : { type, start, items },
  );
}

/** `more`: an indented line goes on with the item of the list above it. */
function kindOf(line: string, open: Kind | null): Kind {
  if (line.trim() === '') return 'empty';
  if (BULLET.test(line)) return 'bullets';
  if (NUMBER.test(line)) return 'numbers';
  return open !== null && open !== 'paragraph' && /^\s{2,}/.test(line) ? 'more' : 'paragraph';
}
