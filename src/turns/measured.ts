import type { TurnInput } from '../core/app.js';
import type { TurnReply } from '../core/domain/turn.js';
import { toHubError } from '../core/errors.js';
import type { TurnDeps } from './turn.js';

/** Runs a turn as one trace, and counts how it ended. */
export async function measured(
  { metrics, tracing }: Pick<TurnDeps, 'metrics' | 'tracing'>,
  input: TurnInput,
  handle: (input: TurnInput) => Promise<TurnReply>,
): Promise<TurnReply> {
  const { identity, channel, threadId = null, text } = input;
  const { watched, firstTokenMs } = watchFirstToken(input);
  const work = () => handle(watched);
  try {
    const reply = await (tracing ? tracing.turn({ identity, channel, threadId, text }, work) : work());
    metrics.turn(reply, firstTokenMs(), channel);
    return reply;
  } catch (error) {
    const { code } = toHubError(error);
    if (code === 'taken_over') metrics.turnDropped();
    else metrics.error('turn', code);
    throw error;
  }
}

/** The same input, whose listener also notes when the first words were shown. */
function watchFirstToken(input: TurnInput): {
  readonly watched: TurnInput;
  readonly firstTokenMs: () => number | null;
} {
  const { onEvent } = input;
  if (!onEvent) return { watched: input, firstTokenMs: () => null };
  const started = performance.now();
  let first: number | null = null;
  const watched: TurnInput = {
    ...input,
    onEvent: (event) => {
      if (event.type === 'token' || event.type === 'message') first ??= performance.now() - started;
      onEvent(event);
    },
  };
  return { watched, firstTokenMs: () => first };
}
