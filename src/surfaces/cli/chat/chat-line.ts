import { HubError } from '../../../core/errors.js';

/** What a line of the chat means. */
export type ChatLine =
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
