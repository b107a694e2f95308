import { createInterface, type Interface } from 'node:readline';
import type { ThreadEvent } from '../../../core/domain/conversation.js';
import { toHubError } from '../../../core/errors.js';
import type { Log } from '../../../core/ports/system.js';
import { type CliIo, EXIT } from '../../command.js';
import { oneLine, printable } from '../../printable.js';
import type { Terminal } from '../../progress-line.js';
import {
  type ChatSession,
  formatFooter,
  formatOutcome,
  formatTurnError,
  parseChatLine,
} from './chat-session.js';

/** Shows one turn while it runs: which agents work, on one line, then the answer as it comes. */
class TurnView {
  private agents = 0;
  private streamed = '';
  private readonly dim: (text: string) => string;

  /** @param live whether an answer comes word by word; one that is there at once is shown when it is whole */
  constructor(
    private readonly out: Terminal,
    private readonly live: boolean,
  ) {
    const colours = out.hasColors?.() === true;
    this.dim = (text) => (colours ? `\u001b[2m${text}\u001b[22m` : text);
  }

  /** Takes one event of the turn; never throws. */
  show({ body: event }: ThreadEvent): void {
    if (event.type === 'agent' && this.streamed === '') {
      this.out.write(this.dim(`${this.agents === 0 ? '  ' : ' > '}${oneLine(event.agent)}`));
      this.agents += 1;
    }
    if (event.type === 'token' && this.live) {
      if (this.streamed === '') this.close();
      this.streamed += event.text;
      this.out.write(printable(event.text));
    }
  }

  /** Ends the turn: what was not streamed is shown now, in the place of what became another text when it was put together. */
  finish(reply: string): void {
    if (this.streamed === '') this.close();
    if (this.streamed.trim() === reply.trim()) this.out.write('\n');
    else if (reply.startsWith(this.streamed))
      this.out.write(`${printable(reply.slice(this.streamed.length))}\n`);
    else this.out.write(`${this.erased()}${printable(reply)}\n`);
  }

  /** Takes back what was streamed, where all of it is still on the screen; else the answer begins on a line of its own. */
  private erased(): string {
    const { columns, rows = 0 } = this.out;
    if (columns === undefined) return '\n';
    const lines = printable(this.streamed)
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
    if (lines >= rows) return '\n';
    return `\r${lines > 1 ? `\u001b[${lines - 1}A` : ''}\u001b[J`;
  }

  /** Ends the line of the agents, where there is one. */
  close(): void {
    if (this.agents > 0) this.out.write('\n');
    this.agents = 0;
  }
}

const BRACKETED_PASTE = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

interface Key {
  readonly name?: string;
}

/**
 * Reads lines of a terminal so that a pasted text of several lines is one message: the terminal marks what was pasted
 * (bracketed paste), and the lines between the marks are held until the person presses Enter.
 */
function onEnteredText(
  input: CliIo['in'],
  output: CliIo['out'],
  lines: Interface,
  entered: (text: string) => void,
): void {
  let pasting = false;
  let held: string[] = [];
  output.write(BRACKETED_PASTE.on);
  input.on('keypress', (_text: string | undefined, key: Key | undefined) => {
    if (key?.name === 'paste-start') pasting = true;
    if (key?.name === 'paste-end') pasting = false;
  });
  lines.on('line', (line) => {
    held.push(line);
    if (pasting) return;
    const text = held.join('\n');
    held = [];
    entered(text);
  });
  lines.on('close', () => {
    output.write(BRACKETED_PASTE.off);
    if (held.length > 0) entered(held.join('\n'));
  });
}

interface TerminalChatOptions {
  readonly session: ChatSession;
  readonly io: CliIo;
  readonly log: Log;
  readonly stop: AbortSignal;
  readonly banner: string;
  /** Whether a model writes the answers, word by word. */
  readonly live: boolean;
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
  lines.setPrompt(session.words.say('terminal.prompt'));
  const leave = () => lines.close();
  stop.addEventListener('abort', leave, { once: true });
  try {
    await converse(options, lines);
  } finally {
    stop.removeEventListener('abort', leave);
    io.in.destroy();
  }
  io.out.write(`${session.words.say('terminal.goodbye')}\n`);
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

async function answer(
  { session, io, log, stop, live }: TerminalChatOptions,
  text: string,
): Promise<'ok' | 'quit'> {
  const { words } = session;
  const view = new TurnView(io.out, live);
  try {
    const line = parseChatLine(text);
    switch (line.kind) {
      case 'blank':
        return 'ok';
      case 'quit':
        return 'quit';
      case 'help':
        io.out.write(`${words.say('terminal.help')}\n\n`);
        return 'ok';
      case 'unknown':
        io.out.write(`${words.say('terminal.unknown_command', { word: line.word })}\n\n`);
        return 'ok';
      case 'approve':
      case 'reject': {
        const outcome = await (line.kind === 'approve'
          ? session.approve(line.id)
          : session.reject(line.id, line.reason));
        io.out.write(`${formatOutcome(outcome, session.words)}\n`);
        return 'ok';
      }
      case 'message': {
        const reply = await session.send(line.text, (event) => view.show(event));
        view.finish(reply.reply);
        io.out.write(`${formatFooter(reply, session.texts)}\n`);
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
