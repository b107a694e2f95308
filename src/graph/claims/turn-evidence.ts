import { HumanMessage } from '@langchain/core/messages';
import type { CompanyProfile } from '../../core/domain/company.js';
import type { Deed } from '../../core/domain/guardrail.js';
import type { Session, ToolTrace } from '../../core/domain/session.js';
import type { TimeFormat } from '../../core/i18n/index.js';
import type { Policy } from '../../core/policy/policy.js';
import type { StatementReader } from '../../core/ports/language-layer.js';
import type { ToolDeps, ToolRoster } from '../../runtime/define-tool.js';
import { ASK_REMOTE_AGENT } from '../../runtime/remote/remote-calls.js';
import { claimsOf } from '../../runtime/roster.js';
import type { HubStateType } from '../state.js';
import { Bindings } from './bindings.js';
import { Contrast } from './contrast.js';
import { Facts } from './facts.js';
import type { Passage } from './passages.js';
import { Quotes } from './quotes.js';
import { RecordWords } from './record-words.js';
import { RecordBook } from './records.js';
import { partsOf, sentencesOf } from './sentences.js';

/** What an answer may be said from. */
interface Ground {
  readonly trace: readonly ToolTrace[];
  readonly session: Session;
  /** The customer's own words. */
  readonly asked: string;
  readonly now: Date;
  readonly time: TimeFormat;
  readonly policy: Policy;
  readonly company: Pick<CompanyProfile, 'currency' | 'name' | 'records'>;
  readonly roster: ToolRoster;
  readonly statements: StatementReader;
  /** What the hub itself ends an answer with that grew too long. */
  readonly ending: string;
}

/** A deed that is as likely as this in a source may be what it speaks of. */
const LIKELY = 0.3;

/** Of a rule less is enough: it speaks of several. */
const SPOKEN = 0.2;

/** And a sentence states it for certain from here on. */
const SURELY = 0.6;

/** Says what is wanted, and not what has happened. */
const WISH =
  /(?<!\p{L})(?:want|like to|need|please|wish|how|could|quero|queria|gostaria|preciso|como|quiero|quisiera|necesito)(?!\p{L})/iu;

/** Says that something has happened: an order, "encerra minha assinatura", reads like a report else. */
const HAPPENED =
  /(?<!\p{L})(?:\p{L}+(?:ed|[ai]d[oa]s?|ei|ou|aram|eram|iram|ui|iu)|(?:was|were|did|got|went|paid|sent|made|is|are|am|been|has|have|had)(?:n['’]t)?|i['’]m|foi|foram|j[aá]|est[aá]|t[aá]|estou|tenho|feito|pago|fiz|perdi)(?!\p{L})/iu;
const ANYTHING = /(?:)/u;

/** No evidence of the hub's: what an agent elsewhere said, and how the message was understood. */
const NO_SOURCE = new Set([ASK_REMOTE_AGENT, 'classify_ticket']);

/** Tools whose texts state rules for everybody, as against what happened to this customer. */
const RULES = new Set(['search_knowledge', 'get_article_by_id']);

/** Characters by which a sentence of the hub's own is known. */
const BEGINNING = 20;

/** Says in words what it has found out about this customer. */
const INVESTIGATE = 'investigate';

/** Facts and records of one turn, read when they are first needed and then kept. */
export class TurnEvidence {
  #facts: Facts | null = null;
  #records: RecordBook | null = null;
  #bindings: Bindings | null = null;
  #contrast: Contrast | null = null;
  #told: ReadonlySet<Deed> | null = null;
  #found: ReadonlySet<Deed> | null = null;
  #ruled: ReadonlySet<Deed> | null = null;

  #read: Quotes | null = null;
  readonly #quotes = new Map<string, Quotes | null>();
  readonly #trace: readonly ToolTrace[];
  readonly #words: RecordWords;
  readonly #times = new Map<number, ReturnType<TimeFormat['local']>>();

  constructor(private readonly ground: Ground) {
    this.#words = recordWordsOf(ground.company);
    this.#trace = ground.trace.filter(({ tool }) => !NO_SOURCE.has(tool));
  }

  get facts(): Facts {
    this.#facts ??= this.#readFacts();
    return this.#facts;
  }

  get records(): RecordBook {
    this.#records ??= this.#readRecords();
    return this.#records;
  }

  /** The customer's own words of this turn. */
  get asked(): string {
    return this.ground.asked;
  }

  /** Tells figures of one record from those of another. */
  get bindings(): Bindings {
    this.#bindings ??= new Bindings(this, this.#sense.records, this.#words);
    return this.#bindings;
  }

  /** An answer without what the hub itself ends it with where it grew too long: that claims nothing. */
  withoutEnding(answer: string): string {
    const { ending } = this.ground;
    const at = ending === '' ? -1 : answer.lastIndexOf(ending.slice(0, BEGINNING));
    // While it is streamed only its beginning stands there.
    return at >= 0 && ending.startsWith(answer.slice(at).trimEnd()) ? answer.slice(0, at) : answer;
  }

  get statements(): StatementReader {
    return this.ground.statements;
  }

  /** What the customer says has happened. */
  get told(): ReadonlySet<Deed> {
    this.#told ??= this.#deedsIn([this.facts.asked], true, HAPPENED);
    return this.#told;
  }

  /** What was found out about this customer. */
  get found(): ReadonlySet<Deed> {
    this.#found ??= this.#deedsIn(this.facts.statements, true);
    return this.#found;
  }

  /** What the rules speak of. */
  get ruled(): ReadonlySet<Deed> {
    this.#ruled ??= this.#deedsIn(this.facts.rules, false);
    return this.#ruled;
  }

  /** How much of a text one sentence of the turn's articles says: 0 to 1. */
  backing(text: string): number {
    this.#read ??= new Quotes(this.#articles, this.ground.asked, this.#sense);
    return this.#read.backing(text);
  }

  get #articles(): readonly Passage[] {
    return this.#trace.flatMap(({ ok, result }) => (ok ? articlesIn(result) : []));
  }

  /** Compares figures with the articles of the turn. */
  get contrast(): Contrast {
    const { asked, company } = this.ground;
    this.#contrast ??= new Contrast(this.#articles, asked, this.#sense, company.currency);
    return this.#contrast;
  }

  /** What an agent that read nothing but articles may say in their own words; null where it read something else. */
  quotesOf(agent: string): Quotes | null {
    const before = this.#quotes.get(agent);
    if (before !== undefined) return before;
    const own = this.#trace.filter((entry) => entry.agent === agent && entry.ok);
    const articles = own.flatMap(({ result }) => articlesIn(result));
    const reads = articles.length > 0 && own.every(({ tool }) => RULES.has(tool));
    const quotes = reads ? new Quotes(articles, this.ground.asked, this.#sense) : null;
    this.#quotes.set(agent, quotes);
    return quotes;
  }

  get #sense() {
    return this.ground.statements.sense(this.ground.session.language);
  }

  /** True for an agent that has read the customer's records and changed nothing. */
  readsRecords(agent: string): boolean {
    const own = this.#trace.filter((entry) => entry.agent === agent);
    const tools = own.map(({ tool }) => this.ground.roster.all.get(tool));
    return (
      tools.some((tool) => tool?.access === 'customer') && tools.every((tool) => tool?.effect === 'read')
    );
  }

  #deedsIn(texts: readonly string[], stated: boolean, only = ANYTHING): ReadonlySet<Deed> {
    const found = new Set<Deed>();
    const parts = texts
      .flatMap(sentencesOf)
      .flatMap(({ question, text }) =>
        question ? [] : stated ? partsOf(text).flatMap((part) => part.split(', ')) : [text],
      );
    for (const part of parts) {
      if (stated && (WISH.test(part) || !only.test(part))) continue;
      const { acts, deeds } = this.ground.statements.read(part.trim());
      if (stated && acts.claim + acts.done < SURELY) continue;
      for (const [deed, share] of Object.entries(deeds))
        if (share > (stated ? LIKELY : SPOKEN)) found.add(deed as Deed);
    }
    return found;
  }

  /** What clocks show, worked out once for each moment. */
  readonly #time = {
    local: (at: Date) => {
      const known = this.#times.get(at.getTime()) ?? this.ground.time.local(at);
      this.#times.set(at.getTime(), known);
      return known;
    },
  };

  #readFacts(): Facts {
    const { session, asked, now, policy, company } = this.ground;
    const facts = new Facts(this.#time, now, company.currency, this.#words, company.name);
    for (const { tool, result } of this.#trace) {
      facts.addValue(
        this.#named(tool, result),
        [],
        RULES.has(tool) ? 'rule' : tool === INVESTIGATE ? 'finding' : 'record',
      );
    }
    facts.addText(asked, 'said');
    for (const said of [session.previousMessage, session.lastReply]) if (said) facts.addText(said, 'said');
    facts.addPolicy(policy);
    if (session.identity.kind === 'customer') facts.addText(session.identity.email, 'said');
    return facts;
  }

  /** What a tool returned, with the list of a company's records under the name of their entity. */
  #named(tool: string, result: unknown): unknown {
    const entity = this.ground.roster.all.get(tool)?.lists?.entity;
    if (entity === undefined || typeof result !== 'object' || result === null) return result;
    const isList = ([, value]: readonly [string, unknown]) => Array.isArray(value);
    const fields = Object.entries(result);
    if (fields.filter(isList).length !== 1) return result;
    return Object.fromEntries(fields.map((field) => (isList(field) ? [`${entity}s`, field[1]] : field)));
  }

  #readRecords(): RecordBook {
    const { asked, roster, statements } = this.ground;
    const book = new RecordBook(this.#time, statements, this.#words, this.ground.company.currency);
    for (const entry of this.#trace) {
      if (!entry.ok || RULES.has(entry.tool)) continue;
      book.add(this.#named(entry.tool, entry.result), claimsOf(roster, entry));
    }
    return book.finish(asked);
  }
}

/** An article this many times less probable than the best is not what an answer was written from. */
const FAR = 20;

/** The articles that a search found near, or the one that was asked for. */
function articlesIn(result: unknown): readonly Passage[] {
  const found = result as FoundArticle & { readonly articles?: readonly FoundArticle[] };
  const { articles = [found] } = found;
  const best = articles[0]?.confidence ?? 0;
  return articles.flatMap(({ article_id: id, title = '', content, confidence = 1 }) =>
    id === undefined || content === undefined || confidence * FAR < best
      ? []
      : [{ article: id, title, text: content }],
  );
}

interface FoundArticle {
  readonly article_id?: string;
  readonly title?: string;
  readonly content?: string;
  readonly confidence?: number;
}

const wordsByRecords = new WeakMap<CompanyProfile['records'], RecordWords>();

function recordWordsOf({ records }: Pick<CompanyProfile, 'records'>): RecordWords {
  const known = wordsByRecords.get(records) ?? new RecordWords(records);
  wordsByRecords.set(records, known);
  return known;
}

/** What the evidence of a turn is read with. */
interface EvidenceDeps {
  readonly tools: Pick<ToolDeps, 'clock' | 'time' | 'policy' | 'roster' | 'company' | 'texts'>;
  readonly statements: StatementReader;
}

/** The evidence of a turn as its state has it. */
export function evidenceOf(
  { tools: { clock, time, policy, roster, company, texts }, statements }: EvidenceDeps,
  { trace, session, messages }: Pick<HubStateType, 'trace' | 'messages'> & { readonly session: Session },
): TurnEvidence {
  const asked = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
  return new TurnEvidence({
    trace,
    session,
    asked,
    now: clock.now(),
    time,
    policy,
    company,
    roster,
    statements,
    ending: texts.for(session.language).say('answer_cut'),
  });
}
