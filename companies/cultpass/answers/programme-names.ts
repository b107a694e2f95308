import type { OfflineStep } from '../../../src/core/ports/chat-models.js';
import { fold } from '../../../src/core/text.js';
import type { Asked } from '../../../src/runtime/company-answers.js';
import { call, dashed, say } from '../../../src/runtime/offline-step.js';
import {
  type Experiences,
  LOOKED_THROUGH,
  lineOf,
  programmeSchema,
  SEARCH,
  SHOWN,
} from './programme-lines.js';
import type { ProgrammeWords } from './programme-words.js';

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
export function nameIn({ context, unexplained }: Asked, { kinds }: ProgrammeWords): string | null {
  const [unknown, tokens] = [new Set(unexplained), tokensOf(context.task.text, kinds)];
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
  if (wish && !others) return call(SEARCH, wish);
  const shown = others ? read(others.result).slice(0, SHOWN) : [];
  const list = shown.length === 0 ? null : dashed(shown.map((one) => lineOf(asked, one)));
  return say(texts.sayOwn('not_on_programme', { name, list }));
}
