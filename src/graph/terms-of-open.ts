import type { ReadMessage } from '../dialogue/index.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { planned } from './planned-terms.js';

/** From here on a question is surely about what waits for a yes. */
const SURE = 0.95;

/**
 * True for a question about the money of the change that waits for the customer's yes, which what would come of it answers: no other
 * record is named, and nothing that is over is asked about.
 */
export async function asksOfOpen(turn: DialogueTurn, read: ReadMessage): Promise<boolean> {
  const { deps, session, text } = turn;
  const { dialogue, tools } = deps;
  const isOfMoney = read.asked.every(({ attribute }) => attribute.as === 'money');
  if (!isOfMoney || !text.includes('?') || dialogue.speaksOfPast(text)) return false;
  if ((dialogue.guessAct(text, 'confirm', session.language)?.chanceOf('ask_terms') ?? 0) < SURE) return false;
  const open = await tools.pending.findOpenConfirmation(session.threadId);
  const tool = open && tools.roster.findAction(open.tool);
  // What is made to no record gives no money of it back: "may I pay by Pix?" asks something else.
  if (!open || !tool?.target || dialogue.namesOtherChange(text, open.question)) return false;
  const about = String(open.args[tool.target.input]);
  if ((await namedOwn(turn)).some(({ id }) => id !== about)) return false;
  const amounts = text.match(/\d{2,}/g) ?? [];
  const isOfIt = amounts.length > 0 && amounts.every((amount) => open.question.includes(amount));
  if (!isOfIt && !deps.language.speaksOf(text, 'refund')) return false;
  const outcome = (await planned(turn, { tool, args: open.args, record: null })) ?? '';
  return dialogue.toThePoint(outcome, text) !== outcome;
}
