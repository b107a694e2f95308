import { CULTPASS_SCOPE } from '../../../../companies/cultpass/data/database.js';
import { UDAHUB_SCOPE } from '../../../../data/udahub/database.js';
import { createDataSources } from '../../../../src/adapters/sources/data-sources.js';
import type { JsonObject, JsonValue } from '../../../../src/core/domain/json.js';
import type { SkillCaller } from '../../../../src/core/domain/skill.js';
import { HubError } from '../../../../src/core/errors.js';
import type {
  DataSources,
  HttpAnswer,
  HttpRequest,
  SourceRows,
  SourceSpec,
} from '../../../../src/core/ports/data-source.js';
import { createRecordingLog, type RecordingLog } from '../../../support/recording-log.js';

export const OPERATOR: SkillCaller = { kind: 'operator', operatorId: 'op_1' };

export const customer = (customerId: string): SkillCaller => ({ kind: 'customer', customerId });

/** The real sources, with an environment that a test gives. */
export interface TestSources extends DataSources {
  readonly log: RecordingLog;
  /** Runs SQL with `?` for each value. */
  query(spec: SourceSpec, sql: string, values?: readonly JsonValue[], options?: Options): Promise<SourceRows>;
  rows(
    spec: SourceSpec,
    sql: string,
    values?: readonly JsonValue[],
    options?: Options,
  ): Promise<readonly JsonObject[]>;
  request(spec: SourceSpec, request: Partial<HttpRequest>, options?: Options): Promise<HttpAnswer>;
}

export interface Options {
  readonly caller?: SkillCaller;
  readonly maxRows?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export function openTestSources(
  env: Readonly<Record<string, string>> = {},
  dataDir = '/nowhere',
): TestSources {
  const log = createRecordingLog();
  const sources = createDataSources({
    dataDir,
    secret: (name) => env[name],
    log,
    scopes: { cultpass: CULTPASS_SCOPE, udahub: UDAHUB_SCOPE },
  });
  const query: TestSources['query'] = async (spec, sql, values = [], options = {}) => {
    const source = await sources.open(spec, options.caller ?? OPERATOR);
    if (source.answers !== 'query') throw new Error(`${spec.name} answers no SQL`);
    return await source.query({ segments: sql.split('?'), values }, limits(options));
  };
  return {
    ...sources,
    log,
    query,
    rows: async (...args) => (await query(...args)).rows,
    async request(spec, request, options = {}) {
      const source = await sources.open(spec, options.caller ?? OPERATOR);
      if (source.answers !== 'request') throw new Error(`${spec.name} answers no requests`);
      return await source.request({ method: 'GET', path: '/', ...request }, limits(options));
    },
  };
}

function limits({ signal, maxRows = 1_000, maxBytes }: Options) {
  return {
    signal: signal ?? new AbortController().signal,
    maxRows,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

/** The error that some work ends with, which must be one of the hub's. */
export async function faultOf(work: Promise<unknown>): Promise<HubError> {
  try {
    const value = await work;
    throw new Error(`it succeeded with ${JSON.stringify(value)?.slice(0, 200)}`);
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
}
