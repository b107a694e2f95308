import { addAbortSignal } from 'node:stream';
import { ANONYMOUS } from '../../../core/domain/customer.js';
import { HubError, toHubError } from '../../../core/errors.js';
import type { Log } from '../../../core/ports/system.js';
import { readLines, type TextLine } from '../../../triage-batch/text-lines.js';
import { type CliIo, type CommandContext, EXIT } from '../../command.js';
import { printable } from '../../printable.js';
import { toErrorJson, toReplyJson } from '../../reply-json.js';
import { ChatSession, formatFooter, formatOutcome, formatTurnError, parseChatLine } from './chat-session.js';

interface LineChatOptions {
  readonly session: ChatSession;
  readonly io: CliIo;
  readonly log: Log;
  readonly stop: AbortSignal;
  /** One JSON object a line instead of text. */
  readonly json: boolean;
}

/** Longest line that is kept; what the hub accepts is less and is checked there. */
const MAX_LINE_BYTES = 1 << 20;

/**
 * The chat without a terminal: one message a line, one answer each, in order. Blank lines are skipped. A line that
 * fails is answered politely (or by an error object) and the next one is read.
 * @returns 1 where a line failed, else 0; none where it was stopped
 */
async function runLineChat(options: LineChatOptions): Promise<number | undefined> {
  const { io, stop } = options;
  let failed = false;
  try {
    for await (const block of readLines(addAbortSignal(stop, io.in), { maxBytes: MAX_LINE_BYTES })) {
      for (const line of block) {
        if (stop.aborted) return undefined;
        const outcome = await answerLine(options, line);
        if (outcome === 'quit') return failed ? EXIT.failed : EXIT.done;
        failed ||= outcome === 'failed';
      }
    }
  } catch (error) {
    // Standard input, closed by the signal while it was waited for.
    if (!stop.aborted) throw error;
  } finally {
    io.in.destroy();
  }
  if (stop.aborted) return undefined;
  return failed ? EXIT.failed : EXIT.done;
}

async function answerLine(options: LineChatOptions, line: TextLine): Promise<'ok' | 'failed' | 'quit'> {
  const { session, io, json } = options;
  try {
    if (line.tooLong)
      throw new HubError('input_too_large', `Line ${line.line} is longer than a message may be`);
    const parsed = parseChatLine(line.text);
    switch (parsed.kind) {
      case 'blank':
        return 'ok';
      case 'quit':
        return 'quit';
      case 'help':
        io.err.write(`${session.words.say('terminal.help')}\n`);
        return 'ok';
      case 'approve':
      case 'reject':
        await decide(options, parsed);
        return 'ok';
      default: {
        const reply = await session.send(parsed.text);
        if (json) writeJson(io, toReplyJson(reply));
        else io.out.write(`${printable(reply.reply)}\n${formatFooter(reply, session.texts)}\n`);
        return 'ok';
      }
    }
  } catch (error) {
    return reportFailure(options, line, error);
  }
}

async function decide(
  { session, io, json }: LineChatOptions,
  line:
    | { readonly kind: 'approve'; readonly id: string }
    | { readonly kind: 'reject'; readonly id: string; readonly reason: string },
): Promise<void> {
  const outcome = await (line.kind === 'approve'
    ? session.approve(line.id)
    : session.reject(line.id, line.reason));
  const { pending, reply } = outcome;
  if (json) writeJson(io, { approval: { id: pending.pendingId, status: pending.status, reply } });
  else io.out.write(`${formatOutcome(outcome, session.words)}\n`);
}

function reportFailure(
  { session, io, json, log, stop }: LineChatOptions,
  line: TextLine,
  error: unknown,
): 'ok' | 'failed' {
  if (stop.aborted) return 'ok';
  const hubError = toHubError(error);
  log.error(
    { agent: 'chat', action: 'line_failed', details: { line: line.line, code: hubError.code } },
    error,
  );
  const polite = formatTurnError(hubError, session.language, line.text, session.texts);
  // The words of an unforeseen error are for the log: they may carry anything.
  if (json)
    writeJson(io, toErrorJson(hubError.code === 'internal' ? new HubError('internal', polite) : hubError));
  else io.out.write(`${polite}\n\n`);
  return 'failed';
}

function writeJson(io: CliIo, value: Record<string, unknown>): void {
  io.out.write(`${JSON.stringify(value)}\n`);
}

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
    return runLineChat({ session, io, log: app.log, stop, json: options.json ?? false });
  }
  const { runTerminalChat } = await import('./terminal-chat.js');
  const who = identity.kind === 'anonymous' ? null : identity.email;
  const live = app.provider !== 'offline';
  const banner = session.words.say('terminal.banner', { who, offline: !live });
  return runTerminalChat({ session, io, log: app.log, stop, banner, live });
}
