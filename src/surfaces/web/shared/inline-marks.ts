import { safeUrl } from './safe-url.js';

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
