import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { own } from './bounded-json.js';
import { addressOf } from './card-endpoints.js';
import { line, objects } from './card-text.js';

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
