import { createStore, useStore } from '../../shared/store.js';

export const PAGES = [
  'tickets',
  'approvals',
  'customers',
  'knowledge',
  'skills',
  'company',
  'dashboard',
] as const;
export type Page = (typeof PAGES)[number];

/** What the desk shows, as the address says it: `#/tickets/<id>`. */
interface Place {
  readonly page: Page;
  /** The ticket, customer or article that is open. */
  readonly id: string | null;
}

/** Reads the part of an address after `#`; what it does not know leads to the tickets. */
function parsePlace(hash: string): Place {
  const [name = '', id = ''] = hash.replace(/^#\/?/, '').split('/');
  const page = PAGES.find((known) => known === name) ?? 'tickets';
  return { page, id: id === '' ? null : safeDecode(id) };
}

/** The address of a place. */
export function linkTo(page: Page, id: string | null = null): string {
  return id === null ? `#/${page}` : `#/${page}/${encodeURIComponent(id)}`;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const place = createStore<Place>(parsePlace(location.hash));
addEventListener('hashchange', () => place.set(parsePlace(location.hash)));

/** What the desk shows now. */
export function usePlace(): Place {
  return useStore(place);
}

/** Where the address leads at this moment, before anything was drawn for it. */
export function currentPlace(): Place {
  return parsePlace(location.hash);
}

/** Goes to a place, as a link would. */
export function go(page: Page, id: string | null = null): void {
  location.hash = linkTo(page, id);
}

/** Reads a token handed over by the company's sign-in in `#token=...`, and takes it out of the address. */
export function takeToken(): string | null {
  const token = /^#token=([^&]+)/.exec(location.hash)?.[1] ?? null;
  if (token !== null) {
    history.replaceState(null, '', `${location.pathname}${location.search}${linkTo('tickets')}`);
    place.set(parsePlace(location.hash));
  }
  return token === null ? null : safeDecode(token);
}

/** Which tickets stand behind a figure, in the words of the ticket list's filters. */
export type Behind = Readonly<Record<string, string>>;

/** Where those tickets are listed. */
export function linkBehind(behind: Behind): string {
  return linkTo('dashboard', new URLSearchParams(behind).toString());
}

/** What such an address asks for. */
export function readBehind(text: string): Behind {
  return Object.fromEntries(new URLSearchParams(text));
}
