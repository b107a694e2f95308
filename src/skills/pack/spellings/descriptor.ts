import { type Document, isMap, isNode, isScalar, isSeq, type Node, type Pair, Scalar, YAMLMap } from 'yaml';
import { sqlTokens } from '../../../core/sql/tables.js';
import { titleOf } from '../../../core/text.js';

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

/** Rewrites a document in today's keys. The nodes keep their places in the text, so faults are reported where they stand. */
export type Respeller = (page: Respelling, context: SpellingContext) => void;

/** A document that is being rewritten, and what there was to say about it. */
export class Respelling {
  readonly #warnings: SpellingWarning[] = [];

  constructor(private readonly document: Document) {}

  get warnings(): readonly SpellingWarning[] {
    return this.#warnings;
  }

  /** The keys and values of the file; null where it holds something else. */
  get root(): YAMLMap | null {
    return mapOf(this.document.contents);
  }

  set root(map: YAMLMap | null) {
    this.document.contents = map as Document['contents'];
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
    const node = this.document.createNode(value);
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

/** `env:A,B` and `env:A, env:B` for user and password. */
function respellCredentials(page: Respelling, source: YAMLMap, name: string): void {
  const pair = pairOf(source, 'credentials');
  const text = textAt(source, 'credentials');
  if (pair === undefined || text === undefined) return;
  if (/^aws_iam$/i.test(text)) {
    const variable = `env:${name.toUpperCase()}_CREDENTIALS`;
    const message = `The hub does not sign in with aws_iam. Make a database user that only reads, put user:password into a variable, and write credentials: ${variable}.`;
    page.warn(pair, 'unusable_credentials', message);
    setText(pair, variable);
    return;
  }
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  if (others.length === 0 || !/^env:/.test(first) || others.every((part) => /^env:/.test(part))) return;
  const pairOfNames = [first, ...others.map((part) => (/^env:/.test(part) ? part : `env:${part}`))].join(',');
  const message = `Each variable has its own env: today; write credentials: ${pairOfNames}.`;
  page.warn(pair, 'older_spelling', message);
  setText(pair, pairOfNames);
}

/** `data_sources` without kinds, with HTTP sources in a group of their own, and with credentials of other systems. */
function respellSources(page: Respelling, sources: YAMLMap): void {
  ungroup(page, sources);
  for (const { key, pair } of entriesOf(sources)) {
    const source = mapOf(pair.value);
    if (source === null) continue;
    const kind = source.has('kind') ? null : kindOf(key, source);
    if (kind !== null) {
      page.warn(
        pair,
        'older_spelling',
        `The source ${key} has no kind; it is read as "kind: ${kind}". Write it.`,
      );
      page.put(source, 'kind', kind, pair);
      if (kind !== 'http' && !source.has('url')) {
        const url = `env:${key.toUpperCase()}_URL`;
        const message = `The source ${key} has no address; it is taken from a variable. Write url: ${url}.`;
        page.warn(pair, 'older_spelling', message);
        page.put(source, 'url', url, pair);
      }
    }
    respellCredentials(page, source, key);
  }
}

/** `apis: { partner: { endpoint } }` is a group; each is a source like the others. */
function ungroup(page: Respelling, sources: YAMLMap): void {
  const group = pairOf(sources, 'apis');
  const members = mapOf(group?.value);
  if (group === undefined || members === null || members.has('kind') || members.has('endpoint')) return;
  const names = entriesOf(members).map(({ key }) => key);
  if (names.some((name) => sources.has(name))) return;
  const message = `The group "apis:" is an older form; write ${names.join(' and ')} directly under data_sources.`;
  page.warn(group, 'older_spelling', message);
  sources.items = sources.items.filter((pair) => pair !== group);
  sources.items.push(...members.items);
}

function kindOf(name: string, source: YAMLMap): 'http' | 'postgres' | 'clickhouse' | null {
  if (source.has('endpoint')) return 'http';
  const words = `${name} ${textAt(source, 'service') ?? ''} ${textAt(source, 'url') ?? ''}`.toLowerCase();
  if (/redshift|postgres/.test(words)) return 'postgres';
  return /clickhouse|signoz/.test(words) ? 'clickhouse' : null;
}

const ID = /^[a-z][a-z0-9_]*$/;

/** What older designs write into skill.yaml: a wrapper, other names, no type, sources without a kind. */
export const respellDescriptor: Respeller = (page) => {
  const older = unwrap(page);
  const { root } = page;
  if (root === null) return;
  if (names(page, root) || older) addType(page, root);
  const sources = mapOf(root.get('data_sources'));
  if (sources !== null) respellSources(page, sources);
  joinElse(page, root);
};

/** `skill: { id: ... }`. @returns whether there was such a wrapper */
function unwrap(page: Respelling): boolean {
  const { root } = page;
  const wrapper = root === null ? undefined : pairOf(root, 'skill');
  const inner = mapOf(wrapper?.value);
  if (root === null || wrapper === undefined || inner === null || root.has('id')) return false;
  const message = 'The wrapper "skill:" is an older form; write its keys at the top of skill.yaml.';
  page.warn(wrapper, 'older_spelling', message);
  for (const pair of root.items) if (pair !== wrapper) inner.items.push(pair);
  const [first] = inner.items;
  if (isNode(wrapper.key) && isNode(first?.key))
    first.key.commentBefore ??= wrapper.key.commentBefore ?? null;
  page.root = inner;
  return true;
}

/** `skill_id` for `id`; `name` for `title`, or for `id` where there is none. @returns whether there were such names */
function names(page: Respelling, root: YAMLMap): boolean {
  const id = pairOf(root, 'skill_id');
  if (id !== undefined && !root.has('id')) page.renamed(id, 'id');
  const name = pairOf(root, 'name');
  if (name === undefined) return id !== undefined;
  const text = textAt(root, 'name') ?? '';
  if (!root.has('id') && ID.test(text)) {
    page.renamed(name, 'id');
    if (!root.has('title')) page.put(root, 'title', titleOf(text), name);
    return true;
  }
  if (root.has('title')) return id !== undefined;
  page.renamed(name, 'title');
  return true;
}

/** A design without a type is what it has. */
function addType(page: Respelling, root: YAMLMap): void {
  if (root.has('type')) return;
  const type = root.has('sub_skills')
    ? 'composite'
    : root.has('decision_tree')
      ? 'decision_tree'
      : root.has('implementation') || root.has('template_config')
        ? 'atomic'
        : null;
  if (type === null) return;
  const [first] = root.items as readonly Pair[];
  page.warn(
    first,
    'older_spelling',
    `There is no type; by what it has it is read as "type: ${type}". Write it.`,
  );
  page.put(root, 'type', type, first);
}

/** `- else: [part]` as an entry of its own belongs to the condition before it. */
function joinElse(page: Respelling, root: YAMLMap): void {
  const list = mapOf(root.get('routing'))?.get('conditions', true);
  let before: YAMLMap | null = null;
  for (const item of [...itemsOf(list)]) {
    const map = mapOf(item);
    const only = map?.items.length === 1 ? pairOf(map, 'else') : undefined;
    if (map === null || only === undefined || before === null || before.has('else')) {
      before = map ?? before;
      continue;
    }
    const message = 'An entry "- else:" is an older form; write else beside the if and then before it.';
    page.warn(only, 'older_spelling', message);
    before.items.push(only);
    keepItems(list, (other) => other !== item);
  }
}
