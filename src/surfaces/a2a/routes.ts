import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { ServerConfig } from '../../config/config.js';
import type {
  Capability,
  CapabilityError,
  CapabilityOutcome,
  OutsideCaller,
} from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import { type ErrorCode, HubError, wrongField } from '../../core/errors.js';
import { takesToken, toCapabilityJson } from '../capability-json.js';
import { ownOrigin, preferredLanguage, publicUrl } from '../http/client.js';
import type { HttpDeps } from '../http/http-deps.js';
import { type Problem, problemOf, sendProblem, statusOf } from '../http/problem.js';
import { createRouter, type HubContext, type HubRouter } from '../http/router.js';
import {
  type AddressedCaller,
  a2aCaller,
  countCall,
  demandSignedIn,
  knownAgent,
  readJsonObject,
  skillPath,
} from './a2a-auth.js';
import { cardRoutes, hubVersion } from './cards.js';
import { describeAgents } from './openapi-paths.js';
import { plainTaskRoutes } from './plain-tasks.js';
import { createA2aServer } from './rpc.js';
import { readChoice, readSkillCall, type SkillCallBody } from './skill-schemas.js';
import { HUB_AGENT } from './tasks.js';

/** A path with a star is also the one before it. */
const PATHS = ['/a2a/*', '/agents/*', '/.well-known/agent-card.json', '/.well-known/agent.json'];
/** What a client sends that no browser lets through unasked. */
const REQUEST_HEADERS = [
  'a2a-extensions',
  'a2a-version',
  'authorization',
  'caller-secret',
  'confirmation-token',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'x-a2a-extensions',
];

/** The specific way: skills and tools called directly, with structured input and output. */
function skillRoutes(deps: HttpDeps): HubRouter {
  const router = createRouter();

  /** Who calls which capability, counted. @param counted as what a request counts that only asks or takes back */
  const called = async (c: HubContext, counted?: 'tool'): Promise<Called> => {
    const by = await a2aCaller(c, deps);
    if (c.req.param('id') !== undefined) demandSignedIn(by);
    const capability = findSkill(c, deps, by);
    await countCall(deps, by, counted ?? capability.kind);
    return { caller: by.caller, capability };
  };

  router.post('/agents/:agent/skills/:skill', async (c) => {
    const { caller, capability } = await called(c);
    const body = readSkillCall(capability, await readJsonObject(c), c.req.header('confirmation-token'));
    const outcome = await deps.work.track(carryOut(c, deps, { caller, capability }, body));
    return toResponse(c, deps, capability, outcome);
  });

  router.get(PENDING, async (c) => {
    const { caller, capability } = await called(c, 'tool');
    const outcome = await deps.app.capabilities.status(caller, c.req.param('id'));
    return toState(c, deps, capability, outcome);
  });

  router.post(PENDING, async (c) => {
    const { caller, capability } = await called(c);
    const { choice, input } = readChoice(await readJsonObject(c));
    const answer = { caller, runId: c.req.param('id'), choice, input, signal: c.req.raw.signal };
    const outcome = await deps.work.track(deps.app.capabilities.choose(answer));
    return toResponse(c, deps, capability, outcome);
  });

  router.delete(PENDING, async (c) => {
    const { caller, capability } = await called(c, 'tool');
    const withdrawal = { caller, id: c.req.param('id'), signal: c.req.raw.signal };
    const outcome = await deps.work.track(deps.app.capabilities.withdraw(withdrawal));
    // The change is refused, which is what was asked for.
    return toState(c, deps, capability, outcome);
  });

  return router;
}

/** A capability, and who calls it. */
interface Called {
  readonly caller: OutsideCaller;
  readonly capability: Capability;
}

const PENDING = '/agents/:agent/skills/:skill/pending/:id';
const KEY = /^[\x20-\x7e]{1,200}$/;
const NOT_KEPT = { 'cache-control': 'no-store' };

function toResponse(
  c: HubContext,
  deps: HttpDeps,
  capability: Capability,
  outcome: CapabilityOutcome,
): Response {
  if (outcome.kind === 'refused') return sendProblem(refusalProblem(outcome.error, c.req.path));
  const status = outcome.kind === 'done' ? 200 : 202;
  return c.json(toSkillAnswer(c, deps, capability, outcome), status, NOT_KEPT);
}

/** What became of a call: also a refusal is an answer. */
function toState(
  c: HubContext,
  deps: HttpDeps,
  capability: Capability,
  outcome: CapabilityOutcome,
): Response {
  return c.json(toSkillAnswer(c, deps, capability, outcome), 200, NOT_KEPT);
}

/** The capability that the path names. @throws HubError `not_found` that says what there is */
function findSkill(c: HubContext, deps: HttpDeps, { caller }: AddressedCaller): Capability {
  const agent = knownAgent(deps.app, c.req.param('agent') ?? '', caller);
  const name = c.req.param('skill') ?? '';
  const found = agent.capabilities.find((one) => one.name === name);
  if (found !== undefined) return found;
  const known = agent.capabilities.map((one) => one.name).join(', ');
  const shown = name.slice(0, 80);
  throw new HubError('not_found', `${agent.name} has no skill "${shown}". It has: ${known || 'none'}.`);
}

function carryOut(
  c: HubContext,
  { app }: HttpDeps,
  { caller, capability: { name } }: Called,
  { input, confirmation }: SkillCallBody,
): Promise<CapabilityOutcome> {
  const { signal } = c.req.raw;
  if (confirmation !== null) {
    const { token, approved, repeated } = confirmation;
    const said = repeated ? { input } : {};
    return app.capabilities.confirm({ caller, token, approved, name, ...said, signal });
  }
  const key = idempotencyKey(c);
  const language = preferredLanguage(c, app.company.languages);
  return app.capabilities.call({
    caller,
    name,
    input,
    signal,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(language === undefined ? {} : { language }),
  });
}

/** @throws HubError `input_invalid` that calls it as the client does */
function idempotencyKey(c: HubContext): string | undefined {
  const key = c.req.header('idempotency-key');
  if (key === undefined || (KEY.test(key) && key.trim() !== '')) return key;
  throw wrongField('Idempotency-Key', 'must be 1 to 200 printable ASCII characters, not spaces alone');
}

/** What an outcome is answered with, as the output schema of the capability says; while it waits, with where its state is. */
function toSkillAnswer(
  c: HubContext,
  { config }: HttpDeps,
  capability: Capability,
  outcome: CapabilityOutcome,
): JsonObject {
  if (outcome.kind === 'done' && !takesToken(capability)) return outcome.data;
  const json = toCapabilityJson(outcome, 'input');
  if (outcome.kind === 'done' || outcome.kind === 'refused') return json;
  const id = outcome.kind === 'awaiting_choice' ? outcome.runId : outcome.pendingId;
  const path = skillPath(c.req.param('agent') ?? '', capability);
  return { ...json, status_url: `${publicUrl(c, config.server)}${path}/pending/${id}` };
}

/** A refusal as a problem; 409 where the state of things is against it, 422 where the rules are. */
function refusalProblem({ code, message, reason, said, rule }: CapabilityError, instance: string): Problem {
  const known = code === 'not_owner' ? 'not_found' : code;
  const problem = problemOf(statusOf(known as ErrorCode), known, message, instance);
  const detail = [message, said, reason].filter((one) => one !== undefined).join(' ');
  return { ...problem, detail, ...(rule === undefined ? {} : { rule }) };
}

/** The hub and its agents over A2A: cards, the generic way and the specific way. */
export function a2aRoutes(deps: HttpDeps): HubRouter {
  const server = createA2aServer(deps);
  const router = createRouter();
  const settings = deps.config.server;
  for (const path of ['/', ...PATHS]) router.use(path, ownOrigin(settings));
  if (settings.corsOrigins.length > 0) for (const path of PATHS) router.use(path, openToPages(settings));

  const rpc = async (c: HubContext, name: string): Promise<Response> => {
    const agent = knownAgent(deps.app, name);
    return server.rpc(agent.name, await a2aCaller(c, deps), c);
  };
  // Some clients take the address of the server for that of its agent.
  for (const path of ['/a2a', '/a2a/', '/']) router.post(path, (c) => rpc(c, HUB_AGENT));
  for (const path of ['/agents/:agent', '/agents/:agent/'])
    router.post(path, (c) => rpc(c, c.req.param('agent') ?? ''));

  router.route('/', cardRoutes(deps, hubVersion()));
  router.route('/', skillRoutes(deps));
  router.route('/', plainTaskRoutes(deps, server.tasks));
  describeAgents(router);
  return router;
}

/** Lets the pages of other origins that the configuration names read the answers. */
function openToPages({ corsOrigins }: ServerConfig): MiddlewareHandler {
  return cors({
    origin: [...corsOrigins],
    allowMethods: ['GET', 'POST', 'DELETE'],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ['etag', 'retry-after', 'www-authenticate', 'x-request-id'],
    maxAge: 600,
  });
}
