import type { OfflineStep } from '../../../src/core/ports/chat-models.js';
import { fold } from '../../../src/core/text.js';
import type { Asked } from '../../../src/runtime/company-answers.js';
import { call, dashed, say } from '../../../src/runtime/offline-step.js';
import { CHOICE } from '../data/search-words.js';
import {
  type Experiences,
  LOOKED_THROUGH,
  lineOf,
  programmeSchema,
  SEARCH,
  SHOWN,
} from './programme-lines.js';
import { type ProgrammeWords, sentencesOf } from './programme-words.js';

/** What may stand within a name: "Mistério de Irma Vap". */
const WITHIN = /^(?:d[eao]s?|of|the|e|and|&)$/i;
/** Before a name that follows a kind: "show do Coldplay". */
const OF = /^(?:d[ao]s?|of|by)$/i;

/** The words of the last clause that names a kind, or of the only one: who is told of elsewhere is no name on the programme. */
function tokensOf(text: string, kinds: ProgrammeWords['kinds']): readonly string[] {
  const clauses = text.split(/[.!?,;:]+/).map((clause) => clause.match(/[\p{L}\p{N}'’&-]+/gu) ?? []);
  const [only, ...others] = clauses.filter((tokens) => tokens.length > 0);
  const ofKind = clauses.findLast((tokens) => tokens.some((token) => kinds.named.has(fold(token).trim())));
  // "Do you have Hamilton?" is all there is.
  return ofKind ?? (others.length === 0 ? only : undefined) ?? [];
}

/** What a message calls by a name that is none of a kind, a place or a time: "the Lion King musical"; null where it names nothing so. */
export function nameIn({ context, unexplained }: Asked, { kinds, plans }: ProgrammeWords): string | null {
  const names = unexplained.filter((word) => !plans.test(word));
  const [unknown, tokens] = [new Set(names), tokensOf(context.task.text, kinds)];
  const isUnknown = (token = ''): boolean =>
    unknown.has(fold(token).trim()) && !kinds.named.has(fold(token).trim());
  const isOf = (at: number): boolean =>
    OF.test(tokens[at - 1] ?? '') && kinds.named.has(fold(tokens[at - 2] ?? '').trim());
  const isCapital = (at: number): boolean => /^\p{Lu}/u.test(tokens[at] ?? '');
  const from = tokens.findIndex((token, at) => isUnknown(token) && ((at > 0 && isCapital(at)) || isOf(at)));
  if (from < 0) return null;
  const isNamedOf = isOf(from);
  const isOne = (at: number): boolean => isUnknown(tokens[at]) && (isNamedOf || isCapital(at));
  let to = from + 1;
  while (isOne(to) || (WITHIN.test(tokens[to] ?? '') && isOne(to + 1))) to += 1;
  // "Brazilian singers" are of a kind, and no name.
  const goesOn = isUnknown(tokens[to]) && !isNamedOf;
  return goesOn ? null : tokens.slice(from, to).join(' ');
}

/**
 * Looks a name up, and says so where nothing on the programme has it, with what else there is.
 * @param wish what to ask the programme for beside the name
 * @returns null where something has it
 */
export function missingStep(
  asked: Asked,
  name: string,
  wish: Readonly<Record<string, unknown>> | null,
): OfflineStep | null {
  const { context, texts } = asked;
  const searches = context.trace.filter(({ tool, ok }) => tool === SEARCH && ok);
  const read = (result: unknown): Experiences => programmeSchema.safeParse(result).data?.experiences ?? [];
  const byName = searches.find(({ args }) => args.text === name);
  if (!byName) return call(SEARCH, { text: name, limit: LOOKED_THROUGH });
  if (read(byName.result).length > 0) return null;
  const others = searches.find((entry) => entry !== byName);
  // What there is instead is told with its price.
  const { free: _free, ...any } = wish ?? {};
  if (wish && !others) return call(SEARCH, any);
  const shown = others ? read(others.result).slice(0, SHOWN) : [];
  const list = shown.length === 0 ? null : dashed(shown.map((one) => lineOf(asked, one)));
  return say(texts.sayOwn('not_on_programme', { name, list }));
}

/** The kind that the last sentence names that names one: a question taken up again changes what it names. */
export function kindIn(asked: Asked, text: string, words: ProgrammeWords): string | null {
  for (const sentence of sentencesOf(text).toReversed()) {
    const found = wantedIn(sentence.replace(words.needNot, ' '), asked, words);
    if (found) return found;
  }
  return null;
}

/** The kind of experience or quoted title a text asks for, in the programme's words; empty where it names none. */
function wantedIn(text: string, { context, filters, intent }: Asked, { kinds }: ProgrammeWords): string {
  const quoted = /(?<!\p{L})["“']([^"”']{3,60})["”'](?!\p{L})/u.exec(text)?.[1];
  if (quoted) return quoted;
  const placeWords = new Set(filters.places.flatMap((place) => fold(place).split(' ')));
  const said = [...fold(text).matchAll(/[a-z]+/g)].flatMap(({ 0: word, index }) => {
    const kind = placeWords.has(word) ? undefined : kinds.named.get(word);
    return kind === undefined ? [] : [{ kind, start: index, end: index + word.length }];
  });
  const named = said.map(({ kind }) => kind);
  const audience = named.find((kind) => kinds.audiences.has(kind));
  const others = named.filter((kind) => !kinds.audiences.has(kind));
  const exact = others.find((kind) => !kinds.broad.has(kind)) ?? others[0];
  // "A concert for my kids" asks for what they may go to, where something to go to is asked for at all.
  const asksForSome = intent === 'ask_catalog' || context.task.list !== undefined;
  if (audience && asksForSome && (exact === undefined || kinds.broad.has(exact))) return audience;
  // "Museums, dance or theatre" asks for any of them.
  const at = said.findIndex(({ kind }) => kind === exact);
  const run = said.slice(at).filter(({ kind }) => !kinds.audiences.has(kind));
  const to = run.findIndex(({ end }, i) => !JOINED.test(fold(text).slice(end, run[i + 1]?.start ?? end)));
  return at < 0 ? '' : [...new Set(run.slice(0, to + 1).map(({ kind }) => kind))].join(CHOICE);
}

/** What stands between the kinds of which any is wanted. */
const JOINED =
  /^(?:\s*[,/]\s*(?:(?:or|ou|e|and|y|o)\s+)?|\s+(?:or|ou|e|and|y|o)\s+)(?:(?:an?|um|uma|some)\s+)?$/;
