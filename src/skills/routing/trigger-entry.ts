import type { JsonObject } from '../../core/domain/json.js';
import { type Condition, compileCondition } from '../expressions/expression.js';
import type { Pack } from '../pack/pack.js';
import { foldWords } from './phrase-trie.js';

/** A skill as the trigger index holds it. */
export interface TriggerEntry {
  readonly pack: Pack;
  readonly conditions: readonly Condition[];
  /** True where conditions are all it has to be found by. */
  readonly conditionsOnly: boolean;
}

/** @throws HubError `expression_invalid` for a condition that is no CEL; a pack that was validated has none */
export function toEntry(pack: Pack): TriggerEntry {
  const { keywords, issue_categories, intents, conditions } = pack.descriptor.triggers;
  return {
    pack,
    conditions: conditions.map((condition) => compileCondition(condition)),
    conditionsOnly: conditions.length > 0 && keywords.length + issue_categories.length + intents.length === 0,
  };
}

/** Says of each skill whether all its conditions hold over the facts; facts that are missing read as null. */
export function conditionsOver(facts: JsonObject): (entry: TriggerEntry) => boolean {
  // Many skills of a house ask the same of a customer.
  const known = new Map<string, boolean>();
  const holds = (condition: Condition): boolean => {
    const verdict = known.get(condition.text) ?? condition.holds(facts);
    known.set(condition.text, verdict);
    return verdict;
  };
  return ({ conditions }) => conditions.every(holds);
}

/** Names (intents, categories, ids) compare without case, accents and the sign between their words. */
export function foldName(name: string): string {
  return foldWords(name).join('_');
}

/**
 * One pack for each id: the newest active one, else the newest draft, else the newest deprecated one. Sorted by id, so
 * that the order in which folders were read decides nothing.
 */
export function newestOfEach(packs: readonly Pack[]): Pack[] {
  const best = new Map<string, Pack>();
  for (const pack of packs) {
    const known = best.get(pack.id);
    if (known === undefined || isBetter(pack, known)) best.set(pack.id, pack);
  }
  return [...best.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

const BY_STATUS = { active: 2, poc: 1, deprecated: 0 } as const;

function isBetter(pack: Pack, known: Pack): boolean {
  const status = BY_STATUS[pack.summary.status] - BY_STATUS[known.summary.status];
  if (status !== 0) return status > 0;
  return compareVersions(pack.version, known.version) > 0;
}

function compareVersions(one: string, other: string): number {
  const [left = '', leftPre = ''] = one.split(/-(.*)/s);
  const [right = '', rightPre = ''] = other.split(/-(.*)/s);
  const numbers = right.split('.').map(Number);
  for (const [place, number] of left.split('.').map(Number).entries()) {
    const difference = number - (numbers[place] ?? 0);
    if (difference !== 0) return difference;
  }
  if (leftPre === rightPre) return 0;
  if (leftPre === '' || rightPre === '') return leftPre === '' ? 1 : -1;
  return leftPre > rightPre ? 1 : -1;
}
