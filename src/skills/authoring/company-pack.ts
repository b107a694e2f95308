import { type Document, isMap, isPair, isScalar, type Node, Pair, parseDocument, Scalar, visit } from 'yaml';
import type { SkillSubject } from '../../core/workbench.js';

/** Those that the scaffolds are written in. */
const WRITTEN: ReadonlySet<string> = new Set(['en', 'pt-BR', 'es']);
/** What stands for a record without a title of its own, within a sentence. */
const IT: Readonly<Record<string, string>> = { 'pt-BR': 'o registro', es: 'el registro' };

type Records = NonNullable<SkillSubject['records']>;

/** The scaffold of a decision tree of a company: over its records, or a question for a person where a skill can read none. */
export function treeFor({ records }: SkillSubject): string {
  return records === null ? 'company_question' : 'company_tree';
}

/**
 * A file of a scaffold in the words of a company: its languages (in English where the scaffold has no words of one), its records, a
 * decision for each status. Comments stay.
 */
export function forCompany(text: string, { languages, records }: SkillSubject): string {
  const inLanguages = text.replaceAll('[en, pt-BR]', `[${languages.join(', ')}]`);
  const document = parseDocument(records === null ? inLanguages : ofRecords(inLanguages, records));
  visit(document, {
    Map(_key, node) {
      const byTag = new Map(node.items.map((item) => [String(item.key), item]));
      const english = byTag.get('en');
      if (english === undefined || ![...byTag.keys()].every((tag) => WRITTEN.has(tag))) return;
      node.items = languages.map(
        (tag) => byTag.get(tag) ?? new Pair(new Scalar(tag), (english.value as Node).clone()),
      ) as typeof node.items;
    },
  });
  if (records !== null) overRecords(document, records);
  return document.toString({ lineWidth: 0 });
}

/** What is the same in every language. */
function ofRecords(text: string, { entity, key, title, status, statuses, change }: Records): string {
  const [first] = Object.keys(statuses);
  const row = {
    ...{ [key]: 'r_1', ...(title && { [title]: 'Example' }) },
    ...(status && first && { [status]: first }),
  };
  const advice =
    change &&
    `recommended_action: { action: ${change.action}, priority: high, arguments: { ${change.input}: "{result.${key}}" } }`;
  return text
    .replace(/^ *# EXAMPLE\n/m, (line) => (advice === null ? '' : line.replace('EXAMPLE', () => advice)))
    .replaceAll('STATUS_COLUMN', status ?? 'status')
    .replaceAll('ENTITY', entity)
    .replaceAll('ROW', JSON.stringify(row))
    .replaceAll('CAUSE', first === undefined ? 'unexplained' : `is_${first}`);
}

function overRecords(document: Document, { source, statuses, noun, label, title, ...rest }: Records): void {
  const it = (tag: string) => (title === null ? (IT[tag] ?? 'it') : `"{result.${title}}"`);
  fill(document, {
    QUERY: () => statementOf(rest),
    RECORDS: (tag) => label[tag] ?? rest.entity,
    NOUN: (tag) => noun[tag] ?? rest.entity,
    TITLE: it,
  });
  visit(document, {
    Map(_key, node) {
      const at = node.items.findIndex(({ key }) => String(key) === 'STATUS');
      const scaffold = node.items[at];
      if (scaffold === undefined) return;
      const written = Object.entries(statuses).map(([status, said], index) => {
        const one = scaffold.clone();
        fill(one, { STATUS: () => status, LABEL: (tag) => said[tag] ?? status });
        // What explains the first of them explains all.
        if (index > 0 && isScalar(one.key)) one.key.commentBefore = null;
        return one;
      });
      node.items.splice(at, 1, ...(written as typeof node.items));
    },
  });
  if (document.has('data_sources'))
    document.setIn(['data_sources', 'own'], document.createNode(source, { flow: true }));
}

/** The customer's records, or the one of them that the message names. */
function statementOf({ query, key, entity }: Pick<Records, 'query' | 'key' | 'entity'>): string {
  const id = `CAST({${entity}_id} AS text)`;
  return `SELECT * FROM (${query.trim()}) AS theirs WHERE ${id} IS NULL OR CAST(${key} AS text) = ${id}`;
}

/** Fills gaps in texts. @param gaps given the language that a text stands under; English where it stands under none */
function fill(node: Node | Document | Pair, gaps: Readonly<Record<string, (tag: string) => string>>): void {
  visit(node as Node, {
    Scalar(_key, scalar, path) {
      if (typeof scalar.value !== 'string') return;
      const pair = path.at(-1);
      const under = isPair(pair) && isScalar(pair.key) ? String(pair.key.value) : 'en';
      const tag = isMap(path.at(-2)) ? under : 'en';
      scalar.value = Object.entries(gaps).reduce(
        (text, [gap, value]) => text.replaceAll(gap, () => value(tag)),
        scalar.value,
      );
    },
  });
}
