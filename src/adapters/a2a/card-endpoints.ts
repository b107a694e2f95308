import { isObject, type JsonObject, type JsonValue, own } from '../../core/domain/json.js';
import type { RemoteSkill } from '../../core/ports/remote-agents.js';
import { forbidden, line, objects } from './faults.js';

/** Where a skill is called with structured input. */
export interface SpecificEndpoint {
  readonly url: URL;
  readonly method: 'POST' | 'GET';
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  /** True where an answer names a status and carries the output inside, as other hubs answer where people may be asked. */
  readonly envelope: boolean;
}

/** The extension of a hub like this one. */
const HUB_EXTENSION = 'urn:uda-hub:a2a:specific-skills:v1';
const MAX_EXTENSIONS = 20;
const MAX_ENTRIES = 100;
const MAX_SCHEMA_CHARS = 32_768;

interface Skills {
  readonly skills: readonly RemoteSkill[];
  readonly endpoints: ReadonlyMap<string, SpecificEndpoint>;
}

/**
 * Joins the skills of a card with what an extension of it says about calling them: any extension whose `params.skills`
 * carry `endpoint` (and `method`, `input_schema`, `output_schema`), or a list of such entries as its `capabilities`. An entry that no skill is named like is one itself.
 * @throws HubError `remote_forbidden_address` where an endpoint is not of the card's origin
 */
export function readEndpoints(
  agent: string,
  card: JsonObject,
  stated: readonly RemoteSkill[],
  base: URL,
): Skills {
  const skills = new Map(stated.map((skill) => [skill.id, skill]));
  const endpoints = new Map<string, SpecificEndpoint>();
  for (const { entry, ofHub } of entriesOf(card)) {
    const address = own(entry, 'endpoint');
    if (typeof address !== 'string') continue;
    const url = addressOf(agent, address, base);
    const endpoint = readEndpoint(entry, url, ofHub);
    const skill = skillFor(entry, skills);
    if (endpoint === null || skill === null || endpoints.has(skill.id)) continue;
    const { method, inputSchema, outputSchema } = endpoint;
    const specific = { method, inputSchema, outputSchema, readOnly: isReadOnly(entry, method) };
    skills.set(skill.id, { ...skill, specific });
    endpoints.set(skill.id, endpoint);
  }
  return { skills: [...skills.values()], endpoints };
}

/** An address that a card names, as it may be used. @throws HubError `remote_forbidden_address` */
function addressOf(agent: string, address: string, base: URL): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : null;
  if (url === null || url.origin !== base.origin || url.username !== '' || url.password !== '')
    throw forbidden(agent, 'has a card that leads to an address outside its own');
  return url;
}

interface Entry {
  readonly entry: JsonObject;
  readonly ofHub: boolean;
}

function entriesOf(card: JsonObject): readonly Entry[] {
  const capabilities = own(card, 'capabilities');
  // Designs of agents list what they can do, each with its endpoint, right there.
  if (Array.isArray(capabilities))
    return objects(capabilities, MAX_ENTRIES).map((entry) => ({ entry, ofHub: false }));
  if (!isObject(capabilities)) return [];
  return objects(own(capabilities, 'extensions'), MAX_EXTENSIONS).flatMap((extension) => {
    const params = own(extension, 'params');
    const ofHub = own(extension, 'uri') === HUB_EXTENSION;
    return isObject(params)
      ? objects(own(params, 'skills'), MAX_ENTRIES).map((entry) => ({ entry, ofHub }))
      : [];
  });
}

function readEndpoint(entry: JsonObject, url: URL, ofHub: boolean): SpecificEndpoint | null {
  const method = own(entry, 'method') ?? 'POST';
  if (typeof method !== 'string') return null;
  const verb = method.toUpperCase();
  if (verb !== 'POST' && verb !== 'GET') return null;
  const inputSchema = schemaOf(own(entry, 'input_schema') ?? own(entry, 'inputSchema'));
  const outputSchema = schemaOf(own(entry, 'output_schema') ?? own(entry, 'outputSchema'));
  if (inputSchema === null || outputSchema === null) return null;
  const envelope = ofHub && Array.isArray(own(outputSchema, 'oneOf'));
  return { url, method: verb, inputSchema, outputSchema, envelope };
}

/** Null where it is none, or too large to be shown to a model. */
function schemaOf(value: JsonValue | undefined): JsonObject | null {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) return null;
  return JSON.stringify(value).length > MAX_SCHEMA_CHARS ? null : value;
}

function skillFor(entry: JsonObject, skills: ReadonlyMap<string, RemoteSkill>): RemoteSkill | null {
  const name = line(own(entry, 'name') ?? own(entry, 'id'), 100);
  const id = line(own(entry, 'id') ?? own(entry, 'name'), 100);
  const known = skills.get(id) ?? skills.get(name) ?? [...skills.values()].find((one) => one.name === name);
  if (known !== undefined) return known;
  if (id === '') return null;
  const description = line(own(entry, 'description'), 500);
  return { id, name, description, tags: [], examples: [], specific: null };
}

/** What it says of itself; a request that only fetches changes nothing by the rules of HTTP. */
function isReadOnly(entry: JsonObject, method: string): boolean {
  return method === 'GET' || own(entry, 'read_only') === true || own(entry, 'effect') === 'read';
}

/** Where and how an agent takes messages. */
export interface GenericInterface {
  readonly url: string;
  /** `TASKS`: a plain POST of words, as `endpoints.tasks` of a card takes them. */
  readonly binding: 'JSONRPC' | 'HTTP+JSON' | 'TASKS';
  readonly version: '1.0' | '0.3';
  readonly tenant: string;
}

const MAX_INTERFACES = 20;
/** The way it is spoken most widely first. */
const PREFERENCE = ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3'];

interface Stated {
  readonly address: string;
  readonly binding: string;
  readonly version: string;
  readonly tenant: string;
}

/**
 * The best of the interfaces that a card states. Those in other forms (gRPC) or versions are passed over.
 * @throws HubError `remote_forbidden_address` where there are some, but all of another origin
 */
export function genericInterface(agent: string, card: JsonObject, base: URL): GenericInterface | null {
  const spoken = statedBy(card).flatMap((one) => {
    const version = spokenVersion(one.version);
    const { binding } = one;
    return version === null || (binding !== 'JSONRPC' && binding !== 'HTTP+JSON')
      ? []
      : [{ ...one, binding, version } as const];
  });
  const rank = (one: (typeof spoken)[number]): number => PREFERENCE.indexOf(`${one.binding} ${one.version}`);
  const sorted = spoken.toSorted((a, b) => rank(a) - rank(b));
  const best = sorted.find(({ address }) => isBelow(address, base)) ?? sorted[0];
  if (best === undefined) return plainTasks(agent, card, base);
  const { address, binding, version, tenant } = best;
  return { url: addressOf(agent, address, base).href, binding, version, tenant };
}

/** `endpoints: { tasks: /tasks }`, which is how agents take messages that speak no protocol. */
function plainTasks(agent: string, card: JsonObject, base: URL): GenericInterface | null {
  const endpoints = own(card, 'endpoints');
  const address = isObject(endpoints) ? addressText(own(endpoints, 'tasks')) : '';
  if (address === '') return null;
  return { url: addressOf(agent, address, base).href, binding: 'TASKS', version: '1.0', tenant: '' };
}

function statedBy(card: JsonObject): readonly Stated[] {
  const stated = objects(own(card, 'supportedInterfaces'), MAX_INTERFACES).map((one) => ({
    address: addressText(own(one, 'url')),
    binding: line(own(one, 'protocolBinding'), 20).toUpperCase(),
    version: line(own(one, 'protocolVersion'), 20),
    tenant: line(own(one, 'tenant'), 100),
  }));
  if (stated.length > 0) return stated;
  const first = {
    address: addressText(own(card, 'url')),
    binding: line(own(card, 'preferredTransport'), 20).toUpperCase() || 'JSONRPC',
  };
  const more = objects(own(card, 'additionalInterfaces'), MAX_INTERFACES).map((one) => ({
    address: addressText(own(one, 'url')),
    binding: line(own(one, 'transport'), 20).toUpperCase(),
  }));
  const version = line(own(card, 'protocolVersion'), 20) || '0.3';
  return [first, ...more]
    .filter(({ address }) => address !== '')
    .map((one) => ({ ...one, version, tenant: '' }));
}

function spokenVersion(version: string): GenericInterface['version'] | null {
  if (/^1(?:\.\d+)*$/.test(version)) return '1.0';
  // A card that says nothing is older than the field.
  return version === '' || /^0\.[3-9]/.test(version) ? '0.3' : null;
}

function isBelow(address: string, base: URL): boolean {
  return URL.canParse(address, base) && new URL(address, base).origin === base.origin;
}

function addressText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
