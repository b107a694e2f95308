import { afterAll, beforeAll, expect, it } from 'vitest';
import type { A2aTaskRecord } from '../../../src/core/ports/a2a-tasks.js';
import { withdrawn } from '../../../src/surfaces/a2a/tasks-outcome.js';
import { type Hub, openHub } from '../../support/hub.js';
import { ANA, BRUNO } from './support.js';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

it('[A2T-15] a task that was taken back is cancelled where its turn only read, and ends where it changed something', async () => {
  const stateOf = async (email: string, reply: Awaited<ReturnType<Hub['say']>>) => {
    const identity = await hub.app.signIn(email);
    return (await withdrawn(hub, { taskId: 't', threadId: null } as A2aTaskRecord, identity, reply)).state;
  };
  const looked = await hub.say(BRUNO, 'My QR code does not work at the door');
  expect(looked.toolCalls).toContainEqual(expect.objectContaining({ tool: 'investigate', ok: true }));
  expect(looked.pending).toBeNull();
  expect(await stateOf(BRUNO, looked)).toBe('canceled');
  const asked = await hub.say(ANA, 'Cancel my booking for the Samba Night');
  const done = await hub.say(ANA, 'yes', asked.threadId);
  expect(done.toolCalls).toContainEqual(expect.objectContaining({ tool: 'cancel_reservation', ok: true }));
  expect(await stateOf(ANA, done)).not.toBe('canceled');
});
