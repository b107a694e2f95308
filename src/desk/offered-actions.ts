import { z } from 'zod';
import type { OfferedAction } from '../core/app.js';
import type { EntityRecord } from '../core/domain/entity.js';
import type { Language } from '../core/domain/taxonomy.js';
import { toHubError } from '../core/errors.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import type { ActionPlan, ActionTool } from '../runtime/define-tool.js';
import { known, type TicketDeps } from './ticket-actions.js';

/** What one input of an action may be, as its schema says it. */
interface InputSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Of more choices the rules are asked when one is chosen. */
const MOST_CHOICES = 25;

/** See `Desk.actionsFor`. */
export async function actionsFor(
  { graph }: TicketDeps,
  ticketId: string,
  language: Language,
): Promise<readonly OfferedAction[]> {
  const { tools } = graph;
  const { customerId } = await known({ graph }, ticketId);
  if (customerId === null) return [];
  const all = await tools.records.list(customerId);
  const { actions, operatorActions } = tools.roster;
  return Promise.all(
    [...actions, ...operatorActions].map((tool) => offered(graph, tool, all, customerId, language)),
  );
}

async function offered(
  { tools }: GraphDeps,
  tool: ActionTool,
  all: readonly EntityRecord[],
  customerId: string,
  language: Language,
): Promise<OfferedAction> {
  const { target, picks } = tool;
  const picked = await picks?.among(tools, customerId, tools.texts.for(language));
  const recordsOf = (name: string) => {
    if (picks?.input === name) return picked ?? [];
    if (target?.input === name)
      return target.eligible(
        all.filter(({ entity }) => entity === target.entity),
        new Set(),
      );
    const own = all.filter(({ entity }) => name === `${entity}_id`);
    return own.length > 0 ? own : null;
  };
  const fields = fieldsOf(tool)
    .filter(({ name }) => picks === undefined || picks.input === name)
    .map(({ name, schema, required }) => ({
      ...{ name, required },
      type: typeOf(schema),
      minimum: schema.minimum ?? null,
      maximum: schema.maximum ?? null,
      options: schema.enum?.filter((value) => typeof value === 'string') ?? null,
      records:
        recordsOf(name)?.map(({ id, title, startsAt, amount = null }) => ({ id, title, startsAt, amount })) ??
        null,
    }));
  const refusal = (args: Readonly<Record<string, string>>) =>
    refusalOf(tools, tool, args, customerId, language);
  const needed = fields.filter(({ required }) => required);
  const [only, ...others] = needed;
  const choices = only && (only.records?.map(({ id }) => id) ?? only.options);
  // What has to be written, or chosen twice, is not known before.
  const isKnown = others.length === 0 && (!only || (choices && choices.length <= MOST_CHOICES));
  const refused = new Map<string, string>();
  for (const id of (isKnown && only && choices) || []) {
    const said = await refusal({ [only?.name ?? '']: id });
    if (said !== null) refused.set(id, said);
  }
  return {
    tool: tool.name,
    refused: isKnown && !only ? await refusal({}) : null,
    fields: fields.map((field) => ({
      ...field,
      refused: field === only ? Object.fromEntries(refused) : {},
    })),
  };
}

/** Which rule stands against a call, in words for the operator; null where none does, or it cannot be said now. */
async function refusalOf(
  tools: GraphDeps['tools'],
  tool: ActionTool,
  args: Readonly<Record<string, string>>,
  customerId: string,
  language: Language,
): Promise<string | null> {
  const { success, data } = tool.input.safeParse(args);
  if (!success) return null;
  try {
    const plan = await tool.plan(tools, data, customerId, { language });
    return plan.kind === 'denied' ? refusedWords(tools, tool, plan, language) : null;
  } catch (error) {
    // A system that does not answer now may answer when the action is chosen.
    const { code } = toHubError(error);
    tools.log.warn({ agent: 'desk', action: 'action_not_planned', details: { tool: tool.name, code } });
    return null;
  }
}

/** Why a plan is denied, in the company's words where it has some. */
export function refusedWords(
  tools: GraphDeps['tools'],
  tool: ActionTool,
  plan: Extract<ActionPlan, { kind: 'denied' }>,
  language: Language,
): string {
  const texts = tools.texts.for(language);
  return plan.said ?? tool.refused?.(plan.code, texts) ?? texts.sayOf('refusal', plan.code);
}

function typeOf({ type, format }: InputSchema): 'number' | 'date' | 'text' {
  if (type === 'integer' || type === 'number') return 'number';
  return format === 'date' ? 'date' : 'text';
}

function fieldsOf({ input }: ActionTool) {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: schema as InputSchema,
    required: required.includes(name),
  }));
}
