import { MONTHS, WEEKDAYS } from './calendar.js';
import type { Facts } from './facts.js';
import type { Mention } from './record-figures.js';
import type { RecordRow } from './record-rows.js';
import type { KnownRecord } from './records.js';
import { CONDITION, type Sentence } from './sentences.js';
import { fold, tokensOf } from './tokens.js';

/* Names that an answer gives of the customer's own: where something is, and which plan it is. Each is that of its record. */

const NOT =
  /(?<!\p{L})(?:not|never|n[aã]o|nunca|other|others|outr[oa]s?|instead|rather|would|could|seria|until|switch\p{L}*|mov\p{L}+|chang\p{L}+|upgrad\p{L}+|downgrad\p{L}+|if|se)(?!\p{L})|n['’]t(?!\p{L})/iu;
/** Behind it something else may be spoken of. */
const AND = /;|(?<!\p{L})(?:and|e|but|mas|while|enquanto|plus|then|depois|after|before|antes)(?!\p{L})/iu;
/** Fewer letters name no place. */
const SHORTEST = 4;
const STEM = 5;
/** Says which plan the customer has: the name stands behind it. */
const OWN_PLAN =
  /(?<!\p{L})(?:your (?:current |monthly )?(?=\p{Lu}\p{L}+ (?:plan|subscription|membership)(?!\p{L}))|(?:your|the) (?:current )?(?:plan|subscription|membership) is (?:the )?|you(?:['’]re| are|['’]ve been) (?:currently |now |still |already )?(?:on |subscribed to )(?:the |an? )?|you have (?=\p{Lu}\p{L}+[,.;)*])|(?:seu|sua|o teu) (?:plano|assinatura)(?: atual)? (?:é (?:o |a )?)?|(?:seu|sua) (?=\p{Lu}\p{L}+ (?:est[aá]|termin\p{L}+|foi|segue|continua|custa|dá)(?!\p{L}))|você (?:est[aá]|é|assina|continua) (?:hoje |agora |ainda )?(?:no |do |o |com o )?(?:plano )?)\**(?<name>\p{Lu}\p{L}+)/giu;

/** Part of a text in question. */
type Place = Pick<{ from: number; to: number }, 'from' | 'to'>;

/**
 * A place of the records, or a city of the company's, that is not that of the thing which the words before it name.
 * @param mentions what a sentence speaks of, and where
 */
export function ofNoPlace(
  { text, tokens, from, question }: Sentence,
  mentions: readonly Mention[],
  rows: readonly RecordRow[],
  facts: Pick<Facts, 'isOfCompany'>,
): Place | null {
  if (question || mentions.length === 0 || NOT.test(text)) return null;
  const places = placesOf(rows);
  const found = tokens.find(({ text: word, capital, from: at }, index) => {
    if (!capital || index === 0 || word.length < SHORTEST || places.titled.has(word)) return false;
    if (!(places.all.has(word) || facts.isOfCompany(word)) || !isPlaced(tokens, index)) return false;
    const mention = mentions.findLast((one) => one.from <= at);
    if (!mention) return false;
    const between = text.slice(mention.from - from, at - from).replace(mention.title, ' ');
    const own = places.of.get(mention.title) ?? [];
    const isKnown = own.some((one) => !places.titled.has(one));
    return isKnown && !AND.test(between) && !own.some((one) => one.slice(0, STEM) === word.slice(0, STEM));
  });
  return found ?? null;
}

/** The words of the names and places of some records. */
interface Places {
  readonly titled: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
  readonly of: ReadonlyMap<string, readonly string[]>;
}

const placesByRows = new WeakMap<readonly RecordRow[], Places>();

function placesOf(rows: readonly RecordRow[]): Places {
  const known = placesByRows.get(rows);
  if (known) return known;
  const of = new Map<string, readonly string[]>();
  for (const { title, words } of rows)
    if (title !== null) of.set(title, [...(of.get(title) ?? []), ...words]);
  const titled = new Set([...of.keys()].flatMap((title) => tokensOf(title).map((one) => one.text)));
  const places = { titled, all: new Set([...of.values()].flat()), of };
  placesByRows.set(rows, places);
  return places;
}

/** "At the Sala X", "in X", "(Sala X)": what leads to a name begins with a word or a sign of place. */
function isPlaced(tokens: Sentence['tokens'], at: number): boolean {
  let first = at;
  while (
    first > 0 &&
    (tokens[first - 1]?.capital || /^(?:of|de|do|da|dos|das)$/.test(tokens[first - 1]?.text ?? ''))
  )
    first -= 1;
  return /^(?:in|at|em|no|na|en|,|-|\(|the|o|a)$/.test(tokens[first - 1]?.text ?? '');
}

/** "You are on Premium", of who has Basic: a plan that is not the record's. */
export function ofNoPlan(
  { text, from, question }: Sentence,
  records: readonly KnownRecord[],
  facts: Pick<Facts, 'isOfCompany' | 'rules' | 'sourced'>,
): Place | null {
  if (question) return null;
  const values = records.flatMap((one) => (one.title === null && !one.done ? [...one.values] : []));
  if (values.length === 0) return null;
  for (const match of text.matchAll(OWN_PLAN)) {
    const name = match.groups?.name ?? '';
    const plain = fold(name);
    if (!/^\p{Lu}/u.test(name) || values.includes(plain) || MONTHS.has(plain) || WEEKDAYS.has(plain))
      continue;
    const clause = text.slice(text.slice(0, match.index).search(/[^,;:]*$/u), match.index + match[0].length);
    if (NOT.test(clause) || CONDITION.test(clause)) continue;
    // A plan of the company's, as its rules name them, or a name of nothing that was read.
    const isOther = facts.isOfCompany(plain) || facts.rules.some((rule) => rule.includes(name));
    if (!isOther && facts.sourced.has(plain)) continue;
    const at = from + match.index + match[0].length - name.length;
    return { from: at, to: at + name.length };
  }
  return null;
}
