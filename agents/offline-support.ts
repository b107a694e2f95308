import type { z } from 'zod';
import type { Choice, Focus, ToolTrace } from '../src/core/domain/session.js';
import type { ErrorCode } from '../src/core/errors.js';
import type { Texts, TimeFormat } from '../src/core/i18n/index.js';
import type { OfflinePolicy, OfflineStep, OfflineTurn } from '../src/core/ports/offline-policy.js';
import type { Nlu } from '../src/nlu/index.js';
import type { AgentDefinition, AgentRoster } from '../src/runtime/agent-definition.js';
import type { AgentContext } from '../src/runtime/agent-state.js';
import type { ToolRoster } from '../src/runtime/define-tool.js';
import { missingScope } from '../src/runtime/scope.js';
import type { ReservationShape } from './record-shapes.js';

/** What the rule policies work with. */
export interface OfflineDeps {
  readonly nlu: Nlu;
  readonly time: TimeFormat;
  readonly texts: Texts;
  readonly roster: ToolRoster;
  readonly agents: AgentRoster;
}

/** An agent with its rules for when no model can be asked. */
export interface HubAgent extends AgentDefinition {
  offline(deps: OfflineDeps): OfflinePolicy;
}

/** An agent as its folder describes it; which tools it has is the roster's to say. */
export type AgentSpec = Omit<HubAgent, 'tools'>;

/** The context the prompt middleware attached. @throws Error where the policy is used outside an agent */
export function contextIn(turn: OfflineTurn): AgentContext {
  if (turn.context === undefined) throw new Error('An offline policy was called without a context');
  return turn.context as AgentContext;
}

/** A plain answer. */
export function say(text: string, hub: { focus?: Focus | null; unanswered?: boolean } = {}): OfflineStep {
  return { kind: 'say', text, metadata: { hub } };
}

/** A tool call. */
export function call(tool: string, args: Record<string, unknown> = {}): OfflineStep {
  return { kind: 'call', tool, args };
}

/** What no person is needed for: the customer, or whoever gave the program its token, can mend it. */
const FOR_THE_CUSTOMER: ReadonlySet<ErrorCode> = new Set(['not_signed_in', 'scope_missing']);

/** Says why a call failed. What only a person can mend goes to one. */
export function sayWhy(
  deps: Pick<OfflineDeps, 'texts'>,
  { session }: AgentContext,
  failed: ToolTrace,
): OfflineStep {
  const code = (failed.code ?? 'internal') as ErrorCode;
  return say(deps.texts.for(session.language).sayOf('refusal', code), {
    unanswered: !FOR_THE_CUSTOMER.has(code),
  });
}

/** True where the hub lacks a tool, or the program that speaks for the customer may not use it. */
export function isWithheld(
  { roster }: Pick<OfflineDeps, 'roster'>,
  { session }: AgentContext,
  name: string,
): boolean {
  const tool = roster.all.get(name);
  return tool === undefined || missingScope(tool, session.scopes) !== null;
}

/** The newest call of a tool for this task, or undefined. */
export function lastCall(context: AgentContext, tool: string): ToolTrace | undefined {
  return context.trace.findLast((entry) => entry.tool === tool);
}

/** The newest successful result of a tool in the shape expected, or null. */
export function resultOf<Shape extends z.ZodType>(
  context: AgentContext,
  tool: string,
  shape: Shape,
): z.infer<Shape> | null {
  const entry = context.trace.findLast((candidate) => candidate.tool === tool && candidate.ok);
  const parsed = entry && shape.safeParse(entry.result);
  return parsed?.success ? parsed.data : null;
}

/** What an agent asks about with its answer; counts how often it had to ask the same. */
export function focusOn(
  context: AgentContext,
  agent: string,
  intent: string,
  choices: readonly Choice[],
): Focus {
  const same = context.focus?.intent === intent;
  return { agent, intent, choices, attempts: same ? (context.focus?.attempts ?? 0) + 1 : 1 };
}

/** A reservation as the slots of the language layer choose among. */
export function candidate(reservation: ReservationShape) {
  return {
    id: reservation.reservation_id,
    title: reservation.title,
    startsAt: reservation.starts_at,
    location: reservation.location,
    status: reservation.status,
    upcoming: reservation.upcoming,
  };
}

/** Lines numbered as the customer will refer to them. */
export function numbered(lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
}

/** Lines with dashes; null where there are none. */
export function dashed(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : lines.map((line) => `- ${line}`).join('\n');
}
