import { languageName } from '../../src/core/domain/language.js';
import type { OfflinePolicy, OfflineStep } from '../../src/core/ports/chat-models.js';
import { findKept, findPreference } from '../../src/nlu/slots/index.js';
import { foldText, tokenize } from '../../src/nlu/slots/text.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import type { Asked } from '../../src/runtime/company-answers.js';
import type { AnyTool } from '../../src/runtime/define-tool.js';
import { call, dashed, explainFailure, lastCall, say } from '../../src/runtime/offline-step.js';
import {
  askedOf,
  contextIn,
  listingTool,
  namedAmong,
  noSuchChange,
  type OfflineDeps,
  recordLine,
  recordsOf,
} from '../offline-support.js';

/**
 * An agent that reads, without a model: the account agent, and each that has no rules of its own. Says what the tool that is
 * asked for says of what it found, else what the company answers from the customer's record, or lists the records.
 */
export function accountPolicy(deps: OfflineDeps): OfflinePolicy {
  return (turn) => {
    const context = contextIn(turn);
    const asked = askedOf(deps, turn, context);
    const tools = deps.agents.find(context.agent)?.tools ?? [];
    const keeps = tools.some(({ name }) => name === RECORD);
    const preference = keeps ? preferenceStep(deps, context, asked.intent) : null;
    if (preference) return preference;
    const first = openingTool(tools);
    return (
      (first && readStep(deps, context, first)) ??
      describedStep(deps, context, tools, asked) ??
      deps.answers[context.agent]?.(asked) ??
      noSuchChange(deps, context, null) ??
      listStep(deps, context, tools, asked) ??
      say('', { unanswered: true })
    );
  };
}

/** The tool that hardly a request can be answered without; null where there is none. */
export function openingTool(tools: readonly AnyTool[]): AnyTool | null {
  return tools.find((tool) => tool.effect === 'read' && tool.opens === true) ?? null;
}

/** Calls what must be read, or says why it cannot be; null once it has been. */
function readStep(deps: OfflineDeps, context: AgentContext, tool: AnyTool): OfflineStep | null {
  if (context.trace.some(({ tool: name, ok }) => ok && name === tool.name)) return null;
  const failed = lastCall(context, tool.name);
  return failed ? explainFailure(deps, context, failed) : call(tool.name);
}

/** Calls the tool that answers what is wanted, and says what it found in its words; null where none of the agent's says any. */
function describedStep(
  deps: OfflineDeps,
  context: AgentContext,
  tools: readonly AnyTool[],
  { intent, call, texts, time }: ReturnType<typeof askedOf>,
): OfflineStep | null {
  const { tool: wanted } = deps.nlu.intents.of(intent);
  const tool = tools.find(({ name }) => name === wanted);
  if (tool?.effect !== 'read' || !tool.describe) return null;
  const done = lastCall(context, tool.name);
  if (!done) return call(tool);
  return done.ok
    ? say(tool.describe(tool.output.parse(done.result), texts, time))
    : explainFailure(deps, context, done);
}

/** What there is of the kind that was asked about, or the one that was named; null where none of these tools lists it. */
export function listStep(
  deps: OfflineDeps,
  context: AgentContext,
  tools: readonly AnyTool[],
  { intent, filters, fits, narrows, narrowedTo }: Asked,
): OfflineStep | null {
  const { entity } = deps.nlu.intents.of(intent);
  const list = entity === null ? null : listingTool(tools, entity);
  if (entity === null || !list) return null;
  const read = readStep(deps, context, list);
  if (read) return read;
  const records = recordsOf(deps, context, entity);
  const picked = context.task.list ? [] : namedAmong(deps, context, records);
  const all = picked.length === 0 ? records : records.filter(({ id }) => picked.includes(id));
  const narrowed = picked.length === 0 && narrows(filters);
  const fitting = narrowed ? all.filter((record) => fits(record, entity)) : all;
  const shown = fitting.length > 0 ? fitting : all;
  const lines = shown.map((record) => recordLine(deps, context, entity, record));
  const texts = deps.texts.for(context.session.language);
  if (list.access === 'anyone') return say(texts.say('records_for_all', { list: dashed(lines) }));
  return say(
    texts.say('records', {
      entity,
      list: dashed(lines),
      by: narrowed ? narrowedTo(filters) : null,
      exact: fitting.length > 0,
    }),
  );
}

const RECORD = 'record_customer_preference';

const CHANNELS: readonly (readonly [RegExp, string])[] = [
  [/\bwhats\s?app\b|\bzap\b/iu, 'whatsapp'],
  [
    /\b(?:phone|telephone|calls?|calling|ring me|telefone|liga[cç](?:[aã]o|[oõ]es)|celular|me (?:lig(?:a|ar|am|ue|uem)|telefon\w+)|ligando|ll[aá]m(?:a|e|en)me)\b/iu,
    'phone',
  ],
  [/\be-?mail\b/iu, 'email'],
];

/** Between two ways of contact, says that the second is meant: "WhatsApp, sorry, e-mail". */
const CORRECTS =
  /(?<!\p{L})(?:no|n[aã]o|sorry|desculp\p{L}*|ali[aá]s|digo|minto|errei|ops|opa|oops|i mean|actually|na verdade|quer dizer|ou melhor|rather|perd[oó]n|mejor)(?!\p{L})/iu;
const NOT_MEANT =
  /(?<!\p{L})(?:not|(?:do|ca|wo|does|did|is|was|could|would|should)n['’]?t|cannot|n[aã]o|never|nunca|sem|without|hate|odeio|detesto|instead of|rather than|em vez d[eo])\s+(?:(?!(?:mas|but|pero|only|s[oó])\s)\p{L}+\s+){0,4}$/iu;

const ONE_KIND =
  /(?<!\p{L})(?:reminders?|newsletters?|lembretes?|novidades|recordatorios?|bolet[ií]n)(?!\p{L})/iu;

/** The one way of contact a text names, or corrects another to, where it is known to state a preference. */
function channelIn(text: string): { key: 'contact_method'; value: string } | null {
  const named = CHANNELS.flatMap(([pattern, value]) => {
    const found = pattern.exec(text);
    return found && !NOT_MEANT.test(text.slice(0, found.index)) ? [{ value, at: found.index }] : [];
  }).sort((a, b) => a.at - b.at);
  const [first, second, ...others] = named;
  if (!first || others.length > 0) return null;
  if (!second) return { key: 'contact_method', value: first.value };
  return CORRECTS.test(text.slice(first.at, second.at))
    ? { key: 'contact_method', value: second.value }
    : null;
}

const LASTS =
  /(?<!\p{L})(?:always|from now on|in (?:the )?future|going forward|prefer\p{L}*|rather|prefiro|sempre|daqui (?:pra|para) frente|a partir de agora|de agora em diante|siempre|de ahora en adelante)(?!\p{L})/iu;

/** True where a text wants one thing sent, now: "e-mail me my ticket" says nothing of how to write from now on. */
function isOfOneThing({ nlu }: OfflineDeps, text: string): boolean {
  return !LASTS.test(text) && tokenize(foldText(text)).some(({ word }) => nlu.slots.isThing(word));
}

/** What a text wants to hold from now on; of two ways of contact the one that it corrects the other to. */
function preferenceIn(text: string): ReturnType<typeof findPreference> {
  // How one kind of message comes is set in the app; it says nothing of how the team is to write.
  if (ONE_KIND.test(text)) return findKept(text);
  const found = findPreference(text);
  return found === null || found.key === 'contact_method' ? (channelIn(text) ?? found) : found;
}

/** Records a preference the text states; shared with the action agent, since "change my language" may go there. */
export function preferenceStep(deps: OfflineDeps, context: AgentContext, intent: string): OfflineStep | null {
  const texts = deps.texts.for(context.session.language);
  if (!deps.roster.all.has(RECORD)) return null;
  const saved = lastCall(context, RECORD);
  if (saved) {
    if (saved.code === 'scope_missing') return explainFailure(deps, context, saved);
    const { key, value } = saved.args as { key?: string; value?: string };
    if (!saved.ok) return say(texts.say(key === 'language' ? 'unsupported_language' : 'clarify'));
    // Who asks for another language is told so in that one.
    const said = key === 'language' && value !== undefined ? deps.texts.for(value) : texts;
    const spoken = (word = '') => said.sayOf('preference', word) || word.replaceAll('_', ' ');
    const named =
      key === 'language'
        ? languageName(said.language, said.language)
        : said.sayOf('preference', value ?? '') || (value ?? '');
    return say(said.say('preference_saved', { kind: key ?? null, key: spoken(key), value: named }));
  }
  const states = deps.nlu.intents.has(intent) && deps.nlu.intents.of(intent).tool === RECORD;
  const { text } = context.task;
  const found = states && !isOfOneThing(deps, text) ? preferenceIn(text) : findKept(text);
  return found && call(RECORD, { ...found });
}
