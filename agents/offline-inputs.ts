import type { AskedInput } from '../src/core/domain/asked-input.js';
import type { Choice, Focus } from '../src/core/domain/session.js';
import type { Texts } from '../src/core/i18n/index.js';
import type { OfflineStep } from '../src/core/ports/offline-policy.js';
import type { Nlu } from '../src/nlu/index.js';
import type { AgentContext } from '../src/runtime/agent-state.js';
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

/** What the message says of the inputs of a tool. */
export function saidOfInputs({ nlu }: Deps, context: AgentContext, tool: AnyTool): Inputs {
  const inputs = tool.asks?.inputs ?? [];
  const asked = inputAsked(context.focus, tool);
  const { language } = context.session;
  const { text } = context.task;
  const options = { now: new Date(context.now), language, asked: asked?.name ?? null };
  const said = nlu.slots.readInputs(text, inputs, options);
  if (asked === null || Object.hasOwn(said, asked.name)) return said;
  // "The second one" of what was offered.
  const offered =
    asked.reading.kind === 'record' ? (context.focus?.choices ?? []) : choicesOf(asked, language);
  const listed = offered.map(({ id }) => id);
  const picked = nlu.slots.selectCandidate(text, offered, { ...options, listed });
  return picked.kind === 'one' && picked.by !== 'only' ? { ...said, [asked.name]: picked.id } : said;
}

/**
 * Calls a tool with what is known of its inputs, or asks for the first that is missing.
 * @param known what is known without this message's words
 * @param records among which the one is that is missing; where there are none, a person is asked
 */
export function callWith(
  deps: Deps,
  context: AgentContext,
  tool: AnyTool,
  known: Inputs,
  records: readonly Choice[] = [],
): OfflineStep {
  const args = { ...known, ...saidOfInputs(deps, context, tool) };
  const missing = missingIn(tool, args);
  if (!missing || !tool.asks) return call(tool.name, args);
  const { language } = context.session;
  const isRecord = missing.reading.kind === 'record';
  const choices = isRecord ? records : choicesOf(missing, language);
  const focus: Focus = { ...focusOn(context, context.agent, tool.name, choices), args };
  // What no sentence can give, a person is asked for.
  const isOpen = missing.reading.kind === 'other' || (isRecord && records.length === 0);
  if (isOpen || focus.attempts > MAX_ATTEMPTS) return say('', { unanswered: true });
  const question = tool.asks.question(missing.name, deps.texts.for(language));
  return say(isRecord ? `${question}\n\n${numbered(choices.map(({ title }) => title))}` : question, {
    focus,
  });
}

function choicesOf({ reading }: AskedInput, language: string): readonly Choice[] {
  if (reading.kind !== 'choice') return [];
  return [...reading.options].map(([value, words]) => ({
    id: value,
    title: words[language]?.[0] ?? value.replaceAll('_', ' '),
    startsAt: null,
  }));
}
