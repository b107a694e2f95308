import type { DeskKeeping } from '../core/app.js';
import { cleanText } from '../core/clean-text.js';
import { HubError } from '../core/errors.js';
import type { TicketDeskStore } from '../core/ports/index.js';
import { known, mustHold, type PeopleDeps, unresolved } from './people.js';

/** What is kept of tickets for the desk alone needs. */
export interface KeepingDeps extends PeopleDeps {
  readonly ticketDesk: TicketDeskStore;
}

const TAGS = 10;
const TAG_CHARS = 40;

/** See DeskKeeping. */
export function deskKeeping(deps: KeepingDeps): DeskKeeping {
  const { ticketDesk } = deps;
  return {
    async setTags(ticketId, tags) {
      await known(deps, ticketId);
      await ticketDesk.setTags(ticketId, checkedTags(tags));
    },
    async snooze(ticketId, operator, until) {
      await unresolved(deps, ticketId);
      await mustHold(deps, ticketId, operator);
      await ticketDesk.snooze(ticketId, until === null ? null : checkedTime(deps, until));
    },
  };
}

/** Tags as they are kept. @throws HubError `input_invalid` */
export function checkedTags(tags: readonly string[]): readonly string[] {
  const named = [...new Set(tags.map((tag) => cleanText(tag).toLowerCase()))].filter((tag) => tag !== '');
  if (named.length <= TAGS && named.every((tag) => tag.length <= TAG_CHARS)) return named;
  const message = `A ticket has at most ${TAGS} tags of at most ${TAG_CHARS} characters.`;
  throw new HubError('input_invalid', message, { field: 'tags' });
}

/** A time to come, ISO 8601 UTC. @throws HubError `input_invalid` */
export function checkedTime({ graph }: Pick<PeopleDeps, 'graph'>, until: string): string {
  const at = new Date(until);
  if (at > graph.tools.clock.now()) return at.toISOString();
  throw new HubError('input_invalid', 'The time must be to come.', { field: 'until' });
}
