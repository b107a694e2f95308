import type { JsonObject } from '../../core/domain/json.js';
import { fold } from '../../core/text.js';
import { type Condition, compileCondition } from '../expressions/expression.js';
import type { Pack } from '../pack/pack.js';

/**
 * Words of scripts that put blanks between them; each sign of a script that does not is a token of its own, so that a
 * phrase in it is found inside a longer text too.
 */
const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;
const APOSTROPHE = /(?<=\p{L})['’ʼ`´](?=\p{L})/gu;

/**
 * The words of a text as triggers compare them: without case, accents, punctuation and plural endings. `didn't` is one
 * word. A keyword and a text folded the same way match where their tokens do.
 */
export function foldWords(text: string): string[] {
  const plain = fold(text).replace(APOSTROPHE, '');
  return (plain.match(TOKEN) ?? []).map(singular);
}

/**
 * A rough common form of a word and its plural, in English and Portuguese (`charges`, `cobranças`, `reservas`,
 * `cobrações`, `viagens`). It need not be a word, it only has to be the same for both.
 */
function singular(word: string): string {
  if (word.length < 4) return word;
  let stem = word;
  if (/[aeiou]is$/.test(stem) && stem.length > 4) stem = `${stem.slice(0, -2)}l`;
  else if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:x|ch|sh|ss|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^sui]s$/.test(stem)) stem = stem.slice(0, -1);
  if (/(?:ao|oe)$/.test(stem)) return `${stem.slice(0, -2)}o`;
  return stem.endsWith('m') ? `${stem.slice(0, -1)}n` : stem;
}

/** One phrase found in a text. */
export interface PhraseHit {
  /** What was stored with the phrase, e.g. the number of a pack. */
  readonly owner: number;
  /** The phrase as its writer spells it. */
  readonly phrase: string;
  /** Position of its first word in the text. */
  readonly start: number;
  /** Its length in words. */
  readonly words: number;
}

interface Node {
  readonly next: Map<string, Node>;
  readonly ends: { readonly owner: number; readonly phrase: string }[];
}

/** Finds many phrases in a text in one pass, whatever their number. */
interface PhraseTrie {
  /** @param words the folded words of the phrase; a phrase without any is never found */
  add(words: readonly string[], owner: number, phrase: string): void;
  find(text: readonly string[]): PhraseHit[];
}

export function createPhraseTrie(): PhraseTrie {
  const root: Node = { next: new Map(), ends: [] };
  return {
    add(words, owner, phrase) {
      if (words.length === 0) return;
      let node = root;
      for (const word of words) {
        const known = node.next.get(word) ?? { next: new Map(), ends: [] };
        node.next.set(word, known);
        node = known;
      }
      node.ends.push({ owner, phrase });
    },
    find(text) {
      const hits: PhraseHit[] = [];
      for (let start = 0; start < text.length; start++) {
        let node: Node | undefined = root;
        for (let at = start; at < text.length; at++) {
          node = node.next.get(text[at] ?? '');
          if (node === undefined) break;
          for (const end of node.ends) hits.push({ ...end, start, words: at - start + 1 });
        }
      }
      return hits;
    },
  };
}

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
