import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../../src/adapters/telemetry/pino-log.js';
import { openPrivacy } from '../../../src/app/privacy.js';
import { parseConfig } from '../../../src/config/config.js';
import type { Privacy } from '../../../src/core/privacy.js';
import { type Hub, openHub, seededDir } from '../../support/hub.js';

export const GABI = 'gabriela.nunes@example.com';
export const GABI_NAME = 'Gabriela Nunes';
export const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';

/** What only this customer has said, or what was said to nobody else. */
export const SAID = [
  'My neighbour Zuleica Quintanilha saw the whole thing',
  'The piano teacher of my daughter told me to complain',
  'Operator note about the violet umbrella',
  'A reply about the violet umbrella for you',
  'the answer about the marimba was kind',
];

/** A hub with a log file and conversations on disk, as the server has. */
export async function durableHub(dataDir?: string): Promise<Hub> {
  const dir = dataDir ?? (await seededDir());
  const log = createLog({ level: 'debug', file: join(dir, 'hub.log') });
  return openHub({ dataDir: dir, checkpointer: 'sqlite', overrides: { log } });
}

/** The commands' side, on the same data at the same time. */
export function privacyOf(hub: Pick<Hub, 'dataDir' | 'clock'>): Promise<Privacy> {
  const config = parseConfig({ HUB_DATA_DIR: hub.dataDir, HUB_MODEL_PROVIDER: 'offline' });
  return openPrivacy(config, { clock: hub.clock });
}

/** All that may happen to a customer: investigation, refund, escalation, a person's note and reply, memory, rating. */
export async function liveThrough(
  hub: Hub,
): Promise<{ readonly ticketId: string; readonly threadId: string }> {
  const { app } = hub;
  const identity = await app.signIn(GABI);
  const operator = { operatorId: 'op_1', name: 'Rita' };
  const { threadId } = await app.conversations.create(identity);
  const send = (text: string, clientMessageId: string) =>
    app.conversations.send({ identity, threadId, text, clientMessageId, channel: 'http' });
  await send('I cancelled a booking but never got my money back', 'c1');
  await send('yes', 'c2');
  await send('Prefiro ser contatado por WhatsApp', 'c3');
  const { ticketId } = await send(`${SAID[0]}. I want to talk to a human being`, 'c4');
  await app.desk.claim(ticketId, operator);
  await app.desk.note(ticketId, operator, SAID[2] ?? '');
  await app.desk.reply(ticketId, operator, SAID[3] ?? '');
  await send(`${SAID[1]}. Write to ${GABI}, I am ${GABI_NAME}.`, 'c5');
  await app.desk.returnToHub(ticketId, operator);
  await app.conversations.rate(identity, threadId, { helpful: true, comment: SAID[4] });
  const caller = `customer:${customerIdOf(hub, GABI)}`;
  await app.idempotency.claim(caller, 'key-1', 'hash');
  await app.idempotency.complete(caller, 'key-1', {
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ thread_id: threadId, reply: SAID[3] }),
  });
  // Another conversation, with an open question.
  await hub.say(GABI, 'cancel my next booking');
  return { ticketId, threadId };
}

/** Others, whose data must stay as it is. */
export async function othersLive(hub: Hub): Promise<void> {
  await hub.say(ANA, 'How do I pause my plan?');
  const asked = await hub.say(ANA, 'cancel my samba night booking');
  await hub.say(ANA, 'yes', asked.threadId);
  await hub.say(BRUNO, 'I want to talk to a human being');
}

export function customerIdOf(hub: Hub, email: string): string {
  const [row] = hub.query('cultpass', 'SELECT user_id FROM users WHERE email = ?', email);
  return String(row?.user_id);
}

/** Files that hold the text in any case of letters: an independent look at the bytes. */
export function filesWith(dir: string, text: string): readonly string[] {
  const needle = text.toLowerCase();
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) =>
      readFileSync(path, 'latin1').toLowerCase().includes(Buffer.from(needle).toString('latin1')),
    );
}
