import { type Document, isMap, isNode, isScalar, isSeq, type Node, type Pair, Scalar, YAMLMap } from 'yaml';
import { sqlTokens } from '../../../core/sql/tables.js';

/** Something written in an older way, which was read in today's. */
export interface SpellingWarning {
  /** Where in the text it stands, from 0. */
  readonly offset: number;
  readonly code: 'older_spelling' | 'quoted_placeholder' | 'unfinished' | 'unusable_credentials';
  readonly message: string;
}

/** The files of a pack whose older spellings are read. */
export interface SpellingContext {
  /** The files of the pack, so that a query may stand in one. */
  readonly files: Readonly<Record<string, string>>;
}

/** Rewrites a document in today's keys. The nodes keep their places in the text, so faults are told where they stand. */
export type Respeller = (page: Respelling, context: SpellingContext) => void;

/** A document that is being rewritten, and what there was to say about it. */
export class Respelling {
  readonly #document: Document;
  readonly #warnings: SpellingWarning[] = [];

  constructor(document: Document) {
    this.#document = document;
  }

  get warnings(): readonly SpellingWarning[] {
    return this.#warnings;
  }

  /** The keys and values of the file; null where it holds something else. */
  get root(): YAMLMap | null {
    return mapOf(this.#document.contents);
  }

  set root(map: YAMLMap | null) {
    this.#document.contents = map as Document['contents'];
  }

  warn(where: unknown, code: SpellingWarning['code'], message: string): void {
    this.#warnings.push({ offset: offsetOf(where), code, message });
  }

  /** Tells that a key has another name today. */
  renamed(pair: Pair, to: string, where = ''): void {
    const message = `"${keyOf(pair)}"${where} is an older name; write "${to}".`;
    this.warn(pair, 'older_spelling', message);
    if (isScalar(pair.key)) pair.key.value = to;
  }

  /** A node of plain data that stands where another one stood. */
  node(value: unknown, instead: unknown): Node {
    const node = this.#document.createNode(value);
    const at = offsetOf(instead);
    if (isNode(node)) node.range = [at, at, at];
    return node;
  }

  /** Puts an entry into a map, at its end. */
  put(map: YAMLMap, key: string, value: unknown, instead: unknown): void {
    map.delete(key);
    const node = isNode(value) ? value : this.node(value, instead);
    map.add({ key: this.node(key, instead), value: node });
  }
}

/** The value as a map; null where it is none. */
export function mapOf(value: unknown): YAMLMap | null {
  return isMap(value) ? (value as YAMLMap) : null;
}

/** The entries of a map with texts for keys. */
export function entriesOf(map: YAMLMap): readonly { readonly key: string; readonly pair: Pair }[] {
  return map.items.map((pair) => ({ key: keyOf(pair), pair: pair as Pair }));
}

/** The entry of that name; undefined where there is none. */
export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => keyOf(pair) === key) as Pair | undefined;
}

/** The text at a key; undefined where there is none or something else. */
export function textAt(map: YAMLMap, key: string): string | undefined {
  const value = map.get(key);
  return typeof value === 'string' ? value : undefined;
}

/** The entries of a list; none where it is no list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return isSeq(value) ? value.items : [];
}

/** Takes the others out of a list. */
export function keepItems(list: unknown, keep: (item: unknown) => boolean): void {
  if (isSeq(list)) list.items = list.items.filter(keep);
}

/** A fresh map at the place of another node. */
export function emptyMap(instead: unknown): YAMLMap {
  const map = new YAMLMap();
  const at = offsetOf(instead);
  map.range = [at, at, at];
  return map;
}

/** Gives a text another one, in the same place. */
export function setText(pair: Pair, text: string): void {
  if (isScalar(pair.value)) pair.value.value = text;
  else pair.value = new Scalar(text);
}

function keyOf(pair: { readonly key: unknown }): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

function offsetOf(where: unknown): number {
  if (isNode(where)) return where.range?.[0] ?? 0;
  const pair = where as { readonly key?: unknown } | null | undefined;
  return isNode(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

const WHOLE = /^'(\{[A-Za-z_]\w*(?:\.\w+)*\})'$/;

/**
 * `'{name}'` in a statement: designs that paste values quote them. The quotes are dropped, so that the value is bound. A
 * placeholder in a longer text is left, since it cannot be bound.
 */
export function unquote(page: Respelling, map: YAMLMap, key: string): void {
  const pair = pairOf(map, key);
  const sql = textAt(map, key);
  if (pair === undefined || sql === undefined) return;
  const quoted = sqlTokens(sql, 'standard').filter(({ kind, text }) => kind === 'text' && WHOLE.test(text));
  if (quoted.length === 0) return;
  let bound = sql;
  for (const { text, start, end } of [...quoted].reverse()) {
    bound = `${bound.slice(0, start)}${text.slice(1, -1)}${bound.slice(end)}`;
  }
  const names = [...new Set(quoted.map(({ text }) => text.slice(1, -1)))];
  const message = `${names.join(' and ')} in quotes would be pasted; the quotes are dropped and the value is bound. Write ${names.join(' and ')} without the quotes.`;
  page.warn(pair, 'quoted_placeholder', message);
  setText(pair, bound);
}
