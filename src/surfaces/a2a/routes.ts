import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { ServerConfig } from '../../config/config.js';
import type { Capability, CapabilityError, CapabilityOutcome } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import { languageAmong } from '../../core/domain/language.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { type ErrorCode, HubError, wrongField } from '../../core/errors.js';
import { ownOrigin, publicUrl } from '../http/client.js';
import type { HttpDeps } from '../http/http-deps.js';
import { type Problem, problemOf, sendProblem, statusOf } from '../http/problem.js';
import { createRouter, type HubContext, type HubRouter } from '../http/router.js';
import { toCapabilityJson } from '../reply-json.js';
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
import { readChoice, readSkillCall, type SkillCallBody, takesToken } from './skill-schemas.js';
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

  router.post('/agents/:agent/skills/:skill', async (c) => {
    const caller = await a2aCaller(c, deps);
    const found = findSkill(c, deps, caller);
    if (found instanceof Response) return found;
    await countCall(deps, caller, found.kind);
    const body = readSkillCall(found, await readJsonObject(c), c.req.header('confirmation-token'));
    return toResponse(c, deps, found, await deps.work.track(carryOut(c, deps, caller, found, body)));
  });

  router.get(PENDING, async (c) => {
    const caller = await a2aCaller(c, deps);
    demandSignedIn(caller);
    const found = findSkill(c, deps, caller);
    if (found instanceof Response) return found;
    await countCall(deps, caller, 'tool');
    const outcome = await deps.app.capabilities.status(caller.caller, c.req.param('id'));
    const answer = toSkillAnswer(found, outcome, statusUrls(c, deps, found));
    return c.json(answer.body, 200, NOT_KEPT);
  });

  router.post(PENDING, async (c) => {
    const caller = await a2aCaller(c, deps);
    demandSignedIn(caller);
    const found = findSkill(c, deps, caller);
    if (found instanceof Response) return found;
    await countCall(deps, caller, found.kind);
    const { choice, input } = readChoice(await readJsonObject(c));
    const { signal } = c.req.raw;
    const answer = { caller: caller.caller, runId: c.req.param('id'), choice, input, signal };
    return toResponse(c, deps, found, await deps.work.track(deps.app.capabilities.choose(answer)));
  });

  router.delete(PENDING, async (c) => {
    const caller = await a2aCaller(c, deps);
    demandSignedIn(caller);
    const found = findSkill(c, deps, caller);
    if (found instanceof Response) return found;
    await countCall(deps, caller, 'tool');
    const { signal } = c.req.raw;
    const withdrawal = { caller: caller.caller, id: c.req.param('id'), signal };
    const outcome = await deps.work.track(deps.app.capabilities.withdraw(withdrawal));
    // The change is refused, which is what was asked for.
    const answer = toSkillAnswer(found, outcome, statusUrls(c, deps, found));
    return c.json(answer.body, 200, NOT_KEPT);
  });

  return router;
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
  const { status, body } = toSkillAnswer(capability, outcome, statusUrls(c, deps, capability));
  return c.json(body, status, NOT_KEPT);
}

/** The capability that the path names, or the problem that says what there is. */
function findSkill(c: HubContext, deps: HttpDeps, { caller }: AddressedCaller): Capability | Response {
  const agent = knownAgent(deps.app, c.req.param('agent') ?? '', caller);
  if (agent instanceof Response) return agent;
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
  { caller }: AddressedCaller,
  { name }: Capability,
  { input, confirmation }: SkillCallBody,
): Promise<CapabilityOutcome> {
  const { signal } = c.req.raw;
  if (confirmation !== null) {
    const { token, approved, repeated } = confirmation;
    const said = repeated ? { input } : {};
    return app.capabilities.confirm({ caller, token, approved, name, ...said, signal });
  }
  const key = idempotencyKey(c);
  const language = askedLanguage(c.req.header('accept-language'), app.company.languages);
  return app.capabilities.call({
    caller,
    name,
    input,
    signal,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(language === null ? {} : { language }),
  });
}

/** @throws HubError `input_invalid` that calls it as the client does */
function idempotencyKey(c: HubContext): string | undefined {
  const key = c.req.header('idempotency-key');
  if (key === undefined || (KEY.test(key) && key.trim() !== '')) return key;
  throw wrongField('Idempotency-Key', 'must be 1 to 200 printable ASCII characters, not spaces alone');
}

function statusUrls(c: HubContext, { config }: HttpDeps, capability: Capability): (id: string) => string {
  const base = `${publicUrl(c, config.server)}${skillPath(c.req.param('agent') ?? '', capability)}`;
  return (id) => `${base}/pending/${id}`;
}

/** The language of the company that an `Accept-Language` header prefers; null where it names none of them. */
function askedLanguage(header: string | undefined, languages: readonly Language[]): Language | null {
  const ranges = (header ?? '').slice(0, 500).split(',').map(readRange);
  const wanted = ranges
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => languageAmong(tag, languages));
  return wanted.find((language) => language !== undefined) ?? null;
}

function readRange(range: string): { readonly tag: string; readonly weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  return { tag, weight: Number.isFinite(weight) ? weight : 0 };
}

/** What a call is answered with. */
interface SkillAnswer {
  /** 202 where a person has to say something before it is done. */
  readonly status: 200 | 202;
  readonly body: JsonObject;
}

/**
 * What an outcome is answered with, as the output schema of the capability says.
 * @param statusUrl where the state of a question, or of a run that waits, is asked for
 */
function toSkillAnswer(
  capability: Capability,
  outcome: CapabilityOutcome,
  statusUrl: (id: string) => string,
): SkillAnswer {
  const over = outcome.kind === 'done' || outcome.kind === 'refused';
  const saysItself = outcome.kind === 'done' && !takesToken(capability);
  return {
    status: over ? 200 : 202,
    body: saysItself ? outcome.data : toStateJson(outcome, statusUrl),
  };
}

/** The outcome, and where its state is asked for while it waits. */
function toStateJson(outcome: CapabilityOutcome, statusUrl: (id: string) => string): JsonObject {
  const json = toCapabilityJson(outcome, 'input');
  if (outcome.kind === 'done' || outcome.kind === 'refused') return json;
  const id = outcome.kind === 'awaiting_choice' ? outcome.runId : outcome.pendingId;
  return { ...json, status_url: statusUrl(id) };
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
    if (agent instanceof Response) return agent;
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
