import { createHash } from 'node:crypto';
import type { App } from '../../app/app.js';
import type { Capability, CapabilityAgent, OutsideCaller } from '../../core/capabilities.js';
import { HubError } from '../../core/errors.js';
import { clientAddress } from '../http/client-address.js';
import type { HttpDeps } from '../http/http-deps.js';
import type { HubContext } from '../http/http-env.js';
import { outsideCaller } from '../http/outside-caller.js';
import { problemOf, sendProblem } from '../http/problem.js';
import { CALLER_SECRET_HEADER, checkCallerSecret, newCallerSecret, visitorKey } from './caller-secret.js';
import { servedAgent, servedAgents } from './card-agents.js';
import type { A2aCaller } from './tasks.js';

/** A caller with the address it called from. */
export interface AddressedCaller extends A2aCaller {
  readonly address: string;
  /** Whom limits count: visitors by their address, because they may have as many secrets as they like. */
  readonly limitKey: string;
}

const MAX_PROGRAM_CHARS = 100;
/** What a visitor's turn counts for as a call: so many fit into a minute as turns of one address do. */
const VISITOR_TURN_WEIGHT = 5;
/** A skill takes many steps, and may ask models. */
const SKILL_WEIGHT = 10;

/**
 * Who calls, by the bearer token; without one by the secret of an earlier answer.
 * @throws HubError `not_signed_in` where nobody may ask without a token, `token_invalid`, `token_expired`,
 * `source_unavailable`, `input_invalid` for a secret that cannot be one
 */
export async function a2aCaller(c: HubContext, { app, config }: HttpDeps): Promise<AddressedCaller> {
  const { anonymousAgents: anonymous, trustProxy } = config.server;
  const known = await outsideCaller(c.req.header('authorization'), app.sessions, 'a2a', { anonymous });
  const program = c.req.header('user-agent')?.slice(0, MAX_PROGRAM_CHARS);
  const caller = program === undefined ? known : { ...known, program };
  const address = clientAddress(c, trustProxy);
  const name = nameOf(caller);
  if (name !== null) return { caller, callerKey: name, address, limitKey: name };
  const hash = createHash('sha256').update(address).digest('base64url').slice(0, 22);
  const visitor = { caller, address, limitKey: `anonymous:${hash}` };
  const shown = c.req.header(CALLER_SECRET_HEADER);
  if (shown !== undefined) return { ...visitor, callerKey: visitorKey(checkCallerSecret(shown)) };
  const newSecret = newCallerSecret();
  return { ...visitor, callerKey: visitorKey(newSecret), newSecret };
}

function nameOf({ identity, operator }: OutsideCaller): string | null {
  if (operator !== undefined) return `operator:${operator.operatorId}`;
  return identity.kind === 'customer' ? `customer:${identity.customerId}` : null;
}

/**
 * The caller with the secret that its request has in metadata; a header counts before it, and a token before both.
 * @throws HubError `input_invalid`
 */
export function provenBy(by: AddressedCaller, shown: unknown): AddressedCaller {
  const { newSecret, ...caller } = by;
  if (newSecret === undefined || shown === undefined) return by;
  return { ...caller, callerKey: visitorKey(checkCallerSecret(shown)) };
}

/**
 * Counts what costs as much as a turn of the chat. Visitors have no name of their own: all those of an address count
 * together, and may as often as an address may.
 * @throws HubError `rate_limited`
 */
export async function countTurn(
  { limits }: HttpDeps,
  { caller, limitKey, address }: AddressedCaller,
): Promise<void> {
  if (isVisitor(caller)) await limits.call(limitKey, address, VISITOR_TURN_WEIGHT);
  else await limits.turn(limitKey, address);
}

/** Counts a direct call. @throws HubError `rate_limited` */
export async function countCall(
  { limits }: HttpDeps,
  { limitKey, address }: AddressedCaller,
  kind: Capability['kind'],
): Promise<void> {
  await limits.call(limitKey, address, kind === 'skill' ? SKILL_WEIGHT : 1);
}

/** @throws HubError `not_signed_in` for a visitor, who has nothing to ask after */
export function demandSignedIn({ caller }: AddressedCaller): void {
  if (isVisitor(caller)) throw new HubError('not_signed_in', 'This is for callers who are signed in.');
}

function isVisitor({ identity, operator }: OutsideCaller): boolean {
  return operator === undefined && identity.kind === 'anonymous';
}

/** The agent of a path, or the problem that says which ones there are. */
export function knownAgent(
  app: Pick<App, 'capabilities' | 'company'>,
  name: string,
  caller?: OutsideCaller,
): CapabilityAgent | Response {
  const agent = servedAgent(app, name, caller);
  if (agent !== null) return agent;
  const agents = servedAgents(app, caller).map((one) => one.name);
  const detail = `There is no agent "${name.slice(0, 80)}". There are: ${agents.join(', ')}.`;
  const problem = { ...problemOf(404, 'not_found', detail), agents };
  return sendProblem(problem);
}
