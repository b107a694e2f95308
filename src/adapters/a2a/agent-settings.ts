import type { RemoteAgent } from '../../core/ports/remote-agents.js';

/** One entry of the file, checked. */
export interface AgentSettings {
  readonly name: string;
  /** Where its card may lie, most likely place first; all of one origin. */
  readonly cardUrls: readonly URL[];
  /** Scheme, host and port: nothing is sent anywhere else. */
  readonly origin: string;
  /** Null: the card's. */
  readonly description: string | null;
  readonly keywords: readonly string[];
  readonly share: RemoteAgent['share'];
  /** Undefined: none is sent. */
  readonly token: string | undefined;
  readonly allowPrivate: boolean;
  /** For one try; a call with all its tries takes at most twice as long. */
  readonly timeoutMs: number;
  /** Further tries after the first. */
  readonly retries: number;
}

const CARD = '.well-known/agent-card.json';
const OLD_CARD = '.well-known/agent.json';

/** An address that ends in `.json` is a card; any other is looked for one below it, then taken for one itself. */
export function cardUrls(address: URL): readonly URL[] {
  if (address.pathname.endsWith('.json')) return [address];
  const base = new URL(address);
  base.search = '';
  base.pathname = `${base.pathname.replace(/\/+$/, '')}/`;
  const places = [new URL(CARD, base), new URL(OLD_CARD, base)];
  return address.pathname === '/' ? places : [...places, address];
}
