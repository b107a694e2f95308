import { createInterface, type Interface } from 'node:readline';
import type { TurnEvent } from '../../../core/domain/turn.js';
import { toHubError } from '../../../core/errors.js';
import type { Log } from '../../../core/ports/log.js';
import { type CliIo, EXIT } from '../../command.js';
import { parseChatLine } from './chat-line.js';
import type { ChatSession } from './chat-session.js';
import { formatFooter, formatOutcome, formatTurnError } from './chat-text.js';
import { onEnteredText } from './pasted-lines.js';
import { TurnView } from './turn-view.js';
import { chatWords } from './words.js';

export interface TerminalChatOptions {
  readonly session: ChatSession;
  readonly io: CliIo;
  readonly log: Log;
  readonly stop: AbortSignal;
  readonly banner: string;
}

/**
 * The chat on a terminal: a prompt with history and paste, answers as they are written. What is typed during an
 * answer waits its turn. Ctrl-D, Ctrl-C and /quit leave; all of them are a regular end.
 */
export async function runTerminalChat(options: TerminalChatOptions): Promise<number | undefined> {
  const { io, session, stop, banner } = options;
  io.out.write(`${banner}\n\n`);
  const lines = createInterface({
    input: io.in,
    output: io.out,
    terminal: true,
    removeHistoryDuplicates: true,
  });
  lines.setPrompt(chatWords(session.language).prompt);
  const leave = () => lines.close();
  stop.addEventListener('abort', leave, { once: true });
  try {
    await converse(options, lines);
  } finally {
    stop.removeEventListener('abort', leave);
    io.in.destroy();
  }
  io.out.write(`${chatWords(session.language).goodbye}\n`);
  return stop.aborted ? undefined : EXIT.done;
}

function converse(options: TerminalChatOptions, lines: Interface): Promise<void> {
  const { io, stop } = options;
  return new Promise((resolve) => {
    const queue: string[] = [];
    let busy = false;
    let closed = false;
    const end = () => lines.close();
    const pump = async (): Promise<void> => {
      if (busy) return;
      busy = true;
      for (let text = queue.shift(); text !== undefined && !stop.aborted; text = queue.shift()) {
        if ((await answer(options, text)) === 'quit') {
          queue.length = 0;
          end();
        }
      }
      busy = false;
      if (closed) resolve();
      else lines.prompt();
    };
    onEnteredText(io.in, io.out, lines, (text) => {
      queue.push(text);
      void pump();
    });
    // readline has put the terminal into raw mode, where Ctrl-C is a key and no signal.
    lines.on('SIGINT', end);
    lines.on('close', () => {
      closed = true;
      io.out.write('\n');
      if (!busy || stop.aborted) resolve();
    });
    lines.prompt();
  });
}

async function answer({ session, io, log, stop }: TerminalChatOptions, text: string): Promise<'ok' | 'quit'> {
  const words = chatWords(session.language);
  const view = new TurnView(io.out);
  try {
    const line = parseChatLine(text);
    switch (line.kind) {
      case 'blank':
        return 'ok';
      case 'quit':
        return 'quit';
      case 'help':
        io.out.write(`${words.help}\n\n`);
        return 'ok';
      case 'unknown':
        io.out.write(`${words.unknownCommand(line.word)}\n\n`);
        return 'ok';
      case 'approve':
      case 'reject': {
        const outcome = await (line.kind === 'approve'
          ? session.approve(line.id)
          : session.reject(line.id, line.reason));
        io.out.write(`${formatOutcome(outcome, session.language)}\n`);
        return 'ok';
      }
      case 'message': {
        const reply = await session.send(line.text, (event: TurnEvent) => view.show(event));
        view.finish(reply.reply);
        io.out.write(`${formatFooter(reply)}\n`);
        return 'ok';
      }
    }
  } catch (error) {
    if (stop.aborted) return 'quit';
    const hubError = toHubError(error);
    log.error({ agent: 'chat', action: 'turn_failed', details: { code: hubError.code } }, error);
    view.close();
    io.out.write(`${formatTurnError(hubError, session.language, text, session.texts)}\n\n`);
    return 'ok';
  }
}
