import type { Session } from '../../core/domain/session.js';
import type { RemoteAgent } from '../../core/ports/remote-agents.js';
import { wordPattern } from '../../core/privacy-scrub.js';
import type { RemoteGoal } from './fill-input.js';

/** Longest request that is sent to another agent, in characters. */
const GOAL_CHARS = 2_000;
/** Ids of the hub and of the company: `tkt_7k3m…`. They mean nothing elsewhere, and are nobody's business there. */
const OWN_ID =
  /(?<![\p{L}\p{N}_])(?:tkt|thr|trn|msg|usr|res|exp|sub|pay|rfd|rsl|rcl|pnd|pending|run|esc|cli|seg|inb|apr|cal)_(?=[a-z0-9_]*\d)[a-z0-9_]{2,60}(?![\p{L}\p{N}])/giu;
const INTRODUCES =
  /(?<![\p{L}\p{N}])(?:my name is|i am|i['’]m|this is|meu nome [eé]|me chamo|eu sou (?:o |a )?|aqui [eé] (?:o |a )?)\s*$/iu;

/**
 * What another agent gets to know of a request: its words without e-mail addresses, numbers of people and cards, secrets,
 * ids and the customer's name, and besides only what the configuration lets it be told.
 * @param mask takes personal data and secrets out of a text
 */
export function minimalGoal(
  text: string,
  agent: Pick<RemoteAgent, 'share'>,
  { language, customerName, identity }: Pick<Session, 'language' | 'customerName' | 'identity'>,
  mask: (text: string) => string,
): RemoteGoal {
  const tellsName = agent.share.includes('customer_name');
  const masked = mask(text).replace(OWN_ID, '[id]');
  const words = tellsName || customerName === null ? masked : withoutName(masked, customerName);
  return {
    // Cut last: half an address would not be taken for one.
    text: words.slice(0, GOAL_CHARS).toWellFormed(),
    language: agent.share.includes('language') ? language : null,
    customerName: tellsName && identity.kind === 'customer' ? customerName : null,
  };
}

/** A first name alone may be a place or an artist ("Lima", "Elis"): it goes where the customer says that it is theirs. */
function withoutName(text: string, name: string): string {
  const whole = text.replace(wordPattern([name]), '[name]');
  const parts = name.split(/\s+/).filter((part) => part.length > 2);
  if (parts.length === 0) return whole;
  return whole.replace(wordPattern(parts), (found, offset: number) =>
    INTRODUCES.test(whole.slice(Math.max(0, offset - 40), offset)) ? '[name]' : found,
  );
}
