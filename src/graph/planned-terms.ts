import { fold } from '../core/text.js';
import { missingScope } from '../runtime/caller-facts.js';
import { plausibleArticle } from './article-meant.js';
import { ownRecords } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { asksAnother, type Change } from './offers.js';

/* What would come of a change, before anybody agreed to it: of one, or of each that was listed for it. */

/** From here on a question is taken to be about what is open. */
const LEANS = 0.6;
/** Of so many that were listed what would come of it is told of each. */
const MOST_EACH = 5;

/**
 * What would come of a change for each of those that were listed for it: "which of them gives me money back?". Null where nothing was
 * listed, or something else is asked.
 */
export async function termsOfEach(turn: DialogueTurn): Promise<string | null> {
  const { deps, graph, session, text } = turn;
  const { choices = [], intent = '', offered } = graph.focus ?? {};
  const tool = deps.tools.roster.findAction(intent);
  const isListed = tool?.target && !offered && choices.length > 1 && choices.length <= MOST_EACH;
  if (!isListed || asksAnother(turn, tool)) return null;
  const guess = deps.dialogue.guessAct(text, 'confirm', session.language);
  if ((guess?.chanceOf('ask_terms') ?? 0) < LEANS) return null;
  const { input } = tool.target;
  const own = await ownRecords({ deps, session });
  const lines = await Promise.all(
    choices.map(async ({ id }) => {
      const record = own.find((one) => one.id === id);
      const terms = record && (await planned(turn, { tool, args: { [input]: id }, record }));
      return record && terms ? `${record.title}: ${deps.dialogue.toThePoint(terms, text)}` : null;
    }),
  );
  const told = lines.map((line) => `- ${line}`).join('\n');
  if (await isAnsweredElsewhere(turn, told)) return null;
  // Who goes on asking wants something else than what was told of each.
  const isTold = session.lastReply?.includes(told) === true;
  return isTold || lines.some((line) => line === null) ? null : told;
}

/** What would come of it, as the customer reads it; null where it is not possible. */
export async function planned(
  { deps: { tools }, session }: DialogueTurn,
  change: Change | null,
): Promise<string | null> {
  const { identity, scopes } = session;
  if (!change || identity.kind !== 'customer' || missingScope(change.tool, scopes) !== null) return null;
  const plan = await change.tool.plan(
    tools,
    change.tool.input.parse(change.args),
    identity.customerId,
    session,
  );
  return plan.kind === 'ready' ? (plan.explained ?? toldIn(plan.question)) : null;
}

/** What a question tells beside what it asks, without the call to answer it. */
function toldIn(question: string): string {
  const sentences = question.split(/(?<=[.!?])\s+/);
  const asked = sentences.findLastIndex((sentence) => sentence.endsWith('?'));
  const isCall = sentences.length - 1 > asked && !/\d/.test(sentences.at(-1) ?? '');
  const told = isCall ? sentences.slice(0, -1) : sentences;
  return told.filter((sentence) => !sentence.endsWith('?')).join(' ');
}

/** From here on an article answers what is not asked in the words of what is open. */
const ANSWERED = 0.6;
/** Shorter words are in everything. */
const SHORTEST = 3;
/** Of a word so many letters tell it from others, whatever its ending. */
const STEM = 5;

/**
 * True where none of a message's own words stands in what is told of a change, and an article answers it: "does the dog have to leave?"
 * is asked of no change, however such words are put.
 */
export async function isAnsweredElsewhere(
  { deps, session, text }: DialogueTurn,
  told: string,
): Promise<boolean> {
  const said = fold(told);
  const own = (deps.dialogue.read(text)?.rest ?? []).filter((word) => word.length >= SHORTEST);
  if (own.length === 0 || own.some((word) => said.includes(fold(word).slice(0, STEM)))) return false;
  return (await plausibleArticle(deps, session, text, ANSWERED)) !== null;
}
