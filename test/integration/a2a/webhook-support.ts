import { rmSync } from 'node:fs';
import type { AppOverrides } from '../../../src/app/app.js';
import { seededDir } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';
import { openWebhookReceiver, type Told, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { QUESTION, rpc, saying, V1, type WireTask } from './tasks-support.js';

/** What a test has opened. */
export const cleanUps: (() => Promise<void> | void)[] = [];

/** Closes and removes what a test has opened, the last first. */
export async function cleanUp(): Promise<void> {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
}

/** A webhook. */
export async function receiver(): Promise<WebhookReceiver> {
  const hook = await openWebhookReceiver();
  cleanUps.push(() => hook.close());
  return hook;
}

/** A data directory of its own. */
export async function newDir(): Promise<string> {
  const dir = await seededDir();
  cleanUps.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A server on a data directory. */
export async function serverOn(
  dataDir: string,
  env: Record<string, string> = {},
  overrides: AppOverrides = {},
): Promise<TestServer> {
  const at = await openServer({ dataDir, checkpointer: 'sqlite', env, overrides });
  cleanUps.push(() => at.close());
  return at;
}

interface Config {
  readonly url: string;
  readonly id?: string;
  readonly token?: string;
}

/** Asks a question whose task tells its webhook three things. */
export async function ask(
  at: TestServer,
  config: Config,
  token?: string,
  text = QUESTION,
): Promise<WireTask> {
  const configuration = { taskPushNotificationConfig: config };
  const sent = await rpc(at, 'SendMessage', { ...saying(text), configuration }, { token, headers: V1 });
  return sent.result.task;
}

/** What the webhooks of a task are told, in its order. */
export const outbox = (at: TestServer, taskId: string) =>
  at.hub.query('udahub', 'SELECT * FROM a2a_push_outbox WHERE task_id = ? ORDER BY seq', taskId);
/** How it stands. */
export const statuses = (at: TestServer, taskId: string) => outbox(at, taskId).map(({ status }) => status);
/** What the log says of it. */
export const logged = (at: TestServer, action: string) =>
  at.hub.log.entries.filter((entry) => entry.action === action);
/** Ids of notifications as they came. */
export const idsOf = (all: readonly Told[]) => all.map(({ headers }) => String(headers['webhook-id']));
