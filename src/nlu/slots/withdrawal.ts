import type { Choice } from '../../core/domain/session.js';
import type { ActionKind, RequestAct } from '../../core/ports/language-layer.js';
import type { RecordWords } from './record-words.js';
import type { SelectCandidate } from './selection.js';
import { foldText, MAX_TEXT, tokenize } from './text.js';
import {
  ACTIONS,
  AFTER_ALL,
  AMOUNT,
  ATTEND,
  BARE,
  BARE_DOUBTFUL,
  BETWEEN,
  CHANGED_MIND,
  DO,
  DONE_TO,
  DROP,
  KEEP,
  KEPT,
  MAY,
  NOT,
  REQUEST,
  REQUEST_ONLY,
  RETRACT,
  STANDS_BY,
  STRIKE,
  SUPPOSED,
  statusOf,
  subjectsOf,
  UNABLE,
  UNWANTED,
  WANT_BACK,
  WANT_MONEY,
} from './withdrawal-words.js';

const KINDS = Object.keys(ACTIONS) as readonly (keyof typeof ACTIONS)[];
const span = (first: string, then: string, words: number): RegExp =>
  new RegExp(`\\b${first}\\b(?:[ ,]+${BETWEEN}\\b){0,${words}}[ ,]+${then}\\b`);

const NOT_ACTION = KINDS.map((kind) => [kind, span(NOT, ACTIONS[kind], 8)] as const);
const ACTION = KINDS.map((kind) => [kind, new RegExp(`\\b${ACTIONS[kind]}\\b`, 'g')] as const);
const NOT_DO = new RegExp(
  `^(?:(?:i|we|voces?|a gente|but|mas|then|so|wait|stop|hold on|espera) )*${span(NOT, DO, 6).source}(?:[ ]+${DONE_TO})*[ ]*$`,
);
const KEEPS_NOT = span(NOT, KEEP, 4);
/** "No, leave it paused" denies what was asked before, and not the keeping. */
const PLAIN_NO = /^\W*(?:nao|n|no|nah|nope)\s*[,.;:!-]+\s*/;
const DETERMINERS = '(?:[ ]+(?:the|my|that|this|o|a|meu|minha|esse|essa|de|do|da|la|el|mi|esa|ese|del)){0,3}';
const DROPS_REQUEST = new RegExp(
  `\\b(?:(?:${ACTIONS.cancel})\\b${DETERMINERS}[ ]+(?:${REQUEST_ONLY})|(?:${STRIKE})\\b${DETERMINERS}[ ]+(?:${REQUEST_ONLY}|pedido))\\b`,
);
/** "Withdraw it"; and that it is not to be, or stays where it is. */
const RETRACTS = new RegExp(`\\b${RETRACT}\\b`);
const RETRACTS_NOT = new RegExp(
  `${span(NOT, RETRACT, 4).source}|\\b${KEEP}\\b${DETERMINERS}[ ]+(?:${REQUEST_ONLY}|(?:it|them|isso|pedido|lo|la) (?:with|com|con))\\b`,
);
const ATTENDS_NOT = span(NOT, '(?:go|attend|come|be there|make it|ir|comparecer|participar|assistir)', 4);
/** "Desisti de cancelar": the action is named as what the customer turns away from. */
const DROPS_WISH = /\bdesist\w+ d[eo] (?:cancel|reembols|estorn|paus)/;
/** Whoever writes more tells a story, in which much is said that is no instruction. */
const STORY_WORDS = 60;
/** A condition or a question that opens a message is what the message is. */
const OPENING_CHARS = 16;

/** What a reader of messages about open requests knows of a company's records. */
interface Patterns {
  readonly keeps: RegExp;
  readonly kept: RegExp;
  readonly drops: RegExp;
  readonly status: RegExp;
  /** Words that change nothing. */
  readonly fillers: ReadonlySet<string>;
}

/** What a message does to requests that are open. */
export interface RequestReader {
  /**
   * Reads a message as what it does to an open request. It is put together from classes of words (a "not" and what is not
   * to be done, keeping and what is kept, taking back and what is taken back, a changed mind), not from whole sentences; a
   * wish that is spoken beside it and not denied ("I changed my mind, cancel the other one") makes it a request of its own.
   */
  readRequestAct(text: string): RequestAct;
  /** True where the message speaks of what such a request would change. */
  speaksOf(text: string, kind: ActionKind): boolean;
  /**
   * Which of the choices a text names: by title, id, date, place, or their place in the list. Null where it names nothing,
   * empty where it names something else.
   * @param listed false where the choices were shown in no list: "the 5th" is a day then
   */
  namedAmong(text: string, choices: readonly Choice[], now: Date, listed?: boolean): readonly string[] | null;
}

/** Up to so many words "all" needs nothing beside it; in more it may be all of something else: "all my data". */
const SHORT_WORDS = 6;
/** What stands for what was listed. */
const THEM = 'them|these|those|of it|delas|deles|elas|eles|essas|esses|estas|estes|ellas|ellos|estos';

/** Makes the reader for a company's records. */
export function createRequestReader(
  records: RecordWords,
  select: SelectCandidate,
  fillers: ReadonlySet<string>,
): RequestReader {
  const things = `${records.things}|${records.single}`;
  const kept = `(?:${KEPT}|${things})`;
  const patterns: Patterns = {
    keeps: new RegExp(
      `\\b${KEEP}\\b(?! me\\b| us\\b| in mind\\b)(?:[ ]+(?!(?:and|but|e|mas|y|pero)\\b)\\p{L}+){0,4}?[ ]+${kept}\\b`,
      'u',
    ),
    kept: new RegExp(`\\b${kept}\\b`),
    drops: new RegExp(
      `\\b${DROP}\\b(?:[ ]+(?:the|my|our|that|this|o|a|meu|minha|esse|essa|de|do|da|com|it|please|last|whole|entire|${things}|with|about|todo|toda|la|el|mi|esa|ese|del)){0,4}[ ]+${REQUEST}\\b`,
    ),
    status: statusOf(things),
    fillers,
  };
  const subjects = subjectsOf(records.single);
  const isOfChoices = new RegExp(`\\b(?:${things}|${THEM})\\b`);
  return {
    readRequestAct: (text) => actOf(text, patterns),
    speaksOf: (text, kind) => subjects[kind].test(foldText(text)),
    namedAmong(text, choices, now, listed = true) {
      if (choices.length === 0) return null;
      const plain = foldText(text).replace(VERDICTS, ' ');
      const selection = select(plain, choices, { now, listed: choices.map(({ id }) => id) });
      switch (selection.kind) {
        case 'one':
          if (!listed && selection.by === 'ordinal') return null;
          return selection.by === 'only' || selection.by === 'position' ? null : [selection.id];
        case 'many':
          return !listed && selection.by === 'ordinal' ? null : selection.ids;
        case 'all':
          return isOfChoices.test(plain) || plain.trim().split(/\s+/).length <= SHORT_WORDS
            ? selection.ids
            : null;
        default:
          return selection.mentioned === null ? null : [];
      }
    },
  };
}

function actOf(text: string, patterns: Patterns): RequestAct {
  // A blank line is no beginning of a quoted one: a page of them would be read once from each.
  const own = foldText(text.slice(0, MAX_TEXT).replace(/^[^\S\n\r\u2028\u2029]*>.*$/gm, ' '));
  const folded = own.replace(STANDS_BY, ' ');
  const actions = NOT_ACTION.flatMap(([kind, pattern]) => (pattern.test(folded) ? [kind] : []));
  const isRetracted = RETRACTS.test(folded) || DROPS_REQUEST.test(folded) || null;
  const retracts = RETRACTS_NOT.test(folded) ? false : isRetracted;
  const found = { actions, isWantedBack: WANT_BACK.test(folded), retracts };
  const kind = isTakenBack(folded, actions, patterns);
  if (kind !== 'none') return { ...found, kind, isBare: isBare(folded, actions, patterns) };
  if (patterns.status.test(folded) || AMOUNT.test(folded)) return { ...found, kind: 'status', isBare: false };
  return { ...found, kind: isDoubtful(folded, patterns) ? 'unclear' : 'none', isBare: false };
}

/** True where nothing is taken back but by a clause that says no more than "never mind". */
function isBare(folded: string, actions: readonly ActionKind[], patterns: Patterns): boolean {
  const clauses = folded.split(CLAUSE);
  const others = clauses.filter((clause) => !BARE.test(clausesOf(clause, patterns.fillers).join(' ')));
  const isLess = others.length < clauses.length;
  return isLess && isTakenBack(others.join('. '), actions, patterns) === 'none';
}

function isTakenBack(
  folded: string,
  actions: readonly ActionKind[],
  patterns: Patterns,
): 'withdraw' | 'unclear' | 'none' {
  if (!speaksAgainst(folded, actions, patterns)) return 'none';
  const supposed = SUPPOSED.exec(folded);
  if (supposed) return supposed.index < OPENING_CHARS ? 'none' : 'unclear';
  if (folded.includes('?') && MAY.test(folded)) return 'unclear';
  if (tokenize(folded).length > STORY_WORDS) return 'unclear';
  const wishes = DROPS_REQUEST.test(folded) ? 0 : wishesIn(folded);
  return wishes > Math.max(actions.length, 1) ? 'unclear' : 'withdraw';
}

function speaksAgainst(
  folded: string,
  actions: readonly ActionKind[],
  { keeps, kept, drops, fillers }: Patterns,
): boolean {
  if (DROPS_REQUEST.test(folded)) return true;
  if (UNABLE.test(folded)) return false;
  if (actions.length > 0) return true;
  if (drops.test(folded)) return true;
  if (wishesIn(folded) > 0) return CHANGED_MIND.test(folded) && DROPS_WISH.test(folded);
  if (keeps.test(folded)) return !KEEPS_NOT.test(folded.replace(PLAIN_NO, ''));
  if (CHANGED_MIND.test(folded)) return !WANT_MONEY.test(folded);
  // "I don't want that any more, I will go" has changed its mind too.
  const isTurned = () =>
    AFTER_ALL.test(folded) || clausesOf(folded, fillers).some((clause) => UNWANTED.test(clause));
  if (ATTEND.test(folded)) return isTurned() && !ATTENDS_NOT.test(folded);
  if (WANT_BACK.test(folded)) return kept.test(folded);
  return clausesOf(folded, fillers).some((clause) => NOT_DO.test(clause) || BARE.test(clause));
}

const CLAUSE = /[,.;:!?\n]+|\s-+\s/;

/** Clauses without the words that change nothing. */
function clausesOf(folded: string, fillers: ReadonlySet<string>): readonly string[] {
  return folded.split(CLAUSE).map((clause) =>
    tokenize(clause)
      .map(({ word }) => word)
      .filter((word) => word === 'n' || !fillers.has(word))
      .join(' '),
  );
}

/** How many actions are spoken of in a form that asks for them, denied ones included. */
function wishesIn(folded: string): number {
  return ACTION.reduce((sum, [, pattern]) => sum + [...folded.matchAll(pattern)].length, 0);
}

function isDoubtful(folded: string, { fillers }: Patterns): boolean {
  if (folded.includes('?')) return false;
  const clauses = clausesOf(folded, fillers).filter((clause) => clause !== '');
  return clauses.length > 0 && clauses.every((clause) => BARE_DOUBTFUL.test(clause));
}

/** Words that say what becomes of a thing; taken for the choice of a thing they would turn it round. */
const VERDICTS = new RegExp(`\\b(?:${NOT}|${KEEP}|${ACTIONS.cancel}|n)\\b`, 'g');
