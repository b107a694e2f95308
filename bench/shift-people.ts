import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Caller, follow, type Heard, type Line, Refused, signIn } from './shift-line.js';

/** What all of a shift share. */
export interface Shift {
  readonly url: string;
  /** When everybody stops. */
  ends: number;
  /** Conversations of the shift, beside those that the demo has. */
  readonly threads: Set<string>;
  /** From when an operator was told to have a conversation until it was given away. */
  readonly claims: { readonly threadId: string; readonly from: number; to: number }[];
  readonly approvals: Set<string>;
  /** What customers were told of decisions. */
  readonly outcomes: Set<string>;
  /** What the server refused, by its path's last part and code. */
  readonly refused: Map<string, number>;
  readonly said: { readonly threadId: string; readonly text: string; readonly at: number }[];
}

/** A customer of the shift, and everything that was sent and heard. */
export interface Customer {
  readonly who: string;
  readonly caller: Caller;
  readonly threadId: string;
  readonly line: Line;
  readonly heard: Heard[];
  /** Messages that were on the conversation when its line was opened. */
  readonly seen: ReadonlySet<string>;
  readonly sent: { readonly id: string; readonly text: string; readonly tries: number }[];
  readonly answerMs: number[];
}

const QUESTIONS = [
  'How many visits does the basic plan include?',
  'How long does a refund take?',
  'How do I pause my plan?',
  'What are my bookings?',
  'How many visits do I have left?',
  'Cancel my next booking',
  'Quando volta o meu reembolso?',
  'Can I bring a friend?',
  'I was charged twice',
  'thanks',
];
const PERSON = 'I want to talk to a human now, please';
const chance = (share: number): boolean => Math.random() < share;
const between = (low: number, high: number): number => low + Math.random() * (high - low);
const oneOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

function refusal(shift: Shift, error: unknown, path: string): void {
  if (!(error instanceof Refused)) throw error;
  const key = `${path} ${error.code}`;
  shift.refused.set(key, (shift.refused.get(key) ?? 0) + 1);
}

/** A customer comes and opens the chat. @param who an address of the demo, or null for a visitor */
export async function arrive(shift: Shift, who: string | null): Promise<Customer> {
  const caller = await signIn(shift.url, who === null ? { visitor: true } : { email: who });
  const thread = await caller.call<{ thread_id: string }>('POST', '/api/threads', {});
  const heard: Heard[] = [];
  const path = `/api/threads/${thread.thread_id}/events`;
  const seen = new Set<string>();
  const look = async (): Promise<void> => {
    const { messages } = await caller.call<{ messages: readonly { readonly id: string }[] }>(
      'GET',
      `/api/threads/${thread.thread_id}`,
    );
    for (const { id } of messages) seen.add(id);
  };
  const line = await follow(
    shift.url,
    path,
    caller.headers,
    (event) => heard.push(event),
    () => void look().catch(() => {}),
  );
  shift.threads.add(thread.thread_id);
  const about = { who: who ?? 'visitor', caller, threadId: thread.thread_id };
  return { ...about, line, heard, seen, sent: [], answerMs: [] };
}

interface Answered {
  readonly pending: { readonly id: string; readonly kind: string } | null;
}

/** Sends one message; now and then the request is lost on its way there or back, and sent again. */
async function send(shift: Shift, customer: Customer, text: string): Promise<Answered | null> {
  const { caller, threadId } = customer;
  const id = randomUUID();
  const path = `/api/threads/${threadId}/messages`;
  const body = { text, client_message_id: id };
  const isLost = chance(0.08);
  customer.sent.push({ id, text, tries: isLost ? 2 : 1 });
  if (isLost) {
    const headers = { ...caller.headers, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(Math.round(between(2, 120)));
    await fetch(`${shift.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal }).catch(
      () => {},
    );
  }
  const began = performance.now();
  try {
    const answer = await caller.call<Answered>('POST', path, body);
    customer.answerMs.push(performance.now() - began);
    return answer;
  } catch (error) {
    refusal(shift, error, 'messages');
    return null;
  }
}

/** Writes until the shift ends. */
export async function converse(shift: Shift, customer: Customer): Promise<void> {
  await pause(between(0, 3_000));
  while (Date.now() < shift.ends) {
    if (chance(0.1)) customer.line.cut(between(0, 1_500));
    const text = chance(0.2) ? PERSON : (oneOf(QUESTIONS) ?? PERSON);
    const second = chance(0.15) ? send(shift, customer, 'And one more thing: where are you?') : null;
    const answer = await send(shift, customer, text);
    await second;
    const open = answer?.pending;
    if (open?.kind === 'confirmation' && chance(0.7)) {
      const path = `/api/threads/${customer.threadId}/pending/${open.id}`;
      await customer.caller
        .call('POST', path, { answer: chance(0.6) ? 'yes' : 'no' }, randomUUID())
        .catch((error) => refusal(shift, error, 'pending'));
    }
    await pause(between(1_000, 8_000));
  }
}

interface Entry {
  readonly ticket_id: string;
  readonly thread_id: string;
}

/** An operator takes, answers and gives away conversations until the shift ends. */
export async function operate(shift: Shift, name: string): Promise<void> {
  const { url } = shift;
  const caller = await signIn(url, { operator: true, name });
  const notices: Heard[] = [];
  const line = await follow(url, '/api/desk/events', caller.headers, (event) => notices.push(event));
  const post = <T>(path: string, body: unknown = {}): Promise<T> =>
    caller.call<T>('POST', `/api/desk/${path}`, body, randomUUID());
  const list = async (view: string): Promise<readonly Entry[]> => {
    const path = `/api/desk/tickets?view=${view}&limit=100&sort=newest`;
    const { tickets } = await caller.call<{ tickets: readonly Entry[] }>('GET', path);
    return tickets.filter(({ thread_id: id }) => shift.threads.has(id));
  };
  const attend = (ticket: Entry | null, typing: boolean) =>
    post<{ operators: readonly { readonly id: string; readonly name: string }[] }>('presence', {
      ticket_id: ticket?.ticket_id ?? null,
      typing,
    });
  let attended = 0;
  while (Date.now() < shift.ends) {
    if (chance(0.03)) line.cut(between(0, 1_000));
    try {
      if (Date.now() - attended > 20_000) {
        attended = Date.now();
        await attend(null, false);
      }
      await decide(shift, caller);
      const own = oneOf(await list('mine'));
      const ticket = own ?? oneOf((await list(chance(0.5) ? 'unassigned' : 'hub')).slice(0, 6));
      if (ticket === undefined) await pause(between(1_000, 2_000));
      else if (own !== undefined || (await take(shift, post, ticket)))
        await work(shift, post, ticket, attend);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusal(shift, error, error.message.split(/[/:]/).at(-2) ?? '');
    }
  }
  await line.close();
}

type Post = <T>(path: string, body?: unknown) => Promise<T>;

async function take(shift: Shift, post: Post, ticket: Entry): Promise<boolean> {
  try {
    await post(`tickets/${ticket.ticket_id}/claim`);
    shift.claims.push({ threadId: ticket.thread_id, from: Date.now(), to: Number.POSITIVE_INFINITY });
    return true;
  } catch (error) {
    refusal(shift, error, 'claim');
    return false;
  }
}

/** From now on the hub may answer there again. */
function given(shift: Shift, { thread_id: id }: Entry): () => void {
  const now = Date.now();
  const open = shift.claims.filter((one) => one.threadId === id && one.to === Number.POSITIVE_INFINITY);
  for (const one of open) one.to = now;
  // What was refused is still held.
  return () => {
    for (const one of open) one.to = Number.POSITIVE_INFINITY;
  };
}

async function work(
  shift: Shift,
  post: Post,
  ticket: Entry,
  attend: (ticket: Entry, typing: boolean) => Promise<{ operators: readonly { readonly id: string }[] }>,
): Promise<void> {
  const path = `tickets/${ticket.ticket_id}`;
  await attend(ticket, true);
  for (let replies = Math.floor(between(1, 4)); replies > 0; replies -= 1) {
    await pause(between(200, 2_500));
    const text = `I am looking into it: ${randomUUID()}`;
    shift.said.push({ threadId: ticket.thread_id, text, at: Date.now() });
    await post(`${path}/reply`, { text });
    if (chance(0.2)) await post(`${path}/note`, { text: 'The customer is kind.' });
  }
  const { operators } = await attend(ticket, false);
  const way = Math.random();
  if (way > 0.9) return;
  if (way > 0.75) {
    const colleague = oneOf(operators);
    if (colleague !== undefined) await post(`${path}/reassign`, { operator_id: colleague.id });
    return;
  }
  const back = given(shift, ticket);
  try {
    if (way < 0.4) await post(`${path}/resolve`, { text: `Solved: ${randomUUID()}` });
    else await post(`${path}/${way < 0.6 ? 'return' : 'release'}`);
  } catch (error) {
    back();
    throw error;
  }
}

/** Decides one request that waits, of those of the shift. */
async function decide(shift: Shift, caller: Caller): Promise<void> {
  const { approvals } = await caller.call<{
    approvals: readonly { readonly id: string; readonly thread_id: string }[];
  }>('GET', '/api/desk/approvals');
  const one = oneOf(approvals.filter(({ thread_id: id }) => shift.threads.has(id)));
  if (one === undefined) return;
  const decision = chance(0.5) ? { decision: 'approve' } : { decision: 'reject', reason: 'Not this time.' };
  shift.approvals.add(one.id);
  const path = `/api/desk/approvals/${one.id}`;
  try {
    const { approval } = await caller.call<{ readonly approval: { readonly reply: string | null } }>(
      'POST',
      path,
      decision,
      randomUUID(),
    );
    if (approval.reply !== null) shift.outcomes.add(approval.reply);
  } catch (error) {
    refusal(shift, error, 'approvals');
  }
}
