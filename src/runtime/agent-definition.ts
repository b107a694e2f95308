import type { Focus } from '../core/domain/session.js';
import type { Route } from '../core/domain/taxonomy.js';
import type { ModelRole } from '../core/ports/chat-models.js';
import type { AgentContext } from './agent-state.js';
import type { AnyTool, ToolAccess } from './define-tool.js';

/** A tool call that is certain before any model is asked. */
export interface PlannedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An answer that is certain without a model. */
export interface EarlyAnswer {
  readonly text: string;
  /** True where there is nothing to answer from, so that the hub escalates. */
  readonly unanswered: boolean;
  /** Set where the answer is a question, and the reply belongs somewhere certain. */
  readonly focus?: Focus | null;
  /** True where this may be said, and a person is needed all the same. */
  readonly needsPerson?: boolean;
}

/** One agent of the roster. */
export interface AgentDefinition {
  readonly name: string;
  /** For the router, Studio and agent cards: what it is good at. */
  readonly description: string;
  readonly role: ModelRole;
  /** The route of triage that leads here. */
  readonly route: Route;
  /**
   * Further routes whose requests it answers in its own way where it alone was addressed: the help centre says how to
   * cancel, though it cancels nothing.
   */
  readonly alsoTakes?: readonly Route[];
  /** `customer`: an anonymous session is invited to sign in instead. */
  readonly access: ToolAccess;
  readonly prompt: URL;
  readonly tools: readonly AnyTool[];
  /** What is certain to be needed; run before the model is asked. */
  prefetch(context: AgentContext): readonly PlannedCall[];
  /**
   * Tools that add nothing to what is on the table by now, so that the model is not offered them: each one costs
   * tokens in every call and tempts to a further call. They still run where a model names them.
   */
  spared?(context: AgentContext): readonly string[];
  /** After the prefetch: an answer that needs no model, or null. */
  early?(context: AgentContext, threshold: number): EarlyAnswer | null;
}
