import type { PendingAction } from '../core/domain/pending.js';
import type { Proposal } from '../core/domain/session.js';
import type { AskedAttribute } from '../dialogue/index.js';
import { missingScope } from '../runtime/caller-facts.js';
import type { ActionTool } from '../runtime/define-tool.js';
import { namedAhead, namedOwn } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import { doneText } from './request-status.js';

/** From here on a question is taken to be about what was just done. */
const LEANS = 0.75;
/** From here on triage is believed that something else is asked. */
const SURE = 0.9;
/** Of more words it is a request of its own. */
const FEW_WORDS = 9;
const NUMBER = /(?<![\w.,/:-])\d{1,3}(?![\w.,/:%-])/g;

/**
 * What a message wants of the change that was made last in this conversation: the same for another record ("and the Clarice
 * one too"), or another length of it ("make it 30"). It passes the same gates as any other change, so nothing is done by it.
 * @returns null where it wants neither
 */
export async function wantedAgain(turn: DialogueTurn): Promise<Proposal | null> {
  const { deps, graph, state, text } = turn;
  const isShort = text.trim().split(/\s+/).length <= FEW_WORDS;
  if (graph.focus !== null || !isShort || text.includes('?')) return null;
  const last = await lastChange(turn);
  if (!last || deps.language.readRequestAct(text).kind === 'withdraw') return null;
  const { tool, row } = last;
  const named = tool.target && deps.dialogue.addsAnother(text) ? await namedAhead(turn) : null;
  if (tool.target && named?.entity === tool.target.entity && named.id !== row.args[tool.target.input]) {
    const target = { [tool.target.input]: named.id };
    // What else it must be told is as it was: "and Pepper's too" wants the same plan.
    const args = [target, { ...row.args, ...target }].find((given) => tool.input.safeParse(given).success);
    if (args) return { tool: tool.name, args, needsOperator: false };
  }
  const counted = Object.entries(row.args).filter(([, value]) => typeof value === 'number');
  const [input, ...others] = counted.map(([name]) => name);
  const said = text.match(NUMBER) ?? [];
  if (state.last !== 'done' || input === undefined || others.length > 0 || said.length !== 1) return null;
  if (
    !deps.dialogue.corrects(text) &&
    !deps.language.saysPeriod(text, turn.session.language, { intent: tool.name, now: deps.tools.clock.now() })
  )
    return null;
  return { tool: tool.name, args: { ...row.args, [input]: Number(said[0]) }, needsOperator: false };
}

/** What came of the change that was just made, where the message asks about that; null where it asks about something else. */
export async function outcomeAsked(turn: DialogueTurn): Promise<RecordAnswer | null> {
  const { deps, graph, session, state, text } = turn;
  const back = await moneyBack(turn);
  if (back !== null) return { text: back, state: { ...state, asked: null } };
  if (state.last !== 'done' || graph.focus !== null || !text.includes('?')) return null;
  // "Do I get that in writing?" has an answer of its own.
  if ((deps.dialogue.read(text)?.acts.length ?? 0) > 0) return null;
  const guess = deps.dialogue.guessAct(text, 'done', session.language);
  if ((guess?.chanceOf('ask_terms') ?? 0) < LEANS) return null;
  const { confidence = 0 } = graph.classification ?? {};
  if (confidence >= SURE || graph.classification?.humanReason != null) return null;
  const last = await lastChange(turn);
  const outcome = last && (await doneText(turn));
  if (!last || outcome === null) return null;
  const about = last.tool.target && String(last.row.args[last.tool.target.input]);
  const named = await namedOwn(turn);
  if (named.some(({ id }) => id !== about)) return null;
  // What was said already answers nothing that the record tells: "how much is that?" of what was moved.
  const asks = deps.dialogue.read(text)?.asked ?? [];
  if (asks.length > 0 && outcome === session.lastReply && !tells(outcome, asks)) return null;
  return { text: deps.dialogue.toThePoint(outcome, text), state: { ...state, asked: null } };
}

/** True where an outcome holds a figure, if an amount is what is asked for. */
function tells(outcome: string, asks: readonly AskedAttribute[]): boolean {
  return asks.every(({ attribute }) => attribute.as === 'money') && MONEY.test(outcome);
}

const MONEY = /\p{Sc}|\d,\d\d(?!\d)/u;

/** How much money comes back by what was just done, where that is asked and was said; null where not. */
async function moneyBack(turn: DialogueTurn): Promise<string | null> {
  const { deps, graph, state, text } = turn;
  if (state.last !== 'done' || graph.focus !== null) return null;
  const outcome = deps.dialogue.asksOfMoneyBack(text) === 'amount' ? await doneText(turn) : null;
  return outcome !== null && deps.dialogue.tellsOfMoneyBack(outcome, 'amount') ? outcome : null;
}

/** How near the article stands that says when money comes back. */
const NEAREST = 4;

/**
 * When money comes back, where that is asked after a change was made: what was said of the change, where it tells that, or else the
 * title of the article that does. Null where none does.
 */
export async function whenMoneyIsBack(
  turn: DialogueTurn,
): Promise<{ readonly text: string } | { readonly title: string } | null> {
  const { deps, graph, session, state, text } = turn;
  if (state.last !== 'done' || graph.focus !== null) return null;
  if (deps.dialogue.asksOfMoneyBack(text) !== 'time') return null;
  const last = await lastChange(turn);
  const outcome = last && (await doneText(turn));
  if (outcome && deps.dialogue.tellsOfMoneyBack(outcome, 'time'))
    return { text: deps.dialogue.toThePoint(outcome, text) };
  const label = last?.tool.label?.[session.language];
  if (label === undefined) return null;
  const { retriever } = deps.tools;
  const { hits } = await retriever.search(`${label}. ${text}`, { topK: NEAREST, language: session.language });
  const title = hits.find(({ content }) => deps.dialogue.tellsOfMoneyBack(content, 'time'))?.title;
  return title === undefined ? null : { title };
}

async function lastChange({
  deps,
  session,
}: DialogueTurn): Promise<{ readonly tool: ActionTool; readonly row: PendingAction } | null> {
  const row = await deps.tools.pending.findLatestAgreed(session.threadId);
  const tool = row && deps.tools.roster.findAction(row.tool);
  return row && tool && missingScope(tool, session.scopes) === null ? { tool, row } : null;
}
