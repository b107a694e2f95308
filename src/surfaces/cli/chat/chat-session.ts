import type { App, ApprovalOutcome } from '../../../core/app.js';
import type { ThreadEvent } from '../../../core/domain/conversation.js';
import type { Identity, Operator } from '../../../core/domain/customer.js';
import type { Language } from '../../../core/domain/taxonomy.js';
import { requestNumber } from '../../../core/domain/ticket.js';
import type { TurnReply } from '../../../core/domain/turn.js';
import { HubError } from '../../../core/errors.js';
import type { Sentences, Texts } from '../../../core/i18n/index.js';
import { oneLine, printable } from '../../printable.js';

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
  private answered: Language;

  constructor(private readonly options: ChatSessionOptions) {
    this.threadId = options.threadId;
    this.answered = options.language;
  }

  /** What is said around the answers, in the language of the last one. */
  get words(): Sentences {
    return this.texts.for(this.answered);
  }

  /** What the company says. */
  get texts(): Texts {
    return this.options.app.texts;
  }

  /** The language the last answer was written in. */
  get language(): Language {
    return this.answered;
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
    this.answered = reply.language;
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

/** What a line of the chat means. */
type ChatLine =
  | { readonly kind: 'blank' }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'approve'; readonly id: string }
  | { readonly kind: 'reject'; readonly id: string; readonly reason: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'quit' }
  /** A slash and a word that is no command: a mistake at a terminal, a customer's words elsewhere. */
  | { readonly kind: 'unknown'; readonly word: string; readonly text: string };

/** Reads a line. @throws HubError `usage` for a command without what it needs */
export function parseChatLine(line: string): ChatLine {
  const text = line.trim();
  if (text === '') return { kind: 'blank' };
  const command = /^\/([a-z]+)(?:\s+(\S+)(?:\s+([\s\S]+))?)?$/i.exec(text);
  if (command === null) return { kind: 'message', text: line };
  const [, word = '', id = '', reason = ''] = command;
  switch (word.toLowerCase()) {
    case 'approve':
      return { kind: 'approve', id: needId(word, id) };
    case 'reject':
      return { kind: 'reject', id: needId(word, id), reason };
    case 'help':
      return { kind: 'help' };
    case 'quit':
    case 'exit':
      return { kind: 'quit' };
    default:
      return { kind: 'unknown', word: `/${word}`, text: line };
  }
}

function needId(word: string, id: string): string {
  if (id !== '') return id;
  throw new HubError('usage', `/${word} needs the id of what is waiting`);
}

/** What stands under an answer: sources, what is waited for, that a person takes over. Empty where there is nothing. */
export function formatFooter(reply: TurnReply, of: Texts): string {
  const texts = of.for(reply.language);
  const lines: string[] = [];
  if (reply.citations.length > 0) {
    const sources = reply.citations.map(({ title }, at) => `[${at + 1}] ${oneLine(title)}`);
    lines.push(texts.say('terminal.sources', { list: sources.join('  ') }));
  }
  if (reply.pending !== null) {
    const { id, kind, question } = reply.pending;
    const asked = reply.reply.includes(question.trim());
    // The question of an approval is worded for the operator, who reads it at the desk.
    if (kind === 'confirmation' && !asked) lines.push(`? ${printable(question)}`);
    lines.push(
      kind === 'confirmation' ? texts.say('terminal.confirm') : texts.say('terminal.approval', { id }),
    );
  }
  if (reply.escalated) lines.push(texts.say('terminal.escalated', { number: requestNumber(reply.ticketId) }));
  return lines.map((line) => `${line}\n`).join('');
}

/** What the operator sees after a decision. */
export function formatOutcome({ pending, reply }: ApprovalOutcome, texts: Sentences): string {
  const decided = pending.status === 'rejected' ? 'terminal.rejected' : 'terminal.approved';
  const head = texts.say(decided, { id: pending.pendingId });
  return `${head}\n${reply === null ? '' : `${printable(reply)}\n`}`;
}

/**
 * The polite form of an error: to a customer in the customer's language, to an operator (`/approve`, `/reject`) as
 * it is.
 */
export function formatTurnError(error: HubError, language: Language, text: string, texts: Texts): string {
  if (error.code === 'usage') return texts.for(language).say('terminal.usage_approve');
  if (error.code !== 'internal' && /^\s*\/(approve|reject)\b/i.test(text)) return oneLine(error.message);
  return texts.for(language).sayOf('refusal', error.code);
}
