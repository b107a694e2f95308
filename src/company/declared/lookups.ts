import { z } from 'zod';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { OfflineStep } from '../../core/ports/chat-models.js';
import type { Expressions } from '../../core/ports/data-source.js';
import type { AskedAt } from '../../runtime/asked-at.js';
import { customerIdOf } from '../../runtime/caller-facts.js';
import type { Asked, CompanyAnswers } from '../../runtime/company-answers.js';
import { type AnyTool, defineTool, type ToolDeps } from '../../runtime/define-tool.js';
import { lastCall, say } from '../../runtime/offline-step.js';
import { type Asker, namesOf } from './asking.js';
import type { RecordEntity } from './demands.js';
import { asksOf, inputOf, type Ownership } from './inputs.js';
import { askedOfAgents, type LookupSpec, type ReadSpec } from './schemas.js';
import { compileAll, compileValues, workedOut } from './values.js';

/** What tools of a declared company work with. */
export interface ToolParts {
  readonly asker: Asker;
  readonly expressions: Expressions;
  /** The company's own sections of policy.yaml. */
  readonly policy: JsonObject;
  readonly ownership: Ownership;
  /** ISO 4217. */
  readonly currency: string;
  /** `now` and `today` of expressions. */
  readonly moment: (asked?: AskedAt) => JsonObject;
}

/** Anything that JSON can carry under names: what it is depends on the source. */
export const anyJson = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;
const record = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  place: z.string().nullable(),
  starts_at: z.string().nullable(),
  amount_cents: z.number().nullable(),
  upcoming: z.boolean(),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** The tool that lists a customer's records of an entity. */
export function listingTool({ words: { id: entity }, spec }: RecordEntity, currency: string): AnyTool {
  return defineTool({
    name: spec.tool ?? `list_${entity}`,
    label: spec.label,
    activity: spec.activity ?? spec.label,
    description:
      spec.description ??
      `${spec.read.public ? 'What there is for everybody' : "The customer's own records"} of the kind "${entity}", with their ids.`,
    effect: 'read',
    access: spec.read.public ? 'anyone' : 'customer',
    input: z.object({}),
    output: z.object({ records: z.array(record) }),
    lists: {
      entity,
      records: ({ records }) =>
        records.map(({ starts_at, amount_cents, ...rest }) => ({
          ...{ ...rest, startsAt: starts_at },
          amount: amount_cents === null ? null : { minorUnits: amount_cents, currency },
        })),
    },
    // What records have beside their own columns is in columns too, so that a model reads one table.
    view: ({ records }) => ({
      records: records.map(({ attributes, ...rest }) => ({ ...rest, ...attributes })),
    }),
    async run({ records }: Pick<ToolDeps, 'records'>, _input, context) {
      // What is the same for everybody is read for nobody.
      const found = await records.list(spec.read.public ? '' : customerIdOf(context), entity);
      return {
        records: found.map(({ id, title, status, place, startsAt, amount, upcoming, attributes }) => ({
          ...{ id, title, status, place, upcoming },
          starts_at: startsAt,
          amount_cents: amount?.minorUnits ?? null,
          attributes: { ...attributes },
        })),
      };
    },
  });
}

/** A file of `reads/` as a tool. */
export function lookupTool(
  spec: LookupSpec,
  { asker, expressions, policy, ownership, currency, moment }: ToolParts,
): AnyTool {
  const output = spec.output && compileAll(spec.output, expressions);
  const asked = Object.values(spec.read).flatMap((read) => namesOf(expressions, { ...read }));
  const named = [...(output?.values() ?? [])].flatMap(({ names }) => names);
  const asksWho = [...asked, ...named].some((name) => name.split('.')[0] === 'customer');
  return defineTool({
    name: spec.name,
    label: spec.label,
    activity: spec.activity ?? spec.label,
    description: spec.description,
    effect: 'read',
    access: spec.access,
    input: inputOf(spec.input, currency),
    ...asksOf(spec.name, spec.input),
    output: anyJson,
    async run({ records, customers }: Pick<ToolDeps, 'records' | 'customers'>, input, context) {
      const { identity } = context.session;
      const customerId = identity.kind === 'customer' ? identity.customerId : null;
      await ownership.hold(spec.input, input as JsonObject, customerId, records);
      const facts = customerId !== null && asksWho ? await customers.facts(customerId) : null;
      const who: JsonObject = {
        ...(customerId === null ? {} : { customer_id: customerId }),
        ...(facts && identity.kind === 'customer' ? { customer: { ...facts, email: identity.email } } : {}),
      };
      const scope = { ...who, input: input as JsonObject, policy, ...moment() };
      const found = await readAll(spec.read, scope, asker, context.signal);
      return output ? workedOut(output, { ...scope, ...found }, `The output of ${spec.name}`) : found;
    },
  });
}

/**
 * Reads one after the other; each may use what those before it found.
 * @throws HubError `not_found` where the one that is meant is not there
 */
export async function readAll(
  reads: Readonly<Record<string, ReadSpec>>,
  scope: JsonObject,
  asker: Asker,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const found: Record<string, JsonValue> = {};
  for (const [name, spec] of Object.entries(reads)) {
    const value = await asker.read(spec, { ...scope, ...found }, signal);
    if (spec.one && !spec.optional && !isObject(value))
      throw new HubError('not_found', `Nothing of that kind belongs to this customer.`, { read: name });
    found[name] = value;
  }
  return found;
}

/** From here on a look-up is what is asked for, whatever an article tells too. */
const SURE_LOOKUP = 0.75;

/**
 * What is said of a look-up where no model is asked: it is called, and its sentence filled with what it found.
 * @param toolOf the tool that an intent names
 * @param lists the tools that list records, of which a look-up may need one
 */
export function lookupAnswers(
  lookups: readonly { readonly spec: LookupSpec; readonly tool: AnyTool }[],
  expressions: Expressions,
  toolOf: (intent: string) => string | null,
  lists: readonly AnyTool[],
): CompanyAnswers {
  const known = lookups.flatMap(({ spec, tool }) =>
    spec.says === undefined ? [] : [{ spec, tool, values: compileValues(spec.values, expressions) }],
  );
  const answerOf = (agent: string, asked: Asked): OfflineStep | null => {
    const { focus } = asked.context;
    // A reply to what was asked for continues with it; whatever else is asked meanwhile is a request of its own.
    const wanted = focus?.args && asked.replies ? focus.intent : toolOf(asked.intent);
    const found = known.find(({ spec }) => spec.name === wanted && askedOfAgents(spec).includes(agent));
    if (!found || !asked.may(found.spec.name)) return null;
    const { spec, tool, values } = found;
    const before = lastCall(asked.context, spec.name);
    if (!before) {
      const step = recordStep(spec, tool, lists, asked) ?? asked.call(tool);
      // What an article answers is not met with a question for what a look-up needs that is only guessed at.
      const isGuess = asked.answered && !asked.replies && asked.confidence < SURE_LOOKUP;
      return isGuess && step.kind === 'say' ? null : step;
    }
    if (!before.ok || !isObject(before.result as JsonValue)) return null;
    const raw = values.raw(before.result as JsonObject);
    return say(asked.texts.sayOwn(`${spec.name}.answer`, values.written(raw, asked.texts, asked.time)));
  };
  const agents = new Set(known.flatMap(({ spec }) => askedOfAgents(spec)));
  return Object.fromEntries([...agents].map((agent) => [agent, (asked: Asked) => answerOf(agent, asked)]));
}

/** Calls a look-up with the record that the words name, after these were read, or asks which one; null where it needs none. */
function recordStep(
  { input }: LookupSpec,
  tool: AnyTool,
  lists: readonly AnyTool[],
  asked: Asked,
): OfflineStep | null {
  const { focus } = asked.context;
  const given = focus?.intent === tool.name ? (focus.args ?? {}) : {};
  for (const [name, one] of Object.entries(input)) {
    if (one.type !== 'record' || one.optional || Object.hasOwn(given, name)) continue;
    const list = lists.find(({ lists: of }) => of?.entity === one.entity);
    if (!list?.lists || !asked.may(list.name)) return null;
    const read = lastCall(asked.context, list.name);
    if (!read) return asked.call(list);
    const output = list.output.safeParse(read.result);
    if (!read.ok || !output.success) return null;
    const records = list.lists.records(output.data);
    if (records.length === 0)
      return say(asked.texts.say('records', { entity: one.entity, list: null, by: null, exact: true }));
    const [only] = records.length === 1 ? records : [];
    const id = asked.named(records) ?? only?.id;
    return asked.call(tool, id === undefined ? {} : { [name]: id }, records);
  }
  return null;
}
