import { HubError } from '../../core/errors.js';
import type { CustomerScope, DataSources, SourceSpec } from '../../core/ports/data-source.js';

/** Gives the value of an environment variable by name; undefined where it is not set. */
export type Secret = (name: string) => string | undefined;

/** Milliseconds for one attempt, where the source says nothing. */
export const DEFAULT_TIMEOUT_MS = 10_000;
/** Further attempts after a network fault, where the source says nothing. */
export const DEFAULT_RETRIES = 2;

/**
 * A setting of a source: `env:NAME` stands for that variable, `env:NAME:-VALUE` for that value where it is not set, anything
 * else for itself.
 * @throws HubError `source_misconfigured` naming the source, its key and the variable
 */
export function settingOf(
  spec: SourceSpec,
  key: 'url' | 'endpoint' | 'credentials' | 'token_url' | 'file',
  secret: Secret,
): string {
  const value = spec[key] ?? '';
  if (value === '') throw misconfigured(spec, `has no ${key}`);
  if (!value.startsWith('env:')) return value;
  // `env:USER,env:PASSWORD`: each from a variable of its own.
  if (key === 'credentials' && value.includes(','))
    return value
      .split(',')
      .map((part) => variableOf(spec, key, part.trim(), secret))
      .join(':');
  return variableOf(spec, key, value, secret);
}

function variableOf(spec: SourceSpec, key: string, value: string, secret: Secret): string {
  const [name = '', ...otherwise] = value.slice('env:'.length).split(':-');
  const found = secret(name)?.trim();
  if (found !== undefined && found !== '') return found;
  if (otherwise.length > 0) return otherwise.join(':-');
  throw misconfigured(spec, `takes its ${key} from the environment variable ${name}, which is not set`, {
    variable: name,
  });
}

/** The address of a source. Its user and password, where it has them, are taken out. */
export interface Address {
  readonly url: URL;
  /** `user:password`, decoded; null where the address has none. */
  readonly userinfo: string | null;
}

/** @throws HubError `source_misconfigured`; the message does not show the address, which may hold a password */
export function addressOf(spec: SourceSpec, key: 'url' | 'endpoint' | 'token_url', secret: Secret): Address {
  const text = settingOf(spec, key, secret);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw misconfigured(spec, `has a ${key} that is no http or https address`);
  }
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const userinfo =
    username === '' && password === ''
      ? null
      : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, userinfo };
}

/** What a source needs and does not have, as an error. */
export function misconfigured(
  spec: SourceSpec,
  what: string,
  fields: Record<string, unknown> = {},
): HubError {
  return new HubError('source_misconfigured', `The source ${spec.name} ${what}.`, {
    source: spec.name,
    ...fields,
  });
}

/**
 * Tells which sources can be held to one customer's rows: the databases that say which ones those are.
 * @param scopes by database
 */
export function customersOwn(scopes: Readonly<Record<string, CustomerScope>>): DataSources['isCustomersOwn'] {
  return ({ kind, database }) => kind === 'sqlite' && Object.hasOwn(scopes, database ?? '');
}
