import { issueTypeOf } from '../core/domain/company.js';
import type { EntityRecord } from '../core/domain/entity.js';
import { inLanguage } from '../core/domain/language.js';
import type { Translated } from '../core/domain/taxonomy.js';
import type { Sentences } from '../core/i18n/index.js';
import { namedOwn, ownRecords } from '../graph/dialogue-records.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { type SuggestMaterial, sessionOf } from './suggest-material.js';

/* Replies that rules write where there is no model. */

/** So many records are asked about by their names. */
const MOST_NAMED = 3;

/** Words of a draft that rules write. */
export interface DraftWords {
  readonly texts: Sentences;
  /** First name, or null where there is none that can be used. */
  readonly name: string | null;
  readonly frustrated: boolean;
}

/** A reply around what is known. */
export function answerDraft(words: DraftWords, answer: string): string {
  return [openingOf(words), answer, words.texts.say('draft_close')].join('\n\n');
}

/** A reply while an approval is open. */
export function waitDraft(words: DraftWords): string {
  return [openingOf(words), words.texts.say('draft_wait')].join('\n\n');
}

/** A reply that asks for what is missing. */
export function askDraft(words: DraftWords, missing: Translated): string {
  const { texts } = words;
  return [openingOf(words), `${texts.say('draft_ask')} ${inLanguage(missing, texts.language)}`].join('\n\n');
}

/** A reply where all that the hub knows was said before, or the request was decided already. */
export function lookDraft(words: DraftWords): string {
  return [openingOf(words), words.texts.say('draft_look')].join('\n\n');
}

function openingOf({ texts, name, frustrated }: DraftWords): string {
  return [texts.say('draft_hello', { name }), ...(frustrated ? [texts.say('draft_sorry')] : [])].join(' ');
}

/**
 * A reply where there is no answer to give: what is missing is asked for, unless it is known or the customer has told enough.
 * @param isOld the customer was told all that is known
 */
export async function openDraft(
  deps: GraphDeps,
  material: SuggestMaterial,
  words: DraftWords,
  isOld: boolean,
): Promise<string> {
  const { awaitsApproval, isDecided, classification } = material;
  if (awaitsApproval) return waitDraft(words);
  // What it is about was said: by the article that did not help, or by the request that was decided.
  if (isOld || isDecided) return lookDraft(words);
  const issueType = classification?.issueType ?? '';
  const meant = await meantRecords(deps, material, issueType);
  if (meant === null) {
    // Who is upset has said it more than once.
    return words.frustrated
      ? lookDraft(words)
      : askDraft(words, issueTypeOf(deps.tools.company, issueType).ask);
  }
  if (meant.length === 0) return lookDraft(words);
  if (meant.length > MOST_NAMED) return askDraft(words, issueTypeOf(deps.tools.company, issueType).ask);
  const { texts } = words;
  const names = meant.map(({ title, startsAt }) =>
    texts.say('draft_record', {
      title,
      date: startsAt === null ? null : deps.tools.time.date(startsAt, texts.language),
    }),
  );
  return [openingOf(words), texts.say('draft_which', { count: names.length, names: texts.list(names) })].join(
    '\n\n',
  );
}

/**
 * The customer's records that a request of this subject may be about, by what the company's actions of that subject are done to.
 * @returns none where the customer has named one or has none; null where the subject is none of records
 */
async function meantRecords(
  deps: GraphDeps,
  material: SuggestMaterial,
  issueType: string,
): Promise<readonly EntityRecord[] | null> {
  const targets = deps.tools.roster.actions.flatMap(({ issueType: own, target }) =>
    target && own === issueType ? [target] : [],
  );
  if (targets.length === 0 || material.user === null) return null;
  const session = sessionOf(material);
  const all = await ownRecords({ deps, session });
  if ((await namedOwn({ deps, session, text: material.asked })).length > 0) return [];
  const meant = new Set(
    targets.flatMap((target) =>
      target
        .eligible(
          all.filter(({ entity }) => entity === target.entity),
          new Set(),
        )
        .map(({ id }) => id),
    ),
  );
  return all.filter(({ id }) => meant.has(id));
}
