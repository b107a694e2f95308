/** One server-sent event. */
export interface ServerEvent {
  /** Empty where the stream gave none so far. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Reads the events of a text as it arrives, in whatever pieces. Comments are left out. */
export function createEventParser(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];
  const line = (text: string): void => {
    if (text === '') {
      if (data.length > 0) onEvent({ id, event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    const at = text.indexOf(':');
    if (at === 0) return;
    const field = at < 0 ? text : text.slice(0, at);
    const value = at < 0 ? '' : text.slice(at + 1).replace(/^ /, '');
    if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  };
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    lines.forEach(line);
  };
}

/**
 * Reads a stream to its end. @param onBytes called for every piece, comments included: the line is alive
 * @throws where the connection breaks
 */
export async function readEvents(
  response: Response,
  onEvent: (event: ServerEvent) => void,
  onBytes: () => void = () => {},
): Promise<void> {
  if (response.body === null) return;
  const parse = createEventParser(onEvent);
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onBytes();
    parse(decoder.decode(value, { stream: true }));
  }
}
