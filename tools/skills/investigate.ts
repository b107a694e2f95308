import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../src/core/domain/json.js';
import type { SkillRun } from '../../src/core/domain/skill.js';
import type { RankedSkill, Skills } from '../../src/core/ports/skills.js';
import { unlessUnreachable } from '../../src/core/signals.js';
import {
  customerIdOf,
  demandOwn,
  factsOf,
  fitting,
  isForCustomers,
  reachIn,
  recordsNamed,
} from '../../src/runtime/caller-facts.js';
import { defineTool, type ToolContext, type ToolDeps } from '../../src/runtime/define-tool.js';
import { asksCustomer, type Investigation, investigationShape, readRun } from '../../src/runtime/read-run.js';

type Deps = Pick<ToolDeps, 'skills' | 'customers' | 'records' | 'language' | 'clock' | 'roster'>;

const baseSchema = z.object({
  problem: z.string().min(1).max(2000).describe("The symptom in the customer's words."),
  skill_id: z.string().max(64).optional().describe('One of the candidates of an undecided call.'),
  details: z
    .record(z.string().max(64), z.union([z.string().max(500), z.number(), z.boolean()]))
    .optional()
    .describe('Further facts the customer stated, by the name of the field the procedure asks for.'),
});

type Input = z.infer<typeof baseSchema>;

/** What the hub itself says about who asks; `details` cannot replace it. */
const GIVEN = ['customer', 'user_id', 'customer_id', 'message', 'language'];

/** The input, in which a record may be named by its id: `ENTITY_id`. */
function inputSchema(entities: readonly string[]) {
  const ids = entities.map((entity) => [
    `${entity}_id`,
    z.string().max(64).optional().describe(`Where the customer means a certain ${entity}.`),
  ]);
  const { details, ...first } = baseSchema.shape;
  return z.object({ ...first, ...Object.fromEntries(ids), details }) as typeof baseSchema;
}

/**
 * Diagnoses a symptom: picks the procedure (a decision tree of skills/) and runs it over the customer's own verified
 * record. It only reads; what it advises passes the action agent's gates. The same call gives the stored run again.
 */
export const investigate = (entities: readonly string[]) =>
  defineTool({
    name: 'investigate',
    description:
      'Finds out why something does not work for the customer, by a fixed procedure over the record.',
    effect: 'read',
    access: 'customer',
    input: inputSchema(entities),
    output: investigationShape,
    view: (output) => viewOf(output),
    async run(deps: Deps, input, context): Promise<Investigation> {
      const { session } = context;
      const customerId = customerIdOf(context);
      const { details = {}, ...given } = input;
      const named = recordsNamed(given, entities);
      for (const one of named) await demandOwn(deps, customerId, one);
      const meant = await recordsMeant(deps, customerId, input.problem, entities);
      const facts = await factsOf(deps, customerId);
      const pick = pickSkill(deps, input, context, facts);
      if (pick.skillId === null) return { status: 'undecided', candidates: pick.candidates };
      const known = {
        ...facts,
        user_id: customerId,
        customer_id: customerId,
        message: input.problem,
        language: session.language,
        ...Object.fromEntries([...meant, ...named].map(({ entity, id }) => [`${entity}_id`, id])),
      };
      const run = await deps.skills.run({
        skillId: pick.skillId,
        input: inputFor(deps.skills, pick.skillId, known, withoutGiven(details, entities)),
        caller: { kind: 'customer', customerId },
        ticketId: session.ticketId,
        runId: `run_${session.turnId}_${context.callId}`,
        gatedActions: deps.roster.actions.map((action) => action.name),
        reach: reachIn(session),
      });
      return readRun(await askedOfCustomer(deps, run, context), session.language, deps.roster.actions);
    },
  });

/** The customer's own records that their words name by title or id, of each entity the one that they can only mean. */
async function recordsMeant(
  { records, language, clock }: Deps,
  customerId: string,
  text: string,
  entities: readonly string[],
): Promise<readonly { readonly entity: string; readonly id: string }[]> {
  const own = await unlessUnreachable(records.list(customerId), []);
  return entities.flatMap((entity) => {
    // By its title alone: a day or an hour in a complaint is more often that of the complaint.
    const choices = own
      .filter((record) => record.entity === entity)
      .map(({ id, title }) => ({ id, title, startsAt: null }));
    const [id, ...others] = language.namedAmong(text, choices, clock.now()) ?? [];
    return id !== undefined && others.length === 0 ? [{ entity, id }] : [];
  });
}

/**
 * A doubt that the skill puts as a question to the customer ("is it about X, or another one?") is the customer's to
 * clear, once a ticket; what comes back is investigated anew. Any other doubt is an operator's.
 */
async function askedOfCustomer(deps: Deps, run: SkillRun, { session }: ToolContext): Promise<SkillRun> {
  if (!asksCustomer(run, session.language)) return run;
  const earlier = await deps.skills.forTicket(session.ticketId);
  const asked = earlier.filter(({ skillId, runId }) => skillId === run.skillId && runId !== run.runId);
  if (asked.length > 0) return run;
  return deps.skills.resume(run.runId, { choice: 'A', by: 'hub:asks_customer' });
}

function pickSkill(deps: Deps, input: Input, { session }: ToolContext, facts: JsonObject) {
  const among = deps.skills
    .list()
    .filter((skill) => isForCustomers(skill, session))
    .map((skill) => skill.id);
  if (input.skill_id !== undefined && among.includes(input.skill_id)) {
    return { skillId: input.skill_id, candidates: [] };
  }
  const intents = deps.language.requests(input.problem, session.language).map((request) => request.intent);
  const pick = deps.skills.pick({ text: input.problem, intents, facts, among });
  if (pick.kind === 'one') return { skillId: pick.ranked[0]?.skillId ?? null, candidates: [] };
  const ranked = pick.ranked.length > 0 ? pick.ranked : everything(deps.skills, among);
  return { skillId: null, candidates: ranked.slice(0, SHOWN_CANDIDATES).map(candidate) };
}

const SHOWN_CANDIDATES = 8;

function everything(
  skills: Skills,
  among: readonly string[],
): readonly Pick<RankedSkill, 'skillId' | 'title' | 'description'>[] {
  return skills
    .list()
    .filter((skill) => among.includes(skill.id))
    .map(({ id, title, description }) => ({ skillId: id, title, description }));
}

function candidate({ skillId, title, description }: Pick<RankedSkill, 'skillId' | 'title' | 'description'>) {
  return { skill_id: skillId, title, description: description.slice(0, 200) };
}

/**
 * What the skill's schema knows of what there is. A skill of another trade asks for other things: those come as
 * details, or stand in the text as a reference of the form that it demands.
 */
function inputFor(
  skills: Skills,
  skillId: string,
  known: JsonObject,
  details: Readonly<Record<string, JsonValue>>,
): JsonObject {
  const text = typeof known.message === 'string' ? known.message : '';
  const read = skills.inputFrom(skillId, { text, facts: details });
  return fitting({ ...read, ...details, ...known }, skills.get(skillId).inputSchema, false);
}

/** For the model: what to say, without ids it would repeat to the customer. */
function viewOf(output: Investigation): unknown {
  if (output.status === 'undecided') return output;
  const { run_id: _run, skill_version: _version, advice: _advice, ...rest } = output;
  if (rest.status === 'needs_person') {
    const { options: _options, tried: _tried, question: _question, ...finding } = rest;
    return { ...finding, next: 'An operator decides how to go on; the system tells the customer so.' };
  }
  const { proposal, ...finding } = rest;
  return {
    ...finding,
    next: proposal
      ? 'The system asks the customer about the recommended action right after your answer.'
      : null,
  };
}

function withoutGiven(
  details: NonNullable<Input['details']>,
  entities: readonly string[],
): Readonly<Record<string, JsonValue>> {
  const given = new Set([...GIVEN, ...entities.map((entity) => `${entity}_id`)]);
  return Object.fromEntries(Object.entries(details).filter(([name]) => !given.has(name)));
}
