import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AgentExtension } from '@a2a-js/sdk';
import { HTTPException } from 'hono/http-exception';
import type { App } from '../../core/app.js';
import {
  type Capability,
  type CapabilityAgent,
  callerName,
  type OutsideCaller,
} from '../../core/capabilities.js';
import type { CompanyProfile } from '../../core/domain/company.js';
import { isObject, type JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { clientAddress, type HubContext, outsideCaller } from '../http/client.js';
import type { HttpDeps } from '../http/http-deps.js';
import { problemOf, sendProblem } from '../http/problem.js';
import { isJsonType, readJson } from '../http/uploads.js';
import { type A2aCaller, HUB_AGENT } from './tasks.js';

/** Names the extension of a card, and the place in metadata, by which a visitor proves whose tasks it asks for. */
export const CALLER_SECRET = 'urn:uda-hub:a2a:caller-secret:v1';
/** The header that carries the same. */
const CALLER_SECRET_HEADER = 'caller-secret';

const SECRET_BYTES = 32;
const FORM = /^[\w-]{43}$/;
const PREFIX = 'anonymous:';

/** A secret nobody can guess, for a visitor that has none yet. */
function newCallerSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Under which name a visitor's tasks are kept: a hash, which gives the secret to nobody who reads it. */
function visitorKey(secret: string): string {
  return `${PREFIX}${createHash('sha256').update(`${CALLER_SECRET} ${secret}`).digest('base64url')}`;
}

/** True of what belongs to a visitor. */
export function isVisitorKey(owner: string): boolean {
  return owner.startsWith(PREFIX);
}

/** Whether two owners are one; how long it takes says nothing of how much of them is the same. */
export function sameOwner(a: string, b: string): boolean {
  const [one, other] = [a, b].map((owner) => createHash('sha256').update(owner).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** @throws HubError `input_invalid` for what was never given out */
function checkCallerSecret(secret: unknown): string {
  if (typeof secret === 'string' && FORM.test(secret)) return secret;
  const message = 'The caller secret is none that was given out: it has 43 letters, digits, - and _.';
  throw new HubError('input_invalid', message, {
    field: CALLER_SECRET,
    errors: [{ field: CALLER_SECRET, message }],
  });
}

/**
 * Takes the secret out of the metadata of a request and of its message, so that it is neither kept nor shown.
 * @returns the rest, with what was found as it was sent
 */
export function withoutSecret<T extends object>(request: T): { readonly rest: T; readonly found: unknown } {
  const given = request as Readonly<Record<string, unknown>>;
  const outer = strip(given.metadata);
  const message = isObject(given.message) ? given.message : null;
  const inner = strip(message?.metadata);
  if (outer.found === undefined && inner.found === undefined) return { rest: request, found: undefined };
  const rest = {
    ...given,
    ...(outer.rest && { metadata: outer.rest }),
    ...(message && { message: { ...message, ...(inner.rest && { metadata: inner.rest }) } }),
  };
  return { rest: rest as T, found: outer.found ?? inner.found };
}

function strip(metadata: unknown): { readonly rest: JsonObject | null; readonly found: unknown } {
  if (!isObject(metadata)) return { rest: null, found: undefined };
  const { [CALLER_SECRET]: found, ...rest } = metadata;
  return { rest, found };
}

/** What a card says of it. */
export function callerSecretExtension(): AgentExtension {
  return {
    uri: CALLER_SECRET,
    description:
      "A caller without a token is given a secret with the first task that it begins, in the task's metadata under this name, and never again. Shown in the header or in the metadata of a request or message, it makes the tasks begun with it the caller's own, to list them and to go on with its conversations by names of its own. Without it a task is reached by its id alone, and nothing is listed but the conversation whose contextId the agent has given.",
    required: false,
    params: { header: 'Caller-Secret', metadata: CALLER_SECRET },
  };
}

/** What the hub as a whole is for. */
function hubDescription({ name, about }: CompanyProfile): string {
  return `Customer support of ${name}, ${about.en}. Understands a message in English or Portuguese, asks the agent that can help, and answers with sources, or escalates to a person.`;
}

/** What the list of agents is made of. */
type ServedBy = Pick<App, 'capabilities' | 'company'>;

/** The agents that other software can ask: the hub first, then those of the roster. */
export function servedAgents(
  { capabilities, company }: ServedBy,
  caller?: OutsideCaller,
): readonly CapabilityAgent[] {
  const hub: CapabilityAgent = {
    name: HUB_AGENT,
    title: '',
    description: hubDescription(company),
    converses: true,
    capabilities: capabilities.list(caller),
  };
  return [hub, ...capabilities.agents(caller)];
}

/** Path below which an agent is reached. */
export function agentPath(name: string): string {
  return `/agents/${name}`;
}

/** Where its messages go, by JSON-RPC. */
export function rpcPath(name: string): string {
  return name === HUB_AGENT ? '/a2a' : agentPath(name);
}

/** Where a capability is called directly; of the hub, at the agent that has it. */
export function skillPath(agent: string, { name, agent: owner }: Capability): string {
  return `${agentPath(agent === HUB_AGENT ? owner : agent)}/skills/${name}`;
}

/**
 * The JSON object of a request; an empty body is an empty object.
 * @throws HubError `input_too_large`; HTTPException 400 for what is no JSON object, 415 for another type
 */
export async function readJsonObject(c: HubContext): Promise<JsonObject> {
  const read = await readJson(c);
  const fault = 'fault' in read ? read.fault : null;
  if (fault === 'empty') return {};
  if ('fault' in read && fault === 'too_large') throw new HubError('input_too_large', read.message);
  if (!isJsonType(c)) throw new HTTPException(415);
  if ('fault' in read) throw new HTTPException(400, { message: read.message });
  if (isObject(read.value)) return read.value;
  throw new HTTPException(400, { message: 'The body must be a JSON object.' });
}

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
  const name = callerName(caller);
  if (name !== null) return { caller, callerKey: name, address, limitKey: name };
  const hash = createHash('sha256').update(address).digest('base64url').slice(0, 22);
  const visitor = { caller, address, limitKey: `anonymous:${hash}` };
  const shown = c.req.header(CALLER_SECRET_HEADER);
  if (shown !== undefined) return { ...visitor, callerKey: visitorKey(checkCallerSecret(shown)) };
  const newSecret = newCallerSecret();
  return { ...visitor, callerKey: visitorKey(newSecret), newSecret };
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

function isVisitor(caller: OutsideCaller): boolean {
  return callerName(caller) === null;
}

/** The agent of a path. @throws HTTPException 404 whose problem says which ones there are */
export function knownAgent(served: ServedBy, name: string, caller?: OutsideCaller): CapabilityAgent {
  const all = servedAgents(served, caller);
  const found = all.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const agents = all.map((one) => one.name);
  const detail = `There is no agent "${name.slice(0, 80)}". There are: ${agents.join(', ')}.`;
  throw new HTTPException(404, { res: sendProblem({ ...problemOf(404, 'not_found', detail), agents }) });
}
