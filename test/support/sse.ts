/** One event as it came over the wire. */
export interface SseEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** Reads an event stream piece by piece. */
export interface SseReader {
  readonly response: Response;
  /** Everything that came so far. */
  readonly events: readonly SseEvent[];
  /** Comments that came so far. */
  readonly comments: readonly string[];
  /** The first event, also of those that came already, for which this is true. @throws after `ms` */
  until(wanted: (event: SseEvent) => boolean, ms?: number): Promise<SseEvent>;
  /** Everything, once the server has ended the stream. @throws after `ms` */
  all(ms?: number): Promise<readonly SseEvent[]>;
  /** Goes away without a word, as a client does that loses its network. */
  close(): Promise<void>;
}

/** Reads the events of an answer. */
export function readSse(response: Response, abort: AbortController): SseReader {
  const events: SseEvent[] = [];
  const comments: string[] = [];
  let ended = false;
  let wake: () => void = () => {};
  const changed = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const pump = async (): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      const reader = response.body?.getReader();
      for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
        rest += decoder.decode(piece.value, { stream: true });
        const blocks = rest.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          if (block.startsWith(':')) comments.push(block);
          else if (block.includes('data: ')) events.push(parse(block));
        }
        wake();
      }
    } catch {
      // Gone: what came until then is what there is.
    }
    ended = true;
    wake();
  };
  const pumping = pump();
  const within = async <T>(ms: number, look: () => T | undefined): Promise<T> => {
    const late = AbortSignal.timeout(ms);
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (late.aborted || ended)
        throw new Error(
          `${ended ? 'the stream ended' : `nothing after ${ms} ms`}: ${JSON.stringify(events)}`,
        );
      await Promise.race([changed(), new Promise((resolve) => setTimeout(resolve, 20))]);
    }
  };
  return {
    response,
    events,
    comments,
    until: (wanted, ms = 300_000) => within(ms, () => events.find(wanted)),
    all: (ms = 300_000) =>
      within(ms, () => (ended ? events : undefined)).catch((error: unknown) => {
        if (ended) return events;
        throw error;
      }),
    async close() {
      abort.abort();
      await pumping;
    },
  };
}

function parse(block: string): SseEvent {
  const field = (name: string): string | undefined =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return {
    id: field('id'),
    event: field('event') ?? 'message',
    data: JSON.parse(field('data') || 'null') as unknown,
  };
}
