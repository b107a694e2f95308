import type { ToolDeps } from '../../agents/index.js';
import type { ChatModels, Ids, LanguageLayer, TicketStore } from '../core/ports/index.js';

/** All the graph needs. */
export interface GraphDeps {
  readonly models: ChatModels;
  readonly tools: ToolDeps;
  readonly tickets: TicketStore;
  readonly language: LanguageLayer;
  readonly ids: Ids;
  /** Agent turns within one message before the hub escalates. */
  readonly maxHops: number;
  /**
   * True in Studio only, where the developer states in the state whose e-mail is speaking. Everywhere else an
   * identity comes from the surface with the message, and `user_email` is output.
   */
  readonly trustUserEmail: boolean;
}
