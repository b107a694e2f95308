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

/** `more`: an indented line continues with the item of the list above it. */
function kindOf(line: string, open: Kind | null): Kind {
  if (line.trim() === '') return 'empty';
  if (BULLET.test(line)) return 'bullets';
  if (NUMBER.test(line)) return 'numbers';
  return open !== null && open !== 'paragraph' && /^\s{2,}/.test(line) ? 'more' : 'paragraph';
}

/** A part of a line of a message. `url` has passed the link policy. */
export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis'; readonly parts: readonly Inline[] }
  | { readonly type: 'link'; readonly url: string; readonly parts: readonly Inline[] };

/**
 * The marks that are known, each with names of its parts. Every length is bounded, so that no text takes long; a star or
 * a line inside a word or beside a space marks nothing: `2 * 3`, `snake_case`.
 */
const MARKS = new RegExp(
  [
    '```(?:\\w{0,20}\\n)?(?<block>[^`]{1,4000}?)\\n?```',
    '`(?<code>[^`\\n]{1,500})`',
    '\\[(?<label>[^\\[\\]\\n]{1,200})\\]\\((?<target>https:\\/\\/[^\\s()<>]{1,1000})\\)',
    '(?<![\\w/])(?<address>https:\\/\\/[^\\s<>"`]{1,1000})',
    '(?<=^|\\n)#{1,6} +(?<heading>[^\\n]{1,300})',
    '\\*\\*(?=[^\\s*])(?<bold>[^\\n]{1,500}?)(?<=\\S)\\*\\*(?!\\*)',
    '(?<![\\w_])__(?=[^\\s_])(?<bold2>[^\\n]{1,500}?)(?<=\\S)__(?![\\w_])',
    '(?<![\\w*])\\*(?=[^\\s*])(?<italic>[^*\\n]{1,500}?)(?<=\\S)\\*(?![\\w*])',
    '(?<![\\w_])_(?=[^\\s_])(?<italic2>[^_\\n]{1,500}?)(?<=\\S)_(?![\\w_])',
  ].join('|'),
  'g',
);

/** What ends a sentence is no part of the address before it. */
const TRAILING = /[.,;:!?'*_~\])}]+$/;

/** So deep marks stand within marks; what is deeper stays as it was typed. */
const DEEPEST = 3;

/**
 * Splits the words of a message into marks and links. What is not understood, and a link that may not be followed,
 * stays as it was typed: the reader sees where it would have led.
 * @param hosts the hosts that a link may lead to
 */
export function toInline(text: string, hosts: readonly string[], depth = 0): readonly Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const found of text.matchAll(MARKS)) {
    const part = partOf(found.groups ?? {}, hosts, depth);
    if (part === null) continue;
    const { made, length = found[0].length } = part;
    if (found.index > from) parts.push({ type: 'text', text: text.slice(from, found.index) });
    parts.push(made);
    from = found.index + length;
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) });
  return parts;
}

/** @returns `length` where less than the whole match is taken; null where nothing is */
function partOf(
  found: Readonly<Record<string, string | undefined>>,
  hosts: readonly string[],
  depth: number,
): { readonly made: Inline; readonly length?: number } | null {
  const within = (text: string): readonly Inline[] =>
    depth < DEEPEST ? toInline(text, hosts, depth + 1) : [{ type: 'text', text }];
  const code = found.block ?? found.code;
  if (code !== undefined) return { made: { type: 'code', text: code } };
  const { label, target, address } = found;
  if (label !== undefined && target !== undefined) {
    const url = safeUrl(target, hosts);
    // No link stands within a link.
    return url === null ? null : { made: { type: 'link', url, parts: toInline(label, [], DEEPEST) } };
  }
  if (address !== undefined) {
    const shown = address.replace(TRAILING, '');
    const url = safeUrl(shown, hosts);
    if (url === null) return null;
    return { made: { type: 'link', url, parts: [{ type: 'text', text: shown }] }, length: shown.length };
  }
  const strong = found.bold ?? found.bold2 ?? found.heading;
  if (strong !== undefined) return { made: { type: 'strong', parts: within(strong) } };
  const emphasis = found.italic ?? found.italic2;
  return emphasis === undefined ? null : { made: { type: 'emphasis', parts: within(emphasis) } };
}

/**
 * The address, normalised, where it is an https one of an allowed host (or of a name below one that begins with a dot:
 * `.example.com`), without user name and on the usual port; else null.
 */
export function safeUrl(url: string, hosts: readonly string[]): string | null {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return null;
  }
  if (
    parsed.protocol !== 'https:' ||
    parsed.username !== '' ||
    parsed.password !== '' ||
    parsed.port !== ''
  ) {
    return null;
  }
  const host = parsed.hostname.toLowerCase();
  const allowed = hosts.some((one) => {
    const name = one.toLowerCase();
    return name.startsWith('.') ? host.endsWith(name) : host === name;
  });
  return allowed ? parsed.href : null;
}
