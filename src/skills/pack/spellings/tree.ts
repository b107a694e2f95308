import { isScalar, type Pair, type YAMLMap } from 'yaml';
import {
  emptyMap,
  entriesOf,
  itemsOf,
  keepItems,
  mapOf,
  pairOf,
  type Respeller,
  type Respelling,
  textAt,
  unquote,
} from './respelling.js';

const ID = /^[a-z][a-z0-9_]*$/;

/** What older designs write into a tree: decisions as a list, `else`, quoted placeholders, steps that are names alone. */
export const respellTree: Respeller = (page) => {
  const steps = mapOf(page.root?.get('steps'));
  if (page.root === null || steps === null) return;
  const all = entriesOf(steps);
  let unfinished = false;
  all.forEach(({ key, pair }, at) => {
    const step = mapOf(pair.value);
    if (step === null) return;
    if (isOutline(step)) {
      unfinished = true;
      finish(page, pair, step, all[at + 1]?.key ?? null);
      return;
    }
    const action = mapOf(step.get('action'));
    if (action !== null) unquote(page, action, 'query_template');
    listed(page, step);
    elseOf(page, step, key);
  });
  if (unfinished) dropUnknownChecks(page, page.root, steps);
};

/** A step that says neither what it asks nor what it decides. */
function isOutline(step: YAMLMap): boolean {
  return step.has('name') && !['action', 'decisions', 'options'].some((key) => step.has(key));
}

/** Until somebody writes the step, a person does its work, and the next one of the file follows. */
function finish(page: Respelling, pair: Pair, step: YAMLMap, next: string | null): void {
  const name = textAt(step, 'name') ?? '';
  const message = `The step ${name} says neither what it asks nor what it decides. Until its action and decisions are written, a person is asked.`;
  page.warn(pair, 'unfinished', message);
  page.put(step, 'action', { type: 'ask', question: `${name}: what do you find?` }, pair);
  const answered = {
    condition: 'true',
    confidence: 0.5,
    conclusion: { partial_finding: `A person looked: ${name}.` },
    next_step: next,
  };
  page.put(step, 'decisions', { answered }, pair);
}

/** Checks that are announced in a tree that is not finished, and not there yet. */
function dropUnknownChecks(page: Respelling, root: YAMLMap, steps: YAMLMap): void {
  keepItems(root.get('parallel_checks', true), (item) => {
    const name = isScalar(item) ? String(item.value) : '';
    if (steps.has(name)) return true;
    const message = `parallel_checks names ${name}, which is not written yet; it is left out until then.`;
    page.warn(item, 'unfinished', message);
    return false;
  });
}

/** `decisions: [{ condition, ... }, { else: ... }]`. */
function listed(page: Respelling, step: YAMLMap): void {
  const pair = pairOf(step, 'decisions');
  const items = itemsOf(pair?.value);
  if (pair === undefined || items.length === 0 || !items.every((item) => mapOf(item) !== null)) return;
  const message =
    'A list of decisions is an older form; give each a name: "decisions: { name: { condition, ... } }".';
  page.warn(pair, 'older_spelling', message);
  const named = emptyMap(pair);
  items.forEach((item, at) => {
    const map = mapOf(item);
    if (map === null) return;
    const decision = plainDecision(page, map);
    const name =
      takeName(decision) ?? (decision.get('condition') === 'true' ? 'otherwise' : `decision_${at + 1}`);
    page.put(named, named.has(name) ? `${name}_${at + 1}` : name, decision, item);
  });
  pair.value = named;
}

/** `{ if, then }` and `{ else }` as `condition` and `next_step`. */
function plainDecision(page: Respelling, map: YAMLMap): YAMLMap {
  const condition = pairOf(map, 'if');
  if (condition !== undefined && !map.has('condition'))
    page.renamed(condition, 'condition', ' in a decision');
  const outcome = pairOf(map, 'else') ?? pairOf(map, 'then');
  if (outcome === undefined) return map;
  const isElse = pairOf(map, 'else') !== undefined;
  map.items = map.items.filter((pair) => pair !== outcome);
  const inner = mapOf(outcome.value);
  if (inner !== null) map.items.push(...inner.items);
  else if (isScalar(outcome.value) && typeof outcome.value.value === 'string')
    page.put(map, 'next_step', outcome.value, outcome);
  if (isElse && !map.has('condition')) page.put(map, 'condition', 'true', outcome);
  if (isElse && !map.has('confidence')) page.put(map, 'confidence', 0.5, outcome);
  return map;
}

function takeName(decision: YAMLMap): string | null {
  for (const key of ['id', 'name']) {
    const text = textAt(decision, key);
    if (text === undefined) continue;
    const id = text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '');
    if (!ID.test(id)) continue;
    decision.delete(key);
    return id;
  }
  return null;
}

/** A decision that is called `else` needs no condition. */
function elseOf(page: Respelling, step: YAMLMap, id: string): void {
  const decisions = mapOf(step.get('decisions'));
  const pair = decisions === null ? undefined : pairOf(decisions, 'else');
  const decision = mapOf(pair?.value);
  if (pair === undefined || decision === null || decision.has('condition')) return;
  page.warn(pair, 'older_spelling', `The decision else of ${id} has no condition; write condition: "true".`);
  page.put(decision, 'condition', 'true', pair);
  if (isScalar(pair.key)) pair.key.value = 'otherwise';
  if (!decision.has('confidence')) page.put(decision, 'confidence', 0.5, pair);
}
