import type { App, ApprovalOutcome } from '../../../core/app.js';
import type { ThreadEvent } from '../../../core/domain/conversation.js';
import type { Identity, Operator } from '../../../core/domain/customer.js';
import type { Language } from '../../../core/domain/taxonomy.js';
import type { TurnReply } from '../../../core/domain/turn.js';
import { HubError } from '../../../core/errors.js';
import type { Sentences, Texts } from '../../../core/i18n/index.js';

/** Who decides at a terminal. */
export const TERMINAL_OPERATOR: Operator = { operatorId: 'op_terminal', name: 'Terminal operator' };

interface ChatSessionOptions {
  readonly app: Pick<App, 'conversations' | 'desk' | 'texts'>;
  readonly identity: Identity;
  /** Continues a conversation. */
  readonly threadId?: string;
  /** Until the hub has answered in one. */
  readonly language: Language;
  readonly signal: AbortSignal;
}

/** One conversation on a terminal: keeps the thread and the language from message to message. */
export class ChatSession {
  private threadId: string | undefined;
  private spoken: Language;

  constructor(private readonly options: ChatSessionOptions) {
    this.threadId = options.threadId;
    this.spoken = options.language;
  }

  /** What is said around the answers, in the language of the last one. */
  get words(): Sentences {
    return this.texts.for(this.spoken);
  }

  /** What the company says. */
  get texts(): Texts {
    return this.options.app.texts;
  }

  /** The language the last answer was written in. */
  get language(): Language {
    return this.spoken;
  }

  /** One turn. @throws HubError as `Conversations.send` does */
  async send(text: string, onEvent?: (event: ThreadEvent) => void): Promise<TurnReply> {
    const { identity, signal } = this.options;
    const { conversations } = this.options.app;
    this.threadId ??= (await conversations.create(identity)).threadId;
    const { threadId } = this;
    const message = { identity, threadId, text, channel: 'chat', signal, onEvent } as const;
    const reply = await conversations.send(message).catch((error: unknown) => {
      // What is not found here is the conversation.
      throw isNotFound(error)
        ? new HubError('not_owner', 'There is no such conversation.', { threadId })
        : error;
    });
    this.spoken = reply.language;
    return reply;
  }

  /** @throws HubError as the desk does */
  approve(id: string): Promise<ApprovalOutcome> {
    return this.options.app.desk.approve(id, TERMINAL_OPERATOR);
  }

  /** @throws HubError as the desk does */
  reject(id: string, reason: string): Promise<ApprovalOutcome> {
    return this.options.app.desk.reject(id, TERMINAL_OPERATOR, reason);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof HubError && error.code === 'not_found';
}
