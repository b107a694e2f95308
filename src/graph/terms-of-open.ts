import type { ReadMessage } from '../dialogue/index.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn } from './dialogue-types.js';
import { planned } from './planned-terms.js';
import { isInWordsOf } from './reply-text.js';

/** From here on a question is surely about what waits for a yes. */
const SURE = 0.95;
/** From here on it is where it asks in so many words when or how much money comes back, or in the words of what would come of it. */
const LIKELY = 0.45;
/** Of the words of such a question this share at least stands in what would come of it. */
const SHARED = 0.33;

/**
 * True for what is asked of the change that waits for the customer's yes, or wished of its money, where what would come of it tells that:
 * no other record is named, and nothing that is over is asked about.
 */
export async function asksOfOpen(turn: DialogueTurn, read: ReadMessage): Promise<boolean> {
  const { deps, session, text } = turn;
  const { dialogue, tools } = deps;
  if (dialogue.speaksOfPast(text)) return false;
  const open = await tools.pending.findOpenConfirmation(session.threadId);
  const tool = open && tools.roster.findAction(open.tool);
  // What is made to no record gives no money of it back: "may I pay by Pix?" asks something else.
  if (!open || !tool?.target || dialogue.namesOtherChange(text, open.question)) return false;
  const about = String(open.args[tool.target.input]);
  if ((await namedOwn(turn)).some(({ id }) => id !== about)) return false;
  const outcome = (await planned(turn, { tool, args: open.args, record: null })) ?? '';
  if (dialogue.toThePoint(outcome, text) === outcome) return false;
  const isOfRefund = deps.language.speaksOf(text, 'refund');
  if (!dialogue.isQuestion(text)) return isOfRefund && wishes(turn);
  const chance = dialogue.guessAct(text, 'confirm', session.language)?.chanceOf('ask_terms') ?? 0;
  if (chance >= LIKELY && dialogue.asksOfMoneyBack(text) !== null) return true;
  if (chance >= LIKELY && read.asked.length === 0 && isInWordsOf(text, outcome, SHARED)) return true;
  if (chance < SURE || !read.asked.every(({ attribute }) => attribute.as === 'money')) return false;
  const amounts = text.match(/\d{2,}/g) ?? [];
  return isOfRefund || (amounts.length > 0 && amounts.every((amount) => open.question.includes(amount)));
}

/** True where a message only says what is wished of it: "I want the money by Pix, not on the card" asks for no other change. */
function wishes({ graph }: DialogueTurn): boolean {
  const { humanReason = null, requests = [] } = graph.classification ?? {};
  return humanReason === null && requests.length <= 1;
}
