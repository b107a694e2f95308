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
  const { ticketDesk, graph } = deps;
  return {
    async setTags(ticketId, tags) {
      await known(deps, ticketId);
      const named = [...new Set(tags.map((tag) => cleanText(tag).toLowerCase()))].filter((tag) => tag !== '');
      if (named.length > TAGS || named.some((tag) => tag.length > TAG_CHARS)) {
        const message = `A ticket has at most ${TAGS} tags of at most ${TAG_CHARS} characters.`;
        throw new HubError('input_invalid', message, { field: 'tags' });
      }
      await ticketDesk.setTags(ticketId, named);
    },
    async snooze(ticketId, operator, until) {
      await unresolved(deps, ticketId);
      await mustHold(deps, ticketId, operator);
      const at = until === null ? null : new Date(until);
      if (at !== null && !(at > graph.tools.clock.now()))
        throw new HubError('input_invalid', 'The time must be to come.', { field: 'until' });
      await ticketDesk.snooze(ticketId, at?.toISOString() ?? null);
    },
  };
}
