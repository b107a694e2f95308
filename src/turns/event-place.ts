import { HubError } from '../core/errors.js';

/** Where an event stands on a conversation: after which stored event, and as which of the live ones that follow it. */
export interface Place {
  readonly stored: number;
  readonly live: number;
}

const FORM = /^(\d{1,15})\.(\d{1,9})$/;

/** The id a client is given: `<stored>.<live>`. */
export function formatPlace({ stored, live }: Place): string {
  return `${stored}.${live}`;
}

/** @throws HubError `input_invalid` where it is no id that `formatPlace` makes */
export function parsePlace(id: string): Place {
  const [, stored, live] = FORM.exec(id.trim()) ?? [];
  if (stored === undefined || live === undefined) {
    throw new HubError('input_invalid', 'The id of the last event is none that was given out.', {
      field: 'after',
    });
  }
  return { stored: Number(stored), live: Number(live) };
}

/** True where `a` comes after `b`. */
export function isAfter(a: Place, b: Place): boolean {
  return a.stored === b.stored ? a.live > b.live : a.stored > b.stored;
}
