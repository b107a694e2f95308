import type { AskedInput } from '../../src/core/domain/entity.js';
import type { IntentInfo } from '../../src/core/domain/intent.js';
import type { Focus } from '../../src/core/domain/session.js';
import type { OfflinePolicy } from '../../src/core/ports/chat-models.js';
import { answersInput, isId, picksByPlace, saysPeriod } from '../../src/nlu/reply.js';
import { foldText } from '../../src/nlu/slots/text.js';
import { chancesOf } from '../../src/nlu/tool-chances.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import type { ActionTool } from '../../src/runtime/define-tool.js';
import { call, focusOn, inputAsked, openInputs, say } from '../../src/runtime/offline-step.js';
import { preferenceStep } from '../account/offline.js';
import { isTelling, saidOfInputs } from '../offline-asking.js';
import { contextIn, noSuchChange, type OfflineDeps } from '../offline-support.js';
import { isInto, withInputs } from './offline-inputs.js';
import { asPicked, slotsIn, withoutOld } from './offline-numbers.js';
import { report } from './offline-report.js';
import { namesRecord, nextTarget, targetStep } from './offline-target.js';

/** The action agent without a model: finds out what exactly is meant, calls the tool, reports what came of it. */
export function actionPolicy(deps: OfflineDeps): OfflinePolicy {
  return (turn) => {
    const context = asPicked(deps, contextIn(turn));
    const done = context.trace.filter((entry) => deps.roster.findAction(entry.tool) !== null);
    if (context.task.proposal && done.length > 0) return report(deps, context, done);
    if (done.length > 0) return nextTarget(deps, context, done) ?? report(deps, context, done);
    const { text } = context.task;
    const { language } = context.session;
    const { intent: guess, confidence } = deps.nlu.classifyIntent(text, language);
    const preference = preferenceStep(deps, context, guess);
    if (preference) return preference;
    if (refuses(deps, context)) return say(deps.texts.for(language).say('nothing_changed'));
    const meant =
      puttingInto(deps, context, confidence) ?? wishOf(deps, meantBy(deps, context, { guess, confidence }));
    const named = asOrdered(deps, context, meant ?? likelyWish(deps, context));
    const wish = rightFor(deps, context, named);
    if (!wish)
      return say(deps.texts.for(language).say('clarify'), {
        focus: focusOn(context, 'action', 'unknown', []),
      });
    const { tool } = wish;
    const other = noSuchChange(deps, context, tool);
    if (other) return other;
    const intent = wish.intent ?? intentAsked(deps, tool, context.focus);
    if (tool.asks) return withInputs(deps, context, tool);
    if (tool.target) return targetStep(deps, context, { ...tool, target: tool.target });
    // What a correction does not mention stays as it was asked about.
    const asked = wish.intent === null || wish.intent === intentAsked(deps, tool, context.focus);
    const before = asked ? context.focus?.args : {};
    return call(tool.name, { ...before, ...intent?.args, ...slotsIn(deps, intent, context, before) });
  };
}

/** A no to what was asked; where yes or no is what was asked for, it is the answer, and other days correct it. */
function refuses(deps: OfflineDeps, context: AgentContext): boolean {
  const { nlu, roster } = deps;
  const { focus, session, task } = context;
  if (!focus || nlu.slots.readYesNo(task.text, session.language).kind !== 'no') return false;
  const tool = roster.findAction(focus.intent);
  if (correctsPeriod(deps, context)) return false;
  // "No, the morning one" chooses from what was listed.
  const options = { now: new Date(context.now), language: session.language };
  const listed = focus.choices.map(({ id }) => id);
  const picked =
    listed.length > 1 && nlu.slots.selectCandidate(task.text, focus.choices, { ...options, listed });
  if (picked && picked.kind === 'one' && picked.by !== 'only') return false;
  if (tool && inputAsked(focus, tool) && Object.keys(saidOfInputs(deps, context, tool)).length > 0)
    return false;
  // There may be no more of what is told one by one.
  if (tool && isTelling(context, tool)) return false;
  return tool === null || inputAsked(context.focus, tool)?.reading.kind !== 'yes_no';
}

/** "From the 10th on": of what was asked about, whatever such words are most often about. */
function correctsPeriod({ nlu }: OfflineDeps, { task, session, focus, now }: AgentContext): boolean {
  if (!focus) return false;
  return saysPeriod(nlu, task.text, session.language, { intent: focus.intent, now: new Date(now) });
}

/** A change that is asked for. */
interface Wish {
  readonly tool: ActionTool;
  /** Null where the tool is known from what was asked before. */
  readonly intent: IntentInfo | null;
}

/** What an intent, or a tool that was asked about, wants to have done; null where it is no change. */
function wishOf({ nlu, roster }: OfflineDeps, name: string): Wish | null {
  const intent = nlu.intents.has(name) ? nlu.intents.of(name) : null;
  const tool = roster.findAction(intent ? (intent.tool ?? '') : name);
  return tool && { tool, intent };
}

/** The change that the words order, where triage takes them for another one of the same tool: "go ahead and pause it" resumes nothing. */
function asOrdered({ nlu }: OfflineDeps, { task, session }: AgentContext, wish: Wish | null): Wish | null {
  const { answers } = nlu.slots;
  const [kind, ...others] = answers.changes.orderedIn(task.text);
  const { negation } = answers.guards(session.language);
  const isDenied = task.text
    .split(/[.,;!?\n]/)
    .some((part) => answers.changes.orderedIn(part).length > 0 && negation.test(foldText(part)));
  if (!wish?.intent || kind === undefined || others.length > 0 || isDenied) return wish;
  const isOf = ({ args }: IntentInfo): boolean => Object.values(args).includes(kind);
  const intents = nlu.intents.names.map((name) => nlu.intents.of(name));
  const ordered = intents.find((one) => one.tool === wish.tool.name && isOf(one));
  return ordered && !isOf(wish.intent) ? { ...wish, intent: ordered } : wish;
}

/** From here on a change may be meant by what is most like something else. */
const MAY_CHANGE = 0.35;
/** And from here on where it takes the kind of record that the words lead to. */
const MAY_JOIN = 0.05;

/** Below this what the words lead to says more of what is wanted than what they are like. */
const UNSURE_WISH = 0.6;

/** The one change that puts a record into what a first message names, or that takes the kind of record whose id it leads to. */
function puttingInto(deps: OfflineDeps, context: AgentContext, confidence: number): Wish | null {
  if (context.focus) return null;
  // "Cancel the order with the lamp" names what is in it.
  const { changes } = deps.nlu.slots.answers;
  const isCancelled = changes.orderedIn(context.task.text).includes('cancel');
  if (isCancelled && !changes.exchanges(context.task.text)) return null;
  const [into, ...others] = deps.roster.actions.filter((tool) => tool.target && isInto(deps, context, tool));
  if (into) return others.length === 0 ? { tool: into, intent: null } : null;
  const led = confidence < UNSURE_WISH ? deps.nlu.slots.ids.spans(foldText(context.task.text)) : [];
  const [only, ...more] = deps.roster.actions.filter(({ target, asks }) =>
    asks?.inputs.some(
      ({ name, reading }) =>
        target !== undefined &&
        name !== target.input &&
        reading.kind === 'record' &&
        led.some(({ entity }) => entity === reading.entity && entity !== target.entity),
    ),
  );
  return only && more.length === 0 ? { tool: only, intent: null } : null;
}

/** The change of a record that a first message may ask for, where it is more like a look-up of such; null where none is. */
function likelyWish(deps: OfflineDeps, { focus, task, session }: AgentContext): Wish | null {
  if (focus) return null;
  const chances = chancesOf(deps.nlu, task.text, session.language);
  const led = deps.nlu.slots.ledTo(task.text);
  const joins = ({ asks }: ActionTool): boolean =>
    asks?.inputs.some(({ reading }) => reading.kind === 'record' && led.includes(reading.entity)) ?? false;
  const [best] = deps.roster.actions
    .filter(
      (tool) =>
        tool.target !== undefined && (chances.get(tool.name) ?? 0) >= (joins(tool) ? MAY_JOIN : MAY_CHANGE),
    )
    .sort((a, b) => (chances.get(b.name) ?? 0) - (chances.get(a.name) ?? 0));
  return best ? { tool: best, intent: null } : null;
}

/** The intent that a question came from: of those of its tool, the one with the arguments that were asked about. */
function intentAsked({ nlu }: OfflineDeps, tool: ActionTool, focus: Focus | null): IntentInfo | null {
  const args = focus?.args ?? {};
  const all = nlu.intents.names.map((name) => nlu.intents.of(name));
  const asked = all.find(
    (one) => one.tool === tool.name && Object.entries(one.args).every(([key, value]) => args[key] === value),
  );
  return focus?.args ? (asked ?? null) : null;
}

/** "Cancel the one on Friday" is about a record, even where it reads like a request about what a customer has one of. */
function rightFor(deps: OfflineDeps, context: AgentContext, wish: Wish | null): Wish | null {
  const takesRecord = wish?.tool.asks?.inputs.some(({ reading }) => reading.kind === 'record') ?? false;
  if (!wish || wish.tool.target || takesRecord || !namesRecord(deps, context)) return wish;
  // A day from which on a pause is wanted may be that of a booking too.
  const intent = wish.intent ?? intentAsked(deps, wish.tool, context.focus);
  if (Object.keys(slotsIn(deps, intent, context, {})).length > 0) return wish;
  const instead = wish.intent?.instead;
  return instead ? wishOf(deps, instead) : null;
}

/** From here on a guess is taken for a wish of its own. */
const OWN_WISH = 0.6;
/** From here on it is, whatever days it names. */
const SURE_WISH = 0.85;
/** What replies to a question look like to the classifier. */
const REPLY_LIKE: ReadonlySet<string> = new Set([
  'affirm',
  'deny',
  'greeting',
  'thanks',
  'goodbye',
  'out_of_scope',
  'praise',
]);

/** A reply keeps what was asked about, unless it clearly asks for something else. */
function meantBy(
  deps: OfflineDeps,
  context: AgentContext,
  { guess, confidence }: { readonly guess: string; readonly confidence: number },
): string {
  const { focus: open } = context;
  const wish = wishOf(deps, guess);
  if (!open || open.intent === 'unknown' || wish?.tool.name === open.intent) return guess;
  const ofSame = wish?.tool.target ? sameSubject(deps, context, open) : null;
  if (ofSame !== null) return ofSame;
  if (saysWhatWasAsked(deps, context)) return open.intent;
  if (correctsNumber(deps, context, open)) return open.intent;
  if (confidence < SURE_WISH && correctsPeriod(deps, context)) return open.intent;
  // "The one on Saturday" says which, whatever a company's few sentences take it for.
  const isOne = !wish && deps.nlu.slots.pointsAtOne(foldText(context.task.text));
  if (isOne && confidence < SURE_WISH) return open.intent;
  return (wish || confidence >= OWN_WISH) && !REPLY_LIKE.has(guess) ? guess : open.intent;
}

/** Another change of what is asked about, where that is what a customer has one of and no record is named: "end it for good". */
function sameSubject(deps: OfflineDeps, context: AgentContext, open: Focus): string | null {
  const { nlu, roster } = deps;
  const tool = roster.findAction(open.intent);
  const asked = tool && intentAsked(deps, tool, open);
  if (!asked || tool.target || namesRecord(deps, context)) return null;
  const { ranked } = nlu.classifyIntent(context.task.text, context.session.language);
  const among = ranked.filter(({ intent }) => nlu.intents.of(intent).tool === open.intent);
  return among.find(({ intent }) => intent !== asked.name)?.intent ?? null;
}

/** The answer to what was asked for, whatever such words are most often about. */
function saysWhatWasAsked(
  { nlu, roster }: OfflineDeps,
  { focus, task, session, now }: AgentContext,
): boolean {
  if (!focus) return false;
  if (isId(nlu, task.text)) return true;
  const open = openInputs(focus, roster.findAction(focus.intent));
  const question = { ...focus, ...open, now: new Date(now) };
  return [picksByPlace, answersInput].some((says) => says(nlu, task.text, session.language, question));
}

const CORRECTION_WORDS = 7;

/** What a text says of these inputs, none of which was asked for. */
function saidOf(
  { nlu }: OfflineDeps,
  { now, session }: AgentContext,
  inputs: readonly AskedInput[],
  text: string,
) {
  return nlu.slots.readInputs(text, inputs, { now: new Date(now), language: session.language, asked: null });
}

/** "Make it 45 instead" and "uns 45 dias" are about the number that was asked about, whatever such words mean elsewhere. */
function correctsNumber(deps: OfflineDeps, context: AgentContext, open: Focus): boolean {
  const { nlu } = deps;
  const { text } = context.task;
  const tool = wishOf(deps, open.intent)?.tool;
  const asked = tool !== undefined && Object.keys(intentAsked(deps, tool, open)?.slots ?? {}).length > 0;
  const isShort = text.trim().split(/\s+/).length <= CORRECTION_WORDS;
  const said = withoutOld(text, open.args);
  const given = (tool?.asks?.inputs ?? []).filter(
    ({ name, reading }) => reading.kind === 'number' && Object.hasOwn(open.args ?? {}, name),
  );
  if (isShort && given.length === 1 && Object.keys(saidOf(deps, context, given, said)).length === 1)
    return nlu.slots.readRequestAct(text).actions.length === 0;
  const numbers = said.match(/\d+/g) ?? [];
  const options = { now: new Date(context.now), language: context.session.language };
  const isNumber =
    numbers.length === 1 || (numbers.length === 0 && nlu.slots.findPeriod(said, options).days !== null);
  return asked && isShort && isNumber && nlu.slots.readRequestAct(text).actions.length === 0;
}
