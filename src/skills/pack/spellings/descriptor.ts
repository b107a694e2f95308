import { isNode, type Pair, type YAMLMap } from 'yaml';
import { itemsOf, keepItems, mapOf, pairOf, type Respeller, type Respelling, textAt } from './respelling.js';
import { respellSources } from './sources.js';

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

function titleOf(id: string): string {
  const words = id.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
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
