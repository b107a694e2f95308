import type { ApprovalOutcome } from '../../../core/app.js';
import type { Language } from '../../../core/domain/taxonomy.js';
import type { TurnReply } from '../../../core/domain/turn.js';
import { HubError } from '../../../core/errors.js';
import type { Sentences, Texts } from '../../../core/i18n/index.js';
import { oneLine, printable } from '../../printable.js';

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
  if (reply.escalated) lines.push(texts.say('terminal.escalated', { ticket: reply.ticketId }));
  return lines.map((line) => `${line}\n`).join('');
}

/** What an operator is told after a decision. */
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
