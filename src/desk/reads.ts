import { deskSentenceIn } from '../core/desk-notes.js';
import type {
  CustomerFlag,
  CustomerRecord,
  DeskEntry,
  DeskListQuery,
  DeskReads,
  DeskTicket,
  ServiceClock,
} from '../core/desk-reads.js';
import { teamFor } from '../core/domain/company.js';
import type { RecordSection } from '../core/domain/entity.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { SkillWords } from '../core/domain/skill.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import type { Sentences } from '../core/i18n/index.js';
import type { DeskQueries, DeskTicketRow, PendingStore, ThreadStore } from '../core/ports/index.js';
import { localDay, localDays } from '../core/wall-clock.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { askedOf } from '../runtime/asked-at.js';
import { whileAway } from './away.js';
import { report } from './report.js';
import { suggest } from './suggest.js';

/**
 * What deciding an approval means, in plain sentences: first what a yes does, as the action itself says it (the money it
 * moves, what stands against it now), then what a no does. Read from the data as they are at this moment.
 */
async function consequencesOf(
  { tools }: GraphDeps,
  pending: PendingAction,
  customerName: string | null,
  language: Language,
): Promise<readonly string[]> {
  const texts = tools.texts.for(language);
  const { tool: name, args, customerId } = pending;
  const customer = customerName ?? customerId;
  const action = tools.roster.findAction(name);
  const input = action?.input.safeParse(args);
  const label = action?.label?.[language] ?? (texts.sayOf('tool', name) || name);
  const effects =
    action && input?.success
      ? await action.consequences(tools, input.data, { customerId, customer, language, ...askedOf(pending) })
      : [texts.say('runs', { tool: label, customer })];
  const when = tools.time.dateTime(pending.expiresAt, language);
  return [...effects, texts.say('tells_customer'), texts.say('on_reject'), texts.say('on_expiry', { when })];
}

type Words = SkillWords[string];
interface DeskReadsDeps {
  readonly graph: GraphDeps;
  readonly desk: DeskQueries;
  readonly pending: PendingStore;
  readonly threads: Pick<ThreadStore, 'get'>;
}

/** Customers whose tickets a search for a name shows. */
const MATCHING_CUSTOMERS = 200;
/** Messages of a conversation that are shown where nobody says how many. */
const MESSAGES = 1_000;
const RESOLUTIONS = 50;
const TICKETS = 100;
const EVENTS = 300;

/** In how many of the last days tickets were opened, the shortest first. */
const PERIODS = [1, 7, 30, 90] as const;

/** What operators look up. Works in any process on the same data; nothing here writes. */
export function createDeskReads(deps: DeskReadsDeps): DeskReads {
  const { graph, desk, pending } = deps;
  const { customers } = graph.tools;
  return {
    entries: async (query) => toEntries(deps, await desk.tickets(await toQuery(deps, query))),
    total: async (query) => desk.total(await toQuery(deps, query)),
    async facets(query) {
      const days = localDays(graph.tools.clock.now(), Math.max(...PERIODS), graph.tools.time.timeZone);
      const since = PERIODS.map((period) => days.at(-period)?.from ?? '');
      const { opened, ...facets } = await desk.facets(await toQuery(deps, query), since);
      return { ...facets, opened: PERIODS.map((period, at) => ({ days: period, count: opened[at] ?? 0 })) };
    },
    counts: (operatorId, operatorName) => desk.counts(operatorId, operatorName),
    ticket: (ticketId, language, count = MESSAGES) => ticket(deps, ticketId, language, count),
    clock: async (ticketId) => clockOf(graph, await rowOf(deps, ticketId)),
    approvalDetails: async (language) => detailsOf(deps, await pending.listOpenApprovals(), language),
    why: (by, language) => why(by, graph.tools.texts.for(language)),
    worded: (text, language, words) => worded(graph.tools, text, language, words?.[language]),
    findCustomers: (text, limit) => customers.search(text, limit),
    flags: async (id, language) => flagsOf(deps, id, await sectionsOf(deps, id, language)),
    customer: (customerId, language) => customer(deps, customerId, language),
    async timeline(customerId) {
      if (!(await customers.get(customerId)))
        throw new HubError('not_found', `There is no customer ${customerId}.`);
      return desk.timeline(customerId, EVENTS);
    },
    async history({ from, to, person, limit }) {
      const { timeZone } = graph.tools.time;
      const span = { from: localDay(from, timeZone).from, to: localDay(to, timeZone).to };
      const activities = await desk.activities({ ...span, person, limit });
      const names = await customers.names(activities.flatMap(({ customerId }) => customerId ?? []));
      return activities.map((one) => ({ ...one, customerName: names.get(one.customerId ?? '') ?? null }));
    },
    suggest: (ticketId) => suggest(graph, ticketId),
    away: (operator, since) => whileAway(deps, operator, since),
    report: (days) => report(graph, desk, days),
  };
}

/** @throws HubError `input_invalid` where the company has no such team */
async function toQuery<Query extends Omit<DeskListQuery, 'limit'>>(
  { graph: { tools } }: DeskReadsDeps,
  { team, from, to, ...query }: Query,
) {
  const { text } = query;
  const named = text ? await tools.customers.search(text, MATCHING_CUSTOMERS) : [];
  const chosen = tools.company.teams.find(({ id }) => id === team);
  if (team !== undefined && !chosen)
    throw new HubError('input_invalid', 'There is no such team.', { field: 'team' });
  const { timeZone } = tools.time;
  return {
    ...query,
    customerIds: named.map(({ customerId }) => customerId),
    team: chosen,
    from: from === undefined ? undefined : localDay(from, timeZone).from,
    to: to === undefined ? undefined : localDay(to, timeZone).to,
  };
}

async function rowOf({ desk }: DeskReadsDeps, ticketId: string): Promise<DeskTicketRow> {
  const row = await desk.ticket(ticketId);
  if (!row) throw new HubError('not_found', `There is no ticket ${ticketId}.`);
  return row;
}

async function ticket(
  deps: DeskReadsDeps,
  ticketId: string,
  language: Language,
  count: number,
): Promise<DeskTicket> {
  const row = await rowOf(deps, ticketId);
  const { threadId, customerId } = row.ticket;
  const [[entry], thread, messages, open, sections] = await Promise.all([
    toEntries(deps, [row]),
    deps.threads.get(threadId),
    deps.graph.tickets.listThreadMessages(threadId, count + 1),
    deps.pending.listOpenApprovals(threadId),
    customerId === null ? [] : sectionsOf(deps, customerId, language),
  ]);
  if (!entry) throw new HubError('not_found', `There is no ticket ${ticketId}.`);
  return {
    ...entry,
    customerFlags: customerId === null ? [] : await flagsOf(deps, customerId, sections),
    recordNames: namesOf(deps, entry, sections, language),
    messages: messages.slice(-count),
    hasEarlier: messages.length > count,
    readBy: thread?.readBy ?? { customer: null, operator: null },
    customerTimeZone: thread?.timeZone ?? null,
    approvalsOpen: await detailsOf(deps, open, language),
  };
}

/** A block, a plan that does not run, and what went wrong with the money: said once a status, however often it is so. */
async function flagsOf(
  { graph: { tools } }: DeskReadsDeps,
  customerId: string,
  sections: readonly RecordSection[],
): Promise<readonly CustomerFlag[]> {
  const user = await tools.customers.get(customerId);
  const flags = sections.flatMap(({ label, kind, rows }) =>
    rows.flatMap(({ status }): CustomerFlag[] =>
      status?.tone === 'bad' || (kind === 'facts' && status?.tone === 'warn')
        ? [{ kind: 'record', label: `${label}: ${status.label}`, tone: status.tone }]
        : [],
    ),
  );
  const once = [...new Map(flags.map((flag) => [flag.label, flag])).values()];
  return user?.isBlocked ? [{ kind: 'blocked', label: '', tone: 'bad' }, ...once] : once;
}

function sectionsOf(
  { graph: { tools } }: DeskReadsDeps,
  customerId: string,
  language: Language,
): Promise<readonly RecordSection[]> {
  return tools.records.sections(customerId, tools.texts.for(language));
}

/** What people call the customer and the records, by id: nobody reads an id where the title and the time are known. */
function namesOf(
  { graph: { tools } }: Pick<DeskReadsDeps, 'graph'>,
  who: { readonly ticket: { readonly customerId: string | null }; readonly customerName: string | null },
  sections: readonly RecordSection[],
  language: Language,
): Readonly<Record<string, string>> {
  const { ticket, customerName } = who;
  const customer =
    ticket.customerId === null || customerName === null ? {} : { [ticket.customerId]: customerName };
  const records = Object.fromEntries(
    sections.flatMap(({ rows }) =>
      rows.map(({ id, title, facts }) => {
        const time = facts.find(({ type }) => type === 'time');
        return [id, time ? `${title}, ${tools.time.dateTime(String(time.value), language)}` : title];
      }),
    ),
  );
  return { ...records, ...customer };
}

async function toEntries(
  { graph }: DeskReadsDeps,
  rows: readonly DeskTicketRow[],
): Promise<readonly DeskEntry[]> {
  const names = await graph.tools.customers.names(rows.flatMap((row) => row.ticket.customerId ?? []));
  return rows.map((row) => {
    const { waitingSince: _waitingSince, ...entry } = row;
    return {
      ...entry,
      team: row.team ?? teamFor(graph.tools.company, row.classification?.issueType)?.id ?? null,
      customerName: names.get(row.ticket.customerId ?? '') ?? null,
      clock: clockOf(graph, row),
    };
  });
}

function clockOf({ tools, hours }: GraphDeps, row: DeskTicketRow): ServiceClock | null {
  if (row.waitingSince === null) return null;
  const now = tools.clock.now();
  const since = new Date(row.waitingSince);
  const targetMinutes = tools.policy.support.first_reply_minutes[row.classification?.priority ?? 'medium'];
  const waitedMinutes = hours.businessMinutesBetween(since, now);
  const running = hours.isOpen(now);
  return {
    waitedMinutes,
    targetMinutes,
    dueAt: hours.addBusinessMinutes(since, targetMinutes).toISOString(),
    running,
    resumesAt: running ? null : hours.nextOpening(now).toISOString(),
    breached: waitedMinutes > targetMinutes,
  };
}

async function detailsOf(
  deps: DeskReadsDeps,
  open: readonly PendingAction[],
  language: Language,
): Promise<DeskTicket['approvalsOpen']> {
  const { graph } = deps;
  const names = await graph.tools.customers.names(open.map(({ customerId }) => customerId));
  return Promise.all(
    open.map(async (pending) => {
      const customerName = names.get(pending.customerId) ?? null;
      return {
        pending,
        customerName,
        consequences: await consequencesOf(graph, pending, customerName, language),
        recordNames: namesOf(
          deps,
          { ticket: pending, customerName },
          await sectionsOf(deps, pending.customerId, language),
          language,
        ),
      };
    }),
  );
}

async function customer(
  { graph: { tools }, desk }: DeskReadsDeps,
  customerId: string,
  language: Language,
): Promise<CustomerRecord> {
  const user = await tools.customers.get(customerId);
  if (!user) throw new HubError('not_found', `There is no customer ${customerId}.`);
  const [sections, memory, tickets] = await Promise.all([
    tools.records.sections(customerId, tools.texts.for(language)),
    tools.memory.recall(customerId, RESOLUTIONS),
    desk.ofCustomer(customerId, TICKETS),
  ]);
  return { user, sections, memory, tickets };
}

/** One sentence may quote another one; an escalation keeps an option with its letter, and what the company may do. */
function worded(tools: GraphDeps['tools'], text: string, language: Language, words: Words = {}): string {
  const own = tools.company.issueTypes.find(({ option }) => Object.values(option ?? {}).includes(text));
  const letter = /^[A-Z]: /.exec(text)?.[0] ?? '';
  const said = deskSentenceIn(text.slice(letter.length));
  if (own !== undefined || said === null) return own?.option?.[language] ?? words[text] ?? text;
  const b = worded(tools, said.b, language, words);
  return letter + tools.texts.for(language).say('desk_says', { ...said, a: words[said.a] ?? said.a, b });
}

/** `rule:R2:customer_request` names the rule and what for; a model gives its reason. */
function why(by: string, texts: Sentences): string {
  const [kind, rule = ''] = by.split(':');
  if (kind === 'model') return texts.say('by_model', { reason: by.slice('model:'.length).trim() });
  const known = texts.sayOf('rule', rule);
  return kind === 'rule' && known !== '' ? texts.say('by_rule', { why: known }) : by;
}
