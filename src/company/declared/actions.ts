import type { JsonObject, JsonValue } from '../../core/domain/json.js';
import { languageAmong } from '../../core/domain/language.js';
import { HubError } from '../../core/errors.js';
import type { Sentences, TimeFormat } from '../../core/i18n/index.js';
import type { Formula } from '../../core/ports/data-source.js';
import type { AskedAt } from '../../runtime/asked-at.js';
import {
  type ActionTool,
  defineAction,
  type ListedRecord,
  type ToolDeps,
} from '../../runtime/define-tool.js';
import { keyedBy } from './asking.js';
import { type DenyRule, type Verdict, verdictOf } from './deny-rules.js';
import type { Effects, RemoteAction } from './effects.js';
import { asksOf, inputOf } from './inputs.js';
import { anyJson, readAll, type ToolParts } from './lookups.js';
import type { ActionSpec } from './schemas.js';
import {
  asFarAsWorkedOut,
  compileAll,
  compileValues,
  holds,
  type Values,
  withinConstraints,
  workedOut,
} from './values.js';

type Deps = Pick<ToolDeps, 'log' | 'clock' | 'time' | 'texts' | 'records' | 'customers'>;

/** What was read for a call, and what it would come to. */
interface Weighed extends Pick<Verdict, 'reason'>, Partial<Pick<Verdict, 'undecided'>> {
  readonly scope: JsonObject;
  readonly denied: Verdict['denied'] | null;
  /** Empty where it is denied. */
  readonly terms: JsonObject;
  readonly raw: JsonObject;
}

/** An action with its expressions read. */
export interface CompiledAction {
  readonly spec: ActionSpec;
  readonly values: Values;
  readonly deny: readonly DenyRule[];
  readonly terms: ReadonlyMap<string, Formula>;
  readonly needsOperator: Formula | null;
  /** Of an error that another system answers. */
  readonly refused: Formula | null;
}

/** Reads the expressions of a file of `actions/`. @throws HubError `expression_invalid` */
export function compileAction(
  spec: ActionSpec,
  { expressions }: Pick<ToolParts, 'expressions'>,
): CompiledAction {
  return {
    spec,
    values: compileValues(spec.values, expressions),
    deny: spec.deny.map((rule) => ({
      ...{ when: expressions.formula(rule.when), rule },
      late: /\bterms\./.test(rule.when),
    })),
    terms: compileAll(spec.terms, expressions),
    needsOperator: spec.approval ? expressions.formula(spec.approval.when) : null,
    refused:
      'refused' in spec.perform && spec.perform.refused ? expressions.formula(spec.perform.refused) : null,
  };
}

/** A file of `actions/` as a tool that passes the gate. */
export function actionTool(action: CompiledAction, parts: ToolParts, effects: Effects): ActionTool {
  const { spec, values } = action;
  const { expressions, asker } = parts;
  const key = (part: string): string => `${spec.name}.${part}`;
  const has = (part: string): boolean => Object.hasOwn(spec.says, part);
  type More = Readonly<Record<string, string>>;
  const say = (texts: Sentences, time: TimeFormat, part: string, raw: JsonObject, more: More = {}) =>
    texts.sayOwn(key(part), { ...values.written(raw, texts, time), ...more });
  const weigh = (deps: Deps, input: JsonObject, customerId: string, asked: AskedAt = {}) =>
    weighed(action, { ...parts, moment: () => parts.moment(asked) }, deps, input, customerId);
  const target = spec.target && {
    entity: entityOf(spec, spec.target.input),
    input: spec.target.input,
    eligible: eligibleBy(expressions.formula(spec.target.eligible)),
  };
  const claims = spec.claims.map(({ deed, when }) => ({
    deed,
    when: when ? expressions.formula(when) : null,
  }));
  const consequences = spec.effects.map(({ say: part, when }) => ({
    part,
    when: when ? expressions.formula(when) : null,
  }));
  /** As the author of the file reads it. */
  const performed = (perform: ActionSpec['perform'], scope: JsonObject): JsonValue =>
    'sql' in perform
      ? effects.statements(perform.sql, scope).map((one) => [one.segments.join('?'), ...one.values])
      : [perform.source, { ...asker.filled(perform, scope) } as JsonObject];
  return defineAction({
    name: spec.name,
    label: spec.label,
    activity: spec.activity ?? spec.label,
    description: spec.description,
    effect: 'irreversible',
    access: 'customer',
    issueType: spec.issue_type,
    ...(target ? { target } : {}),
    input: inputOf(spec.input, parts.currency),
    ...asksOf(spec.name, spec.input, spec.target?.input, has),
    output: anyJson,
    claims: (output) =>
      claims.filter(({ when }) => when === null || holds(when, { values: output })).map(({ deed }) => deed),
    async plan(deps: Deps, input, customerId: string, session) {
      const { denied, reason, terms, raw, scope } = await weigh(
        deps,
        input as JsonObject,
        customerId,
        session,
      );
      const { language } = session;
      const texts = deps.texts.for(language);
      if (denied)
        return reason === null
          ? denied
          : { ...denied, said: say(texts, deps.time, reason, raw), rule: reason };
      const asks = action.needsOperator !== null && holds(action.needsOperator, { ...scope, terms }, true);
      const english = deps.texts.for(languageAmong('en', deps.texts.languages) ?? language);
      return {
        kind: 'ready',
        // What the customer read is agreed to as much as what was worked out.
        terms: { ...terms, shown: raw },
        question: say(
          texts,
          deps.time,
          asks && has('confirm_approval') ? 'confirm_approval' : 'confirm',
          raw,
        ),
        ...(has('yes') && has('no')
          ? {
              answers: {
                yes: say(texts, deps.time, asks && has('yes_approval') ? 'yes_approval' : 'yes', raw),
                no: say(texts, deps.time, 'no', raw),
              },
            }
          : {}),
        ...(has('explain') ? { explained: say(texts, deps.time, 'explain', raw) } : {}),
        approval: asks ? say(english, deps.time, 'approval', raw) : null,
      };
    },
    async matter(deps: Deps, input, customerId: string, session) {
      const { raw } = await weigh(deps, input as JsonObject, customerId, session).catch(nothingRead);
      const { language } = session;
      const texts = deps.texts.for(language);
      const id = target && (input as JsonObject)[target.input];
      const record =
        typeof id === 'string' && target
          ? await deps.records.find(target.entity, customerId, id).catch(noRecord)
          : null;
      return {
        kind: spec.kind,
        name: say(texts, deps.time, 'matter', raw),
        unchanged: say(texts, deps.time, 'unchanged', raw),
        ifAgreed: has('if_agreed') ? say(texts, deps.time, 'if_agreed', raw) : null,
        about: record && { id: record.id, title: record.title, startsAt: record.startsAt },
      };
    },
    request: (_input, texts) => texts.sayOwn(key('request')),
    async consequences(deps: Deps, input, decision) {
      const { customerId, customer, language } = decision;
      const texts = deps.texts.for(language);
      const read = weigh(deps, input as JsonObject, customerId, decision);
      const { denied, terms, raw, scope } = await read.catch(nothingRead);
      if (denied) return [texts.sayOf('impossible', denied.code)];
      const all = { ...scope, terms };
      return consequences
        .filter(({ when }) => when === null || holds(when, all))
        .map(({ part }) => say(texts, deps.time, part, raw, { customer }));
    },
    async rehearse(deps: Deps, input, customerId: string) {
      const { denied, undecided = null, scope, terms } = await weigh(deps, input as JsonObject, customerId);
      if (denied) return { undecided, performs: null };
      const all = { ...scope, terms, at: deps.clock.now().toISOString(), idempotency_key: 'dry_run' };
      return { undecided, performs: performed(spec.perform, all) };
    },
    describe: (output, texts, time) => say(texts, time, 'done', output as JsonObject),
    async perform(deps: Deps, input, agreed, write) {
      const before = await effects.known(spec.name, write);
      if (before) return before;
      const { scope, denied } = await weigh(deps, input as JsonObject, write.customerId, write);
      if (denied) throw new HubError(denied.code, 'The rules no longer allow it.', { tool: spec.name });
      const { shown: _shown, ...terms } = agreed as JsonObject;
      const all: JsonObject = {
        ...scope,
        terms,
        at: write.at.toISOString(),
        idempotency_key: write.idempotencyKey,
      };
      const { perform } = spec;
      if ('sql' in perform && perform.source !== undefined)
        return effects.elsewhere(
          {
            ...{ tool: spec.name, write, scope: all },
            request: { statements: effects.statements(perform.sql, all) },
          },
          deps.log,
        );
      if ('sql' in perform)
        return withinConstraints(deps.log, { tool: spec.name, ticketId: write.ticketId }, () =>
          effects.inDatabase(spec.name, write, all, perform.sql, () => values.raw(all)),
        );
      const request = asker.filled(perform, all);
      const keyed = keyedBy(request, perform, write.idempotencyKey, terms.contract);
      return effects.elsewhere({ tool: spec.name, write, request: keyed, scope: all }, deps.log);
    },
  });
}

/** What the effect of an action elsewhere is kept as, and which of its errors say that there was none. */
export function judgedBy({ values, refused }: CompiledAction): Pick<RemoteAction, 'outcome' | 'refused'> {
  return {
    outcome: (scope) => values.raw(scope),
    refused: (body) => refused !== null && holds(refused, { body }),
  };
}

async function weighed(
  action: CompiledAction,
  { asker, policy, ownership, moment }: ToolParts,
  { customers, records, log }: Deps,
  input: JsonObject,
  customerId: string,
): Promise<Weighed> {
  const { spec, values, terms } = action;
  const [customer, facts] = await Promise.all([customers.get(customerId), customers.facts(customerId)]);
  const base: JsonObject = { customer_id: customerId, input, policy, ...moment() };
  const refused = (code: 'not_found' | 'customer_blocked', scope: JsonObject): Weighed => ({
    ...{ scope, terms: {}, raw: values.raw(scope), reason: null },
    denied: { kind: 'denied', code },
  });
  if (!customer) return refused('not_found', base);
  if (customer.isBlocked) return refused('customer_blocked', base);
  const who = { ...base, customer: { ...facts, name: customer.name, email: customer.email } };
  let read: JsonObject;
  try {
    await ownership.hold(spec.input, input, customerId, records);
    read = await readAll(spec.read, who, asker);
  } catch (error) {
    if (error instanceof HubError && error.code === 'not_found') return refused('not_found', who);
    throw error;
  }
  const scope = { ...who, ...read };
  const early = verdictOf(action, scope, log);
  const would = early && asFarAsWorkedOut(terms, scope);
  if (early) return { scope, terms: {}, raw: values.raw({ ...scope, terms: would }), ...early };
  const { perform } = spec;
  const contract = 'tool' in perform ? await asker.contract(perform.source, perform.tool) : null;
  // A tool that takes something else by the time of the yes is another one than was agreed to.
  const known = {
    ...workedOut(terms, scope, `The term of ${spec.name}`),
    ...(contract === null ? {} : { contract }),
  };
  const all = { ...scope, terms: known };
  const verdict = verdictOf(action, all, log) ?? { denied: null, reason: null };
  return { scope, terms: known, raw: values.raw(all), ...verdict };
}

/** Where a source is down, what was asked for can still be spoken of. */
function nothingRead(error: unknown): Weighed {
  if (!(error instanceof HubError)) throw error;
  return { scope: {}, terms: {}, raw: {}, denied: { kind: 'denied', code: error.code }, reason: null };
}

/** While a source is down, what was asked for is spoken of without the record. */
function noRecord(error: unknown): null {
  if (error instanceof HubError) return null;
  throw error;
}

function entityOf({ input, name }: ActionSpec, field: string): string {
  const spec = input[field];
  if (spec?.type === 'record') return spec.entity;
  const message = `actions/${name}.yaml: target.input must name an input of the type record`;
  throw new HubError('config_invalid', message, { key: 'target.input' });
}

/** A record has the names of `records.fields` in expressions too: `amount` is in minor units there as here. */
function eligibleBy(formula: Formula) {
  const asJson = ({ startsAt, amount, attributes, ...record }: ListedRecord): JsonValue => ({
    ...record,
    amount: amount?.minorUnits ?? null,
    starts_at: startsAt,
    attributes: { ...attributes },
  });
  return (records: readonly ListedRecord[], said: ReadonlySet<string>): readonly ListedRecord[] => {
    // "The one that was delivered" means one of those, also where the rules then say no.
    const named = records.filter(({ status }) => said.has(status));
    return named.length > 0 ? named : records.filter((record) => holds(formula, { record: asJson(record) }));
  };
}
