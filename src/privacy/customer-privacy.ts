import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/domain/json.js';
import { HubError } from '../core/errors.js';
import type { Customers } from '../core/ports/customers.js';
import type { Clock } from '../core/ports/system.js';
import type { ThreadLock } from '../core/ports/thread-store.js';
import {
  type CompanyPrivacy,
  type CustomerExport,
  type CustomerFacts,
  type EraseReport,
  type GraphMemory,
  type HubPrivacy,
  type Privacy,
  piecesOf,
  type RemainsSearch,
  type Removal,
} from '../core/privacy.js';
import { statesOf } from './checkpoints.js';
import {
  eraseFromLog,
  eraseMailFiles,
  erasureJournal,
  type LineTest,
  linesAbout,
  logFiles,
  mailFilesOf,
  rewriteDatabases,
} from './files.js';
import { filesBelow, searchFiles } from './search.js';

/** What an erasure set out to do; kept on disk until it is done. */
const planSchema = z.object({
  email: z.string(),
  fullName: z.string(),
  customerId: z.string(),
  pseudonym: z.string(),
  address: z.string(),
  /** Ids that lead to the customer: lines of the log that name one are removed. */
  refs: z.array(z.string()),
  /** Texts to look for in the end. */
  pieces: z.array(z.string()),
  /** Bytes of files to look for, each as a character. */
  samples: z.array(z.string()).default([]),
  common: z.number(),
  /** False where somebody else has the same name, who keeps it. */
  nameIsOwn: z.boolean(),
});
type Plan = z.infer<typeof planSchema>;

/** What the work on one customer's data needs; opened by src/app/privacy.ts. */
interface PrivacyParts {
  readonly dataDir: string;
  /** The log file; what it was rotated to is found beside it. */
  readonly logFile: string;
  /** How long one turn may take, in milliseconds. */
  readonly turnMs: number;
  readonly clock: Clock;
  readonly locks: ThreadLock;
  readonly customers: Pick<Customers, 'findByEmail'>;
  readonly hub: HubPrivacy;
  /** What the company's database holds, and the database's name. */
  readonly company: CompanyPrivacy & { readonly database: string };
  readonly memory: GraphMemory;
  /** Databases on a server; null where all are files of the data directory. */
  readonly server: RemainsSearch | null;
}
type Parts = PrivacyParts;

/** A turn that is running when an erasure begins may take this much longer than a turn may take. */
const GRACE_MS = 15_000;
const LOCK = 'privacy';
const NOTHING: EraseReport['proof'] = { files: 0, bytes: 0, needles: 0, common: 0, leftovers: [] };

/** Exports and erases one customer's data over opened stores. */
export function createPrivacy(parts: PrivacyParts): Omit<Privacy, 'close'> {
  return {
    export: (email) => exportCustomer(parts, email),
    erase: (email, onStep = () => undefined) =>
      parts.locks.withThread(LOCK, GRACE_MS, () => erase(parts, email, onStep)),
  };
}

async function exportCustomer(
  { dataDir, logFile, clock, customers, hub, company, memory }: Parts,
  email: string,
): Promise<CustomerExport> {
  const customer = await factsOf(customers, email);
  if (customer === null) throw unknown(email);
  const refs = await allRefs(hub, customer);
  const test = lineTest(customer, refs);
  return {
    exported_at: clock.now().toISOString(),
    customer: { customer_id: customer.customerId, email: customer.email, full_name: customer.fullName },
    [company.database]: await company.rows(customer.customerId),
    hub: await hub.rows(customer),
    checkpoints: await statesOf(memory, refs),
    attachments: [...(await hub.files(customer)), ...mailFilesOf(dataDir, refs)],
    log: logFiles(logFile).flatMap((file) => linesAbout(file, test).map((line) => parseJson(line, line))),
  };
}

async function erase(parts: Parts, email: string, onStep: (step: string) => void): Promise<EraseReport> {
  const { dataDir, hub } = parts;
  const journal = erasureJournal(dataDir, (value) => planSchema.parse(value));
  const known = journal.read((plan) => sameAddress(plan.email, email));
  const customer = known ? null : await factsOf(parts.customers, email);
  if (!known && customer === null) {
    if (!(await hub.knowsAddress(email))) throw unknown(email);
    return { status: 'already', pseudonym: null, removals: [], proof: NOTHING };
  }
  const plan = known?.plan ?? (await makePlan(parts, customer as CustomerFacts));
  const path = known?.path ?? journal.write(randomBytes(8).toString('hex'), plan);
  if (known) onStep('An erasure that was interrupted is completed.');
  const removals = await carryOut(parts, plan, onStep);
  onStep('Writing the databases anew.');
  const busy = await rewriteDatabases(dataDir, [parts.company.database, 'udahub', 'checkpoints']);
  await parts.server?.tidy();
  if (busy.length > 0) onStep(`Held by other processes: ${busy.join(', ')}.`);
  await hub.rememberAddress(plan.email);
  journal.remove(path);
  onStep(`Searching every file ${parts.server ? 'and table ' : ''}for what is left.`);
  return { status: 'erased', pseudonym: plan.pseudonym, removals, proof: await prove(parts, plan) };
}

async function makePlan({ hub, company }: Parts, customer: CustomerFacts): Promise<Plan> {
  const pieces = piecesOf(await hub.texts(customer));
  const own: string[] = [];
  for (const piece of pieces)
    if (!(await hub.isCommon(piece, customer)) && !(await company.isPublic(piece))) own.push(piece);
  const random = (bytes: number): string => randomBytes(bytes).toString('hex');
  return {
    ...customer,
    pseudonym: `erased_${random(8)}`,
    address: `${random(16)}@erased.invalid`,
    refs: [...(await allRefs(hub, customer))],
    pieces: own,
    samples: [...(await hub.samples(customer))],
    common: pieces.length - own.length,
    nameIsOwn: !(await company.isCommonName(customer.fullName, customer.customerId)),
  };
}

/** Each step may be repeated, so that one that was cut off is simply done again. */
async function carryOut(
  { dataDir, logFile, turnMs, locks, hub, company, memory, server }: Parts,
  plan: Plan,
  onStep: (step: string) => void,
) {
  const removals: Removal[] = [];
  const named = (database: string): string => (server ? database : `${database}.db`);
  const words = plan.nameIsOwn ? [plan.email, plan.fullName] : [plan.email];
  onStep('Waiting for turns that are under way.');
  await hub.endTurns(plan.customerId);
  const waitMs = turnMs + GRACE_MS;
  for (;;) {
    const held = [...(await hub.refs(plan)).threads].sort();
    const done = await holding(locks, held, waitMs, async () => {
      const removed = await hub.erase({ ...plan, words, held });
      if (removed === null) return false;
      onStep(`Removed from ${named('udahub')}.`);
      const { customerId, pseudonym, address } = plan;
      removals.push(...removed, ...(await company.erase(customerId, pseudonym, address)));
      onStep(`Made anonymous in ${named(company.database)}.`);
      const { place } = memory;
      removals.push({ place, what: 'removed', count: await memory.erase(await hub.erasedRefs()) });
      return true;
    });
    if (done) break;
  }
  removals.push({ place: memory.place, what: 'redacted', count: await memory.redact(words) });
  onStep('Removed from what the graphs remember; next is the log.');
  const test = lineTest(plan, [...plan.refs, ...(await hub.erasedRefs())]);
  removals.push({ place: 'log', what: 'removed', count: eraseFromLog(logFile, test) });
  const count = eraseMailFiles(dataDir, [...plan.refs, ...(await hub.erasedRefs())]);
  if (count > 0) removals.push({ place: 'mail', what: 'removed', count });
  removals.push(...eraseStudio(dataDir, plan));
  if (server)
    removals.push({ place: 'queue', what: 'removed', count: await server.removeJobs(needlesOf(plan)) });
  return removals;
}

/** Does the work while all these threads are held: no turn of theirs runs then. */
async function holding<T>(
  locks: ThreadLock,
  [first, ...others]: readonly string[],
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  if (first === undefined) return work();
  return locks.withThread(first, waitMs, () => holding(locks, others, waitMs, work));
}

/** Studio's threads are a developer's scratch paper in files of its own server: where the customer is in them, they go. */
function eraseStudio(dataDir: string, plan: Plan): readonly Removal[] {
  const dir = join(dataDir, 'studio');
  if (!existsSync(dir)) return [];
  const files = filesBelow(dir);
  if (searchFiles(dir, files, needlesOf(plan)).leftovers.length === 0) return [];
  rmSync(dir, { recursive: true });
  return [{ place: 'studio', what: 'removed', count: files.length }];
}

async function prove({ dataDir, logFile, server }: Parts, plan: Plan): Promise<EraseReport['proof']> {
  const needles = needlesOf(plan);
  const there = (await server?.search(needles)) ?? { files: 0, bytes: 0, leftovers: [] };
  const files = [...new Set([...filesBelow(dataDir), ...logFiles(logFile)])];
  const { files: count, bytes, leftovers } = searchFiles(dataDir, files, needles);
  return {
    files: count + there.files,
    bytes: bytes + there.bytes,
    ...{ needles: needles.length, common: plan.common },
    leftovers: [...leftovers, ...there.leftovers],
  };
}

function needlesOf({ email, fullName, nameIsOwn, pieces, samples }: Plan) {
  return [
    { what: 'email' as const, text: email },
    ...(nameIsOwn ? [{ what: 'name' as const, text: fullName }] : []),
    ...pieces.map((text) => ({ what: 'text' as const, text })),
    ...samples.map((text) => ({ what: 'file' as const, text })),
  ];
}

async function allRefs(hub: HubPrivacy, customer: CustomerFacts): Promise<readonly string[]> {
  return Object.values(await hub.refs(customer)).flat();
}

/** Whether a line of the log names the customer, or anything that belongs to the customer alone. */
function lineTest({ customerId, email, fullName }: CustomerFacts, refs: readonly string[]): LineTest {
  const plain = new Set(refs.filter((ref) => /^\w+$/.test(ref)));
  const others = refs.filter((ref) => !plain.has(ref));
  // A bare id may be any number; quoted, or after a role, it is the customer's.
  const id = new RegExp(`(?:"|customer:)${customerId.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`);
  const words = [email.toLowerCase(), fullName.toLowerCase()];
  return (line) => {
    const folded = line.toLowerCase();
    if (words.some((word) => folded.includes(word)) || id.test(line)) return true;
    if (others.some((ref) => line.includes(ref))) return true;
    return (line.match(/\w+/g) ?? []).some((token) => plain.has(token));
  };
}

async function factsOf(
  customers: Pick<Customers, 'findByEmail'>,
  email: string,
): Promise<CustomerFacts | null> {
  const customer = await customers.findByEmail(email.trim());
  return customer && { customerId: customer.customerId, email: customer.email, fullName: customer.name };
}

function sameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function unknown(email: string): HubError {
  return new HubError('customer_unknown', `There is no customer with the address ${email}.`);
}
