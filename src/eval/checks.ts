import { eld } from 'eld/small';
import { primaryOf } from '../core/domain/language.js';
import type { TurnReply } from '../core/domain/turn.js';
import { fold } from '../core/text.js';
import type { EndExpectation, EvalTables, Row, RowExpectation, TurnExpectation } from './scenario.js';

/** A text with fewer letters does not tell its language. */
const ENOUGH_LETTERS = 60;
/** Of a score up to 1. */
const CLEARLY = 0.15;

/** What an expectation is about. */
export type FailureKind =
  | 'contains'
  | 'lacks'
  | 'articles'
  | 'asks'
  | 'not_asked'
  | 'escalated'
  | 'language'
  | 'database'
  | 'unchanged'
  | 'called'
  | 'not_called'
  | 'open'
  | 'fault'
  | 'simulator';

/** An expectation that does not hold. */
export interface Failure {
  readonly kind: FailureKind;
  /** In a sentence: what was wanted, and what there was. */
  readonly message: string;
  /** What was wanted: facts, articles, tools. */
  readonly wanted: readonly string[];
}

type Answer = Pick<
  TurnReply,
  'reply' | 'citations' | 'pending' | 'asksBack' | 'escalated' | 'escalation' | 'language'
>;

/** What the hub wants from the customer now. */
export function asked({
  pending,
  asksBack,
}: Pick<Answer, 'pending' | 'asksBack'>): 'confirm' | 'which' | 'nothing' {
  if (pending?.kind === 'confirmation') return 'confirm';
  return asksBack === true ? 'which' : 'nothing';
}

/** Whether an answer asks what a reaction of the customer waits for; politeness ("anything else?") counts as asking for more. */
export function isAsked(wanted: 'confirm' | 'which' | 'more' | 'any', answer: Answer | null): boolean {
  if (answer === null) return false;
  const asks = asked(answer);
  if (wanted === 'confirm') return asks === 'confirm';
  const open = asks === 'which' || (asks === 'nothing' && /\?["”)\s]*$/.test(answer.reply));
  return wanted === 'any' ? open || asks === 'confirm' : open;
}

/** What does not hold of one answer. */
export function checkTurn(expected: TurnExpectation, answer: Answer): readonly Failure[] {
  const { asks } = expected;
  const found = asked(answer);
  const wrong =
    asks === undefined || asks === found
      ? []
      : [failure('asks', `The hub should ask for ${asks}, and asks for ${found}.`, [asks])];
  return [...checkSaid(expected, [answer]), ...wrong];
}

/** What does not hold when the conversation is over. */
interface EndState {
  readonly answers: readonly TurnReply[];
  readonly tables: EvalTables;
  /** Rows of the tables that must not change, as they were before the first message. */
  readonly before: Readonly<Record<string, readonly Row[]>>;
  readonly open: 'confirmation' | 'approval' | 'nothing';
  /** @returns null where there is no such customer */
  customerId(email: string): Promise<string | null>;
}

/** What does not hold at the end. */
export async function checkEnd(expected: EndExpectation, state: EndState): Promise<readonly Failure[]> {
  const { database = [], tools, open } = expected;
  const rows = await Promise.all(database.map((one) => checkRows(one, state)));
  const changed = Object.entries(state.before).flatMap(([table, before]) =>
    same(before, state.tables.rows(table))
      ? []
      : [failure('unchanged', `The table ${table} should be as it was, and has changed.`, [table])],
  );
  return [
    ...rows.flat(),
    ...changed,
    ...(tools ? checkCalls(tools, state.answers) : []),
    ...(open === undefined || open === state.open
      ? []
      : [failure('open', `What is open should be: ${open}; it is: ${state.open}.`, [open])]),
    ...checkSaid(expected, state.answers),
  ];
}

function checkCalls(
  { called, not_called }: NonNullable<EndExpectation['tools']>,
  answers: readonly TurnReply[],
): readonly Failure[] {
  const done = new Set(
    answers.flatMap(({ toolCalls }) => toolCalls.filter(({ ok }) => ok).map(({ tool }) => tool)),
  );
  return [
    ...called
      .filter((tool) => !done.has(tool))
      .map((tool) =>
        failure('called', `${tool} should have succeeded, and was not called or failed.`, [tool]),
      ),
    ...not_called
      .filter((tool) => done.has(tool))
      .map((tool) => failure('not_called', `${tool} should not have been called, and succeeded.`, [tool])),
  ];
}

/** Of one answer, or of all answers of a conversation together. */
function checkSaid(
  expected: Pick<TurnExpectation, 'contains' | 'lacks' | 'articles' | 'escalated' | 'language'>,
  answers: readonly Answer[],
): readonly Failure[] {
  const said = answers.map(({ reply }) => reply).join('\n');
  const { contains = [], lacks = [], articles } = expected;
  const cited = new Set(answers.flatMap(({ citations }) => citations.map(({ articleId }) => articleId)));
  return [
    ...contains
      .filter((alternatives) => !alternatives.some((one) => says(said, one)))
      .map((one) => failure('contains', `The answer should say ${one.map(quoted).join(' or ')}.`, one)),
    ...lacks
      .filter((one) => says(said, one))
      .map((one) => failure('lacks', `The answer should not say ${quoted(one)}.`, [one])),
    ...(articles === undefined || articles.some((one) => cited.has(one))
      ? []
      : [
          failure(
            'articles',
            `The answer should cite ${articles.join(' or ')}; it cites ${[...cited].join(', ') || 'nothing'}.`,
            articles,
          ),
        ]),
    ...checkEscalated(expected.escalated, answers),
    ...checkLanguage(expected.language, answers),
  ];
}

function checkEscalated(
  expected: TurnExpectation['escalated'],
  answers: readonly Answer[],
): readonly Failure[] {
  if (expected === undefined) return [];
  const reasons = answers.flatMap(({ escalated, escalation }) =>
    escalated ? [String(escalation?.reason ?? 'no reason')] : [],
  );
  const holds = typeof expected === 'boolean' ? expected === reasons.length > 0 : reasons.includes(expected);
  if (holds) return [];
  const was = reasons.length === 0 ? 'it was not' : `it was, for ${reasons.join(', ')}`;
  const wanted =
    typeof expected === 'boolean'
      ? expected
        ? 'be escalated'
        : 'not be escalated'
      : `be escalated for ${expected}`;
  return [failure('escalated', `The conversation should ${wanted}; ${was}.`, [String(expected)])];
}

function checkLanguage(
  expected: TurnExpectation['language'],
  answers: readonly Answer[],
): readonly Failure[] {
  const last = answers.at(-1);
  if (expected === undefined || last === undefined) return [];
  const found = last.language === expected ? otherLanguageOf(last.reply, primaryOf(expected)) : last.language;
  if (found === null) return [];
  return [failure('language', `The answer should be in ${expected}; it is in ${found}.`, [expected])];
}

/** The language that a text is certainly in, where it is not the wanted one: titles and lists of names do not tell. */
function otherLanguageOf(text: string, wanted: string): string | null {
  const prose = text.replace(/["“«][^"”»]*["”»]/g, ' ').replace(/^\s*(?:[-*•]|\d+[.)]).*$/gm, ' ');
  if (prose.replace(/\P{L}/gu, '').length < ENOUGH_LETTERS) return null;
  const found = eld.detect(prose);
  const scores: Readonly<Record<string, number>> = found.getScores();
  const ahead = (scores[found.language] ?? 0) - (scores[wanted] ?? 0);
  return ahead > CLEARLY ? found.language : null;
}

/** What does not hold of a table. */
export async function checkRows(
  expected: RowExpectation,
  state: Pick<EndState, 'tables' | 'customerId'>,
): Promise<readonly Failure[]> {
  const { table, where, has, count, none } = expected;
  const { customer, ...columns } = where;
  const owner = customer === undefined ? undefined : await state.customerId(String(customer));
  const all = owner === null ? [] : state.tables.rows(table, owner);
  const found = all.filter((row) => fits(row, columns));
  const which = `${table} where ${JSON.stringify(where)}`;
  const fail = (message: string): readonly Failure[] => [failure('database', message, [table])];
  if (none)
    return found.length === 0 ? [] : fail(`There should be no row of ${which}; there are ${found.length}.`);
  if (count !== undefined)
    return found.length === count
      ? []
      : fail(`There should be ${count} rows of ${which}; there are ${found.length}.`);
  if (found.some((row) => fits(row, has ?? {}))) return [];
  const shown = found.map((row) =>
    Object.fromEntries(Object.keys(has ?? {}).map((name) => [name, row[name]])),
  );
  return fail(
    `A row of ${which} should have ${JSON.stringify(has)}; ${shown.length === 0 ? 'there is none' : `there is ${JSON.stringify(shown)}`}.`,
  );
}

function fits(row: Row, cells: NonNullable<RowExpectation['has']>): boolean {
  return Object.entries(cells).every(([column, wanted]) => {
    const found = row[column];
    if (wanted === null || found === null) return wanted === found;
    if (typeof wanted === 'object') return says(String(found), wanted.contains);
    // SQLite keeps a truth value as a number.
    return String(found) === String(typeof wanted === 'boolean' ? Number(wanted) : wanted);
  });
}

function same(before: readonly Row[], after: readonly Row[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Whether a text says something, whatever its case, accents, quotation marks and spaces; "€ 6" is not said by "€ 60". */
export function says(text: string, wanted: string): boolean {
  const [whole, part] = [text, wanted].map(plain) as [string, string];
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    const [before, after] = [whole[at - 1] ?? '', whole[at + part.length] ?? ''];
    const cut = (/\d/.test(before) && /^\d/.test(part)) || (/\d$/.test(part) && /\d/.test(after));
    if (!cut) return true;
  }
  return false;
}

function plain(text: string): string {
  return fold(text)
    .replace(/[‘’´`]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐-―]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

function quoted(text: string): string {
  return `"${text}"`;
}

function failure(kind: FailureKind, message: string, wanted: readonly string[]): Failure {
  return { kind, message, wanted };
}
