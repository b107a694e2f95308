import type { DeskEvents } from '../core/desk-reads.js';
import { HubError } from '../core/errors.js';
import type { EventBus } from '../turns/event-bus.js';

/** The bus as operators see it. */
export function createDeskEvents(bus: EventBus): DeskEvents {
  return {
    async follow({ after, onEvent, signal }) {
      if (after !== undefined && !/^\d{1,15}$/.test(after)) {
        throw new HubError('input_invalid', 'The id of the last event is none that was given out.', {
          field: 'after',
        });
      }
      await bus.followDesk(after === undefined ? undefined : Number(after), onEvent, signal);
    },
  };
}
