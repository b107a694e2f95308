import type { CompanyDatabase } from '../../../data/company-database.js';
import { type Database, storeOf, type Work } from '../../../data/database.js';
import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { type ErrorCode, HubError } from '../../core/errors.js';
import type { ChangeStatement, Expressions, HttpRequest } from '../../core/ports/data-source.js';
import type { LedgerEntry, WriteContext } from '../../core/ports/index.js';
import type { Log } from '../../core/ports/system.js';
import { type Asker, sqliteValues } from './asking.js';
import { type ActionSpec, type ReadSpec, type StatementSpec, templateOf } from './schemas.js';
import { holds } from './values.js';

/** A call that was sent to another system, or is about to be, and whose outcome is not known yet. */
interface Attempt {
  readonly tool: string;
  readonly write: WriteContext;
  /** Of another database: statements of one transaction. */
  readonly request: HttpRequest | { readonly statements: readonly ChangeStatement[] };
  /** What the outcome is made of, beside the answer. */
  readonly scope: JsonObject;
}

/** Calls to other systems, noted down before they are sent, so that a crash loses none. */
interface Attempts {
  note(attempt: Attempt): Promise<void>;
  find(idempotencyKey: string): Promise<Attempt | null>;
  drop(idempotencyKey: string): Promise<void>;
}

/** The table is made by the migrations of every declared company. */
function createAttempts(database: Database): Attempts {
  const insert = database.prepare<[string, string, string, string]>(
    'INSERT INTO effect_attempts (idempotency_key, customer_id, attempt, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const select = database
    .prepare<[string], string>('SELECT attempt FROM effect_attempts WHERE idempotency_key = ?')
    .pluck();
  const remove = database.prepare<[string]>('DELETE FROM effect_attempts WHERE idempotency_key = ?');
  return storeOf<Attempts>(database, {
    *note(attempt) {
      const { idempotencyKey, customerId, at } = attempt.write;
      yield* insert.run(idempotencyKey, customerId, JSON.stringify(attempt), at.toISOString());
    },
    *find(key) {
      const text = yield* select.get(key);
      if (text === undefined) return null;
      const attempt = JSON.parse(text) as Attempt;
      return { ...attempt, write: { ...attempt.write, at: new Date(attempt.write.at) } };
    },
    *drop(key) {
      yield* remove.run(key);
    },
  });
}

/** What was done here, and doing it. */
interface Deeds {
  find(idempotencyKey: string): Promise<LedgerEntry | null>;
  once(tool: string, write: WriteContext, effect: () => Work<JsonObject>): Promise<JsonObject>;
}

/** How an action takes effect, once, and what became of it. */
export interface Effects {
  /** What came of a key before, or undefined. @throws HubError `pending_mismatch` */
  known(tool: string, write: WriteContext): Promise<JsonObject | undefined>;
  /** Those that are run, with their values. */
  statements(sql: readonly StatementSpec[], scope: JsonObject): readonly ChangeStatement[];
  /** All statements, or none of them. */
  inDatabase(
    tool: string,
    write: WriteContext,
    scope: JsonObject,
    sql: readonly StatementSpec[],
    outcome: () => JsonObject,
  ): Promise<JsonObject>;
  /**
   * One call, repeated only under the same key. What went wrong on the way is logged as `effect_in_doubt`, also where it
   * comes out well.
   * @throws HubError `outcome_unknown` where nobody can say whether it was made
   */
  elsewhere(attempt: Attempt, log: Log): Promise<JsonObject>;
  /** Looks up, or completes, what a crash or a broken line has left unknown. */
  settle(idempotencyKey: string): Promise<LedgerEntry | null>;
}

/** An action whose effect another system makes. */
export interface RemoteAction {
  readonly source: string;
  readonly findOutcome: ReadSpec | undefined;
  /** False where the same call under the same key would have a second effect. */
  readonly repeatable: boolean;
  /** True of an error that says that nothing was done. */
  refused(error: JsonValue): boolean;
  outcome(scope: JsonObject): JsonObject;
}

interface EffectParts {
  readonly database: CompanyDatabase;
  readonly asker: Asker;
  readonly expressions: Expressions;
  /** By name of the tool. */
  readonly remote: ReadonlyMap<string, RemoteAction>;
}

/** What a refusal of another system means here. */
const REFUSALS: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  409: 'wrong_status',
  422: 'policy_denied',
  500: 'policy_denied',
};
/** Faults before anything was sent. */
const NOT_SENT: ReadonlySet<ErrorCode> = new Set([
  'source_misconfigured',
  'source_rejected',
  'input_invalid',
]);
/** A statement without the comments before it, and without what it names first (`WITH`). */
const COMMENTS = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;
const CHANGES = /^(?:update|delete|insert|replace|with)\b/i;
/** Says itself that it may change nothing. */
const MAY_BE_NONE = /\bor\s+ignore\b|\bdo\s+nothing\b/i;
const CONFLICT = 409;
/** From here on a system says that it failed, and not whether that was before the deed. */
const FAILED = 500;

/** Makes that of a company. */
export function createEffects({ database, asker, expressions, remote }: EffectParts): Effects {
  const { ledger, writer } = database;
  const attempts = createAttempts(writer);
  const deeds = storeOf<Deeds>(writer, { find: ledger.find, once: ledger.once });
  /** Keys of calls whose answers are waited for here: what they do may not be known elsewhere yet. */
  const running = new Set<string>();
  const remoteOf = (tool: string): RemoteAction => {
    const found = remote.get(tool);
    if (found) return found;
    throw new HubError('config_invalid', `actions/${tool}.yaml is gone, and a call of it is open.`, { tool });
  };
  const recorded = async ({ tool, write, scope }: Attempt, body: JsonValue): Promise<JsonObject> => {
    const outcome = remoteOf(tool).outcome({ ...scope, result: body });
    const kept = await deeds.once(tool, write, () => done(outcome));
    await attempts.drop(write.idempotencyKey);
    return kept;
  };
  /** Whatever it says no to was undone; only a line that broke leaves open whether it was done, and then its key tells. */
  const change = async (attempt: Attempt, statements: readonly ChangeStatement[]): Promise<JsonObject> => {
    const { idempotencyKey: key } = attempt.write;
    await asker.change(remoteOf(attempt.tool).source, key, statements).catch(async (error: unknown) => {
      if (error instanceof HubError && error.code !== 'source_unavailable') await attempts.drop(key);
      throw error;
    });
    return recorded(attempt, null);
  };
  const send = async (attempt: Attempt, isRepeated = false): Promise<JsonObject> => {
    if ('statements' in attempt.request) return change(attempt, attempt.request.statements);
    const { idempotencyKey } = attempt.write;
    const { status, body } = await asker
      .send(remoteOf(attempt.tool).source, attempt.request)
      .catch(async (error: unknown) => {
        // What the first call has done is not known better because a second one cannot be made.
        if (!isRepeated && error instanceof HubError && NOT_SENT.has(error.code))
          await attempts.drop(idempotencyKey);
        throw error;
      });
    if (status < 300) return recorded(attempt, body);
    if (status < 400)
      throw new HubError('source_bad_answer', `${attempt.tool} is answered by a redirect (HTTP ${status}).`, {
        status,
      });
    // A service that still works on the first call refuses the second one, and has the effect all the same.
    if (status >= FAILED && !remoteOf(attempt.tool).refused(body))
      throw new HubError('source_unavailable', `${attempt.tool} is answered by an error.`, { status });
    if (isRepeated && status === CONFLICT)
      throw new HubError('source_unavailable', `${attempt.tool} is in conflict with its own first call.`, {
        status,
      });
    await attempts.drop(idempotencyKey);
    throw refusal(attempt, status);
  };
  const lookedUp = async (attempt: Attempt): Promise<JsonObject | null> => {
    const { findOutcome, repeatable } = remoteOf(attempt.tool);
    if (!findOutcome && !repeatable)
      throw new HubError('source_rejected', `${attempt.tool} can neither be looked up nor be repeated.`);
    if (!findOutcome) return send(attempt, true);
    const scope = { ...attempt.scope, idempotency_key: attempt.write.idempotencyKey };
    const found = await asker.read({ ...findOutcome, one: true }, scope);
    if (found !== null) return recorded(attempt, found);
    await attempts.drop(attempt.write.idempotencyKey);
    return null;
  };
  const statements: Effects['statements'] = (sql, scope) =>
    sql.flatMap((one) => {
      if (typeof one !== 'string' && !holds(expressions.formula(one.when), scope)) return [];
      const template = templateOf(one);
      return { ...expressions.statement(template, scope), needed: isMeantToChange(template) };
    });
  return {
    statements,
    async known(tool, write) {
      if ((await deeds.find(write.idempotencyKey)) === null) return undefined;
      return { ...(await deeds.once(tool, write, () => done({}))) };
    },
    inDatabase: (tool, write, scope, sql, outcome) =>
      deeds.once(tool, write, function* () {
        for (const statement of statements(sql, scope)) {
          const change = writer.prepare(statement.segments.join('?'));
          const { changes } = yield* change.run(...sqliteValues(statement));
          if (changes === 0 && statement.needed)
            throw new HubError('wrong_status', 'The record is not in a state that allows this.', { tool });
        }
        return outcome();
      }),
    async elsewhere(attempt, log) {
      const { idempotencyKey } = attempt.write;
      await attempts.note(attempt);
      running.add(idempotencyKey);
      let failure: HubError;
      try {
        return await send(attempt);
      } catch (error) {
        if (!(error instanceof HubError) || (await attempts.find(idempotencyKey)) === null) throw error;
        failure = error;
        const { tool, write } = attempt;
        log.warn({
          ...{ agent: 'action', action: 'effect_in_doubt', ticketId: write.ticketId },
          details: { tool, pendingId: idempotencyKey, code: failure.code, message: failure.message },
        });
      } finally {
        running.delete(idempotencyKey);
      }
      // It may have been made all the same: what became of it is asked, and where nothing did, it is sent once more.
      try {
        const found = await lookedUp(attempt);
        if (found) return found;
        // It has answered, and knows of no deed: it will not do the same thing more gladly a second time.
        const { status } = failure.fields;
        if (Number(status) >= FAILED) throw refusal(attempt, FAILED);
        await attempts.note(attempt);
        return await send(attempt, true);
      } catch (error) {
        throw (await attempts.find(attempt.write.idempotencyKey)) === null
          ? error
          : unknownOutcome(attempt, error);
      }
    },
    async settle(key) {
      const attempt = await attempts.find(key);
      if (attempt === null) return null;
      if (running.has(key)) throw unknownOutcome(attempt, 'its answer is waited for');
      try {
        await lookedUp(attempt);
      } catch (error) {
        if ((await attempts.find(key)) !== null) throw unknownOutcome(attempt, error);
      }
      return deeds.find(key);
    },
  };
}

/** Something that was done elsewhere. */
// biome-ignore lint/correctness/useYield: nothing is left to do
function* done(outcome: JsonObject): Work<JsonObject> {
  return outcome;
}

function refusal({ tool }: Attempt, status: number): HubError {
  const code = REFUSALS[status] ?? 'source_rejected';
  return new HubError(code, `${tool} is refused (HTTP ${status}).`, { tool, status });
}

/** Nothing is said to be done where a statement found nothing to do it to. */
function isMeantToChange(template: string): boolean {
  return CHANGES.test(template.replace(COMMENTS, '')) && !MAY_BE_NONE.test(template);
}

function unknownOutcome({ tool, write }: Attempt, cause: unknown): HubError {
  return new HubError(
    'outcome_unknown',
    `Nobody can say yet whether ${tool} took effect; it is looked up again under its key.`,
    { tool, idempotencyKey: write.idempotencyKey },
    { cause },
  );
}

/** The remote part of an action; undefined where the company's own database makes the effect. */
export function remoteActionOf(
  { perform, find_outcome }: ActionSpec,
  judged: Pick<RemoteAction, 'outcome' | 'refused'>,
): RemoteAction | undefined {
  if (perform.source === undefined) return undefined;
  const repeatable =
    'sql' in perform || (perform.repeatable ?? ('tool' in perform && perform.idempotency_arg !== undefined));
  return { source: perform.source, repeatable, findOutcome: find_outcome, ...judged };
}
