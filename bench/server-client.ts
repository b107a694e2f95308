import { get, type IncomingMessage } from 'node:http';

const CUSTOMERS = ['ana.souza', 'bruno.lima', 'carla.mendes', 'diego.ferreira', 'gabriela.nunes'];

/** A customer's conversation over HTTP. */
export interface Conversation {
  readonly threadId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs each demo customer in once, and opens so many conversations, in turns. */
export async function openConversations(url: string, count: number): Promise<readonly Conversation[]> {
  const tokens = await Promise.all(CUSTOMERS.map((name) => signIn(url, `${name}@example.com`)));
  const opened: Conversation[] = [];
  while (opened.length < count) {
    const batch = Array.from({ length: Math.min(50, count - opened.length) }, (_, index) =>
      open(url, tokens[(opened.length + index) % tokens.length] ?? ''),
    );
    opened.push(...(await Promise.all(batch)));
  }
  return opened;
}

async function signIn(url: string, email: string): Promise<string> {
  return (await post<{ token: string }>(`${url}/api/session`, {}, { email })).token;
}

/** A token for another program, in the name of a demo customer. */
export async function programToken(url: string, email: string, scopes: readonly string[]): Promise<string> {
  const headers = { authorization: `Bearer ${await signIn(url, email)}` };
  return (await post<{ token: string }>(`${url}/api/session/tokens`, headers, { scopes })).token;
}

async function open(url: string, token: string): Promise<Conversation> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { thread_id: threadId } = await post<{ thread_id: string }>(`${url}/api/threads`, headers, {});
  return { threadId, headers };
}

async function post<T>(url: string, headers: Readonly<Record<string, string>>, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Milliseconds from sending a message to the first event of its turn. The turn is read to its end. */
export async function firstEventMs(
  url: string,
  { threadId, headers }: Conversation,
  text: string,
): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${url}/api/threads/${threadId}/messages`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ text }),
  });
  if (!response.ok || !response.body) throw new Error(`the turn was answered ${response.status}`);
  let first = Number.NaN;
  let read = '';
  const decoder = new TextDecoder();
  // Node's streams can be read so; the browsers' types do not say it.
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    read += decoder.decode(chunk, { stream: true });
    if (Number.isNaN(first) && read.includes('event:')) first = performance.now() - started;
  }
  if (!read.includes('event: done')) throw new Error(`the stream ended early: ${read.slice(-300)}`);
  return first;
}

/** Opens an event stream and keeps it open. @returns ends it */
export function holdStream(url: string, { threadId, headers }: Conversation): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const options = { headers: { ...headers, accept: 'text/event-stream' }, agent: false } as const;
    const request = get(`${url}/api/threads/${threadId}/events`, options, (response: IncomingMessage) => {
      if (response.statusCode !== 200) reject(new Error(`a stream was answered ${response.statusCode}`));
      response.resume();
      resolve(() => request.destroy());
    });
    // One that is ended at the close says so as an error.
    request.on('error', reject);
  });
}
