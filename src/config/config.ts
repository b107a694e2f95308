import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Language, ProviderName } from '../core/domain/taxonomy.js';
import { HubError, messageOf } from '../core/errors.js';
import { MODEL_ROLES, type ModelRole, type ModelsConfig } from '../core/ports/chat-models.js';
import type { RemoteAgentsConfig } from '../core/ports/remote-agents.js';
import type { LogLevel } from '../core/ports/system.js';
import { type ServerConfig, serverConfig } from './server.js';
import { checkEnvironment, type Environment } from './variables.js';

/**
 * Reads variables from `.env` in the working directory, or from the file that `HUB_ENV_FILE` names; `none` reads no
 * file. What is set already stays as it is. Called once by each command, before the configuration is parsed.
 * @throws HubError `config_invalid` where a file that was named is missing, or a file cannot be read
 */
export function loadEnvFile(): void {
  const named = process.env.HUB_ENV_FILE?.trim();
  if (named === 'none') return;
  const file = named === undefined || named === '' ? '.env' : named;
  if (file === '.env' && !existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const shown = JSON.stringify(file);
    throw new HubError(
      'config_invalid',
      `HUB_ENV_FILE is ${shown}; allowed: none, or a file that can be read (${messageOf(error)})`,
      { variable: 'HUB_ENV_FILE' },
      { cause: error },
    );
  }
}

export { isLoopback, isThisMachineAlone, type MailConfig, type ServerConfig } from './server.js';

/** Embeddings. `auto` is resolved already, see {@link parseConfig}. */
interface EmbeddingsConfig {
  readonly provider: 'openai' | 'local';
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
}

/** Everything the environment decides, checked and frozen. */
export interface Config {
  /** Absolute. */
  readonly dataDir: string;
  /** Where the hub's own tables and checkpoints are, `postgres://...`; undefined: in the data directory. */
  readonly databaseUrl: string | undefined;
  /** The same database past a pool that `databaseUrl` is the address of. */
  readonly databaseDirectUrl: string | undefined;
  /** False where work that need not answer at once is left to other servers of that database. */
  readonly background: boolean;
  readonly models: ModelsConfig;
  readonly embeddings: EmbeddingsConfig;
  /** A running Chroma server; undefined: the hub starts its own. */
  readonly chromaUrl: string | undefined;
  /** Undefined: the surface's own default (memory for chat, sqlite for the server). */
  readonly checkpointer: 'memory' | 'sqlite' | undefined;
  readonly log: {
    readonly level: LogLevel;
    readonly file: string;
    readonly rotation: { readonly maxBytes: number; readonly maxDays: number; readonly keep: number };
  };
  /** Ceilings of what models may cost, in US dollars; undefined: none. */
  readonly spend: { readonly perTicketUsd: number | undefined; readonly perMonthUsd: number | undefined };
  readonly tracing: {
    /** Base address of an OpenTelemetry collector (OTLP over HTTP); undefined: no traces. */
    readonly endpoint: string | undefined;
    readonly serviceName: string;
    /** Whether what was said is in the traces too, masked. */
    readonly content: boolean;
  };
  /** Language of the interface where the customer's is unknown. */
  readonly locale: Language;
  readonly company: {
    /** Absolute path of the folder that describes the company. */
    readonly folder: string;
    /** Absolute path of other rules than the company's own; undefined: its own. */
    readonly policyFile: string | undefined;
    /** IANA name, instead of the company's own. */
    readonly timeZone: string | undefined;
  };
  readonly server: ServerConfig;
  /** Other agents that the hub may ask. */
  readonly remoteAgents: RemoteAgentsConfig;
  readonly skills: {
    /** Absolute paths of the folders that hold packs. */
    readonly dirs: readonly string[];
    /** True where the company's own packs are read too: wherever those that ship are. */
    readonly withCompany: boolean;
    /** The folder of those that ship. */
    readonly shipped: string;
    /** Programs that `cli_command` skills may run: name to absolute path. */
    readonly commands: Readonly<Record<string, string>>;
    /**
     * What a pack's `env:NAME` stands for; undefined where it is not set. The hub's own settings and its provider's keys
     * are nobody else's.
     */
    readonly secret: (name: string) => string | undefined;
  };
  readonly turn: {
    /** Hand-offs before a turn is escalated. */
    readonly maxHops: number;
    readonly timeoutMs: number;
    readonly maxMessageChars: number;
  };
}

const COMPANIES = fileURLToPath(new URL('../../companies/', import.meta.url));
const DEFAULT_COMPANY = 'cultpass';
const SHIPPED_SKILLS = fileURLToPath(new URL('../../skills', import.meta.url));
/** Names that no pack may read. */
const OWN_NAMES = /^(?:HUB|OPENAI|LANGSMITH|LANGCHAIN)_/;
const KEYLESS = 'not-needed';
/** An answer for a customer is a page at most; the skills write plans with the model of the investigation. */
const OUTPUT_TOKENS: Readonly<Record<ModelRole, number>> = {
  triage: 1_000,
  supervisor: 1_000,
  knowledge: 1_500,
  account: 1_500,
  action: 1_500,
  investigation: 4_000,
  review: 2_000,
};

/**
 * Turns environment variables into the configuration. Pure: reads nothing but its argument (and the working
 * directory, to make paths absolute). An empty value counts as unset.
 *
 * `HUB_EMBEDDING_PROVIDER=auto` means `openai` where `OPENAI_API_KEY` is set, or where `OPENAI_BASE_URL` and
 * `HUB_EMBEDDING_MODEL` both are: a local chat server (Ollama, vLLM) often has no embedding model, so it is used for
 * embeddings only when one was named. Otherwise, and always when `HUB_MODEL_PROVIDER=offline` was asked for
 * in so many words, it means `local`.
 *
 * @throws HubError `config_invalid` with one line that names the variable, its value (never a secret's) and what is allowed
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values = checkEnvironment(env);
  const dataDir = resolve(values.HUB_DATA_DIR ?? 'var');
  const namedSkills = values.HUB_SKILLS_DIR?.split(delimiter).filter(Boolean);
  const skillDirs = namedSkills?.map((dir) => resolve(dir)) ?? [SHIPPED_SKILLS];
  return deepFreeze({
    dataDir,
    databaseUrl: values.HUB_DATABASE_URL,
    databaseDirectUrl: values.HUB_DATABASE_DIRECT_URL,
    background: doesBackgroundWork(values),
    models: modelsConfig(values),
    embeddings: embeddingsConfig(values),
    chromaUrl: values.CHROMA_URL,
    checkpointer: values.HUB_CHECKPOINTER,
    log: {
      level: values.HUB_LOG_LEVEL ?? 'info',
      file: resolve(values.HUB_LOG_FILE ?? join(dataDir, 'hub.log')),
      rotation: {
        maxBytes: (values.HUB_LOG_MAX_MB ?? 20) * 1024 * 1024,
        maxDays: values.HUB_LOG_MAX_DAYS ?? 7,
        keep: values.HUB_LOG_KEEP ?? 5,
      },
    },
    spend: {
      perTicketUsd: values.HUB_MAX_COST_PER_TICKET_USD,
      perMonthUsd: values.HUB_MAX_COST_PER_MONTH_USD,
    },
    tracing: {
      endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
      serviceName: values.OTEL_SERVICE_NAME ?? 'uda-hub',
      content: values.HUB_TRACE_CONTENT ?? false,
    },
    locale: values.HUB_LOCALE ?? 'en',
    company: {
      folder: companyFolder(values.HUB_COMPANY ?? DEFAULT_COMPANY),
      policyFile: values.HUB_POLICY_FILE === undefined ? undefined : resolve(values.HUB_POLICY_FILE),
      timeZone: values.HUB_TIME_ZONE,
    },
    server: serverConfig(values),
    remoteAgents: {
      file: values.HUB_REMOTE_AGENTS === undefined ? undefined : resolve(values.HUB_REMOTE_AGENTS),
      secret: (name) => (OWN_NAMES.test(name) ? undefined : env[name] || undefined),
    },
    skills: {
      dirs: skillDirs,
      withCompany: skillDirs.includes(SHIPPED_SKILLS),
      shipped: SHIPPED_SKILLS,
      commands: values.HUB_SKILL_COMMANDS ?? {},
      secret: (name) => (OWN_NAMES.test(name) ? undefined : env[name] || undefined),
    },
    turn: {
      maxHops: values.HUB_MAX_HOPS ?? 8,
      timeoutMs: values.HUB_TURN_TIMEOUT_MS ?? 60_000,
      maxMessageChars: values.HUB_MAX_MESSAGE_CHARS ?? 20_000,
    },
  });
}

/** Alone, nobody else would do it. @throws HubError `config_invalid` */
function doesBackgroundWork({ HUB_BACKGROUND = true, HUB_DATABASE_URL }: Environment): boolean {
  if (HUB_BACKGROUND || HUB_DATABASE_URL !== undefined) return HUB_BACKGROUND;
  throw new HubError(
    'config_invalid',
    'HUB_BACKGROUND is 0, but HUB_DATABASE_URL is not set: no other server could expire approvals, send mail and tidy up',
    { variable: 'HUB_BACKGROUND' },
  );
}

/** A bare name is a folder of `companies/`; anything with a separator is a path. */
function companyFolder(nameOrPath: string): string {
  return /[\\/]/.test(nameOrPath) || nameOrPath === '.' ? resolve(nameOrPath) : join(COMPANIES, nameOrPath);
}

function modelsConfig(values: Environment): ModelsConfig {
  const wanted = values.HUB_MODEL_PROVIDER ?? 'auto';
  const provider: ProviderName = wanted === 'auto' ? (reachable(values) ? 'openai' : 'offline') : wanted;
  if (provider === 'openai') demandAccess('HUB_MODEL_PROVIDER', values);
  const shared = values.HUB_CHAT_MODEL ?? 'gpt-4o-mini';
  const named = (role: ModelRole): string =>
    values[`HUB_CHAT_MODEL_${role.toUpperCase() as Uppercase<ModelRole>}`] ?? shared;
  return {
    provider,
    ...access(provider === 'openai', values),
    chatModel: Object.fromEntries(MODEL_ROLES.map((role) => [role, named(role)])) as Record<
      ModelRole,
      string
    >,
    maxOutputTokens: { ...OUTPUT_TOKENS, ...values.HUB_MAX_OUTPUT_TOKENS },
    ...callLimits(values),
    inputPricePerMTok: values.HUB_PRICE_INPUT_PER_MTOK,
    outputPricePerMTok: values.HUB_PRICE_OUTPUT_PER_MTOK,
  };
}

function embeddingsConfig(values: Environment): EmbeddingsConfig {
  const wanted = values.HUB_EMBEDDING_PROVIDER ?? 'auto';
  const named = values.HUB_EMBEDDING_MODEL;
  const usable =
    values.OPENAI_API_KEY !== undefined || (values.OPENAI_BASE_URL !== undefined && named !== undefined);
  const auto = usable && values.HUB_MODEL_PROVIDER !== 'offline' ? 'openai' : 'local';
  const provider = wanted === 'auto' ? auto : wanted;
  if (provider === 'openai') demandAccess('HUB_EMBEDDING_PROVIDER', values);
  return {
    provider,
    model: named ?? 'text-embedding-3-small',
    ...access(provider === 'openai', values),
    ...callLimits(values),
  };
}

function reachable(values: Environment): boolean {
  return values.OPENAI_API_KEY !== undefined || values.OPENAI_BASE_URL !== undefined;
}

function access(wanted: boolean, values: Environment): Pick<ModelsConfig, 'apiKey' | 'baseUrl'> {
  if (!wanted) return { apiKey: undefined, baseUrl: undefined };
  return { apiKey: values.OPENAI_API_KEY ?? KEYLESS, baseUrl: values.OPENAI_BASE_URL };
}

function callLimits(values: Environment): Pick<ModelsConfig, 'timeoutMs' | 'retries'> {
  return { timeoutMs: values.HUB_MODEL_TIMEOUT_MS ?? 30_000, retries: values.HUB_MODEL_RETRIES ?? 2 };
}

function demandAccess(variable: string, values: Environment): void {
  if (reachable(values)) return;
  throw new HubError(
    'config_invalid',
    `${variable} is "openai", but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set`,
    { variable },
  );
}

function deepFreeze<T extends object>(value: T): T {
  for (const child of Object.values(value))
    if (typeof child === 'object' && child !== null) deepFreeze(child as object);
  return Object.freeze(value);
}
