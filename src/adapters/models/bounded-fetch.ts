/** Thrown where an answer is longer than anybody reads; nothing of the rest was taken in. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** As many bytes as a streamed token may take, with all that stands around it. */
const STREAMED = 16;

/**
 * A fetch that takes in no more than so many bytes of an answer, and as many of one event of a stream; then the
 * connection is closed. A provider that ignores the limit it was given costs no memory.
 */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
    const body = response.body.pipeThrough(isStream ? boundedLines(maxBytes) : bounded(maxBytes));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function bounded(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let total = 0;
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.byteLength;
      if (total > maxBytes) controller.error(new AnswerTooLong(`more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

function boundedLines(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let line = 0;
  let total = 0;
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.byteLength;
      const end = chunk.lastIndexOf(0x0a);
      line = end === -1 ? line + chunk.byteLength : chunk.byteLength - end - 1;
      if (line > maxBytes || total > maxBytes * STREAMED)
        controller.error(
          new AnswerTooLong(`more than ${line > maxBytes ? maxBytes : maxBytes * STREAMED} bytes`),
        );
      else controller.enqueue(chunk);
    },
  });
}
