import { z } from 'zod';
import { LANGUAGE_TAG } from '../../src/core/domain/language.js';
import { ESCALATION_REASONS, PRIORITIES, SENTIMENTS } from '../../src/core/domain/taxonomy.js';
import type { Clock } from '../../src/core/ports/system.js';
import type { LinkedCustomer } from '../company-database.js';
import type { Database, Work } from '../database.js';
import { readJsonl } from '../jsonl.js';
import { insertInto } from '../statements.js';
import { ratings, threads, ticketTurns } from './schema.js';
import { prepareWrites } from './ticket-statements.js';

/** One conversation as it might have been held; the history is made of their repetition. */
const storyLine = z.object({
  issue_type: z.string().min(1),
  priority: z.enum(PRIORITIES),
  sentiment: z.enum(SENTIMENTS),
  language: z.string().regex(LANGUAGE_TAG),
  agent: z.string().min(1),
  rule: z.string().regex(/^R\d+$/),
  reason: z.enum(ESCALATION_REASONS).optional(),
  article_id: z.string().optional(),
  title: z.string().optional(),
  asked: z.string().min(1),
  answer: z.string().min(1),
  /** What an operator answered; there where it was escalated. */
  reply: z.string().optional(),
  helpful: z.boolean().optional(),
  comment: z.string().optional(),
});
type Story = z.infer<typeof storyLine>;

/** Who worked the desk. Nobody signs in by these names. */
const OPERATORS = ['Marina Duarte', 'Rui Costa', 'Helena Prado'] as const;
const DAYS = 30;
/** How many tickets a day brings, from Sunday to Saturday. */
const A_DAY = [2, 6, 5, 5, 6, 7, 3] as const;
/** Customers that guides tell people to sign in as have no past, so that what they are answered is what is written there. */
const FIRST_CUSTOMER = 10;
/** Of the newest escalations this many are still open, so that the queue has work. */
const STILL_OPEN = 3;
/** Where some of the customers write from, whose clocks show another hour than the company's. */
const ELSEWHERE = 'America/Manaus';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Noon, in UTC, of most of the places where it is day in the Americas and in Europe. */
const OPENING_MS = 13 * 60 * MINUTE_MS;
const SHIFT_MS = 7 * 60 * MINUTE_MS;

interface SeedStory {
  readonly story: Story;
  /** Counts from the oldest. */
  readonly number: number;
  readonly at: number;
  readonly customer: LinkedCustomer | undefined;
  readonly isOpen: boolean;
}

/**
 * Thirty days of conversations before today, for a demo: the same ones each time.
 * @param file lines of stories; there need be none
 * @param customers whose conversations they were, in their order
 * @returns how many tickets there are now
 */
export function* seedHistory(
  database: Database,
  clock: Clock,
  file: URL | undefined,
  customers: readonly LinkedCustomer[],
): Work<number> {
  const stories = (file && readJsonl(file, storyLine)) ?? [];
  const planned = stories.length === 0 ? [] : plan(stories, clock, customers.slice(FIRST_CUSTOMER));
  const write = writerOf(database);
  yield* database.transaction(function* () {
    for (const one of planned) yield* write(one);
  });
  return planned.length;
}

function plan(
  stories: readonly Story[],
  clock: Clock,
  customers: readonly LinkedCustomer[],
): readonly SeedStory[] {
  const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS;
  const moments = Array.from({ length: DAYS }, (_, at) => today - (DAYS - at) * DAY_MS).flatMap((day) => {
    const count = A_DAY[new Date(day).getUTCDay()] ?? 0;
    return Array.from({ length: count }, (_, at) => day + OPENING_MS + Math.round((at * SHIFT_MS) / count));
  });
  // At the weekend nobody is at the desk.
  const alone = stories.filter(({ reply }) => reply === undefined);
  const storyOf = (at: number, number: number): Story => {
    const told = new Date(at).getUTCDay() % 6 === 0 && alone.length > 0 ? alone : stories;
    // A step that shares no factor with the number of stories: neighbouring days differ.
    return told[(number * 5 + Math.floor(number / 5)) % told.length] as Story;
  };
  const lined = moments.map((at, number) => ({
    at,
    number,
    story: storyOf(at, number),
    customer: customers.length === 0 ? undefined : customers[(number * 3) % customers.length],
  }));
  const open = new Set(
    lined
      .filter(({ story }) => story.reply !== undefined)
      .slice(-STILL_OPEN)
      .map(({ number }) => number),
  );
  return lined.map((one) => ({ ...one, isOpen: open.has(one.number) }));
}

function writerOf(database: Database): (told: SeedStory) => Work<void> {
  const { ticket, classification: triage, message, escalation } = prepareWrites(database);
  const thread = insertInto(database, threads);
  const turn = insertInto(database, ticketTurns, { omit: ['seq'] });
  const rating = insertInto(database, ratings);
  return function* ({ story, number, at, customer, isOpen }) {
    // Numbers that look like those of any day, and are others each.
    const tag = `${String((number * 7_919 + 104_729) % 1_000_000).padStart(6, '0')}history`;
    const [threadId, ticketId] = [`thr_${tag}`, `tkt_${tag}`];
    const customerId = customer?.customerId ?? null;
    const escalated = story.reply !== undefined;
    const answered = !isOpen && escalated;
    const operator = answered ? OPERATORS[number % OPERATORS.length] : undefined;
    const moment = (minutes: number): string => new Date(at + minutes * MINUTE_MS).toISOString();
    const wait = 8 + ((number * 13) % 70);
    const [asked, said] = [moment(0), moment(0.05)];
    const ended = isOpen ? said : moment(escalated ? wait + 5 : 3);
    const say = (role: 'customer' | 'hub' | 'operator', content: string, createdAt: string, rest = {}) =>
      message({
        messageId: `msg_${tag}${role}`,
        ...{ ticketId, role, content, createdAt, audience: 'customer', author: null, citations: [] },
        ...{ files: [], clientMessageId: null, ...rest },
      });
    yield* thread({
      ...{ threadId, customerId, graphThreadId: threadId, operatorId: null, operatorName: null, claim: 0 },
      ...{ unheardSince: null, scopes: null, agent: null, stops: 0, createdAt: asked, updatedAt: ended },
      timeZone: number % 4 === 0 ? ELSEWHERE : null,
      // What was answered weeks ago is no news to its customer.
      customerReadId: isOpen ? null : `msg_${tag}${operator === undefined ? 'hub' : 'operator'}`,
      customerReadAt: isOpen ? null : ended,
    });
    yield* ticket({
      ...{ ticketId, customerId, threadId, channel: number % 6 === 5 ? 'chat' : 'http' },
      status: isOpen ? 'waiting_operator' : 'resolved',
      owner: escalated ? 'operator' : 'hub',
      operatorId: operator === undefined ? null : operator.toLowerCase().replace(' ', '.'),
      operatorName: operator ?? null,
      claimedAt: operator === undefined ? null : moment(wait - 3),
      ...{ resolvedAt: isOpen ? null : ended, createdAt: asked, updatedAt: ended },
    });
    yield* triage({
      ...{ ticketId, issueType: story.issue_type, priority: story.priority, sentiment: story.sentiment },
      ...{ requiresHuman: escalated, summary: story.asked, language: story.language },
      ...{ confidence: 0.78 + (number % 20) / 100, route: story.agent, humanReason: story.reason ?? null },
      ...{ requests: [], updatedAt: asked },
    });
    const sources = { articleId: story.article_id ?? '', title: story.title ?? '', confidence: 0.82 };
    yield* say('customer', story.asked, asked);
    yield* say('hub', story.answer, said, { citations: story.article_id === undefined ? [] : [sources] });
    yield* turn({
      ...{ turnId: `trn_${tag}`, ticketId, provider: 'openai', messageId: `msg_${tag}hub`, createdAt: said },
      route: [{ to: story.agent, by: `rule:${story.rule}` }],
      toolCalls: [
        { agent: 'triage', tool: 'classify_ticket', args: { message: story.asked }, ok: true },
        ...(story.article_id === undefined
          ? []
          : [{ agent: 'knowledge', tool: 'search_knowledge', args: { query: story.asked }, ok: true }]),
      ],
      ...{ llmCalls: 2, promptTokens: 1_400 + (number % 9) * 60, completionTokens: 90 + (number % 7) * 15 },
      costUsd: 0.0012 + (number % 9) * 0.0002,
      totalMs: 900 + ((number * 137) % 2_100),
    });
    if (escalated) {
      yield* escalation({
        ...{ escalationId: `esc_${tag}`, ticketId, reason: story.reason ?? 'requires_human' },
        ...{ summary: story.asked, found: [], tried: [], options: [], createdAt: said },
        ...{ status: isOpen ? 'open' : 'resolved', resolvedAt: isOpen ? null : ended },
      });
      if (operator !== undefined)
        yield* say('operator', story.reply ?? '', moment(wait), { author: operator });
    }
    if (story.helpful !== undefined && !isOpen && number % 2 === 0)
      yield* rating({
        ...{ threadId, ticketId, customerId, about: operator === undefined ? 'answer' : 'resolution' },
        ...{ helpful: story.helpful, comment: story.comment ?? null, createdAt: ended },
      });
  };
}
