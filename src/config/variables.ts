import { z } from 'zod';
import { HubError } from '../core/errors.js';
import { MODEL_ROLES, type ModelRole } from '../core/ports/chat-models.js';

/** One variable: how its text becomes a value, what to tell a person who got it wrong, and whether to keep it quiet. */
interface Variable<S extends z.ZodType> {
  readonly schema: S;
  readonly allowed: string;
  readonly secret?: true;
}

const oneOf = <const T extends readonly [string, ...string[]]>(
  ...names: T
): Variable<z.ZodEnum<{ [K in T[number]]: K }>> => ({
  schema: z.enum(names) as z.ZodEnum<{ [K in T[number]]: K }>,
  allowed: names.join(', '),
});

const integer = (min: number, max: number) => ({
  schema: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max)),
  allowed: `a whole number from ${min} to ${max}`,
});

const price = {
  schema: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,6})?$/)
    .transform(Number),
  allowed: 'US dollars per million tokens, such as 0.15',
};

const money = {
  schema: z
    .string()
    .regex(/^\d{1,7}(\.\d{1,6})?$/)
    .transform(Number),
  allowed: 'US dollars, such as 0.50',
};

const name = { schema: z.string().regex(/^[^\s\p{Cc}]{1,200}$/u), allowed: 'a name without spaces' };
const path = {
  schema: z
    .string()
    .regex(/^[^\p{Cc}]+$/u)
    .max(4096),
  allowed: 'a path',
};

const COMMAND = /^([a-z][a-z0-9_-]{0,40})=(\/[^,\p{Cc}]+)$/u;
const commands = {
  schema: z
    .string()
    .refine((text) => text.split(',').every((entry) => COMMAND.test(entry.trim())))
    .transform((text) =>
      Object.fromEntries(
        text.split(',').map((entry) => {
          const match = COMMAND.exec(entry.trim());
          return [match?.[1] ?? '', match?.[2] ?? ''] as const;
        }),
      ),
    ),
  allowed: 'name=/absolute/path, several separated by commas',
};

const ROLE_TOKENS = new RegExp(`^(?:(${MODEL_ROLES.join('|')})=)?(\\d{2,6})$`);
const tokens = {
  schema: z
    .string()
    .refine((text) => text.split(',').every((entry) => ROLE_TOKENS.test(entry.trim())))
    .transform(
      (text): Partial<Record<ModelRole, number>> =>
        Object.fromEntries(
          text.split(',').flatMap((entry) => {
            const [, role, count] = ROLE_TOKENS.exec(entry.trim()) ?? [];
            return (role === undefined ? MODEL_ROLES : [role]).map((each) => [each, Number(count)]);
          }),
        ),
    )
    .refine((limits) => Object.values(limits).every((count) => count >= 50 && count <= 200_000)),
  allowed: `a whole number from 50 to 200000, or role=number (${MODEL_ROLES.join(', ')}), several separated by commas`,
};

const httpUrl = {
  schema: z
    .string()
    .refine(isHttpUrl)
    .transform((url) => url.replace(/\/+$/, '')),
  allowed: 'an http:// or https:// address',
};

const list = (each: (entry: string) => boolean, allowed: string) => ({
  schema: z
    .string()
    .max(4096)
    .transform((text) => text.split(',').map((entry) => entry.trim().toLowerCase()))
    .refine((entries) => entries.every(each)),
  allowed: `${allowed}, several separated by commas`,
});
const origins = list(isOrigin, 'an origin such as https://www.example.com');
const flag = { schema: z.enum(['0', '1']).transform((text) => text === '1'), allowed: '0, 1' };

// A header cannot carry anything else, and fetch's own complaint would print the key.
const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const headerSafe = /^[\x21-\x7e]+$/;

const VARIABLES = {
  HUB_DATA_DIR: path,
  HUB_DATABASE_URL: {
    schema: z.string().refine(isPostgresUrl),
    allowed: 'an address such as postgres://user:password@host:5432/database',
    secret: true,
  },
  HUB_DATABASE_DIRECT_URL: {
    schema: z.string().refine(isPostgresUrl),
    allowed: 'an address such as postgres://user:password@host:5432/database',
    secret: true,
  },
  HUB_BACKGROUND: flag,
  HUB_MODEL_PROVIDER: oneOf('openai', 'offline', 'auto'),
  OPENAI_API_KEY: {
    schema: z.string().regex(headerSafe),
    allowed: 'printable ASCII without spaces',
    secret: true,
  },
  OPENAI_BASE_URL: httpUrl,
  HUB_CHAT_MODEL: name,
  HUB_CHAT_MODEL_TRIAGE: name,
  HUB_CHAT_MODEL_SUPERVISOR: name,
  HUB_CHAT_MODEL_KNOWLEDGE: name,
  HUB_CHAT_MODEL_ACCOUNT: name,
  HUB_CHAT_MODEL_ACTION: name,
  HUB_CHAT_MODEL_INVESTIGATION: name,
  HUB_CHAT_MODEL_REVIEW: name,
  HUB_MODEL_TIMEOUT_MS: integer(10, 600_000),
  HUB_MODEL_RETRIES: integer(0, 10),
  HUB_MAX_OUTPUT_TOKENS: tokens,
  HUB_PRICE_INPUT_PER_MTOK: price,
  HUB_PRICE_OUTPUT_PER_MTOK: price,
  HUB_MAX_COST_PER_TICKET_USD: money,
  HUB_MAX_COST_PER_MONTH_USD: money,
  HUB_EMBEDDING_PROVIDER: oneOf('openai', 'local', 'auto'),
  HUB_EMBEDDING_MODEL: name,
  CHROMA_URL: httpUrl,
  HUB_CHECKPOINTER: oneOf('memory', 'sqlite'),
  HUB_LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error'),
  HUB_LOG_FILE: path,
  HUB_LOG_MAX_MB: integer(1, 10_000),
  HUB_LOG_MAX_DAYS: integer(1, 3_650),
  HUB_LOG_KEEP: integer(0, 1_000),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl,
  OTEL_SERVICE_NAME: name,
  HUB_TRACE_CONTENT: { schema: z.enum(['0', '1']).transform((text) => text === '1'), allowed: '0, 1' },
  HUB_LOCALE: oneOf('en', 'pt-BR'),
  HUB_TIME_ZONE: {
    schema: z.string().refine(isTimeZone),
    allowed: 'an IANA time zone such as America/Sao_Paulo',
  },
  HUB_COMPANY: path,
  HUB_POLICY_FILE: path,
  HUB_SKILLS_DIR: path,
  HUB_SKILL_COMMANDS: commands,
  HUB_MAX_HOPS: integer(1, 50),
  HUB_TURN_TIMEOUT_MS: integer(100, 3_600_000),
  HUB_MAX_MESSAGE_CHARS: integer(1, 1_000_000),
  PORT: integer(0, 65_535),
  HUB_HOST: name,
  HUB_AUTH_SECRET: { schema: z.string().min(8), allowed: 'at least 8 characters', secret: true },
  HUB_AUTH_SECRET_PREVIOUS: { schema: z.string().min(8), allowed: 'at least 8 characters', secret: true },
  HUB_DEMO: flag,
  HUB_SESSION_MINUTES: integer(1, 43_200),
  HUB_AUTH_JWKS_URL: httpUrl,
  HUB_AUTH_ISSUER: name,
  HUB_AUTH_AUDIENCE: name,
  HUB_SMTP_URL: {
    schema: z.string().refine(isSmtpUrl),
    allowed: 'an smtp:// or smtps:// address',
    secret: true,
  },
  HUB_MAIL_FROM: {
    schema: z
      .string()
      .regex(/^[^\p{Cc}]{3,200}$/u)
      .includes('@'),
    allowed: 'a sender such as Support <support@example.com>',
  },
  HUB_MAIL_UNREAD_MINUTES: integer(0, 10_080),
  HUB_IMAP_URL: {
    schema: z.string().refine((text) => URL.canParse(text) && /^imaps?:\/\/[^/]+@/i.test(text)),
    allowed: 'an imap:// or imaps:// address with a user and a password',
    secret: true,
  },
  HUB_MAIL_AUTH_SERVER: { schema: z.string().regex(HOST), allowed: 'a host name such as mx.example.com' },
  HUB_MAIL_AUTH_HOPS: integer(0, 10),
  HUB_TURNS_PER_MINUTE: integer(0, 1_000_000),
  HUB_TURNS_PER_MINUTE_PER_ADDRESS: integer(0, 1_000_000),
  HUB_EMBED_ORIGINS: origins,
  HUB_CORS_ORIGINS: origins,
  HUB_LINK_HOSTS: list((entry) => HOST.test(entry), 'a host name such as www.example.com'),
  HUB_TRUST_PROXY: flag,
  HUB_METRICS_TOKEN: {
    schema: z.string().regex(headerSafe).min(8),
    allowed: 'at least 8 printable ASCII characters without spaces',
    secret: true,
  },
  HUB_STOP_SECONDS: integer(0, 600),
  HUB_PUBLIC_URL: httpUrl,
  HUB_STUDIO_URL: httpUrl,
  HUB_REMOTE_AGENTS: path,
  HUB_A2A_ANONYMOUS: flag,
  HUB_CHAT_VISITORS: flag,
} as const satisfies Record<string, Variable<z.ZodType>>;

/** Names of all variables the hub reads. */
export const VARIABLE_NAMES = Object.keys(VARIABLES) as readonly VariableName[];
export type VariableName = keyof typeof VARIABLES;

/** The checked values; a variable that is not set is missing. */
export type Environment = { readonly [N in VariableName]?: z.output<(typeof VARIABLES)[N]['schema']> };

/**
 * Checks each variable by itself, in the order of the list above.
 * @throws HubError `config_invalid` for the first wrong one and for more processes than the one that serves
 */
export function checkEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  if (!['', '1'].includes(env.HUB_WORKERS?.trim() ?? ''))
    throw new HubError(
      'config_invalid',
      'HUB_WORKERS is gone, the hub serves in one process: remove the variable',
      { variable: 'HUB_WORKERS' },
    );
  const entries = VARIABLE_NAMES.flatMap((variable) => {
    const text = env[variable]?.trim();
    if (text === undefined || text === '') return [];
    const rule: Variable<z.ZodType> = VARIABLES[variable];
    const parsed = rule.schema.safeParse(text);
    if (!parsed.success) throw wrongValue(variable, text, rule);
    return [[variable, parsed.data] as const];
  });
  return Object.fromEntries(entries) as Environment;
}

function wrongValue(variable: VariableName, text: string, rule: Variable<z.ZodType>): HubError {
  const shown = rule.secret ? '(set)' : printable(text);
  return new HubError('config_invalid', `${variable} is ${shown}; allowed: ${rule.allowed}`, { variable });
}

/** On one line, short, and without a password that sits in an address or a key put in the wrong variable. */
function printable(text: string): string {
  const quiet = text.replace(/\/\/[^/@]*@/, '//(hidden)@').replace(/\bsk-[\w-]{8,}/g, 'sk-(hidden)');
  const short = quiet.length > 80 ? `${quiet.slice(0, 77)}...` : quiet;
  return JSON.stringify(short).replace(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '?');
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\//i.test(text);
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:\/\/[^/]+\/[^/]+/i.test(text);
}

function isSmtpUrl(text: string): boolean {
  return URL.canParse(text) && /^smtps?:\/\//i.test(text);
}

/** Exactly what a browser sends as `Origin`. */
function isOrigin(text: string): boolean {
  const isPlain = /^https?:\/\/(?:[a-z0-9.-]+|\[[\da-f:]+\])(?::\d+)?$/.test(text);
  return isPlain && URL.canParse(text) && new URL(text).origin === text;
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).format(0) !== '';
  } catch {
    return false;
  }
}
