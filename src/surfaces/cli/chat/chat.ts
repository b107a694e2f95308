import { ANONYMOUS } from '../../../core/domain/customer.js';
import type { CommandContext } from '../../command.js';
import { ChatSession } from './chat-session.js';
import { chatWords } from './words.js';

/** What the command line of `chat` says. */
export interface ChatOptions {
  /** E-mail address of the customer, who is trusted at a terminal. */
  readonly as?: string;
  readonly thread?: string;
  readonly json?: boolean;
}

/** A conversation, on a terminal or line by line. @throws HubError `customer_unknown` */
export async function chat(
  { app, config, io, stop }: CommandContext,
  options: ChatOptions,
): Promise<number | undefined> {
  const identity = options.as === undefined ? ANONYMOUS : await app.signIn(options.as);
  const session = new ChatSession({
    app,
    identity,
    language: config.locale,
    signal: stop,
    ...(options.thread === undefined ? {} : { threadId: options.thread }),
  });
  if (options.json === true || io.in.isTTY !== true || io.out.isTTY !== true) {
    const { runLineChat } = await import('./line-chat.js');
    return runLineChat({ session, io, log: app.log, stop, json: options.json ?? false });
  }
  const { runTerminalChat } = await import('./terminal-chat.js');
  const who = identity.kind === 'anonymous' ? null : identity.email;
  const banner = chatWords(config.locale).banner(app.company.name, who, app.provider === 'offline');
  return runTerminalChat({ session, io, log: app.log, stop, banner });
}
