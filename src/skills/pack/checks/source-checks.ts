import { didYouMean } from '../../../core/nearest.js';
import type { Checked } from '../checked-file.js';
import type { Descriptor, SourceDeclaration } from '../descriptor-schema.js';
import type { Draft } from '../draft.js';
import type { NodePath } from '../text-file.js';
import { rawKeys } from './json-schema-at.js';

const ENV = /^env:[A-Z][A-Z0-9_]*$/;
const SCHEMES = {
  postgres: ['postgres:', 'postgresql:', 'redshift:'],
  clickhouse: ['http:', 'https:', 'clickhouse:'],
  http: ['http:', 'https:'],
} as const;

/** The declarations in data_sources: addresses that are some, and secrets that stand elsewhere. */
export function checkSources({ descriptor }: Draft): void {
  if (descriptor === null) return;
  for (const [name, source] of Object.entries(descriptor.data.data_sources)) {
    const at: NodePath = ['data_sources', name];
    if (source.kind === 'sqlite') continue;
    const key = source.kind === 'http' ? 'endpoint' : 'url';
    const address = source.kind === 'http' ? source.endpoint : source.url;
    checkAddress(descriptor, [...at, key], address, SCHEMES[source.kind]);
    if (source.kind === 'http' && descriptor.sound([...at, 'auth'])) checkAuth(descriptor, at, name, source);
  }
}

function checkAddress(
  descriptor: Checked<Descriptor>,
  path: NodePath,
  address: string,
  schemes: readonly string[],
): void {
  if (ENV.test(address)) return;
  const key = String(path.at(-1));
  // What stands for a variable that is not set is an address as any other.
  const [, otherwise] = /^env:[A-Z][A-Z0-9_]*:-(.+)$/.exec(address) ?? [];
  const url = otherwise === undefined && /^env:/i.test(address) ? null : parsed(otherwise ?? address);
  if (url === null) {
    const near = /^env:|^\$/.test(address) ? ' Write env:NAME, in capital letters.' : '';
    const message = `${key} must be a URL such as ${schemes[0]}//host/path, or env:NAME; this is neither.${near}`;
    descriptor.note(path, 'wrong_address', message);
    return;
  }
  if (!schemes.includes(url.protocol)) {
    const message = `${key} begins with ${url.protocol}//, but this kind of source wants ${schemes.map((scheme) => `${scheme}//`).join(' or ')}.`;
    descriptor.note(path, 'wrong_address', message);
  }
  if (url.username !== '' || url.password !== '') {
    const message = `${key} holds a user or a password. Put the whole URL into a variable and write env:NAME here.`;
    descriptor.note(path, 'secret_in_pack', message);
  }
}

function checkAuth(
  descriptor: Checked<Descriptor>,
  at: NodePath,
  name: string,
  { auth, credentials, header }: Extract<SourceDeclaration, { kind: 'http' }>,
): void {
  if (auth !== 'none' && credentials === undefined && descriptor.sound([...at, 'credentials'])) {
    const message = `${name} has auth: ${auth} but no credentials. Add credentials: env:NAME, or write auth: none.`;
    descriptor.note([...at, 'auth'], 'missing_credentials', message);
  }
  if (auth === 'none' && credentials !== undefined) {
    const message = `${name} has credentials, but nothing is done with them. Write auth: bearer, basic or api_key.`;
    descriptor.note([...at, 'credentials'], 'unused_credentials', message);
  }
  if (header !== undefined && auth !== 'api_key') {
    const message = `header names where an api_key goes, but ${name} has auth: ${auth}. Write auth: api_key, or remove it.`;
    descriptor.note([...at, 'header'], 'unused_header', message);
  }
}

function parsed(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** The kind of a declared source; null, and noted at the place that names it, where there is none. */
export function kindOf(
  { descriptor }: Draft,
  name: string,
  where: Checked<unknown>,
  path: NodePath,
): SourceDeclaration['kind'] | null {
  if (descriptor === null) return null;
  const { data_sources: sources } = descriptor.data;
  if (!descriptor.sound(['data_sources', name, 'kind']) || !descriptor.sound(['data_sources'])) return null;
  if (Object.hasOwn(sources, name)) return sources[name]?.kind ?? null;
  const known = rawKeys(descriptor.file, ['data_sources']);
  if (known.includes(name)) return null;
  const message = `data_sources in skill.yaml has no source ${name}.${didYouMean(name, known)}`;
  where.note(path, 'unknown_source', message);
  return null;
}
