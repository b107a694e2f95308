import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { sharedBy } from '../../core/domain/skill.js';
import { HubError } from '../../core/errors.js';
import type { DataSource, HttpAnswer, SourceOptions, SourceRows } from '../../core/ports/data-source.js';
import { untilAborted } from '../../core/signals.js';
import { compileJsonSchema } from '../json-schema.js';
import type { Pack } from '../pack/pack.js';
import type { RunContext } from '../run/run-context.js';
import { type CallPlan, planCall, type SourceAction } from './call-plan.js';

/**
 * The `result` of a step that asked SQL: `count` and `rows`, `truncated`, and the columns of a single row. A column called
 * `count` (`SELECT count(*) AS count`) is what its author means by `result.count`, so it comes before the number of rows.
 */
function rowsResult({ rows, truncated }: SourceRows): JsonObject {
  const single = rows.length === 1 ? rows[0] : undefined;
  return { count: rows.length, ...single, rows, truncated };
}

/**
 * The `result` of a step that asked over HTTP: `status`, `body`, the fields of a body that is an object, and `count` and
 * `rows` as of SQL: a list has its entries, an object is one row, and nothing found is none. `status` is always that of
 * HTTP; a body's own is `body.status`.
 */
function answerResult({ status, body }: HttpAnswer): JsonObject {
  const found = status < 400;
  const rows = found ? rowsOf(body) : [];
  const fields = isObject(body) ? body : {};
  const counted = { count: Array.isArray(fields.rows) ? fields.rows.length : rows.length, rows };
  return found ? { ...counted, ...fields, status, body } : { ...fields, ...counted, status, body };
}

function rowsOf(body: JsonValue): readonly JsonValue[] {
  if (Array.isArray(body)) return body;
  return body === null || body === '' ? [] : [body];
}

/** What a step keeps of an answer: it is stored with the run, and a tree looks at a handful of rows. */
export const MAX_ROWS = 1_000;
export const MAX_BYTES = 1_000_000;

/**
 * Asks the source of a step and gives its `result` variable.
 * SQL: `{ count, rows, truncated, ...columns of a single row }`. HTTP: `{ status, body, count, rows, ...fields of the
 * body }`; a 4xx answer is a result (`{ status: 404, count: 0 }`), but a refusal of our credentials is a fault.
 * @param scope what placeholders may name
 * @throws HubError `input_invalid` (a required parameter is missing), `skill_invalid`, `source_misconfigured`,
 * `source_unavailable` (down or too slow), `source_rejected`, `source_bad_answer`, and the reason of the run's signal
 */
export async function callSource(
  pack: Pack,
  action: SourceAction,
  scope: JsonObject,
  context: RunContext,
): Promise<JsonObject> {
  const plan = planCall(pack, action, scope, context.services.clock.now());
  const { cache, log } = context.services;
  const key = plan.cacheTtlMs > 0 ? cacheKey(pack, plan, context) : null;
  const kept = key === null ? undefined : cache.get(key);
  if (key !== null) context.meter.lookup(kept !== undefined);
  if (kept !== undefined) return kept as JsonObject;
  const began = performance.now();
  const line = (outcome: string): { agent: string; action: string; details: JsonObject } => ({
    agent: 'skills',
    action: 'source_called',
    details: {
      skill: pack.id,
      source: plan.spec.name,
      kind: plan.spec.kind,
      mapping: plan.mapping,
      outcome,
      duration_ms: Math.round((performance.now() - began) * 10) / 10,
    },
  });
  try {
    const result = await untilAborted(ask(pack, plan, context), context.signal);
    if (result.truncated === true) log.warn(line('truncated'));
    else log.debug(line('ok'));
    if (key !== null) cache.set(key, result, plan.cacheTtlMs, sharedBy(context.caller));
    return result;
  } catch (error) {
    log.warn(line(error instanceof HubError ? error.code : 'internal'));
    throw error;
  }
}

async function ask(pack: Pack, plan: CallPlan, context: RunContext): Promise<JsonObject> {
  context.signal.throwIfAborted();
  const source = await context.services.sources.open(plan.spec, context.caller);
  context.meter.apiCall();
  const options: SourceOptions = {
    signal: context.signal,
    maxRows: MAX_ROWS,
    maxBytes: MAX_BYTES,
    ...(plan.mapping === null ? {} : { mapping: plan.mapping }),
  };
  return plan.statement === null
    ? answerResult(await request(pack, plan, source, options))
    : rowsResult(await query(pack, plan, source, options));
}

async function query(
  pack: Pack,
  plan: CallPlan,
  source: DataSource,
  options: SourceOptions,
): Promise<SourceRows> {
  if (source.answers !== 'query' || plan.statement === null) throw wrongKind(pack, plan);
  const { rows, truncated } = await source.query(plan.statement, options);
  const answer = { rows: plan.parser === null ? rows : rows.map(plan.parser), truncated };
  const schema = plan.responseSchema;
  if (schema !== null) checkRows(pack, plan, schema, answer);
  return answer;
}

async function request(
  pack: Pack,
  plan: CallPlan,
  source: DataSource,
  options: SourceOptions,
): Promise<HttpAnswer> {
  if (source.answers !== 'request' || plan.request === null) throw wrongKind(pack, plan);
  const answer = await source.request(plan.request, options);
  const { name } = plan.spec;
  if (answer.status === 401 || answer.status === 403) {
    throw new HubError(
      'source_rejected',
      `The source ${name} refuses our credentials (HTTP ${answer.status}). Check data_sources.${name} of ${pack.id} and the variable it names.`,
      { skill: pack.id, source: name, status: answer.status },
    );
  }
  if (plan.responseSchema !== null && answer.status < 300)
    check(pack, plan, plan.responseSchema, answer.body);
  return answer;
}

/** A `response_schema` of SQL describes the list of rows, the whole result (`rows`, `count`), or else every row. */
function checkRows(pack: Pack, plan: CallPlan, schema: JsonObject, answer: SourceRows): void {
  const properties = schema.properties as JsonObject | undefined;
  if (schema.type === 'array') check(pack, plan, schema, answer.rows);
  else if (properties?.rows !== undefined || properties?.count !== undefined)
    check(pack, plan, schema, rowsResult(answer));
  else for (const row of answer.rows) check(pack, plan, schema, row);
}

function check(pack: Pack, plan: CallPlan, schema: JsonObject, value: JsonValue): void {
  const faults = compileJsonSchema(schema)(value);
  if (faults.length === 0) return;
  const { name } = plan.spec;
  throw new HubError(
    'source_bad_answer',
    `The answer of ${name} does not fit response_schema of the mapping ${plan.mapping} (api_mappings.yaml of ${pack.id}): ${faults.slice(0, 3).join('; ')}.`,
    { skill: pack.id, source: name, mapping: plan.mapping, faults: faults.slice(0, 10) },
  );
}

/** Everything that makes two calls the same one: another customer's answer is never this one's. */
function cacheKey(pack: Pack, plan: CallPlan, { caller }: RunContext): string {
  return JSON.stringify([
    'source',
    pack.id,
    pack.version,
    pack.hash,
    plan.mapping,
    plan.spec.name,
    sharedBy(caller),
    plan.statement,
    plan.request,
  ]);
}

function wrongKind(pack: Pack, plan: CallPlan): HubError {
  const { name, kind } = plan.spec;
  return new HubError(
    'skill_invalid',
    `The source ${name} of ${pack.id} (kind ${kind}) does not answer what the step asks of it.`,
    { skill: pack.id, source: name },
  );
}
