import type { JsonObject, JsonValue } from '../domain/json.js';
import type { SkillCaller } from '../domain/skill.js';

/**
 * A statement whose values travel apart from its text: `segments` has one entry more than `values`, and an adapter joins
 * them with its own placeholders (`?`, `$1`, `{p1:String}`). Values never become text.
 */
export interface BoundStatement {
  readonly segments: readonly string[];
  readonly values: readonly JsonValue[];
}

export interface SourceRows {
  /** At most `maxRows`, and at most `maxBytes` of them. */
  readonly rows: readonly JsonObject[];
  /** True where there were more. */
  readonly truncated: boolean;
}

export interface SourceOptions {
  /** Aborts the work at the source where it can, and the waiting for it always. */
  readonly signal: AbortSignal;
  readonly maxRows: number;
  /** Bytes of JSON an answer may have; rows beyond them are left out, as those beyond `maxRows` are. No limit where absent. */
  readonly maxBytes?: number;
  /** The mapping a statement or request comes from, where it has one; canned answers of a test case are found by it. */
  readonly mapping?: string;
}

/** A source that answers SQL, read-only. */
export interface QuerySource {
  readonly answers: 'query';
  /**
   * @throws HubError `source_unavailable` (down or too slow), `source_rejected` (the statement is wrong or not allowed),
   * `source_bad_answer`
   */
  query(statement: BoundStatement, options: SourceOptions): Promise<SourceRows>;
  /**
   * Runs all statements in one transaction, or none, and once for a key: with the key noted in the same transaction, in the table
   * `hub_effects`, a repetition changes nothing. Absent where the source is only read.
   * @throws HubError `wrong_status` (a statement found nothing to change), `constraint_failed`, `source_rejected`: nothing was done;
   * `source_unavailable`: nobody knows
   */
  change?(key: string, statements: readonly ChangeStatement[]): Promise<void>;
  close(): Promise<void>;
}

/** A statement that changes something. */
export interface ChangeStatement extends BoundStatement {
  /** True where it must find something to change. */
  readonly needed: boolean;
}

export interface HttpRequest {
  readonly method: string;
  /** Appended to the source's endpoint; placeholders are filled and encoded by the caller. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
}

export interface HttpAnswer {
  readonly status: number;
  /** Parsed JSON; text where it is none. */
  readonly body: JsonValue;
}

/** A source that answers HTTP requests. */
export interface RequestSource {
  readonly answers: 'request';
  /** A 4xx answer is returned, not thrown. @throws HubError as {@link QuerySource} */
  request(request: HttpRequest, options: SourceOptions): Promise<HttpAnswer>;
  /** What an operation takes and says of itself now, as a short text; absent where nothing tells. */
  contract?(operation: string, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** A tool of an MCP server, as it says of itself. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: {
    readonly readOnlyHint?: boolean | undefined;
    readonly destructiveHint?: boolean | undefined;
    readonly idempotentHint?: boolean | undefined;
  };
}

export type DataSource = QuerySource | RequestSource;

/** A request and the answer that is kept for it; `*` in its path is any one segment. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>> | undefined;
  };
  readonly response: { readonly status: number; readonly body?: JsonValue | undefined };
}

/** A source as a pack declares it (`data_sources` of skill.yaml). */
export interface SourceSpec {
  readonly name: string;
  readonly kind: 'sqlite' | 'postgres' | 'clickhouse' | 'http' | 'mcp' | 'module';
  /** `sqlite`: the file's name in the data directory, without `.db`. */
  readonly database?: string;
  /** `sqlite`: a file elsewhere, from `folder` where it is relative; or `env:NAME`. `module`: the program's file. */
  readonly file?: string;
  /** `mcp`: a program and its arguments, started in `folder`, where it has no address. */
  readonly command?: readonly string[];
  /** `mcp`: what the program is given of the environment: `env:NAME` by the name that it reads. */
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** `postgres`, `clickhouse`, `mcp`: an address, or `env:NAME`. */
  readonly url?: string;
  /** `http`: an address, or `env:NAME`. */
  readonly endpoint?: string;
  /** `http`: what answers while the variable that `endpoint` names is not set. */
  readonly fixture?: readonly Exchange[] | undefined;
  readonly auth?: 'none' | 'basic' | 'bearer' | 'api_key' | 'oauth2';
  /** `oauth2`: where client credentials get a token: an address, or `env:NAME`. */
  readonly token_url?: string;
  /** `oauth2`: for what. */
  readonly scope?: string;
  /** `env:NAME`, never the secret itself. `basic`, `oauth2`: the variable holds `user:password`. */
  readonly credentials?: string;
  /** `api_key`: the header that carries it; `x-api-key` where absent. */
  readonly header?: string;
  /** The only tables a statement may name, where given. */
  readonly tables?: readonly string[];
  readonly access?: 'read';
  /** Milliseconds for one attempt. */
  readonly timeoutMs?: number;
  /** Further attempts after a network fault or a 5xx. */
  readonly retries?: number;
}

/**
 * What a customer may see of a database of the hub: for each table the SQL condition that picks that customer's rows, in
 * which `:customer_id` stands for the customer. A table that is not named does not exist for a customer.
 */
export type CustomerScope = Readonly<Record<string, string>>;

/** A table as it was at one moment. */
export interface TableCopy {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: 'TEXT' | 'INTEGER' | 'REAL' }[];
  readonly rows: readonly (readonly JsonValue[])[];
}

/** A database of the hub that is on a server, where a pack asks it in the words of SQLite. */
export interface ServerTables {
  /**
   * Copies of tables, all of one moment.
   * @param own only what is this customer's; everything where null
   * @throws HubError `source_rejected` where a table is too large to be carried about
   */
  copy(
    isNamed: (table: string) => boolean,
    own: { readonly scope: CustomerScope; readonly customerId: string } | null,
  ): Promise<readonly TableCopy[]>;
}

/** Opens sources. Real ones in the application; made of fixtures in a test case. */
export interface DataSources {
  /**
   * The source, opened once for each caller and kept until `close`. A customer's handle on a database of the hub shows
   * that customer's rows only, whatever the statement says.
   * @throws HubError `source_misconfigured` (an environment variable is missing), `source_unavailable`
   */
  open(spec: SourceSpec, caller: SkillCaller): Promise<DataSource>;
  /** Whether a customer's handle on the source shows what that customer may see and nothing else, whatever is asked of it. */
  isCustomersOwn(spec: SourceSpec): boolean;
  close(): Promise<void>;
}

/** An expression in CEL, read once and worked out many times. */
export interface Formula {
  /** The dotted names it looks at. */
  readonly names: readonly string[];
  /** What its macros look at in the entries of lists, `*` for any entry: `orders.*.status`. */
  readonly entries: readonly string[];
  /** What comes out, as JSON; undefined where it cannot be worked out over this data. Never throws. A missing name is null. */
  value(scope: JsonObject): JsonValue | undefined;
}

/**
 * Expressions and placeholders (`{order.id}`) of YAML files. A value never becomes a part of a statement, and never leaves
 * its place in a path.
 */
export interface Expressions {
  /** @throws HubError `expression_invalid` with the text, what is wrong with it, and where */
  formula(text: string): Formula;
  /** @throws HubError `expression_invalid` where a placeholder is in quotes or in a comment */
  statement(template: string, scope: JsonObject): BoundStatement;
  /** @throws HubError `input_invalid` for a value that is missing or leads elsewhere */
  path(template: string, scope: JsonObject): string;
  /** A text that is one placeholder keeps the type of its value. */
  fill(template: JsonValue, scope: JsonObject): JsonValue;
  /** The dotted names that a template of any shape refers to. */
  namesIn(template: JsonValue | undefined): readonly string[];
}
