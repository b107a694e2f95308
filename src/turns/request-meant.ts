import type { PendingAction } from '../core/domain/pending.js';
import type { Choice } from '../core/domain/session.js';
import type { Sentences } from '../core/i18n/index.js';
import type { RequestAct } from '../core/ports/index.js';
import { askTakeBack } from '../graph/request-status.js';
import type { Matter } from '../runtime/define-tool.js';
import type { Turn } from './turn.js';

/** A request that operators decide, as its customer speaks of it. */
export interface OpenRequest extends Matter {
  readonly row: PendingAction;
}

/** As much of what the customer said as operators read with a withdrawal. */
const WORDS_CHARS = 500;

/** What is about no record is named by its own words. */
export function choiceOf({ row, name, about }: OpenRequest): readonly Choice[] {
  return about ? [] : [{ id: row.pendingId, title: name, startsAt: row.createdAt }];
}

/** True where an open confirmation cannot be what the customer turns down. */
export function isExplicit(
  { actions }: RequestAct,
  named: readonly string[] | null,
  { tool }: PendingAction,
): boolean {
  if (named !== null && named.length > 0) return true;
  return actions.length > 0 && !actions.some((kind) => tool.includes(kind));
}

/** Those that a message is about: of the kinds it names, and by their names where it says any. */
export function meantBy(
  { actions }: RequestAct,
  open: readonly OpenRequest[],
  named: readonly string[] | null,
): readonly OpenRequest[] {
  const fits = open.filter(({ kind }) => actions.length === 0 || actions.includes(kind));
  if (named === null) return fits;
  return fits.filter(({ row }) => named.includes(row.pendingId));
}

/** Asks whether this one is taken back, or which of several. */
export function whichOf(requests: readonly OpenRequest[], texts: Sentences): string {
  return askTakeBack(
    requests.map(({ name }) => name),
    texts,
  );
}

/** What operators read with a withdrawal. @param before what the customer had said before the hub asked back */
export function wordsOf({ text }: Turn, before = ''): string {
  return (before === '' ? text : `${before} … ${text}`).slice(0, WORDS_CHARS);
}
