import { HubError } from '../../core/errors.js';
import {
  MAX_REMOTE_HOPS,
  REMOTE_HOPS_HEADER,
  type RemoteCallOptions,
} from '../../core/ports/remote-agents.js';
import type { Clock } from '../../core/ports/system.js';
import type { AgentSettings } from './agent-file.js';
import type { Attempts, CallTimings } from './attempts.js';
import type { CardCache } from './card-cache.js';
import type { Wire } from './wire.js';

/** One agent with all that its calls share. */
export interface Connection {
  readonly settings: AgentSettings;
  readonly wire: Wire;
  readonly attempts: Attempts;
  readonly cards: CardCache;
  readonly clock: Clock;
  readonly timings: CallTimings;
}

export const MAX_ANSWER_BYTES = 1_048_576;
export const ANSWER_DEPTH = 64;
const KEY = /^[A-Za-z0-9_.:-]{1,100}$/;

/** One more than the request came through. @throws HubError `remote_refused` where it goes round in a circle */
export function nextHop(agent: string, hops: number | undefined): number {
  const before = Number.isInteger(hops) && (hops as number) > 0 ? (hops as number) : 0;
  if (before < MAX_REMOTE_HOPS) return before + 1;
  const message = `The request came through ${before} hubs already and is not sent on to the agent ${agent}.`;
  throw new HubError('remote_refused', message, { agent, status: 508, detail: 'hop limit', certain: true });
}

/** What every request of a call carries. */
export function callHeaders(hop: number, options: RemoteCallOptions): Readonly<Record<string, string>> {
  const { language } = options;
  return {
    [REMOTE_HOPS_HEADER]: String(hop),
    accept: 'application/json',
    ...(language === undefined ? {} : { 'accept-language': language }),
  };
}

/** @throws HubError `input_invalid` for a key that no header can carry */
export function callKey(options: RemoteCallOptions, next: () => string): string {
  if (options.key === undefined) return next();
  if (KEY.test(options.key)) return options.key;
  const errors = [{ field: 'key', message: 'must have 1 to 100 of A-Z, a-z, 0-9, _, ., : and -' }];
  throw new HubError('input_invalid', `The key of a call ${errors[0]?.message}.`, { errors });
}
