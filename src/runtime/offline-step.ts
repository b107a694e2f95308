import type { z } from 'zod';
import type { AskedInput } from '../core/domain/entity.js';
import type { Choice, Focus, ToolTrace } from '../core/domain/session.js';
import type { ErrorCode } from '../core/errors.js';
import type { Texts } from '../core/i18n/index.js';
import type { OfflineStep } from '../core/ports/chat-models.js';
import type { AgentContext } from './agent-definition.js';
import { missingScope } from './caller-facts.js';
import type { AnyTool } from './define-tool.js';

/** What is known of an answer beside its words. */
interface AnswerFacts {
  readonly focus?: Focus | null;
  readonly unanswered?: boolean;
  /** True where an operator must continue from here. */
  readonly needsPerson?: boolean;
  /** The intent that it answers, where the next message may narrow it down by its days: "and in February?". */
  readonly lists?: string;
  /** The question that it offers to answer next, as the customer would ask it. */
  readonly more?: string;
}

/** A plain answer. */
export function say(text: string, hub: AnswerFacts = {}): OfflineStep {
  return { kind: 'say', text, metadata: { hub } };
}

/** A tool call. */
export function call(tool: string, args: Record<string, unknown> = {}): OfflineStep {
  return { kind: 'call', tool, args };
}

/** Refusals that need no operator: the customer, or the issuer of the program's token, can remedy them, or they pass. */
const FOR_THE_CUSTOMER: ReadonlySet<ErrorCode> = new Set([
  'not_signed_in',
  'scope_missing',
  'source_unavailable',
]);

/** Says why a call failed. What only a person can mend goes to one. */
export function explainFailure(
  deps: { readonly texts: Texts },
  { session }: AgentContext,
  failed: ToolTrace,
): OfflineStep {
  const code = (failed.code ?? 'internal') as ErrorCode;
  return say(deps.texts.for(session.language).sayOf('refusal', code), {
    unanswered: !FOR_THE_CUSTOMER.has(code),
  });
}

/** True where the program that speaks for the customer may not use a tool, whatever its arguments. */
export function isWithheld({ session }: AgentContext, tool: AnyTool): boolean {
  return missingScope(tool, session.scopes) !== null;
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

/** What a tool still needs before it can be called with these; null where nothing. */
export function missingIn(
  { asks }: Pick<AnyTool, 'asks'>,
  args: Readonly<Record<string, unknown>>,
): AskedInput | null {
  return asks?.inputs.find(({ name, required }) => required && !Object.hasOwn(args, name)) ?? null;
}

/** The input that the customer was asked for last; null where it was a record that is changed, or nothing. */
export function inputAsked(focus: Focus | null, tool: AnyTool): AskedInput | null {
  if (focus?.intent !== tool.name || focus.args === undefined || focus.offered) return null;
  const target = tool.effect === 'irreversible' ? tool.target?.input : undefined;
  return target !== undefined && !Object.hasOwn(focus.args, target) ? null : missingIn(tool, focus.args);
}

/** What a tool that was asked about still takes, and the one that was asked for. */
export function openInputs(
  focus: Focus,
  tool: AnyTool | null | undefined,
): { readonly inputs: readonly AskedInput[]; readonly asked: string | null } {
  const { args, offered } = focus;
  const inputs = (args && !offered && tool?.asks?.inputs) || [];
  return {
    inputs: inputs.filter(({ name }) => !Object.hasOwn(args ?? {}, name)),
    asked: (tool && inputAsked(focus, tool)?.name) ?? null,
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
