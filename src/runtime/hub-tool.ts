import { ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { StructuredTool } from '@langchain/core/tools';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { Command } from '@langchain/langgraph';
import type { z } from 'zod';
import type { JsonValue } from '../core/domain/json.js';
import type { Session, Task, ToolTrace } from '../core/domain/session.js';
import { withoutTexts } from '../core/privacy.js';
import type { AnyTool, ToolContext, ToolDeps } from './define-tool.js';
import { hashOf, modelText, type ToolEnvelope, type ToolError } from './envelope.js';
import { runTool, type ToolRun } from './gate.js';

/** What the input check applies anyway; a model gains nothing from it and pays for it in every prompt. */
const LEFT_OUT = new Set(['$schema', 'additionalProperties', 'pattern', 'minLength', 'maxLength']);

/** The input of a tool as JSON schema, as short as a model needs it. */
function modelSchema(input: z.ZodObject): Record<string, unknown> {
  return slim(toJsonSchema(input)) as Record<string, unknown>;
}

function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !LEFT_OUT.has(key) || (typeof item === 'object' && item !== null))
      .map(([key, item]) => [key, slim(item)]),
  );
}

interface CallerState {
  readonly session?: Session | null;
  readonly tasks?: readonly Task[];
  /** The calls of this turn. */
  readonly trace?: readonly ToolTrace[] | null;
}

interface RuntimeState {
  readonly state?: CallerState;
}

interface ToolCallInput {
  readonly id?: string;
  readonly args?: unknown;
}

/**
 * A tool of the roster as LangChain calls it. Identity comes from the graph's state; the result goes back as a
 * message for the model and as a trace entry for review and report.
 */
export class HubTool extends StructuredTool<Record<string, unknown>> {
  readonly name: string;
  readonly description: string;
  readonly effect: AnyTool['effect'];
  readonly #tool: AnyTool;
  #schema: Record<string, unknown> | undefined;
  #takesTimes: boolean | undefined;
  readonly #deps: ToolDeps;
  readonly #agent: string;

  constructor(tool: AnyTool, deps: ToolDeps, agent: string) {
    super();
    this.name = tool.name;
    this.description = tool.description;
    this.effect = tool.effect;
    this.#tool = tool;
    this.#deps = deps;
    this.#agent = agent;
  }

  /** For the model; what it sends is checked by the tool's own schema. */
  get schema(): Record<string, unknown> {
    this.#schema ??= modelSchema(this.#tool.input);
    return this.#schema;
  }

  /** True where its input has a point in time. */
  get takesTimes(): boolean {
    this.#takesTimes ??= JSON.stringify(this.schema).includes('"date-time"');
    return this.#takesTimes;
  }

  static override lc_name(): string {
    return 'HubTool';
  }

  /** The inherited invoke validates first and throws text; here bad input is an answer with a code like any other. */
  override async invoke(input: unknown, config?: RunnableConfig & RuntimeState): Promise<never> {
    return (await this.#answer(input as ToolCallInput, config)) as never;
  }

  protected override _call(): Promise<string> {
    throw new Error('HubTool is called through invoke');
  }

  async #answer(input: ToolCallInput, config?: RunnableConfig & RuntimeState): Promise<Command> {
    const state = config?.state ?? {};
    const earlier = this.#earlier(input.args, state.trace ?? []);
    if (earlier)
      return new Command({
        update: { messages: [this.resultMessage({ ...earlier, callId: callIdOf(this, input) })] },
      });
    const trace = await this.trace(input, state, config?.signal);
    return new Command({ update: { messages: [this.resultMessage(trace)], trace: [trace] } });
  }

  /**
   * The same call made before in this turn, where it had its effect or was decided by a person: a model that repeats
   * itself gets that result again, and nothing happens twice. What only reads is read anew.
   */
  #earlier(args: unknown, trace: readonly ToolTrace[]): ToolTrace | undefined {
    if (this.effect === 'read') return undefined;
    const wanted = hashOf(this.#seen(args));
    const calls = trace.filter(({ tool, ok, paused }) => tool === this.name && (ok || paused));
    // A preference may be changed to and fro; what people agreed to is done once.
    const comparable = this.effect === 'write' ? calls.slice(-1) : calls;
    return comparable.find((call) => hashOf(call.args) === wanted);
  }

  /** Runs one call. @param state the graph's, which says who is asking @param signal ends with the turn */
  async trace(
    input: ToolCallInput,
    { session, tasks }: CallerState,
    signal?: AbortSignal,
  ): Promise<ToolTrace> {
    if (!session) throw new Error(`${this.name} was called outside a turn`);
    const callId = callIdOf(this, input);
    const task = tasks?.find((candidate) => candidate.status === 'active');
    const needsOperator = this.#isAdvised(tasks);
    const context = {
      ...{ session, agent: this.#agent, callId, needsOperator },
      ...(task ? { task } : {}),
      ...(signal ? { signal } : {}),
    };
    const { clock } = this.#deps;
    const began = clock.now();
    const { envelope, paused } = await this.#run(input, context);
    const args = this.#seen(input.args);
    this.#log(session, args, envelope);
    return {
      callId,
      agent: this.#agent,
      task: tasks?.findIndex((task) => task.status === 'active') ?? -1,
      tool: this.name,
      args,
      ok: envelope.ok,
      ...(envelope.ok ? {} : { code: envelope.error.code }),
      result: envelope.ok ? envelope.data : envelope.error,
      paused,
      at: began.toISOString(),
      ms: clock.now().getTime() - began.getTime(),
    };
  }

  #run(input: ToolCallInput, context: ToolContext): Promise<ToolRun> {
    const { spans } = this.#deps;
    const run = () => runTool(this.#tool, this.#deps, input.args ?? {}, context);
    if (!spans) return run();
    return spans.part(
      { kind: 'tool', name: this.name, facts: { 'hub.agent': this.#agent }, input: input.args },
      run,
    );
  }

  /** From the task and not from the call: no model can talk its way around the operator. */
  #isAdvised(tasks: readonly Task[] | undefined): boolean {
    const proposal = tasks?.find((task) => task.status === 'active')?.proposal;
    return proposal?.needsOperator === true && proposal.tool === this.name;
  }

  /** What a call came to, as the model reads it. */
  resultMessage({ callId, ok, result }: ToolTrace): ToolMessage {
    const envelope = ok
      ? { ok, data: this.#tool.view ? this.#tool.view(result) : result }
      : { ok, error: result as ToolError };
    return new ToolMessage({
      content: modelText(envelope, { time: this.#deps.time, money: this.#deps.texts.for('en').money }),
      tool_call_id: callId,
      name: this.name,
      status: ok ? 'success' : 'error',
    });
  }

  /** What the tool got to see: arguments that no schema knows reach neither the tool nor the record. */
  #seen(args: unknown): Record<string, unknown> {
    const { input } = this.#tool;
    const parsed = input.safeParse(args ?? {});
    if (parsed.success) return parsed.data;
    const known = Object.entries((args ?? {}) as object).filter(([name]) => name in input.shape);
    return Object.fromEntries(known);
  }

  #log(session: Session, args: Record<string, unknown>, envelope: ToolEnvelope): void {
    this.#deps.log.info({
      agent: this.#agent,
      action: 'tool_called',
      ticketId: session.ticketId,
      // What a customer wrote is in the ticket; the log has its length.
      details: {
        tool: this.name,
        args: lengthsOf(args),
        ok: envelope.ok,
        code: envelope.ok ? null : envelope.error.code,
      },
    });
  }
}

function callIdOf({ name }: { readonly name: string }, { id }: ToolCallInput): string {
  return id ?? `${name}_call`;
}

function lengthsOf(args: Record<string, unknown>): JsonValue {
  return withoutTexts(args as Readonly<Record<string, JsonValue>>, (text) => `(${text.length} characters)`);
}
