import { deskNotes } from '../core/desk-notes.js';
import type { ArticleDesk, BulkAction, DeskViews, DeskWork } from '../core/desk-work.js';
import type { Operator } from '../core/domain/customer.js';
import { firstMatter, requestNumber, type Ticket } from '../core/domain/ticket.js';
import { HubError, toHubError } from '../core/errors.js';
import type { DeskQueries, ViewStore } from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import { type ClaimDeps, reassign } from './claims.js';
import { checkedTags, checkedTime, deskMacros, type MacroDeps, putAside } from './macros.js';
import { claimFree, known, ticketActions, unresolved, withHubStopped } from './ticket-actions.js';

export interface WorkDeps extends ClaimDeps, MacroDeps {
  readonly desk: DeskQueries;
  readonly views: ViewStore;
  readonly articles: Pick<ArticleDesk, 'create'>;
}

const BULK = 100;
const GAP_DAYS = 30;
const DAY_MS = 86_400_000;
const TITLE_CHARS = 200;

/** See DeskWork. */
export function deskWork(deps: WorkDeps): DeskWork {
  const { ticketDesk, graph, desk } = deps;
  const people = ticketActions(deps);
  const since = (): string => new Date(graph.tools.clock.now().getTime() - GAP_DAYS * DAY_MS).toISOString();
  const setTeam = async (ticketId: string, team: string | null): Promise<void> => {
    await known(deps, ticketId);
    await ticketDesk.setTeam(ticketId, knownTeam(deps, team));
  };
  const gap = async (ticketId: string) => {
    const found = (await desk.gaps(since())).find((one) => one.ticketId === ticketId);
    if (!found) throw new HubError('not_found', 'There is no such question.', { ticketId });
    return found;
  };
  return {
    ...deskMacros(deps, people),
    ...deskViews(deps),
    setTeam,
    async bulk(ticketIds, operator, action) {
      const all = [...new Set(ticketIds)];
      if (all.length === 0 || all.length > BULK) {
        const message = `Choose 1 to ${BULK} tickets.`;
        throw new HubError('input_invalid', message, { field: 'ticket_ids' });
      }
      const work = await prepared(deps, people, operator, action);
      const results = [];
      for (const ticketId of all) {
        const problem = await work(ticketId).then(
          () => null,
          (error: unknown) => {
            const { code, message } = toHubError(error);
            return { code, message };
          },
        );
        results.push({ ticketId, problem });
      }
      return results;
    },
    merge: (ticketId, into, operator) => merge(deps, ticketId, into, operator),
    gaps: () => desk.gaps(since()),
    async draftFromGap(ticketId, operator) {
      const { question, answer, language } = await gap(ticketId);
      const draft = await deps.articles.create(
        { title: question.slice(0, TITLE_CHARS), content: answer === '' ? question : answer, language },
        operator,
      );
      await ticketDesk.settleGap(ticketId, 'drafted');
      return draft;
    },
    async dismissGap(ticketId) {
      await gap(ticketId);
      await ticketDesk.settleGap(ticketId, 'dismissed');
    },
  };
}

/** @throws HubError `input_invalid` where the company has no team of that id */
function knownTeam({ graph }: Pick<WorkDeps, 'graph'>, team: string | null): string | null {
  if (team === null || graph.tools.company.teams.some(({ id }) => id === team)) return team;
  throw new HubError('input_invalid', 'There is no such team.', { field: 'team' });
}

/** Checks once what is the same for all. @returns what does it to one ticket */
async function prepared(
  deps: WorkDeps,
  people: ReturnType<typeof ticketActions>,
  operator: Operator,
  action: BulkAction,
): Promise<(ticketId: string) => Promise<unknown>> {
  const { ticketDesk } = deps;
  const held = async (ticketId: string): Promise<void> =>
    claimFree(deps, await unresolved(deps, ticketId), operator);
  switch (action.kind) {
    case 'assign': {
      const { operatorId } = action;
      if (operatorId === operator.operatorId) return (ticketId) => people.claim(ticketId, operator);
      if (!(await deps.presence.get(operatorId)))
        throw new HubError('input_invalid', 'There is no such operator.', { field: 'operator_id' });
      return async (ticketId) => {
        await held(ticketId);
        await reassign(deps, ticketId, operator, operatorId, undefined);
      };
    }
    case 'tag': {
      const tags = checkedTags(action.tags);
      return async (ticketId) => {
        await known(deps, ticketId);
        await ticketDesk.addTags(ticketId, tags);
      };
    }
    case 'team': {
      const team = knownTeam(deps, action.team);
      return async (ticketId) => {
        await known(deps, ticketId);
        await ticketDesk.setTeam(ticketId, team);
      };
    }
    case 'snooze': {
      const until = checkedTime(deps, action.until);
      return async (ticketId) => {
        await held(ticketId);
        await putAside(deps, ticketId, operator, until);
      };
    }
    case 'resolve': {
      const text = cleanText(action.text);
      return (ticketId) => people.resolve(ticketId, operator, text === '' ? {} : { text });
    }
  }
}

/** See `DeskWork.merge`. */
async function merge(deps: WorkDeps, ticketId: string, into: string, operator: Operator): Promise<void> {
  const { graph, ticketDesk, threads } = deps;
  const refuse = (message: string): never => {
    throw new HubError('input_invalid', message, { field: 'into' });
  };
  const [from, to] = [await unresolved(deps, ticketId), await unresolved(deps, into)];
  if (ticketId === into) refuse('A ticket is not merged into itself.');
  if (from.customerId === null || from.customerId !== to.customerId)
    refuse('Only tickets of the same customer are merged.');
  const open = await graph.tools.pending.listApprovalsOfTicket(ticketId);
  if (open.some(({ status }) => status === 'pending'))
    refuse('Decide the approval that is open on it first.');
  await claimFree(deps, from, operator);
  await claimFree(deps, to, operator);
  await withHubStopped(deps, from.threadId, async () => {
    await ticketDesk.merge(ticketId, into);
    if (from.threadId === to.threadId) await graph.tickets.merge(ticketId, into);
    else {
      await leadThere(deps, from, to, operator);
      await threads.release(from.threadId, operator, 'hub');
    }
  });
  const { summary = '' } = (await graph.tickets.getClassification(ticketId)) ?? {};
  await graph.tickets.addMessage(into, 'system', deskNotes.merged(operator.name, summary));
}

/** Two conversations stay two for their customer: the one that ends says where it continues. */
async function leadThere({ graph }: WorkDeps, from: Ticket, to: Ticket, operator: Operator): Promise<void> {
  const { ticketId } = from;
  const classification = await graph.tickets.getClassification(ticketId);
  const about = firstMatter((await graph.tickets.getClassification(to.ticketId))?.summary ?? '');
  const texts = graph.tools.texts.for(classification?.language ?? 'en');
  await graph.tickets.addMessage(
    ticketId,
    'hub',
    texts.say('merged', { number: requestNumber(to.ticketId), about: about === '' ? null : about }),
  );
  await graph.tickets.addMessage(ticketId, 'system', deskNotes.resolved(operator.name));
  await graph.tickets.setStatus(ticketId, 'resolved', 'operator');
}

/** Maximum number of an operator's saved views, and of characters in the name of one. */
const [MAX_VIEWS, MAX_VIEW_NAME] = [50, 40];

/** @see DeskViews */
function deskViews({ views }: { readonly views: ViewStore }): DeskViews {
  return {
    views: ({ operatorId }) => views.list(operatorId),
    async saveView({ operatorId }, { name: given, choice }) {
      const refuse = (field: string, message: string): never => {
        throw new HubError('input_invalid', message, { errors: [{ field, message }] });
      };
      const name = cleanText(given);
      if (name === '' || name.length > MAX_VIEW_NAME)
        refuse('name', `A view has a name of at most ${MAX_VIEW_NAME} characters.`);
      const before = await views.list(operatorId);
      if (before.length >= MAX_VIEWS && before.every((one) => one.name !== name))
        refuse('name', `There are ${MAX_VIEWS} views already: forget one first.`);
      await views.put(operatorId, { name, choice });
    },
    forgetView: ({ operatorId }, name) => views.delete(operatorId, name),
  };
}
