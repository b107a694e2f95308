import { HubError } from '../../core/errors.js';
import type { A2aListed, A2aListPlace } from '../../core/ports/a2a-tasks.js';
import type { TaskFilter, TaskPage } from './tasks.js';
import { toTask } from './tasks-document.js';

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
const TOKEN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,15})$/;

/** What part of a list is asked for. @throws HubError `input_invalid` */
export function readPage({ pageSize = PAGE_SIZE, pageToken, changedAfter }: TaskFilter) {
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
    throw invalid('pageSize', `pageSize is a whole number from 1 to ${MAX_PAGE_SIZE}.`);
  return {
    limit: pageSize,
    after: pageToken ? readToken(pageToken) : undefined,
    changedAfter: changedAfter === undefined ? undefined : readTime(changedAfter),
  };
}

/** A page as the caller sees it. */
export function pageOf({ tasks, next, total }: A2aListed): TaskPage {
  const token = next && Buffer.from(`${next.changedAt} ${next.seq}`).toString('base64url');
  return { tasks: tasks.map(toTask), nextPageToken: token ?? '', total };
}

function readToken(token: string): A2aListPlace {
  const [, changedAt, seq] = TOKEN.exec(Buffer.from(token, 'base64url').toString('latin1')) ?? [];
  if (changedAt === undefined) throw invalid('pageToken', 'The page token is none that was given out.');
  return { changedAt, seq: Number(seq) };
}

function readTime(time: string): string {
  const at = TIME.test(time) ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(at))
    throw invalid('statusTimestampAfter', 'The timestamp is not ISO 8601 with a time zone.');
  return new Date(at).toISOString();
}

function invalid(field: string, message: string): HubError {
  return new HubError('input_invalid', message, { field, errors: [{ field, message }] });
}
