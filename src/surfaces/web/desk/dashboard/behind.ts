import { linkTo } from '../lib/location.js';

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
