import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { HubError } from '../../core/errors.js';
import type { RemoteAgent } from '../../core/ports/remote-agents.js';
import { addressFault, literalAddress } from './public-address.js';

/** One entry of the file, checked. */
export interface AgentSettings {
  readonly name: string;
  /** Where its card may lie, most likely place first; all of one origin. */
  readonly cardUrls: readonly URL[];
  /** Scheme, host and port: nothing is sent anywhere else. */
  readonly origin: string;
  /** Null: the card's. */
  readonly description: string | null;
  readonly keywords: readonly string[];
  readonly share: RemoteAgent['share'];
  /** Undefined: none is sent. */
  readonly token: string | undefined;
  readonly allowPrivate: boolean;
  /** For one try; a call with all its tries takes at most twice as long. */
  readonly timeoutMs: number;
  /** Further tries after the first. */
  readonly retries: number;
}

const CARD = '.well-known/agent-card.json';
const OLD_CARD = '.well-known/agent.json';

/** An address that ends in `.json` is a card; any other is looked for one below it, then taken for one itself. */
function cardUrls(address: URL): readonly URL[] {
  if (address.pathname.endsWith('.json')) return [address];
  const base = new URL(address);
  base.search = '';
  base.pathname = `${base.pathname.replace(/\/+$/, '')}/`;
  const places = [new URL(CARD, base), new URL(OLD_CARD, base)];
  return address.pathname === '/' ? places : [...places, address];
}

const MAX_AGENTS = 50;
const LOCAL_NAME = /^(?:localhost|.*\.localhost)\.?$/;
/** What an HTTP header carries without harm. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

const entry = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and _, a letter first'),
  card: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  description: z.string().trim().min(1).max(1_000).optional(),
  keywords: z.array(z.string().trim().toLowerCase().min(2).max(60)).max(100).default([]),
  share: z.array(z.enum(['language', 'customer_name'])).default([]),
  token_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
    .optional(),
  allow_private: z.boolean().default(false),
  allow_http: z.boolean().default(false),
  timeout_ms: z.int().min(100).max(120_000).default(10_000),
  retries: z.int().min(0).max(5).default(2),
});
type Entry = z.output<typeof entry>;
const shape = z.strictObject({ agents: z.array(entry).max(MAX_AGENTS) });

interface AgentFileContext {
  /** What a `token_env` stands for; undefined where it is not set. */
  readonly secret: (name: string) => string | undefined;
  /** Names that no other agent may have. */
  readonly roster: readonly string[];
  readonly publicUrl?: string | undefined;
}

/**
 * Reads the file that names other agents.
 * @throws HubError `config_invalid` with one line naming file, agent, field and what is wrong; never a token
 */
export function readAgentFile(file: string, context: AgentFileContext): readonly AgentSettings[] {
  const raw = readYaml(file);
  const parsed = shape.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrong(file, placeOf(raw, issue?.path ?? []), issue?.message ?? 'is not valid');
  }
  const seen = new Set<string>();
  return parsed.data.agents.map((agent) => {
    if (seen.has(agent.name)) throw wrong(file, `${agent.name}.name`, 'is the name of two agents');
    seen.add(agent.name);
    return settingsOf(file, agent, context);
  });
}

function settingsOf(file: string, agent: Entry, context: AgentFileContext): AgentSettings {
  const refuse = (field: keyof Entry, why: string): HubError => wrong(file, `${agent.name}.${field}`, why);
  if (context.roster.includes(agent.name))
    throw refuse('name', "is the name of one of the hub's own agents, or means something else in the hub");
  const card = new URL(agent.card);
  const fault = cardFault(card, agent, context.publicUrl);
  if (fault !== null) throw refuse('card', fault);
  const token = agent.token_env === undefined ? undefined : context.secret(agent.token_env);
  if (agent.token_env !== undefined && token === undefined)
    throw refuse(
      'token_env',
      `names ${agent.token_env}, which is not set or is one of the hub's own settings`,
    );
  if (token !== undefined && !TOKEN.test(token))
    throw refuse('token_env', `names ${agent.token_env}, whose value cannot be a bearer token`);
  return {
    name: agent.name,
    cardUrls: cardUrls(card),
    origin: card.origin,
    description: agent.description ?? null,
    keywords: [...new Set(agent.keywords)],
    share: [...new Set(agent.share)],
    token,
    allowPrivate: agent.allow_private,
    timeoutMs: agent.timeout_ms,
    retries: agent.retries,
  };
}

/** What is certainly wrong with an address before anybody connects; names are looked at when they are resolved. */
function cardFault(card: URL, agent: Entry, publicUrl: string | undefined): string | null {
  if (card.username !== '' || card.password !== '') return 'carries a password; use token_env';
  if (card.protocol === 'http:' && !agent.allow_http)
    return 'is not https; set allow_http: true where that is meant';
  if (publicUrl !== undefined && isBelow(card, new URL(publicUrl))) return 'is this hub itself';
  const address = literalAddress(card.hostname);
  if (address === null)
    return LOCAL_NAME.test(card.hostname) && !agent.allow_private
      ? 'is this machine; set allow_private: true where that is meant'
      : null;
  const why = addressFault(address, agent.allow_private);
  if (why === null) return null;
  const hint = addressFault(address, true) === null ? '; set allow_private: true where that is meant' : '';
  return `${why}${hint}`;
}

function isBelow(url: URL, base: URL): boolean {
  return url.origin === base.origin && `${url.pathname}/`.startsWith(`${base.pathname.replace(/\/+$/, '')}/`);
}

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    const message = `The file of other agents ${file} cannot be read: ${reason}`;
    throw new HubError('config_invalid', message, { variable: 'HUB_REMOTE_AGENTS', file });
  }
}

/** `agents.0.card` as `partner_tickets.card`, where that agent has a name. */
function placeOf(raw: unknown, path: readonly PropertyKey[]): string {
  const [list, at, ...field] = path;
  if (list !== 'agents' || typeof at !== 'number') return path.map(String).join('.') || 'the top';
  const agents = (raw as { readonly agents: readonly unknown[] }).agents;
  const name = (agents[at] as { readonly name?: unknown } | null)?.name;
  const who = typeof name === 'string' && name.length <= 64 ? name : `agents[${at}]`;
  return [who, ...field.map(String)].join('.');
}

function wrong(file: string, place: string, why: string): HubError {
  const message = `The file of other agents ${file} is wrong at ${place.replace(/\s+/g, ' ')}: ${why}`;
  return new HubError('config_invalid', message, { variable: 'HUB_REMOTE_AGENTS', file, place });
}
