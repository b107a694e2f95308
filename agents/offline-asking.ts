import type { AskedInput } from '../src/core/domain/entity.js';
import type { Choice, Focus } from '../src/core/domain/session.js';
import type { Texts } from '../src/core/i18n/index.js';
import type { OfflineStep } from '../src/core/ports/chat-models.js';
import type { Nlu } from '../src/nlu/index.js';
import { foldText } from '../src/nlu/slots/text.js';
import type { AgentContext } from '../src/runtime/agent-definition.js';
import type { AnyTool } from '../src/runtime/define-tool.js';
import { call, focusOn, inputAsked, missingIn, numbered, say } from '../src/runtime/offline-step.js';

type Inputs = Readonly<Record<string, unknown>>;
/** Reads words and says sentences. */
interface Deps {
  readonly nlu: Nlu;
  readonly texts: Texts;
}

const MAX_ATTEMPTS = 3;

/** What was given of a tool's inputs before this message; nothing where another tool was spoken of. */
export function givenBefore({ focus }: Pick<AgentContext, 'focus'>, tool: AnyTool): Inputs {
  return focus?.intent === tool.name ? (focus.args ?? {}) : {};
}

/** What a message says by itself: a short one comes with the message before it. */
export function ownText({ session: { previousMessage: before }, task: { text } }: AgentContext): string {
  return before && text.length > before.length && text.startsWith(before)
    ? text.slice(before.length).trim()
    : text;
}

/** What the message says of the inputs of a tool. */
export function saidOfInputs({ nlu }: Deps, context: AgentContext, tool: AnyTool): Inputs {
  const inputs = tool.asks?.inputs ?? [];
  const asked = inputAsked(context.focus, tool);
  const { language } = context.session;
  const { text } = context.task;
  const options = {
    now: new Date(context.now),
    language,
    asked: asked?.name ?? null,
    given: givenBefore(context, tool),
  };
  const own = ownText(context);
  // "And at the market?" names another than the message that it comes with.
  const before = own === text ? {} : nlu.slots.readInputs(text, inputs, options);
  const said = { ...before, ...nlu.slots.readInputs(own, inputs, options) };
  if (asked === null || Object.hasOwn(said, asked.name)) return said;
  // "The second one" of what was offered.
  const offered =
    asked.reading.kind === 'record' ? (context.focus?.choices ?? []) : choicesOf(asked, language);
  const listed = offered.map(({ id }) => id);
  const picked = nlu.slots.selectCandidate(text, offered, { ...options, listed });
  return picked.kind === 'one' && picked.by !== 'only' ? { ...said, [asked.name]: picked.id } : said;
}

/** A record that may be chosen, as it is told in a list. */
export type Listed = Choice & { readonly line?: string };

/**
 * Calls a tool with what is known of its inputs, or asks for the first that is missing.
 * @param known what is known without this message's words
 * @param recordsFor among which the one is that is missing; where there are none, a person is asked
 */
export function callWith(
  deps: Deps,
  context: AgentContext,
  tool: AnyTool,
  known: Inputs,
  recordsFor: (missing: AskedInput) => readonly Listed[] = () => [],
): OfflineStep {
  const said = saidOfInputs(deps, context, tool);
  const asked = inputAsked(context.focus, tool);
  const args =
    asked?.reading.kind === 'items'
      ? { ...known, ...without(said, asked.name), ...toldOf(deps, context, asked, known, said[asked.name]) }
      : { ...known, ...said };
  const missing = missingIn(tool, args);
  if (!missing || !tool.asks)
    return call(tool.name, Object.fromEntries(Object.entries(args).filter(([name]) => !isHeld(name))));
  const { language } = context.session;
  const isRecord = missing.reading.kind === 'record';
  const records = isRecord ? recordsFor(missing) : [];
  const choices = isRecord
    ? records.map(({ id, title, startsAt }) => ({ id, title, startsAt }))
    : choicesOf(missing, language);
  const next = focusOn(context, context.agent, tool.name, choices);
  // Only what brings nothing new is asked again.
  const isNew = JSON.stringify(args) !== JSON.stringify(context.focus?.args ?? {});
  const focus: Focus = { ...next, ...(isNew ? { attempts: 1 } : {}), args };
  // What no sentence can give, a person is asked for.
  const isOpen = missing.reading.kind === 'other' || (isRecord && records.length === 0);
  if (isOpen || focus.attempts > MAX_ATTEMPTS) return say('', { unanswered: true });
  const texts = deps.texts.for(language);
  const items = heldOf(args, missing.name);
  const isMore = isNew && items.length > 0 && items.every((item) => isWhole(missing, item));
  const question = isMore
    ? (tool.asks.another?.(missing.name, texts) ?? texts.say('another_one'))
    : tool.asks.question(missing.name, texts);
  return say(
    isRecord ? `${question}\n\n${numbered(records.map(({ line, title }) => line ?? title))}` : question,
    {
      focus,
    },
  );
}

type Items = readonly Inputs[];

/** Things that were told of a list that is not at its end stand beside the inputs, under a name that none has. */
const HELD = '*';
const isHeld = (name: string): boolean => name.endsWith(HELD);
const heldOf = (args: Inputs, name: string): Items => (args[`${name}${HELD}`] as Items | undefined) ?? [];

function without(inputs: Inputs, name: string): Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => key !== name));
}

function isWhole({ reading }: AskedInput, item: Inputs): boolean {
  const fields = reading.kind === 'items' ? reading.fields : [];
  return fields.every(({ name, required }) => !required || Object.hasOwn(item, name));
}

/** The things that were told before and now: the value of the input where there are no more of them, else what is held of it. */
function toldOf(
  { nlu }: Deps,
  { task, session }: AgentContext,
  asked: AskedInput,
  known: Inputs,
  said: unknown,
): Inputs {
  const before = heldOf(known, asked.name);
  const max = asked.reading.kind === 'items' ? asked.reading.max : null;
  const isEnd = endsList(nlu, task.text, session.language) && before.length > 0;
  // "Yes" to whether there is another tells nothing of it.
  const agrees = nlu.slots.readYesNo(task.text, session.language).kind === 'yes';
  const told = isEnd || agrees ? [] : ((said as Items | undefined) ?? []);
  const [open] = before.slice(-1);
  const [first = {}] = told;
  // "12 April 1988" tells what was left open of the one before.
  const adds =
    open !== undefined &&
    !isWhole(asked, open) &&
    Object.keys(first).every((key) => !Object.hasOwn(open, key));
  const all = adds ? [...before.slice(0, -1), { ...open, ...first }, ...told.slice(1)] : [...before, ...told];
  const items = all.slice(0, max ?? 1);
  const isDone = items.length > 0 && items.every((item) => isWhole(asked, item));
  if (isDone && max === null) return { [asked.name]: items[0] };
  if (isDone && (isEnd || items.length === max)) return { [asked.name]: items };
  return items.length === 0 ? {} : { [`${asked.name}${HELD}`]: items };
}

/** "No", "that is all", "just me": nothing is added to a list. */
function endsList({ slots }: Nlu, text: string, language: string): boolean {
  return slots.readYesNo(text, language).kind === 'no' || slots.answers.endsList(foldText(text));
}

/** True where things were told of the list that was asked for, to which a no adds nothing. */
export function isTelling(context: AgentContext, tool: AnyTool): boolean {
  const asked = inputAsked(context.focus, tool);
  return asked?.reading.kind === 'items' && heldOf(context.focus?.args ?? {}, asked.name).length > 0;
}

function choicesOf({ reading }: AskedInput, language: string): readonly Choice[] {
  if (reading.kind !== 'choice') return [];
  return [...reading.options].map(([value, words]) => ({
    id: value,
    title: words[language]?.[0] ?? value.replaceAll('_', ' '),
    startsAt: null,
  }));
}
