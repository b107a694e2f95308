import type { Task } from '../core/domain/session.js';
import { unlessUnreachable } from '../core/signals.js';
import { fold } from '../core/text.js';
import { mayList, offersLists } from './dialogue-lists.js';
import type { HeardMessage } from './heard-message.js';

/** Shorter names are words of their own. */
const SHORTEST = 4;

/**
 * The list of what is on at a venue that a message names, where the rest of it asks for no more: "what's on at the Old Mill?", and "and at
 * the Old Mill?" after such a list; or of what the customer has there.
 * @returns null where none is named, or something else is asked
 */
export async function listAtPlace({
  deps,
  graph,
  session,
  state,
  text,
  written,
}: Pick<HeardMessage, 'deps' | 'graph' | 'session' | 'state' | 'text' | 'written'>): Promise<NonNullable<
  Task['list']
> | null> {
  const { dialogue, tools } = deps;
  if (graph.focus !== null || !tools.records.catalogue) return null;
  const offered = await unlessUnreachable(tools.records.catalogue(null), []);
  const venues = offered.flatMap(({ place }) => (place ? [venueOf(place, dialogue.places)] : []));
  const namedIn = (said: string) => [...new Set(venues)].flatMap((venue) => withoutName(said, venue));
  // "And at the mill?" was joined with the question before, which names another.
  const [only, ...others] = [text, written].map(namedIn).find(({ length }) => length === 1) ?? [];
  if (!only || others.length > 0) return null;
  const options = { now: tools.clock.now(), language: session.language };
  const read = dialogue.readList(only.rest, options);
  if (!read?.isWhole) return null;
  const own = read.of === 'own';
  if (own ? !mayList(session) : !offersLists(deps)) return null;
  const goesOn = read.leads && state.listed?.own === false;
  const isBare = read.of === null && read.narrows && dialogue.isQuestion(text);
  if (!(read.of !== null || read.open || goesOn || isBare)) return null;
  if (await tools.pending.findOpenConfirmation(session.threadId)) return null;
  const days = read.filters.days.map((day) => ({ ...day, alternatives: [] }));
  const filters = { ...read.filters, days, places: [only.venue] };
  return { own, entity: own ? read.entity : null, intent: null, filters, changes: false };
}

/** A place without the town it is in: "Old Mill" of "Bath - Old Mill". */
function venueOf(place: string, towns: readonly string[]): string {
  const town = towns.find((one) => place.startsWith(one)) ?? '';
  return place.slice(town.length).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** A text without the name of a venue; empty where it does not say it. */
function withoutName(
  text: string,
  venue: string,
): readonly { readonly venue: string; readonly rest: string }[] {
  const [said, name] = [fold(text), fold(venue).trim()];
  const at =
    name.length < SHORTEST ? -1 : ` ${said} `.search(new RegExp(`(?<![a-z0-9])${escaped(name)}(?![a-z0-9])`));
  if (at < 0) return [];
  return [{ venue, rest: `${said.slice(0, at - 1)} ${said.slice(at - 1 + name.length)}`.trim() }];
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
