import type { ServiceHours } from '../core/policy/policy.js';
import type { ChatModels, Ids, LanguageLayer, RemoteAgents, TicketStore } from '../core/ports/index.js';
import type { StatementReader } from '../core/ports/language-layer.js';
import type { Dialogue, MessageModel } from '../dialogue/index.js';
import type { AgentRoster } from '../runtime/agent-definition.js';
import type { ToolDeps } from '../runtime/define-tool.js';
import type { Ownership } from './ownership.js';

/** All the graph needs. */
export interface GraphDeps {
  readonly models: ChatModels;
  /** Answer where nothing that a model wrote may be sent. */
  readonly rules: ChatModels;
  readonly tools: ToolDeps;
  /** Who the supervisor can hand a request to. */
  readonly agents: AgentRoster;
  readonly tickets: TicketStore;
  readonly language: LanguageLayer;
  /** What is understood of a conversation without a model. */
  readonly dialogue: Dialogue;
  /** Decides what a message is answered with. */
  readonly messages: MessageModel;
  /** Reads what an answer states, for the guardrail. */
  readonly statements: StatementReader;
  readonly ids: Ids;
  /** When people answer. */
  readonly hours: ServiceHours;
  readonly ownership: Ownership;
  /** Agents elsewhere, on the supervisor's roster beside the hub's own; none where none are configured. */
  readonly remote: RemoteAgents;
  /** Agent turns within one message before the hub escalates. */
  readonly maxHops: number;
  /**
   * True in Studio only, where the developer states in the state whose e-mail is speaking. Everywhere else an
   * identity comes from the surface with the message, and `user_email` is output.
   */
  readonly trustUserEmail: boolean;
}
