import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HumanMessage } from '@langchain/core/messages';
import { parse, stringify } from 'yaml';
import { cultpassPolicySchema } from '../../../companies/cultpass/policy/policy.js';
import { readPolicy } from '../../../src/company/company.js';
import type { Draft, Session, Task, ToolTrace } from '../../../src/core/domain/session.js';
import type { Language } from '../../../src/core/domain/taxonomy.js';
import type { TurnEvent } from '../../../src/core/domain/turn.js';
import { TimeFormat } from '../../../src/core/i18n/index.js';
import { numberIn } from '../../../src/graph/claims/tokens.js';
import { evidenceOf } from '../../../src/graph/claims/turn-evidence.js';
import { reviewNode } from '../../../src/graph/review.js';
import { reviewText } from '../../../src/graph/review-rules.js';
import type { HubStateType } from '../../../src/graph/state.js';
import { createStatementReader } from '../../../src/nlu/index.js';
import { createAnalyzer } from '../../../src/rag/index.js';
import { CULTPASS } from '../../support/company.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { ROSTER } from '../../support/roster.js';
import { type Scripted, scriptedModels } from '../../support/scripted-model.js';
import { TEXTS } from '../../support/texts.js';

/** When the questions were asked: the records and the programme are those of that moment. */
export const ASKED_AT = '2026-11-22T10:31:00.000Z';
/** Reads what answers state. */
const STATEMENTS = await createStatementReader(createAnalyzer());
const ZONE = 'America/Sao_Paulo';
const POLICY = new URL('../../../companies/cultpass/policy.yaml', import.meta.url).pathname;
const ANA = 'ana.souza@example.com';
/** More calls of a model than the lines of any set need. */
const CALLS = 20_000;

export type AgentRoute = 'knowledge' | 'account';

/** One question with an answer that is true or false. */
export interface ClaimLine {
  readonly language: Language;
  readonly route: AgentRoute;
  readonly question: string;
  readonly answer: string;
  /** What is wrong with it; names the customer where it is not Ana. */
  readonly why?: string;
  /** What the answer was written from; what the hub itself finds, where absent. */
  readonly sources?: unknown;
  /** The parts of the message in their order; one where absent. */
  readonly routes?: readonly AgentRoute[];
  /** What each agent answers, where that differs. */
  readonly answers?: Readonly<Record<AgentRoute, string>>;
}

/** What became of an answer. */
export interface Verdict {
  readonly stopped: boolean;
  /** The fault that the guardrail named; null where it passed. */
  readonly fault: string | null;
  /** What the model is told, where the review node alone was asked. */
  readonly advice?: string;
  /** What is sent at once, where the review node alone was asked; null where it has to be written again. */
  readonly sent?: string | null;
  /** True where rules answer at once, from the record. */
  readonly byRules?: boolean;
}

/** Reads a set. */
export function readLines(file: string | URL): readonly ClaimLine[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as ClaimLine);
}

const TIME = new TimeFormat(ZONE);
const RULES = readPolicy(POLICY, cultpassPolicySchema);

function toolsAt(askedAt: string, log = createRecordingLog()) {
  return {
    log,
    clock: createFixedClock(askedAt),
    time: TIME,
    policy: RULES,
    roster: ROSTER,
    company: CULTPASS,
    texts: TEXTS,
  };
}

function traceOfLine(line: ClaimLine): readonly ToolTrace[] {
  return tracesOf(line).map((entry) => ({ ...entry, agent: line.route }));
}

/** Checks texts as answers to the question of a line, with what its turn has read. */
export function checkerOf(line: ClaimLine): (text: string) => boolean {
  const trace = traceOfLine(line);
  const session = sessionFor(line, emailIn(trace) ?? ANA);
  const messages = [new HumanMessage(line.question)];
  const evidence = evidenceOf(
    { tools: toolsAt(ASKED_AT), statements: STATEMENTS },
    { trace, session, messages },
  );
  return (text) => reviewText(text, trace, session, ROSTER, line.route, evidence) === null;
}

/**
 * Puts an answer before the real review node, with a turn whose tools returned the sources that are given.
 * @param askedAt when; what is said of yesterday and of the hours until something depends on it
 */
export function reviewLine(line: ClaimLine, askedAt = ASKED_AT): Verdict {
  const log = createRecordingLog();
  const tools = toolsAt(askedAt, log);
  const trace = traceOfLine(line);
  const state = {
    session: sessionFor(line, emailIn(trace) ?? ANA),
    messages: [new HumanMessage(line.question)],
    trace,
    drafts: [
      {
        agent: line.route,
        text: line.answer,
        provider: 'openai',
        focus: null,
        unanswered: false,
        paused: false,
      },
    ],
    tasks: [{ text: line.question, route: line.route, agent: line.route, status: 'done' }],
    revision: null,
    guardrails: [],
  } as const satisfies Partial<HubStateType>;
  const update = reviewNode({ tools, statements: STATEMENTS })(state as unknown as HubStateType);
  const rejected = log.entries.find(({ action }) => action === 'draft_rejected');
  const fault = rejected ? String(rejected.details?.fault) : null;
  const tasks = update.tasks as readonly Task[] | undefined;
  const sent =
    update.next === 'respond'
      ? ((update.drafts as readonly Draft[] | undefined)?.[0]?.text ?? line.answer)
      : null;
  return {
    stopped: sent !== line.answer,
    fault,
    advice: String(update.revision ?? ''),
    sent,
    byRules: tasks?.[0]?.withoutModel === true,
  };
}

function sessionFor({ language }: ClaimLine, email: string): Session {
  return {
    turnId: 't1',
    ticketId: 'k1',
    threadId: 'h1',
    graphThreadId: 'h1',
    channel: 'chat',
    identity: { kind: 'customer', customerId: 'usr_001', email },
    customerName: null,
    language,
    unsupportedLanguage: null,
    memory: null,
    lastReply: null,
    previousMessage: null,
  };
}

/** The lines of a file in JSON. */
function linesOf(file: string): readonly string[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n');
}

/** The articles of the seed, and what tools returned, by the names that sets give them. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ...linesOf('../../../companies/cultpass/articles/knowledge.jsonl')
    .map((line) => JSON.parse(line) as { article_id: string; title: string; content: string })
    .map(({ article_id: id, title, content }): [string, string] => [
      `article:${id}`,
      `${title}\n\n${content}`,
    ]),
  ...linesOf('./claims-records.jsonl').map((line, at): [string, string] => [`record:${at + 1}`, line]),
]);

/**
 * A record or a programme (JSON) becomes what its tool returned; the texts after it are articles that were found. What
 * the hub itself has said of the records becomes records again.
 */
function tracesOf({ sources, route }: ClaimLine): readonly ToolTrace[] {
  const parts = Array.isArray(sources) ? sources : [sources];
  return parts.flatMap((named): readonly ToolTrace[] => {
    const part = typeof named === 'string' ? (NAMED.get(named) ?? named) : named;
    if (typeof part !== 'string') return part ? [recordTrace(part)] : [];
    const end = part.startsWith('{') ? jsonEnd(part) : 0;
    const record = end > 0 ? [recordTrace(JSON.parse(part.slice(0, end)))] : [];
    const text = part.slice(end).trim();
    const title = text.split('\n', 1)[0] ?? '';
    if (route === 'account' && /[.:?]$/.test(title)) return repliedTraces(text);
    const article = { article_id: 'kb-a', title, confidence: 0.9, content: text };
    return [...record, ...(text === '' ? [] : [traceOf('search_knowledge', { articles: [article] })])];
  });
}

/** "- Film Club, Tuesday 24 November at 19:00 (attended)" under its heading. */
const LISTED = /^- (?<line>.+?)(?: \((?<status>[^)]+)\))?$/;
const AMOUNT = /R\$ ([\d.,]+)/;

function repliedTraces(text: string): readonly ToolTrace[] {
  const record: Record<string, object[]> = {};
  const said: string[] = [];
  let heading = '';
  for (const each of text.split('\n')) {
    if (each.endsWith(':')) heading = each.toLowerCase();
    const { line, status } = LISTED.exec(each)?.groups ?? {};
    if (line === undefined) {
      said.push(each);
      continue;
    }
    const list = /refund|reembols/.test(heading)
      ? 'refunds'
      : /payment|pagament/.test(heading)
        ? 'payments'
        : /upcoming|próximas/.test(heading)
          ? 'upcoming'
          : 'reservations';
    const amount = AMOUNT.exec(line)?.[1];
    const title = list === 'payments' ? line.slice(line.lastIndexOf(', ') + 2) : line.split(/,|: R\$/)[0];
    const paid = amount === undefined ? {} : { amount_cents: Math.round(numberIn(amount) * 100) };
    record[list] = [...(record[list] ?? []), { title, details: line, status: status ?? 'reserved', ...paid }];
  }
  return [traceOf('get_customer_context', record), traceOf('investigate', { found: said })];
}

function recordTrace(record: object): ToolTrace {
  return traceOf('experiences' in record ? 'find_experiences' : 'get_customer_context', record);
}

function traceOf(tool: string, result: unknown): ToolTrace {
  return { callId: tool, agent: 'knowledge', task: 0, tool, args: {}, ok: true, result, paused: false };
}

/** Where the JSON that a text begins with ends. */
function jsonEnd(text: string): number {
  for (let end = text.indexOf('}'); end !== -1; end = text.indexOf('}', end + 1)) {
    const depth = text.slice(0, end + 1).replace(/"(?:[^"\\]|\\.)*"/g, '');
    if (depth.split('{').length === depth.split('}').length) return end + 1;
  }
  return 0;
}

function emailIn(trace: readonly ToolTrace[]): string | null {
  return /"email":"([^"]+)"/.exec(JSON.stringify(trace))?.[1] ?? null;
}

/** The whole hub with a model that answers whatever the line says, after the real tools have run. */
export class Talker {
  #line: ClaimLine | null = null;
  #route: AgentRoute = 'knowledge';

  private constructor(private readonly hub: Hub) {}

  static async open(): Promise<{ readonly talker: Talker; close(): Promise<void> }> {
    const dir = makeTempDir();
    const policyFile = join(dir, 'policy.yaml');
    const policy = parse(readFileSync(POLICY, 'utf8')) as { retrieval: { confidence_threshold: number } };
    // Every question reaches the model, also one that the articles hardly answer.
    policy.retrieval.confidence_threshold = 0;
    writeFileSync(policyFile, stringify(policy));
    const holder: { talker: Talker | null } = { talker: null };
    const steps = (step: () => Scripted): readonly Scripted[] =>
      Array.from({ length: CALLS }, () => () => step() as Exclude<Scripted, (...args: never[]) => unknown>);
    const line = (): ClaimLine => holder.talker?.current() ?? failed();
    const say = (role: AgentRoute) => steps(() => ({ text: line().answers?.[role] ?? line().answer }));
    const models = scriptedModels({
      triage: steps(() => ({ object: holder.talker?.form() ?? failed() })),
      knowledge: say('knowledge'),
      account: say('account'),
    });
    const hub = await openHub({
      dataDir: dir,
      models,
      clock: createFixedClock(ASKED_AT),
      env: { HUB_POLICY_FILE: policyFile },
    });
    holder.talker = new Talker(hub);
    return { talker: holder.talker, close: () => hub.close() };
  }

  current(): ClaimLine {
    return this.#line ?? failed();
  }

  /** How the message is understood: one request, for the route that is being tried. */
  form() {
    const { question, language, routes } = this.current();
    return {
      issue_type: 'general',
      priority: 'medium',
      sentiment: 'neutral',
      human_reason: null,
      summary: 'The customer asks for something.',
      language,
      requests: (routes ?? [this.#route]).map((route) => ({ text: question, route })),
      confidence: 0.95,
    };
  }

  /** Asks and has it answered. @returns also what was streamed while it was written */
  async ask(
    line: ClaimLine,
    route: AgentRoute = line.route,
  ): Promise<Verdict & { readonly streamed: string; readonly reply: string }> {
    this.#line = line;
    this.#route = route;
    const { app, log } = this.hub;
    const name = /\b([a-z]+\.[a-z]+): /.exec(line.why ?? '')?.[1];
    const identity = await app.signIn(name ? `${name}@example.com` : ANA);
    const before = log.entries.length;
    let streamed = '';
    const onEvent = (event: TurnEvent): void => {
      if (event.type === 'token') streamed += event.text;
    };
    const { reply } = await app.handle({ identity, text: line.question, channel: 'chat', onEvent });
    const logged = log.entries.slice(before);
    const rejected = logged.find(({ action }) => action === 'draft_rejected');
    if (!rejected && !logged.some(({ action }) => action === 'draft_passed'))
      throw new Error(`Nobody answered: ${line.question}`);
    return {
      stopped: !reply.includes(line.answer),
      fault: rejected ? String(rejected.details?.fault) : null,
      streamed,
      reply,
    };
  }
}

function failed(): never {
  throw new Error('The model was asked before there was a line to answer with');
}
