import { z } from 'zod';
import { RECORD_TONES } from '../../core/domain/entity.js';
import { DEEDS } from '../../core/domain/guardrail.js';
import type { JsonValue } from '../../core/domain/json.js';
import { LANGUAGE_TAG } from '../../core/domain/language.js';
import { ERROR_CODES } from '../../core/errors.js';
import { ACTION_KINDS } from '../../core/ports/language-layer.js';
import { NAME } from '../yaml-file.js';
import { inputsSchema } from './inputs.js';

const name = z.string().regex(NAME, 'must be lower case with underscores');
const tag = z.string().regex(LANGUAGE_TAG, 'must be a language tag such as pt-BR');
/** In CEL. */
const formula = z.string().trim().min(1).max(2_000);
const text = z.string().trim().min(1);
export const translated = z.record(tag, text);
const setting = z
  .string()
  .regex(
    /^env:[A-Z][A-Z0-9_]*(?:,env:[A-Z][A-Z0-9_]*)?$/,
    'must be env:NAME, or env:USER,env:PASSWORD; a secret never stands in a file',
  );
/** Of all codes those that a rule of a company is for. */
const DENY_CODE =
  'such as not_found, already_done, wrong_status or policy_denied; what is said goes under `say`';
const json = z.custom<JsonValue>((value) => value !== undefined, 'must be a value');

/** What conversations of an evaluation are held over in place of the system itself: a function of a module. */
const standIn = z.strictObject({
  /** From the company's folder. */
  module: text,
  /** Given `port` (0: any free one), `database` (a new SQLite file) and `now`, it answers with `url` and `close()`. */
  start: z.string().regex(/^[A-Za-z_$][\w$]*$/, 'must be the name of a function that the module exports'),
});
export type StandInSpec = z.infer<typeof standIn>;

const server = {
  timeout: z.number().positive().max(60).optional(),
  retries: z.int().min(0).max(10).optional(),
};

/** By table, which of its rows are a customer's: for a skill, a table that is not named is not there. */
const ownRows = z.record(name, z.string().includes(':customer_id')).default({});

/** `sources.yaml`: the systems that the company's data are in, by name. `timeout` is in seconds. */
export const sourcesSchema = z.strictObject({
  sources: z.record(
    name,
    z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('http'),
        endpoint: text,
        auth: z.enum(['none', 'basic', 'bearer', 'api_key', 'oauth2']).default('none'),
        credentials: setting.optional(),
        header: text.optional(),
        /** Of `oauth2`: where client credentials get a token, and for what. */
        token_url: text.optional(),
        scope: text.optional(),
        stand_in: standIn.optional(),
        ...server,
      }),
      z
        .strictObject({
          kind: z.literal('mcp'),
          url: text.optional(),
          /** A program and its arguments, started in the company's folder. */
          command: z.array(text).min(1).optional(),
          env: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), setting).optional(),
          auth: z.enum(['none', 'bearer', 'api_key']).default('none'),
          credentials: setting.optional(),
          header: text.optional(),
          stand_in: standIn.optional(),
          ...server,
        })
        .refine(
          ({ url, command }) => (url === undefined) !== (command === undefined),
          'needs either `url` or `command`',
        ),
      /** A SQLite file of the company's, from its folder. */
      z.strictObject({ kind: z.literal('sqlite'), file: text, tables: ownRows, ...server }),
      /** Functions of a program of the company's, each a tool: a TypeScript or JavaScript file, from its folder. */
      z.strictObject({ kind: z.literal('module'), file: text, timeout: server.timeout }),
      z.strictObject({ kind: z.literal('postgres'), url: text, credentials: setting.optional(), ...server }),
      z.strictObject({
        kind: z.literal('clickhouse'),
        url: text,
        credentials: setting.optional(),
        ...server,
      }),
    ]),
  ),
});

const request = {
  /** A name of `sources.yaml`; the company's own database where absent. */
  source: name.optional(),
  query: text.optional(),
  path: z.string().startsWith('/').optional(),
  /** A tool of an MCP server or a module, and what it is called with. */
  tool: text.optional(),
  args: z.record(z.string(), json).default({}),
  params: z.record(z.string(), json).default({}),
  headers: z.record(z.string(), json).default({}),
};

/** What is asked of a source. */
export const readSchema = z
  .strictObject({
    ...request,
    method: z.enum(['GET', 'POST']).default('GET'),
    body: json.optional(),
    /** Over `status`, `body` and `rows`; all rows where absent. */
    rows: formula.optional(),
    /** True where one row is meant: without it there is nothing to continue with. */
    one: z.boolean().default(false),
    /** True where there may be none of the one. */
    optional: z.boolean().default(false),
    /** True of what is the same for everybody, and so names no customer. */
    public: z.boolean().default(false),
    /** True of a tool that only reads though its server does not say so. */
    harmless: z.boolean().default(false),
  })
  .refine(hasOneQuestion, 'needs one of `query`, `path` and `tool`');
export type ReadSpec = z.infer<typeof readSchema>;

function hasOneQuestion(read: {
  readonly query?: string | undefined;
  readonly path?: string | undefined;
  readonly tool?: string | undefined;
}): boolean {
  return [read.query, read.path, read.tool].filter((one) => one !== undefined).length === 1;
}

/** `customers.yaml`: where customers are, and what is held about one. */
const customersShape = z.strictObject({
  /** True where the verified token of the company's sign-in says who a customer is, and nothing is looked up: its claims are `row`. */
  by_claims: z.boolean().default(false),
  /** Of `by_claims`: the claims of those whom a demo and the command line know from the start. */
  demo: z.array(z.record(z.string(), json)).max(50).default([]),
  by_id: readSchema.optional(),
  by_email: readSchema.optional(),
  /** By {name} and {postal_code}, where customers may be told by both. */
  by_name: readSchema.optional(),
  search: readSchema.optional(),
  fields: z.strictObject({
    id: formula,
    name: formula,
    email: formula,
    /** What they are answered in where they have not said it: a tag such as pt-BR. */
    language: formula.optional(),
    is_blocked: formula.default('false'),
    created_at: formula.optional(),
  }),
  /** What skills and expressions are told of one beside that. */
  facts: z.record(name, formula).default({}),
  /** Tables of the company's own database with rows of customers: the condition that picks one customer's. */
  tables: ownRows,
  /** Statements that take the person out of the company's own database and leave its books. */
  erase: z.array(text).default([]),
});

export const customersSchema = customersShape.superRefine((spec, context) => {
  for (const key of ['by_id', 'by_email', 'by_name', 'search'] as const) {
    const needed = (key === 'by_id' || key === 'by_email') && !spec.by_claims;
    if (needed && spec[key] === undefined)
      context.addIssue({ code: 'custom', path: [key], message: 'is missing' });
    if (spec.by_claims && spec[key] !== undefined)
      context.addIssue({
        code: 'custom',
        path: [key],
        message: 'looks up what the claims of a token say where `by_claims` is true',
      });
  }
});
export type CustomersSpec = z.infer<typeof customersSchema>;

/** `records` of a file in `entities/`: how a customer's records are read, and what of a row is what. */
export const recordsSchema = z.strictObject({
  read: readSchema,
  /** Name of the tool that lists them; `list_ID` where absent. */
  tool: name.optional(),
  label: translated,
  activity: translated.optional(),
  empty: translated,
  description: text.optional(),
  agents: z.array(name).default(['account', 'action']),
  fields: z.strictObject({
    id: formula,
    title: formula,
    status: formula.default("''"),
    starts_at: formula.optional(),
    place: formula.optional(),
    /** In minor units of the company's currency. */
    amount: formula.optional(),
    upcoming: formula.default('true'),
  }),
  attributes: z.record(name, formula).default({}),
  statuses: z
    .record(name, z.strictObject({ label: translated, tone: z.enum(RECORD_TONES).default('plain') }))
    .default({}),
});
export type RecordsSpec = z.infer<typeof recordsSchema>;

/** The agents that list the records: what is the same for everybody is told to visitors too, by the agent that answers those. */
export function listedBy({ agents, read }: Pick<RecordsSpec, 'agents' | 'read'>): readonly string[] {
  return read.public ? [...new Set(['knowledge', ...agents])] : agents;
}

const common = {
  name,
  label: translated,
  activity: translated.optional(),
  /** For a model: when to use it. */
  description: text,
  input: inputsSchema.default({}),
};

/** A file in `reads/`: what agents may look up. */
export const lookupSchema = z.strictObject({
  ...common,
  access: z.enum(['customer', 'anyone']).default('customer'),
  agents: z.array(name).min(1).default(['account']),
  read: z.record(name, readSchema),
  /** What a model is given; all that was read where absent. */
  output: z.record(name, formula).optional(),
  /** Filled with {values}; said where no model is asked. */
  values: z.record(name, text).default({}),
  says: z.object({ answer: translated }).catchall(translated).optional(),
});
export type LookupSpec = z.infer<typeof lookupSchema>;

/** The agents that look it up: what anybody may ask is told to visitors too, by the agent that answers those. */
export function askedOfAgents({ agents, access }: Pick<LookupSpec, 'agents' | 'access'>): readonly string[] {
  return access === 'anyone' ? [...new Set(['knowledge', ...agents])] : agents;
}

/** A statement; or one that is run only where something holds. */
const statementSchema = z.union([text, z.strictObject({ run: text, when: formula })]);
export type StatementSpec = z.infer<typeof statementSchema>;

/** The text of a statement of `perform.sql`. */
export function templateOf(statement: StatementSpec): string {
  return typeof statement === 'string' ? statement : statement.run;
}

const performSchema = z.union([
  /** In the company's own database, or in one of `sources.yaml`. */
  z.strictObject({ source: name.optional(), sql: z.array(statementSchema).min(1) }),
  z.strictObject({
    source: name,
    method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
    path: z.string().startsWith('/'),
    params: request.params,
    headers: request.headers,
    body: json.optional(),
    /** The header that carries the key by which the service knows a repeated call. */
    idempotency_header: text.default('Idempotency-Key'),
    /** False where the service would do it twice: a call whose answer is lost is looked up only, never sent again. */
    repeatable: z.boolean().default(true),
  }),
  z.strictObject({
    source: name,
    tool: text,
    args: request.args,
    /** The argument that carries the key by which the server knows a repeated call. */
    idempotency_arg: text.optional(),
    /** True where calling it twice does no more than once; so it is where it takes a key. */
    repeatable: z.boolean().optional(),
    /** Over the `body` of an error: where it holds, nothing was done. Any other error may have come after the deed. */
    refused: formula.optional(),
  }),
]);

/** A file in `actions/`: what agents may change. */
export const actionSchema = z.strictObject({
  ...common,
  issue_type: name,
  kind: z.enum(ACTION_KINDS),
  agents: z.array(name).min(1).default(['action']),
  target: z.strictObject({ input: name, eligible: formula.default('true') }).optional(),
  read: z.record(name, readSchema).default({}),
  deny: z
    .array(
      z.strictObject({
        when: formula,
        code: z.enum(ERROR_CODES, { error: DENY_CODE }).default('policy_denied'),
        say: name.optional(),
      }),
    )
    .default([]),
  terms: z.record(name, formula).default({}),
  values: z.record(name, text).default({}),
  approval: z.strictObject({ when: formula }).optional(),
  perform: performSchema,
  find_outcome: readSchema.optional(),
  claims: z.array(z.strictObject({ deed: z.enum(DEEDS), when: formula.optional() })).default([]),
  effects: z.array(z.strictObject({ say: name, when: formula.optional() })).default([]),
  says: z.record(name, translated),
});
export type ActionSpec = z.infer<typeof actionSchema>;
