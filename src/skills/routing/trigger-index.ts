import type { RankedSkill, SkillPick, SkillRequest } from '../../core/ports/skills.js';
import { choosesAmongAll } from '../composite/composite-env.js';
import type { Pack } from '../pack/pack.js';
import {
  conditionsOver,
  createPhraseTrie,
  foldName,
  foldWords,
  type PhraseHit,
  type TriggerEntry,
  toEntry,
} from './trigger-entry.js';

/** What speaks for a skill. */
interface Signals {
  /** Intents of the request that are the skill's id or one of its `triggers.intents`; or its id is in the text. */
  readonly intents: readonly string[];
  /** Its keywords in the text, without those that lie inside a longer one of its own. */
  readonly phrases: readonly PhraseHit[];
  /** The request's category, where it is one of the skill's. */
  readonly category: string | null;
  /** Its conditions hold, and it has nothing else to be found by. */
  readonly conditionsOnly: boolean;
}

const INTENT = 0.5;
const ANY_PHRASE = 0.1;
const PHRASE_WORD = 0.02;
const MAX_WORDS = 18;
const CATEGORY = 0.01;
const CONDITIONS_ONLY = 0.005;

/**
 * score = 0.5 (an intent matches)
 *       + 0.1 + 0.02 for each word of the matched keyword phrases, 18 words at most (a keyword matches)
 *       + 0.01 (the category matches) + 0.005 (found by its conditions alone)
 *
 * An intent outweighs all keywords and the category together, one more word of a keyword outweighs the category. So a
 * phrase outweighs a word, two keywords outweigh one, and the category decides between skills that are otherwise equal.
 */
function scoreOf(signals: Signals): number {
  const words = Math.min(
    MAX_WORDS,
    signals.phrases.reduce((sum, hit) => sum + hit.words, 0),
  );
  const score =
    (signals.intents.length > 0 ? INTENT : 0) +
    (words > 0 ? ANY_PHRASE + PHRASE_WORD * words : 0) +
    (signals.category === null ? 0 : CATEGORY) +
    (signals.conditionsOnly ? CONDITIONS_ONLY : 0);
  return Math.round(score * 1000) / 1000;
}

/** Whether something in the request itself names what the skill is for, not just its category or the facts. */
function isStrong(signals: Signals): boolean {
  return signals.intents.length > 0 || signals.phrases.length > 0;
}

/** In words, for the one who asks why. */
function explain(signals: Signals): string[] {
  return [
    ...signals.intents.map((intent) => `intent ${intent}`),
    ...signals.phrases.map((hit) => `keyword "${hit.phrase}"`),
    ...(signals.category === null ? [] : [`category ${signals.category}`]),
    ...(signals.conditionsOnly ? ['its conditions hold'] : []),
  ];
}

/**
 * The phrases that count: each once, and none that lies inside a longer one (`charged` says nothing beside
 * `charged twice`).
 */
function countedPhrases(hits: readonly PhraseHit[]): PhraseHit[] {
  const counted: PhraseHit[] = [];
  for (const hit of [...hits].sort((one, other) => other.words - one.words || one.start - other.start)) {
    const inside = counted.some(
      (longer) =>
        longer.phrase === hit.phrase ||
        (longer.start <= hit.start && hit.start + hit.words <= longer.start + longer.words),
    );
    if (!inside) counted.push(hit);
  }
  return counted;
}

/** Says by triggers alone which skill a request is for. Holds nothing that changes. */
export interface TriggerIndex {
  /** Well under a millisecond with hundreds of skills. The ranking is that of `scoreOf`; equal ones stand by id. */
  pick(request: SkillRequest): SkillPick;
  /**
   * The skills that different places of the text name, in the order of the text: for each place the best of them, several
   * where they are equal. Empty where no trigger decides.
   */
  requested(request: SkillRequest): readonly (readonly RankedSkill[])[];
  /** All skills that the request leaves open, by id, whether or not a trigger matches; their score is 0. */
  open(request: SkillRequest): readonly RankedSkill[];
}

/**
 * @param packs the list of a catalog: one version of each id
 * @throws HubError `expression_invalid` for a trigger's condition that is no CEL
 */
export function createTriggerIndex(packs: readonly Pack[]): TriggerIndex {
  // What chooses among all skills is not one of them.
  const skills = packs.filter((pack) => !choosesAmongAll(pack));
  // By id, so that the order in which folders were read decides nothing.
  const entries = skills.sort((one, other) => (one.id < other.id ? -1 : 1)).map(toEntry);
  const phrases = createPhraseTrie();
  const ids = createPhraseTrie();
  const byIntent = new Map<string, number[]>();
  const byCategory = new Map<string, number[]>();
  const byConditions: number[] = [];
  for (const [owner, { pack, conditionsOnly }] of entries.entries()) {
    const { keywords, intents, issue_categories } = pack.descriptor.triggers;
    for (const keyword of keywords) phrases.add(foldWords(keyword), owner, keyword);
    // An id of one word is an ordinary word of the language; one of several words is hardly written by chance.
    if (pack.id.includes('_')) ids.add(foldWords(pack.id), owner, pack.id);
    for (const intent of new Set([pack.id, ...intents].map(foldName))) append(byIntent, intent, owner);
    for (const category of new Set(issue_categories.map(foldName))) append(byCategory, category, owner);
    if (conditionsOnly) byConditions.push(owner);
  }

  function signalsOf(request: SkillRequest): Map<number, Signals> {
    const words = foldWords(request.text);
    const found = new Map<number, { intents: Set<string>; hits: PhraseHit[]; category: string | null }>();
    const of = (owner: number) => {
      const known = found.get(owner) ?? { intents: new Set(), hits: [], category: null };
      found.set(owner, known);
      return known;
    };
    for (const hit of phrases.find(words)) of(hit.owner).hits.push(hit);
    for (const hit of ids.find(words)) {
      if (isNamed(hit.phrase, request)) of(hit.owner).intents.add(hit.phrase);
    }
    for (const intent of request.intents ?? []) {
      for (const owner of byIntent.get(foldName(intent)) ?? []) of(owner).intents.add(intent);
    }
    const category = request.issueCategory;
    for (const owner of category === undefined ? [] : (byCategory.get(foldName(category)) ?? [])) {
      of(owner).category = category ?? null;
    }
    for (const owner of byConditions) of(owner);
    return new Map(
      [...found].map(([owner, { intents, hits, category }]) => [
        owner,
        {
          intents: [...intents],
          phrases: countedPhrases(hits),
          category,
          conditionsOnly: entries[owner]?.conditionsOnly === true,
        },
      ]),
    );
  }

  /** Best first. */
  function candidatesOf(request: SkillRequest): readonly Candidate[] {
    const hold = conditionsOver(request.facts ?? {});
    const candidates = [...signalsOf(request)].flatMap(([owner, signals]) => {
      const entry = entries[owner];
      if (entry === undefined || !isOpen(entry, request) || !hold(entry)) return [];
      return [{ signals, ranked: toRanked(entry.pack, scoreOf(signals), explain(signals)) }];
    });
    return candidates.sort(
      (one, other) =>
        other.ranked.score - one.ranked.score || (one.ranked.skillId < other.ranked.skillId ? -1 : 1),
    );
  }

  return {
    pick(request) {
      const candidates = candidatesOf(request);
      return { kind: kindOf(candidates), ranked: candidates.map(({ ranked }) => ranked) };
    },
    requested(request) {
      const candidates = candidatesOf(request);
      const requested = byPlace(candidates);
      const [best] = candidates;
      return requested.length === 0 && best !== undefined && kindOf(candidates) === 'one'
        ? [[best.ranked]]
        : requested;
    },
    open(request) {
      const hold = conditionsOver(request.facts ?? {});
      return entries
        .filter((entry) => isOpen(entry, request) && hold(entry))
        .map(({ pack }) => toRanked(pack, 0, []));
    },
  };
}

interface Candidate {
  readonly signals: Signals;
  readonly ranked: RankedSkill;
}

/**
 * The places of the text that name skills: longer phrases first, none that overlaps another. What an intent alone names has
 * no place and comes last.
 */
function byPlace(candidates: readonly Candidate[]): readonly (readonly RankedSkill[])[] {
  const hits = candidates.flatMap(({ signals, ranked }) => signals.phrases.map((hit) => ({ hit, ranked })));
  const places: { readonly start: number; readonly end: number; readonly named: RankedSkill[] }[] = [];
  for (const { hit, ranked } of hits.sort((one, other) => other.hit.words - one.hit.words)) {
    const end = hit.start + hit.words;
    const same = places.find((place) => place.start === hit.start && place.end === end);
    if (same) same.named.push(ranked);
    else if (!places.some((place) => hit.start < place.end && place.start < end))
      places.push({ start: hit.start, end, named: [ranked] });
  }
  const placed = places
    .sort((one, other) => one.start - other.start)
    .map(({ named }) => {
      const score = Math.max(...named.map((one) => one.score));
      return named.filter((one) => one.score === score);
    });
  const known = new Set(placed.flat().map(({ skillId }) => skillId));
  const byIntent = candidates.filter(
    ({ signals, ranked }) => signals.intents.length > 0 && !known.has(ranked.skillId),
  );
  return [...placed, ...byIntent.map(({ ranked }) => [ranked])];
}

const indexes = new WeakMap<readonly Pack[], TriggerIndex>();

/** The index of a catalog's list, which is the same list as long as no pack has changed. */
export function indexOf(packs: readonly Pack[]): TriggerIndex {
  const known = indexes.get(packs);
  if (known !== undefined) return known;
  const made = createTriggerIndex(packs);
  indexes.set(packs, made);
  return made;
}

/**
 * Without an intent or a keyword only a category that a single skill has is certain; one that several share, or facts
 * alone, say too little.
 */
function kindOf(candidates: readonly Candidate[]): SkillPick['kind'] {
  const [best, second] = candidates;
  if (best === undefined) return 'none';
  const alone = second === undefined || second.ranked.score < best.ranked.score;
  if (isStrong(best.signals)) return alone ? 'one' : 'tie';
  return alone && best.signals.category !== null ? 'one' : 'none';
}

/** A deprecated skill has a successor: it is only for a request that names it. */
function isOpen(entry: TriggerEntry, request: SkillRequest): boolean {
  const { id, summary } = entry.pack;
  if (request.among !== undefined && !request.among.includes(id)) return false;
  if (request.types !== undefined && !request.types.includes(summary.type)) return false;
  return summary.status !== 'deprecated' || request.among !== undefined || isNamed(id, request);
}

/** Whether the id itself is in the text, not just its words. */
function isNamed(id: string, request: SkillRequest): boolean {
  return ` ${request.text.toLowerCase().replace(/[^a-z0-9_]+/g, ' ')} `.includes(` ${id} `);
}

function toRanked({ id, version, summary }: Pack, score: number, why: readonly string[]): RankedSkill {
  return { skillId: id, version, title: summary.title, description: summary.description, score, why };
}

function append(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
