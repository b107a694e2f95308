import type { Focus } from '../core/domain/session.js';
import { namedOwn } from './dialogue-records.js';
import type { DialogueTurn, RecordAnswer } from './dialogue-types.js';
import { offeredIn } from './offers.js';
import { planned } from './planned-terms.js';
import type { MessagePart } from './record-questions.js';
import { kept, openRow, termsAnswer } from './terms.js';

/** From here on a question may order what it names: "can you pause it for 60 days?". */
const MAY_BE_ORDER = 0.15;
/** From here on the whole message does. */
const ORDERS = 0.5;
/** Articles among which the one about a change is looked for. */
const NEAREST = 8;
/** From here on it asks what only the customer's own record tells; and so where it asks what would come of the change. */
const [LIKELY_OWN, SURELY_OWN] = [0.55, 0.8];
/** From here on it asks how things are for everybody. */
const GENERAL = 0.5;
/** From here on it asks what would come of that. */
const ASKS_TERMS = 0.85;

/**
 * What a question about the one change that it names is answered from, whether that can be made now or not: "would I lose my concert
 * if it is paused?" The terms of that change where it is spoken of and they tell it, else the article that is about it; the
 * record where that is what is asked. Null where it is ordered, or something else asked.
 */
export async function changeAsked(
  turn: DialogueTurn,
): Promise<
  | { readonly answer: RecordAnswer & { readonly focus?: Focus } }
  | { readonly about: string; readonly only: true }
  | { readonly own: readonly MessagePart[] }
  | null
> {
  const { deps, session, state } = turn;
  const { dialogue, tools } = deps;
  const open = await openRow(turn);
  const waits = await toldByTerms(turn, open);
  if (waits !== null) return { answer: { text: waits, state: { ...state, asked: null }, ...kept(turn) } };
  // "Forget the payments. Is my booking still on while paused?"
  const said = dialogue.sentencesIn(turn.text).filter((one) => dialogue.changesNamed(one).length > 0);
  const text = said.join(' ');
  const [named, ...others] = dialogue.changesNamed(text);
  const tool = named && tools.roster.findAction(named.tool ?? '');
  if (!tool || tool.target || others.length > 0 || dialogue.compares(text)) return null;
  const names = (said: string): boolean =>
    dialogue.changesNamed(said).some(({ name }) => name === named.name);
  const isAlsoOfRecords = tools.roster.actions.some(
    ({ target, label }) => target && Object.values(label ?? {}).some((one) => names(one)),
  );
  const asked = dialogue.readQuestion(text);
  const isOrder =
    (asked?.chanceOf('order') ?? 1) >= MAY_BE_ORDER ||
    (dialogue.readQuestion(turn.text)?.chanceOf('order') ?? 1) >= ORDERS;
  const asks = dialogue.guessAct(text, 'confirm', session.language)?.chanceOf('ask_terms') ?? 0;
  if (isAlsoOfRecords || isOrder || turn.graph.classification?.humanReason != null) return null;
  const parts = dialogue.partsOf(turn.text);
  // "Am I still paused?" is a question of the record by its words, whatever such questions are mostly about.
  const ruled = dialogue.readOwnAsked(turn.text).questions.filter(({ taught }) => taught !== true);
  const isRuled = ruled.length > 0 && parts.length === 1 && isCustomer(turn);
  const ofRecord = { own: [{ text: turn.text, asks: ruled.map(({ name }) => name) }] };
  // "If I pause, do I lose my bookings?" has a sentence of its own, which says yes or no.
  const isExact = ruled.every(({ names: mayName }) => mayName === true) && dialogue.isQuestion(turn.text);
  if (isRuled && isExact) {
    const terms = open ? null : await plainly(turn);
    return terms ? { answer: terms } : ofRecord;
  }
  const least = asks < ASKS_TERMS ? LIKELY_OWN : SURELY_OWN;
  if (
    asked &&
    asked.own >= least &&
    asked.chance >= LIKELY_OWN &&
    parts.length === 1 &&
    dialogue.isQuestion(text)
  )
    return { own: [{ text, asks: [asked.name] }] };
  const isGeneral = (asked?.chanceOf('general') ?? 0) >= GENERAL;
  if (isRuled && !isGeneral) return ofRecord;
  // "May I use my tickets while paused?" asks it too; "may I pause for 30 days?" may want it.
  if (asks < ASKS_TERMS && !(dialogue.isQuestion(text) && dialogue.speaksOfThings(text))) return null;
  const isSpokenOf = open !== null || offeredIn(turn) !== null;
  const terms = isSpokenOf ? await planned(turn, { tool, args: named.args, record: null }) : null;
  const point = terms && dialogue.toThePoint(terms, turn.text);
  if (point && point !== terms)
    return { answer: { text: point, state: { ...state, asked: null }, ...kept(turn) } };
  // What else is asked beside it has an answer of its own.
  const isBeside = parts.some(
    (part) => dialogue.isQuestion(part) && dialogue.changesNamed(part).length === 0,
  );
  const about = isBeside && !isSpokenOf ? null : await articleOf(turn, text);
  return about === null ? null : { about, only: true };
}

/**
 * "If I pause, do I lose my bookings?": yes or no, then the terms of that change, with the offer to make it. Null where nothing is
 * supposed that can be made now, or a record is named.
 */
async function plainly(turn: DialogueTurn): Promise<(RecordAnswer & { readonly focus?: Focus }) | null> {
  const { deps, session, text, texts } = turn;
  const { dialogue } = deps;
  if (!dialogue.supposed(text, session.language) || (await namedOwn(turn)).length > 0) return null;
  const told = await termsAnswer(turn);
  if (!told) return null;
  const isWhether = text.split(/,\s*/).some((part) => dialogue.asksWhether(part));
  const lead = isWhether ? `${texts.say('plain_answer', { yes: !dialogue.asksOfLoss(text) })} ` : '';
  return { ...told, text: `${lead}${told.text}` };
}

/** Of no more words a yes or no that is asked while a change of the plan waits for one is about that change. */
const BESIDE_WORDS = 8;
/** From here on it asks what would come of that. */
const ASKS_OPEN = 0.97;

/** "Will I still be charged?" while a pause waits for a yes: what its terms say to that; null where they say nothing of it. */
async function toldByTerms(
  turn: DialogueTurn,
  open: Awaited<ReturnType<typeof openRow>>,
): Promise<string | null> {
  const { deps, text } = turn;
  const { dialogue, tools } = deps;
  const tool = open?.kind === 'confirmation' ? tools.roster.findAction(open.tool) : null;
  const isFew = text.trim().split(/\s+/).length <= BESIDE_WORDS;
  if (!open || !tool || tool.target || !isFew || dialogue.changesNamed(text).length > 0) return null;
  if (!text.includes('?') || !dialogue.asksWhether(text) || dialogue.asksWhetherDone(text)) return null;
  // "May I pay by Pix?" asks nothing of it.
  const asks = dialogue.guessAct(text, 'confirm', turn.session.language)?.chanceOf('ask_terms') ?? 0;
  if (asks < ASKS_OPEN || !dialogue.readOwnAsked(text).questions.some(({ single }) => single)) return null;
  const terms = await planned(turn, { tool, args: tool.input.parse(open.args), record: null });
  const point = terms && dialogue.toThePoint(terms, text);
  return point === terms ? null : point;
}

function isCustomer({ session: { identity, scopes } }: DialogueTurn): boolean {
  return identity.kind === 'customer' && (scopes?.includes('account:read') ?? true);
}

/** The article about the one change that a text names; null where there is none. */
async function articleOf(
  { deps: { dialogue, tools }, session }: Pick<DialogueTurn, 'deps' | 'session'>,
  text: string,
): Promise<string | null> {
  const [named, ...others] = dialogue.changesNamed(text);
  if (!named || others.length > 0) return null;
  const { hits } = await tools.retriever.search(text, { topK: NEAREST, language: session.language });
  const isOf = (title: string): boolean =>
    dialogue.changesNamed(title).some(({ name }) => name === named.name);
  return hits.find(({ title }) => isOf(title))?.title ?? null;
}
