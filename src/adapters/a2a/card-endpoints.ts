import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import type { RemoteSkill } from '../../core/ports/remote-agents.js';
import { own } from './bounded-json.js';
import { line, objects } from './card-text.js';
import { forbidden } from './faults.js';

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
export function addressOf(agent: string, address: string, base: URL): URL {
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
