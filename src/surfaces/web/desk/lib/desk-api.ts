import type { Api, UploadOptions } from '../../shared/api.js';
import type {
  Approval,
  ArticleDraft,
  ArticleEntry,
  ArticleInput,
  ArticleVersion,
  ArticleVersions,
  AttachedFile,
  Away,
  BulkResult,
  Customer,
  CustomerRecord,
  Deed,
  FilledMacro,
  Investigation,
  KnowledgeGap,
  MacroInput,
  OfferedAction,
  Presence,
  Report,
  SavedView,
  Skill,
  Suggestion,
  Ticket,
  TicketCounts,
  TicketEntry,
  TicketFacets,
  TicketView,
  TimelineEvent,
} from '../../shared/api-types.js';
import type { Language } from '../../shared/i18n.js';
import { companyCalls } from './company-calls.js';
import type { News } from './live.js';

/** What narrows the queue; empty text means all. */
export interface QueueFilter {
  readonly view: keyof TicketCounts | 'all';
  readonly q: string;
  readonly priority: string;
  readonly issueType: string;
  readonly tag: string;
  readonly team: string;
  readonly sort: string;
  readonly status: string;
  readonly channel: string;
  readonly operator: string;
  readonly language: string;
  /** Days of the company's, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** `true` counts what the list can be narrowed by. */
  readonly facets: string;
}

export type Decision =
  | { readonly decision: 'approve' }
  | { readonly decision: 'reject'; readonly reason: string }
  | { readonly decision: 'edit'; readonly args: Readonly<Record<string, unknown>>; readonly reason?: string };

/** What is done to many tickets at once. */
export type BulkAction =
  | { readonly kind: 'assign'; readonly operator_id: string }
  | { readonly kind: 'tag'; readonly tags: readonly string[] }
  | { readonly kind: 'resolve'; readonly text: string }
  | { readonly kind: 'snooze'; readonly until: string };

export interface Queue {
  readonly tickets: readonly TicketEntry[];
  readonly counts: TicketCounts;
  readonly facets: TicketFacets | null;
}

/** What is said to a customer, with the ids of its files. */
export interface ReplyInput {
  readonly text: string;
  readonly files: readonly string[];
}

/** Tickets that one answer holds at most. */
const LIMIT = 500;

const desk = (...parts: readonly string[]): string => `/api/desk/${parts.map(encodeURIComponent).join('/')}`;

function query(values: Readonly<Record<string, string | number>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== '');
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}

type Page = Queue & { readonly order: readonly string[] | null };

function firstOf([first]: readonly Page[]): Page {
  if (first === undefined) throw new Error('A list of no rows was asked for.');
  return first;
}

/** Between two requests a ticket may have moved from one page to the next: the later word about it counts. */
function joined(known: readonly TicketEntry[], pages: readonly Page[]): ReadonlyMap<string, TicketEntry> {
  const all = [...known, ...pages.flatMap(({ tickets }) => tickets)];
  return new Map(all.map((entry) => [entry.ticket_id, entry]));
}

/** The operators' calls. All throw ApiError. A `key` makes a repeated write the same write. */
export function createDeskApi(api: Api) {
  const act = <T>(ticketId: string, action: string, body: unknown, key: string): Promise<T> =>
    api.post<T>(desk('tickets', ticketId, action), body, { idempotencyKey: key });
  return {
    ...companyCalls(api),
    /**
     * @param count how many rows, read in as many requests as that takes
     * @param news what was read before, and whose rows changed since (none where more rows are wanted): the others are not sent
     *   again
     */
    async queue(
      { issueType, facets, ...filter }: QueueFilter,
      count: number,
      news: News<Queue> | null = null,
    ): Promise<Queue> {
      const read = (from: number, more: Readonly<Record<string, string>> = {}): Promise<readonly Page[]> =>
        Promise.all(
          Array.from({ length: Math.ceil((count - from) / LIMIT) }, (_, page) => {
            const offset = from + page * LIMIT;
            const counted = page === 0 ? facets : '';
            const ask = { ...filter, issue_type: issueType, facets: counted, ...more };
            return api.get<Page>(
              `${desk('tickets')}${query({ ...ask, limit: Math.min(LIMIT, count - offset), offset })}`,
            );
          }),
        );
      const known = news?.before.tickets ?? [];
      const grown = news !== null && news.changed.length === 0;
      if (news !== null && !grown) {
        const pages = await read(0, { rows: news.changed.join() });
        const order = pages.flatMap((page) => page.order ?? []);
        const tickets = joined(known, pages);
        const ordered = order.flatMap((id) => tickets.get(id) ?? []);
        // A row that came into the list without a word about its ticket, as one that was snoozed does.
        if (ordered.length === order.length) return { ...firstOf(pages), tickets: ordered };
      }
      const pages = await read(grown ? known.length : 0);
      return { ...firstOf(pages), tickets: [...joined(grown ? known : [], pages).values()] };
    },
    /** The tickets behind a figure, and how many there are. @param behind filters of the list @param count how many rows */
    behind: (
      behind: Readonly<Record<string, string>>,
      count: number,
    ): Promise<Queue & { readonly total: number | null }> =>
      api.get(`${desk('tickets')}${query({ ...behind, count: 'true', limit: Math.min(count, LIMIT) })}`),
    /** A ticket as a list shows it; null where it is not in that list. */
    async entry(ticketId: string, view: 'mine' | 'all'): Promise<TicketEntry | null> {
      const found = await api.get<Queue>(`${desk('tickets')}${query({ view, q: ticketId, limit: 1 })}`);
      return found.tickets[0] ?? null;
    },
    /** The few tickets that words or a number most likely mean. */
    find: async (q: string): Promise<readonly TicketEntry[]> =>
      (await api.get<Queue>(`${desk('tickets')}${query({ view: 'all', q, limit: 6 })}`)).tickets,
    /** @param messages how many of the newest */
    ticket: (ticketId: string, language: Language, messages: number): Promise<TicketView> =>
      api.get(`${desk('tickets', ticketId)}${query({ language, messages })}`),
    /** @param takeOver why it is taken from a colleague; '' takes only what nobody has */
    claim: (ticketId: string, takeOver: string, key: string) =>
      act<{ ticket: Ticket }>(ticketId, 'claim', takeOver === '' ? {} : { take_over: takeOver }, key),
    reassign: (ticketId: string, input: { operator_id: string; note: string }, key: string) =>
      act<{ ticket: Ticket }>(ticketId, 'reassign', input, key),
    tag: (ticketId: string, tags: readonly string[], key: string) => act(ticketId, 'tags', { tags }, key),
    snooze: (ticketId: string, until: string | null, key: string) => act(ticketId, 'snooze', { until }, key),
    team: (ticketId: string, team: string | null, key: string) => act(ticketId, 'team', { team }, key),
    merge: (ticketId: string, into: string, key: string) => act(ticketId, 'merge', { into }, key),
    macrosFor: (ticketId: string): Promise<{ macros: readonly FilledMacro[] }> =>
      api.get(desk('tickets', ticketId, 'macros')),
    useMacro: (
      ticketId: string,
      input: { macro_id: string; text: string; files: readonly string[] },
      key: string,
    ) => act(ticketId, 'macro', input, key),
    /** @param id null makes a new one */
    saveMacro: (id: string | null, input: MacroInput, key: string): Promise<unknown> =>
      id === null
        ? api.post(desk('macros'), input, { idempotencyKey: key })
        : api.put(desk('macros', id), input, { idempotencyKey: key }),
    deleteMacro: (id: string, key: string): Promise<void> =>
      api.delete(desk('macros', id), { idempotencyKey: key }),
    views: (): Promise<{ views: readonly SavedView[] }> => api.get(desk('views')),
    saveView: (view: SavedView, key: string): Promise<unknown> =>
      api.post(desk('views'), view, { idempotencyKey: key }),
    forgetView: (name: string, key: string): Promise<void> =>
      api.delete(`${desk('views')}${query({ name })}`, { idempotencyKey: key }),
    bulk: (
      ids: readonly string[],
      action: BulkAction,
      key: string,
    ): Promise<{ results: readonly BulkResult[] }> =>
      api.post(desk('bulk'), { ticket_ids: ids, action }, { idempotencyKey: key }),
    timeline: (customerId: string): Promise<{ events: readonly TimelineEvent[] }> =>
      api.get(desk('customers', customerId, 'timeline')),
    gaps: (): Promise<{ gaps: readonly KnowledgeGap[] }> => api.get(desk('knowledge-gaps')),
    draftGap: (ticketId: string, key: string): Promise<{ article_id: string }> =>
      api.post(desk('knowledge-gaps', ticketId, 'draft'), {}, { idempotencyKey: key }),
    dismissGap: (ticketId: string, key: string): Promise<unknown> =>
      api.post(desk('knowledge-gaps', ticketId, 'dismiss'), {}, { idempotencyKey: key }),
    actions: (ticketId: string, language: Language): Promise<{ actions: readonly OfferedAction[] }> =>
      api.get(`${desk('tickets', ticketId, 'actions')}${query({ language })}`),
    act: (
      ticketId: string,
      wish: {
        readonly tool: string;
        readonly args: Readonly<Record<string, unknown>>;
        readonly language: Language;
        readonly perform: boolean;
      },
      key: string,
    ) =>
      act<{ consequences: readonly string[]; approval: { readonly reply: string | null } | null }>(
        ticketId,
        'actions',
        wish,
        key,
      ),
    attend: (
      ticketId: string | null,
      typing: boolean,
    ): Promise<{ operators: readonly Presence[]; away_since: string | null }> =>
      api.post(desk('presence'), { ticket_id: ticketId, typing }),
    setShiftEnd: (
      ticketId: string | null,
      time: string | null,
    ): Promise<{ operators: readonly Presence[] }> =>
      api.post(desk('presence'), { ticket_id: ticketId, shift_ends: time }),
    away: (since: string): Promise<Away> => api.get(`${desk('away')}${query({ since })}`),
    endShift: (key: string): Promise<{ returned: number }> =>
      api.post(desk('shift', 'end'), {}, { idempotencyKey: key }),
    attach: (ticketId: string, file: File, options: UploadOptions): Promise<AttachedFile> =>
      api.upload(desk('tickets', ticketId, 'files'), file, options),
    file: async (ticketId: string, fileId: string): Promise<Blob> =>
      (await api.open(desk('tickets', ticketId, 'files', fileId))).blob(),
    read: (ticketId: string, messageId: string): Promise<unknown> =>
      api.post(desk('tickets', ticketId, 'read'), { message_id: messageId }),
    release: (ticketId: string, key: string) => act<{ ticket: Ticket }>(ticketId, 'release', {}, key),
    reply: (ticketId: string, said: ReplyInput, key: string) => act(ticketId, 'reply', said, key),
    note: (ticketId: string, text: string, key: string) => act(ticketId, 'note', { text }, key),
    resolve: (ticketId: string, input: Partial<ReplyInput> & { summary?: string }, key: string) =>
      act(ticketId, 'resolve', input, key),
    returnToHub: (ticketId: string, note: string, key: string) =>
      act(ticketId, 'return', note === '' ? {} : { note }, key),
    choose: (ticketId: string, choice: string, key: string) =>
      act<{ investigation: Investigation; reply: string | null }>(ticketId, 'choose', { choice }, key),
    inStudio: (ticketId: string, key: string): Promise<{ url: string }> => act(ticketId, 'studio', {}, key),
    suggestion: (ticketId: string): Promise<Suggestion> => api.get(desk('tickets', ticketId, 'suggestion')),
    approvals: (
      language: Language,
    ): Promise<{ approvals: readonly Approval[]; withdrawn: readonly Approval[] }> =>
      api.get(`${desk('approvals')}${query({ language })}`),
    decide: (
      id: string,
      decision: Decision,
      key: string,
    ): Promise<{ approval: { id: string; status: string; reply: string | null } }> =>
      api.post(desk('approvals', id), decision, { idempotencyKey: key }),
    customers: (q: string): Promise<{ customers: readonly Customer[] }> =>
      api.get(`${desk('customers')}${query({ q })}`),
    customer: (customerId: string, language: Language): Promise<CustomerRecord> =>
      api.get(`${desk('customers', customerId)}${query({ language })}`),
    articles: (q: string): Promise<{ articles: readonly ArticleEntry[] }> =>
      api.get(`${desk('knowledge')}${query({ q })}`),
    article: (articleId: string): Promise<ArticleVersions> => api.get(desk('knowledge', articleId)),
    articleVersions: (articleId: string): Promise<{ versions: readonly ArticleVersion[] }> =>
      api.get(desk('knowledge', articleId, 'versions')),
    restoreArticle: (articleId: string, version: number, key: string): Promise<ArticleDraft> =>
      api.post(
        desk('knowledge', articleId, 'versions', String(version), 'restore'),
        {},
        { idempotencyKey: key },
      ),
    createArticle: (text: ArticleInput, key: string): Promise<{ article_id: string }> =>
      api.post(desk('knowledge'), text, { idempotencyKey: key }),
    saveArticle: (articleId: string, text: ArticleInput, key: string): Promise<unknown> =>
      api.put(desk('knowledge', articleId), text, { idempotencyKey: key }),
    publishArticle: (articleId: string, key: string): Promise<{ indexed: boolean; reason?: string | null }> =>
      api.post(desk('knowledge', articleId, 'publish'), {}, { idempotencyKey: key }),
    discardArticle: (articleId: string): Promise<void> => api.delete(desk('knowledge', articleId, 'draft')),
    unpublishArticle: (articleId: string, key: string): Promise<unknown> =>
      api.post(desk('knowledge', articleId, 'unpublish'), {}, { idempotencyKey: key }),
    skills: (): Promise<{ skills: readonly Skill[] } | readonly Skill[]> => api.get(desk('skills')),
    history: (
      filter: { readonly from: string; readonly to: string; readonly operator: string },
      limit: number,
    ): Promise<{ deeds: readonly Deed[] }> => api.get(`${desk('history')}${query({ ...filter, limit })}`),
    report: (days: number): Promise<Report> => api.get(`${desk('reports')}${query({ days })}`),
  };
}

export type DeskApi = ReturnType<typeof createDeskApi>;
