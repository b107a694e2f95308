/** Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): sum of weight / (k + rank), rank from 1. */
export interface RankedList {
  /** Ids, best first. */
  readonly ids: readonly string[];
  readonly weight: number;
}

const K = 60;

/** Fused score by id; ids that no list holds are absent. */
export function fuseByRank(lists: readonly RankedList[], k: number = K): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const { ids, weight } of lists) {
    for (const [i, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + weight / (k + i + 1));
  }
  return scores;
}
