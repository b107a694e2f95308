import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { TurnReply } from '../core/domain/turn.js';
import type { ErrorCode } from '../core/errors.js';
import type { RequestAct } from '../core/ports/index.js';
import { unlessUnreachable } from '../core/signals.js';
import { namesSomethingElse } from '../graph/reply-text.js';
import { matterOf, outcomeOf } from '../runtime/release-action.js';
import {
  aboutOf,
  namedIn,
  namedInstead,
  neighbourOf,
  otherTargets,
  switchedTo,
  titlesBeside,
} from './references.js';
import { severalInstead } from './several-instead.js';
import { isAskedAgain } from './spoken-of.js';
import type { Turn, TurnDeps } from './turn.js';

/* What a message means for an open confirmation: yes, no, a change of it, or something else. */

type Answer = ReturnType<Deps['graph']['dialogue']['readAnswer']> & {
  /** The input of the change that another value is given for. */
  readonly instead?: string;
};
type Deps = Pick<TurnDeps, 'graph' | 'pending'>;

/** What a confirmation is about, as its customer speaks of it: "the cancellation of ...". */
export async function nameOf(
  { graph: { tools } }: Deps,
  confirmation: PendingAction,
  language: Language,
): Promise<string> {
  const tool = tools.roster.findAction(confirmation.tool);
  return tool ? (await matterOf(tool, tools, confirmation, language)).name : confirmation.question;
}

/** How a message answers a confirmation; a button says nothing but yes or no. */
export async function answerOf(
  deps: Deps,
  { answer, text }: Pick<Turn, 'answer' | 'text'>,
  confirmation: PendingAction,
  language: Language,
): Promise<Answer> {
  if (answer) return { kind: answer.approved ? 'yes' : 'no', rest: '', more: null };
  const label = labelIn(confirmation, text);
  if (label !== null) return { kind: label, rest: '', more: null };
  // "Yes, cancel it" agrees to a cancellation by its name, also where the question is whether the team may be asked.
  const name = await nameOf(deps, confirmation, language);
  const asked = `${confirmation.question} ${name}`;
  const read = deps.graph.dialogue.readAnswer(text, language, asked, {
    others: await titlesBeside(deps, confirmation),
    isLight: wordsIn(text) > BARE_WORDS && (await isLight(deps, confirmation, language)),
    isAskedAgain: await isAskedAgain(deps, confirmation, name, language),
  });
  // "Yes please. Will I get the 35 back?": where the question says it, the yes hangs on nothing.
  const isUnsettled = read.kind === 'unclear' || read.kind === 'other';
  const told = isUnsettled ? deps.graph.dialogue.toldBeside(text, language, confirmation.question) : null;
  if (told !== null) {
    // What was done says it once more; what waits for the team does not.
    const more = (await waitsForTeam(deps, confirmation, language)) ? told : null;
    return { kind: 'yes', rest: '', more, isApart: true };
  }
  // "Not that one, the one after" turns down what is asked about, and means what comes next to it.
  const isBeside = read.kind !== 'yes' && (await neighbourOf(deps, text, confirmation, language)) !== null;
  // "I meant my plan" turns down what is asked of a booking.
  const { dialogue, tools } = deps.graph;
  const ofRecord = tools.roster.findAction(confirmation.tool)?.target !== undefined;
  const isOther = ofRecord && read.kind !== 'yes' && dialogue.meansSingle(text, language);
  if (isBeside || isOther) return { kind: 'no', rest: '', more: text };
  // "No, only the samba and the reading": both are meant, whatever parts one from the other.
  const several = read.kind === 'no' ? await severalInstead(deps, text, confirmation) : [];
  if (several.length > 1) return { kind: 'no', rest: '', more: several.map(({ title }) => title).join(', ') };
  const isPlain = read.kind === 'yes' || read.isSet || read.isApart;
  const instead = isPlain ? null : await namedInstead(deps, text, confirmation, language);
  if (instead === null) {
    const about = read.kind === 'yes' ? undefined : await aboutOf(deps, confirmation, language);
    const others = await otherTargets(deps, text, confirmation, about);
    const meant =
      others.length > 0
        ? dialogue.theOtherIn(text)
        : read.kind === 'no'
          ? null
          : await switchedTo(deps, text, confirmation, about);
    return meant === null ? read : { kind: 'no', rest: '', more: meant };
  }
  const isRead = deps.graph.models.provider === 'offline';
  return { kind: 'no', rest: '', more: isRead ? instead.called : text, instead: instead.input };
}

/** A yes of so few words stands beside nothing. */
const BARE_WORDS = 2;

const wordsIn = (text: string): number => text.trim().split(/\s+/).length;

/** True where nothing is lost by a yes yet: what is asked about can be put back, or operators decide it after the customer. */
async function isLight(deps: Deps, confirmation: PendingAction, language: Language): Promise<boolean> {
  const tool = deps.graph.tools.roster.findAction(confirmation.tool);
  const isUndone = tool?.undo?.(tool.input.parse(confirmation.args)) != null;
  return isUndone || waitsForTeam(deps, confirmation, language);
}

/** True where operators decide after the customer. */
async function waitsForTeam(
  { graph: { tools } }: Deps,
  { tool: name, args, customerId, needsOperator }: PendingAction,
  language: Language,
): Promise<boolean> {
  const tool = tools.roster.findAction(name);
  if (!tool || needsOperator) return tool !== null;
  const plan = await unlessUnreachable(
    tool.plan(tools, tool.input.parse(args), customerId, { language }),
    null,
  );
  return plan?.kind === 'ready' && plan.approval !== null;
}

/** The answer whose button a text says, word for word; null where it says neither. */
function labelIn({ answers }: PendingAction, text: string): 'yes' | 'no' | null {
  const plain = (label: string): string =>
    label
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const said = plain(text);
  const found = (['yes', 'no'] as const).find((answer) => answers && plain(answers[answer]) === said);
  return found ?? null;
}

/** What stands where a confirmation was turned down: "Nothing has been cancelled: ...". */
export async function unchangedBy(
  { graph: { tools } }: Deps,
  declined: PendingAction,
  language: Language,
): Promise<string> {
  const tool = tools.roster.findAction(declined.tool);
  const plain = tools.texts.for(language).say('nothing_changed');
  return tool ? (await matterOf(tool, tools, declined, language)).unchanged : plain;
}

/** True where what stands beside a no asks for a change, and takes nothing back. */
export function asksAgain({ language }: Deps['graph'], text: string, spoken: Language): boolean {
  if (language.readRequestAct(text).kind !== 'none') return false;
  return language.requests(text, spoken).some(({ route }) => route === 'action');
}

/** From here on a change is asked for, beyond doubt. */
const ASKED = 0.8;

/** True where what turns this question down asks for another change, and names none that is not wanted. */
function asksAnother(
  { language }: Deps['graph'],
  text: string,
  { tool }: PendingAction,
  spoken: Language,
): boolean {
  if (language.readRequestAct(text).actions.length > 0) return false;
  const changes = language
    .requests(text, spoken)
    .filter(({ route, confidence }) => route === 'action' && confidence >= ASKED);
  return changes.length > 0 && language.hardlyAsksFor(text, spoken, tool);
}

/** From here on a no takes back all that was asked for. */
const DROPS = 0.5;

/** True where a no is said of all that was asked for, and not only of what is asked about. */
export function dropsAll(graph: Deps['graph'], text: string, language: Language): boolean {
  if (graph.language.readRequestAct(text).kind === 'withdraw') return true;
  const guess = graph.dialogue.guessAct(text, 'confirm', language);
  return (guess?.chanceOf('withdraw', 'choose_none') ?? 0) >= DROPS;
}

/** True where an answer is about another record than was asked about, or turns it down for another change. */
export async function meansAnother(
  deps: Deps,
  { answer, text }: Pick<Turn, 'answer' | 'text'>,
  confirmation: PendingAction,
  language: Language,
  { kind, rest, more }: Answer,
): Promise<boolean> {
  // A button says nothing but yes or no.
  if (answer) return false;
  if (kind === 'no' && asksAnother(deps.graph, text, confirmation, language)) return true;
  if (kind !== 'yes') return namesAnother(deps, text, confirmation, language);
  // What is asked for beside a yes may be about any record.
  const said = more === null ? text : text.slice(0, text.lastIndexOf(more));
  if (await namesAnother(deps, said, confirmation, language)) return true;
  return rest !== '' && !(await namesOnly(deps, rest, confirmation, language));
}

/** True where what a yes points at is what it was asked about, by its record. */
async function namesOnly(
  deps: Deps,
  rest: string,
  confirmation: PendingAction,
  language: Language,
): Promise<boolean> {
  const asked = await aboutOf(deps, confirmation, language);
  const named = await namedIn(deps, rest, confirmation);
  return named.length === 1 && named[0] === asked;
}

/** True where what stands beside a no names what is asked about next: "rather keep the first and cancel only the second". */
export async function isAskedNext(
  deps: Deps,
  more: string,
  { pending, language }: TurnReply,
): Promise<boolean> {
  const next = pending?.kind === 'confirmation' ? await deps.pending.get(pending.id) : null;
  if (!next) return false;
  const asked = await aboutOf(deps, next, language);
  return asked !== undefined && (await namedIn(deps, more, next)).includes(asked);
}

/** "Yes, the opera" to a question about the samba is no yes to it. */
async function namesAnother(
  deps: Deps,
  text: string,
  confirmation: PendingAction,
  language: Language,
): Promise<boolean> {
  const asked = await aboutOf(deps, confirmation, language);
  if (asked === undefined || !text.trim().includes(' ')) return false;
  const named = await namedIn(deps, text, confirmation);
  return named.length > 0 && !named.includes(asked);
}

/**
 * True where the customer has meanwhile asked for the same change in another way, which could not be done: a yes after that is
 * none to what they wanted at first.
 */
export function isCorrected(
  { graph: { tools } }: Deps,
  { toolCalls }: Pick<TurnReply, 'toolCalls'>,
  { tool: name }: PendingAction,
): boolean {
  const tool = tools.roster.findAction(name);
  return tool?.target === undefined && toolCalls.some((call) => call.tool === name && !call.ok);
}

/** Of several changes the next is asked about: what became of the last one must not go unsaid. */
export async function becameOf(
  { graph: { tools }, pending }: Deps,
  decided: PendingAction,
  reply: TurnReply,
): Promise<string> {
  const texts = tools.texts.for(reply.language);
  const tool = tools.roster.findAction(decided.tool);
  const outcome = tool && (await outcomeOf(tool, tools, decided, reply.language));
  if (outcome) return outcome;
  // The customer's yes was the first of two: operators decide now.
  const waiting = await pending.listOpenApprovals(decided.threadId);
  if (waiting.some(({ argsHash }) => argsHash === decided.argsHash)) return texts.say('waiting_for_approval');
  const made = reply.toolCalls.find((call) => call.tool === decided.tool);
  return texts.sayOf('refusal', (made?.code ?? 'internal') as ErrorCode);
}

/** A message of fewer words is no request. */
const REQUEST_WORDS = 4;
/** From here on another change that is named is asked for. */
const LIKELY = 0.5;

/** The question beside an answer; null where there is none. */
export function questionIn(rest: string): string | null {
  const question = /[^.!?]*\?/.exec(rest)?.[0].trim() ?? '';
  return question.split(/\s+/).length >= REQUEST_WORDS ? question : null;
}

/** "Cancel it" may be a yes in other words; "cancel the one on Friday" is a request of its own. */
export function isRequest(
  { dialogue, language }: Deps['graph'],
  text: string,
  question: string,
  spoken: Language,
): boolean {
  const requests = language.requests(text, spoken);
  const isOther = dialogue.namesOtherChange(text, question);
  if (isOther && requests.some(({ route, confidence }) => route === 'action' && confidence >= LIKELY))
    return true;
  if (text.split(/\s+/).length < REQUEST_WORDS) return false;
  return requests.length > 1 || (requests.length === 1 && namesSomethingElse(text, question));
}

/** True where an open confirmation cannot be what the customer turns down. */
export function isExplicit(
  { actions }: RequestAct,
  named: readonly string[] | null,
  { tool }: PendingAction,
): boolean {
  if (named !== null && named.length > 0) return true;
  return actions.length > 0 && !actions.some((kind) => tool.includes(kind));
}
