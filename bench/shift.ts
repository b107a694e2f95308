import { setTimeout as pause } from 'node:timers/promises';
import { barred, type Measure, machine, plain, spread } from './report.js';
import { withServer } from './server.js';
import { signIn } from './shift-line.js';
import { arrive, type Customer, converse, operate, type Shift } from './shift-people.js';

const OPERATORS = ['Olga', 'Marina', 'Rui', 'Paula', 'Davi', 'Ines', 'Caio', 'Vera', 'Hugo', 'Lia'];
const CUSTOMERS = 50;
/** So long after the end what was begun may take to come to its end. */
const DRAIN_MS = 120_000;

interface Stored {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly created_at: string;
  readonly client_message_id: string | null;
}

/** What went wrong in one conversation, in words. */
type Faults = Record<
  'lost' | 'twice' | 'unheard' | 'heardTwice' | 'disordered' | 'talkedOver' | 'unanswered',
  string[]
>;

/** Ten operators and fifty customers at once, over the protocol of the pages; then every conversation is judged. */
export async function shift(quick: boolean): Promise<readonly Measure[]> {
  return await withServer(async ({ url }) => {
    const length = quick ? 20_000 : 300_000;
    const all: Shift = {
      url,
      ends: 0,
      threads: new Set(),
      claims: [],
      approvals: new Set(),
      outcomes: new Set(),
      refused: new Map(),
      said: [],
    };
    const config = (await (await fetch(`${url}/api/config`)).json()) as {
      readonly demo_customers: readonly { readonly email: string }[];
    };
    const addresses = config.demo_customers.map(({ email }) => email);
    const customers = await Promise.all(
      Array.from({ length: CUSTOMERS }, (_, index) => arrive(all, addresses[index] ?? null)),
    );
    all.ends = Date.now() + length;
    await Promise.all([
      ...customers.map((customer) => converse(all, customer)),
      ...OPERATORS.map((name) => operate(all, name)),
    ]);
    await Promise.all(customers.map((customer) => settled(all, customer)));
    const faults: Faults = {
      lost: [],
      twice: [],
      unheard: [],
      heardTwice: [],
      disordered: [],
      talkedOver: [],
      unanswered: [],
    };
    for (const customer of customers) await judge(all, customer, faults);
    await Promise.all(customers.map(({ line }) => line.close()));
    for (const [kind, found] of Object.entries(faults))
      for (const words of found.slice(0, 10)) process.stderr.write(`${kind}: ${words}\n`);
    return figures(all, customers, faults);
  });
}

const heardIds = ({ heard }: Customer): readonly string[] =>
  heard
    .filter(({ event, data }) => event === 'message' && typeof data.message_id === 'string')
    .map(({ data }) => String(data.message_id));

const threadOf = ({ caller, threadId }: Customer) =>
  caller.call<{ readonly messages: readonly Stored[]; readonly ticket_id: string }>(
    'GET',
    `/api/threads/${threadId}`,
  );

/** Waits until the customer has heard everything and is answered, or for long enough. */
async function settled(all: Shift, customer: Customer): Promise<void> {
  for (const deadline = Date.now() + DRAIN_MS; Date.now() < deadline; await pause(1_000)) {
    const once = new Set([...heardIds(customer), ...customer.seen]);
    const { messages, ticket_id: ticketId } = await threadOf(customer);
    const isHeard = messages.every(({ id }) => once.has(id));
    if (isHeard && (await unattended(all, messages, ticketId)) === null) return;
  }
}

async function judge(all: Shift, customer: Customer, faults: Faults): Promise<void> {
  const { threadId, sent, who } = customer;
  const thread = await threadOf(customer);
  const { messages } = thread;
  const about = (what: string): string => `${who} ${threadId}: ${what}`;
  for (const { id, text } of sent) {
    const count = messages.filter((one) => one.client_message_id === id).length;
    if (count === 0) faults.lost.push(about(text));
    if (count > 1) faults.twice.push(about(text));
  }
  for (const { threadId: where, text } of all.said.filter((one) => one.threadId === threadId)) {
    const count = messages.filter(({ content }) => content === text).length;
    if (count > 1) faults.twice.push(about(`${where} ${text}`));
  }
  const ids = heardIds(customer);
  const once = new Set(ids);
  if (once.size < ids.length) faults.heardTwice.push(about(`${ids.length - once.size} messages`));
  const known = new Set([...once, ...customer.seen]);
  for (const one of messages)
    if (!known.has(one.id)) faults.unheard.push(about(`${one.role} ${one.content}`));
  const stored = messages.map(({ id }) => id).filter((id) => once.has(id));
  const came = [...once].filter((id) => stored.includes(id));
  const wrong = came.findIndex((id, index) => id !== stored[index]);
  if (wrong >= 0) {
    const tell = (id: string | undefined): string => {
      const one = messages.find((message) => message.id === id);
      return `${one?.role} ${one?.created_at} ${one?.content.slice(0, 40)}`;
    };
    faults.disordered.push(about(`heard ${tell(came[wrong])} where ${tell(stored[wrong])} is stored`));
  }
  talkedOver(all, customer, messages, faults.talkedOver);
  const left = await unattended(all, messages, thread.ticket_id);
  if (left !== null) faults.unanswered.push(about(left));
}

/** What comes of an operator's decision, and the word that the operator will answer, talk over nobody. */
const isDue = ({ outcomes }: Shift, content: string): boolean =>
  outcomes.has(content) ||
  /is taking care of|está cuidando|with our team, and they have|já tem a sua mensagem/.test(content);

/** By the order of the events, and by when an operator was told to have it. */
function talkedOver(
  all: Shift,
  { threadId, heard, who }: Customer,
  messages: readonly Stored[],
  found: string[],
) {
  let operator: unknown = null;
  for (const { event, data } of heard) {
    if (event === 'owner') operator = data.operator;
    // An acknowledgement that is not stored says that the operator will answer.
    const isAnswer = data.role === 'hub' && data.message_id !== null && !isDue(all, String(data.content));
    if (event === 'message' && isAnswer && operator !== null)
      found.push(`${who} ${threadId}: heard while an operator had it: ${String(data.content).slice(0, 120)}`);
  }
  for (const { role, content, created_at: at } of messages) {
    const time = Date.parse(at);
    const during = all.claims.some((one) => one.threadId === threadId && time > one.from && time < one.to);
    if (role === 'hub' && during && !isDue(all, content))
      found.push(`${who} ${threadId}: stored while claimed: ${at} ${content.slice(0, 120)}`);
  }
}

/** What was said last, where neither an answer follows nor an operator has it; null where one does. */
async function unattended(
  { url }: Shift,
  messages: readonly Stored[],
  ticketId: string,
): Promise<string | null> {
  const last = messages.findLastIndex(({ role }) => role === 'customer');
  if (last < 0 || messages.slice(last + 1).some(({ role }) => role !== 'system')) return null;
  const desk = await signIn(url, { operator: true, name: 'Olga' });
  const path = `/api/desk/tickets/${ticketId}`;
  const { owner, status } = await desk.call<{ readonly owner: string; readonly status: string }>('GET', path);
  if (owner === 'operator' && status !== 'resolved') return null;
  const before = messages.slice(-4).map((one) => `${one.role} ${one.created_at} ${one.content.slice(0, 60)}`);
  return `${owner}, ${status}: ${before.join(' | ')}`;
}

function figures(all: Shift, customers: readonly Customer[], faults: Faults): readonly Measure[] {
  const sent = customers.flatMap((one) => one.sent);
  const none = { atMost: 0 };
  const answers = spread(customers.flatMap((one) => one.answerMs));
  const delivered = spread(
    all.said.flatMap(({ threadId, text, at }) => {
      const heard = customers
        .find((one) => one.threadId === threadId)
        ?.heard.find(({ event, data }) => event === 'message' && data.content === text);
      return heard === undefined ? [] : [heard.at - at];
    }),
  );
  const load = `load ${String(machine().load)}`;
  const cuts = customers.reduce((sum, { line }) => sum + line.cuts, 0);
  const again = sent.filter(({ tries }) => tries > 1).length;
  const what = `shift: ${OPERATORS.length} operators, ${CUSTOMERS} customers`;
  const refused = [...all.refused].map(([key, count]) => `${key} ${count}`).join(', ');
  return [
    plain(`${what}: messages of customers`, sent.length, '', `${again} sent twice, ${cuts} lines cut`),
    plain(
      `${what}: replies of operators`,
      all.said.length,
      '',
      `${all.claims.length} claims, ${all.approvals.size} approvals; refused: ${refused}`,
    ),
    barred('shift: messages lost', faults.lost.length, '', none),
    barred('shift: messages or replies stored twice', faults.twice.length, '', none),
    barred('shift: messages that their customer did not hear', faults.unheard.length, '', none),
    barred('shift: conversations that heard a message twice', faults.heardTwice.length, '', none),
    barred('shift: conversations that heard messages in another order', faults.disordered.length, '', none),
    barred(
      'shift: answers of the hub while an operator had the conversation',
      faults.talkedOver.length,
      '',
      none,
    ),
    barred('shift: last words neither answered nor with an operator', faults.unanswered.length, '', none),
    plain(
      'shift: a message to its answer, median',
      answers.median,
      'ms',
      `p95 ${Math.round(answers.p95)} ms, ${load}`,
    ),
    plain(
      "shift: an operator's reply on the customer's screen, median",
      delivered.median,
      'ms',
      `p95 ${Math.round(delivered.p95)} ms`,
    ),
  ];
}
