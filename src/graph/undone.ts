import type { Proposal } from '../core/domain/session.js';
import { missingScope } from '../runtime/caller-facts.js';
import { actAnswer, type DialogueAnswer } from './act-answer.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { isBrief } from './offers.js';
import { doneText } from './request-status.js';

/**
 * Whether what was changed last in this conversation can be put back, and how, where a message wants that, says that the change was not
 * meant, or corrects an answer to such a wish: "no, the plan". Nothing is done by it.
 * @returns null where it wants something else, nothing was changed here, or another record is meant
 */
export async function undoneAnswer(turn: DialogueTurn): Promise<DialogueAnswer | null> {
  const { deps, session, state, text, graph } = turn;
  const { dialogue, language, tools } = deps;
  const { humanReason = null } = graph.classification ?? {};
  if (humanReason === 'legal' || humanReason === 'requires_human') return null;
  const said = dialogue.undoing(text);
  const row = await tools.pending.findLatestAgreed(session.threadId);
  const tool = row && tools.roster.findAction(row.tool);
  // "If I cancelled, would I get everything back?" supposes what was not done.
  if (!row || !tool)
    return said === 'asks' && dialogue.supposing(text) === null ? undoneElsewhere(turn) : null;
  const before = session.previousMessage ?? '';
  const isNamed = tool.target ? language.isCalled(text, tool.target.entity) : dialogue.speaksOfSingle(text);
  const corrects =
    said === null && isBrief(text) && !text.includes('?') && isNamed && dialogue.undoing(before) !== null;
  if (!corrects && said !== 'asks' && !(said === 'slips' && state.last === 'done')) return null;
  // "Undo that, I want to be back now" orders what puts it back.
  if (!tool.target && ordersAnother(turn, row)) return null;
  // What belongs to another record, or to what is no record at all, was not changed here.
  const meant = tool.target && row.args[tool.target.input];
  const isOther = (await namedOwn(turn)).some(({ id }) => id !== meant);
  if (isOther || (tool.target && dialogue.speaksOfSingle(text) && !isNamed)) return undoneElsewhere(turn);
  return (await doneText(turn)) === null ? null : actAnswer(turn, 'undo');
}

/** True where a message orders a change, and not the one that was made. */
function ordersAnother({ deps, graph, text }: DialogueTurn, made: Pick<Proposal, 'tool' | 'args'>): boolean {
  const { requests = [] } = graph.classification ?? {};
  if (!requests.some(({ route }) => route !== null && deps.agents.changes(route))) return false;
  const isMade = deps.dialogue
    .changesNamed(text)
    .some(
      ({ tool, args }) =>
        tool === made.tool && Object.entries(args).every(([name, value]) => made.args[name] === value),
    );
  return !isMade && !deps.dialogue.isQuestion(text);
}

/**
 * The same of a change that was not made in this conversation: "undo the cancellation of my plan" orders no cancellation.
 * @returns null where no change is named that one record is meant for
 */
async function undoneElsewhere(turn: DialogueTurn): Promise<DialogueAnswer | null> {
  const { deps, session, state, text, texts } = turn;
  const [change] = deps.dialogue.changesNamed(text);
  const tool = change && deps.tools.roster.findAction(change.tool ?? '');
  const { identity } = session;
  if (!tool || identity.kind !== 'customer' || missingScope(tool, session.scopes) !== null) return null;
  const [record] = tool.target ? await namedOwn(turn) : [];
  const input = tool.input.safeParse({
    ...change.args,
    ...(tool.target && record ? { [tool.target.input]: record.id } : {}),
  });
  if (!input.success) return null;
  const plan = await tool.plan(deps.tools, input.data, identity.customerId, session);
  // What could still be done is not done yet.
  const how = plan.kind === 'denied' ? (tool.anew?.(input.data, texts) ?? null) : null;
  return { text: how ?? texts.say('nothing_done'), state: { ...state, asked: null }, isExact: true };
}
