import { createHash } from 'node:crypto';
import type { App } from '../../app.js';
import type { Capability, CapabilityAgent, OutsideCaller } from '../../core/capabilities.js';
import { HubError } from '../../core/errors.js';
import { clientAddress } from '../http/client-address.js';
import type { HttpDeps } from '../http/http-deps.js';
import type { HubContext } from '../http/http-env.js';
import { outsideCaller } from '../http/outside-caller.js';
import { problemOf, sendProblem } from '../http/problem.js';
import { servedAgent, servedAgents } from './card-agents.js';
import type { A2aCaller } from './tasks.js';

/** A caller with the address it called from. */
export interface AddressedCaller extends A2aCaller {
  readonly address: string;
}

const MAX_PROGRAM_CHARS = 100;
/** What a visitor's turn counts for as a call: so many fit into a minute as turns of one address do. */
const VISITOR_TURN_WEIGHT = 5;
/** A skill takes many steps, and may ask models. */
const SKILL_WEIGHT = 10;

/**
 * Who calls, by the bearer token alone.
 * @throws HubError `not_signed_in` where nobody may ask without one, `token_invalid`, `token_expired`,
 * `source_unavailable`
 */
export async function a2aCaller(c: HubContext, { app, config }: HttpDeps): Promise<AddressedCaller> {
  const { anonymousAgents: anonymous, trustProxy } = config.server;
  const known = await outsideCaller(c.req.header('authorization'), app.sessions, 'a2a', { anonymous });
  const program = c.req.header('user-agent')?.slice(0, MAX_PROGRAM_CHARS);
  const caller = program === undefined ? known : { ...known, program };
  const address = clientAddress(c, trustProxy);
  return { caller, callerKey: keyOf(caller, address), address };
}

function keyOf({ identity, operator }: OutsideCaller, address: string): string {
  if (operator !== undefined) return `operator:${operator.operatorId}`;
  if (identity.kind === 'customer') return `customer:${identity.customerId}`;
  return `anonymous:${createHash('sha256').update(address).digest('base64url').slice(0, 22)}`;
}

/**
 * Counts what costs as much as a turn of the chat. Visitors have no name of their own: all those of an address count
 * together, and may as often as an address may.
 * @throws HubError `rate_limited`
 */
export async function countTurn(
  { limits }: HttpDeps,
  { caller, callerKey, address }: AddressedCaller,
): Promise<void> {
  if (isVisitor(caller)) await limits.call(callerKey, address, VISITOR_TURN_WEIGHT);
  else await limits.turn(callerKey, address);
}

/** Counts a direct call. @throws HubError `rate_limited` */
export async function countCall(
  { limits }: HttpDeps,
  { callerKey, address }: AddressedCaller,
  kind: Capability['kind'],
): Promise<void> {
  await limits.call(callerKey, address, kind === 'skill' ? SKILL_WEIGHT : 1);
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
  { capabilities }: Pick<App, 'capabilities'>,
  name: string,
  caller?: OutsideCaller,
): CapabilityAgent | Response {
  const agent = servedAgent(capabilities, name, caller);
  if (agent !== null) return agent;
  const agents = servedAgents(capabilities, caller).map((one) => one.name);
  const detail = `There is no agent "${name.slice(0, 80)}". There are: ${agents.join(', ')}.`;
  const problem = { ...problemOf(404, 'not_found', detail), agents };
  return sendProblem(problem);
}
