import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CapabilityProgress, OutsideCaller } from '../../../src/core/capabilities.js';
import { type Hub, openHub, seededDir } from '../../support/hub.js';
import { ANA, BRUNO, GABRIELA, hubMessages, outcomeOf } from '../safety/books.js';
import { as, call, OPERATOR, programOf, STAFF, writePacks } from './support.js';

const SHIPMENT = { load: { id: 'SHP-20417' } };

/** Never answers, until it is closed. */
let silent: Server;
let hub: Hub;
let ana: OutsideCaller;
let asked = 0;
beforeAll(async () => {
  silent = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const dataDir = await seededDir();
  const slow = `id: slow_answer
version: 1.0.0
title: Ask somebody slow
description: Asks a service that takes its time.
owner: test
status: active
type: atomic
input_schema: { type: object, additionalProperties: false, properties: {} }
output_schema: { type: object }
data_sources: { slow: { kind: http, endpoint: 'http://127.0.0.1:${port}', timeout: 600 } }
implementation: { type: http_call, handler: ask }
`;
  const folder = writePacks(
    dataDir,
    { slow_answer: slow },
    {
      'slow_answer/api_mappings.yaml':
        'mappings: { ask: { description: Asks, source: slow, method: GET, path: /ask } }\n',
    },
  );
  hub = await openHub({ dataDir, env: { HUB_SKILLS_DIR: `${process.cwd()}/skills:${folder}` } });
  ana = await programOf(hub, ANA);
});
afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await hub.close();
});

describe('a skill that a program runs', () => {
  it('[SKD-53] may be email_workflow, whose address book answers from the pack until there is one', async () => {
    const email = { subject: 'My chair', body: 'The chair arrived without legs. This is unacceptable!' };
    for (const [from, greeting] of [
      ['tom@example.org', 'Hello, Tom Reed'],
      ['nobody@example.org', 'Hello!'],
    ]) {
      const { data } = as('done', await call(hub, ana, 'email_workflow', { from, ...email }));
      expect(data).toMatchObject({ result: { success_rate: 1, partial_failures: [] } });
      expect(JSON.stringify(data)).toContain(greeting);
    }
  });

  it('[CAP-18] finds the cause in the own record, advises and changes nothing, and tells its steps', async () => {
    const before = hub.dump('cultpass');
    const gabriela = await programOf(hub, GABRIELA);
    const steps: CapabilityProgress[] = [];
    const outcome = await hub.app.capabilities.call({
      caller: gabriela,
      name: 'missing_refund',
      input: { message: 'I cancelled a booking but never got my money back' },
      onProgress: (progress) => void steps.push(progress),
    });
    const { data } = as('done', outcome);
    expect(data).toMatchObject({
      status: 'done',
      skill_id: 'missing_refund',
      result: { recommended_action: { action: 'process_refund' } },
    });
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.map(({ done }) => done)).toEqual(steps.map((_, index) => index));
    expect(steps.every(({ message, total }) => message !== '' && total === null)).toBe(true);
    expect(hub.dump('cultpass')).toEqual(before);
    expect(hub.query('udahub', 'SELECT ticket_id FROM tickets')).toEqual([]);
  });

  it('[CAP-18] shows a customer what was found, and not the rows it was found in', async () => {
    const input = { message: 'my refund is missing', reservation_id: 'res_007' };
    const own = as('done', await call(hub, ana, 'missing_refund', input));
    const staffs = as(
      'done',
      await call(hub, STAFF, 'missing_refund', { ...input, customer: { user_id: 'usr_001' } }),
    );
    const rowsOf = ({ data }: typeof own) =>
      (data.result as { evidence: readonly { data?: unknown }[] }).evidence.filter(
        (one) => one.data !== undefined,
      );
    expect(rowsOf(own)).toEqual([]);
    expect(rowsOf(staffs)).not.toEqual([]);
  });

  it('[CAP-19] that needs a person is put to the operators with a ticket, and goes on with their choice', async () => {
    const felipe = await programOf(hub, 'felipe.araujo@example.com');
    const input = { message: 'I was charged twice' };
    const waits = as('awaiting_choice', await call(hub, felipe, 'double_charge', input));
    const ticketId = String(waits.ticketId);
    expect(waits.handoff.options.map(({ id }) => id)).toContain('C');
    expect(waits.message).toContain('our team');
    const queue = await hub.app.desk.queue({ owner: 'operator', limit: 10 });
    expect(queue.map(({ ticket }) => ticket.ticketId)).toContain(ticketId);
    const view = await hub.app.desk.show(ticketId);
    expect(view.ticket).toMatchObject({ channel: 'mcp', customerId: 'usr_006' });
    expect(view.investigations).toMatchObject([{ runId: waits.runId, status: 'waiting' }]);
    expect(view.escalations[0]?.options.join()).toContain(waits.runId);
    expect(hubMessages(hub, view.ticket.threadId)).toEqual([waits.message]);
    const { status, choose } = hub.app.capabilities;
    expect((await status(felipe, waits.runId)).kind).toBe('awaiting_choice');
    expect(await outcomeOf(status(await programOf(hub, BRUNO), waits.runId))).toBe('not_found');
    expect(await outcomeOf(choose({ caller: felipe, runId: waits.runId, choice: 'A' }))).toBe('forbidden');
    await hub.app.desk.choose(ticketId, 'C', OPERATOR);
    expect(await status(felipe, waits.runId)).toMatchObject({ kind: 'done', data: { run_id: waits.runId } });
  });

  it('[CAP-19] asks staff itself, and goes on with the answer', async () => {
    const tickets = hub.query('udahub', 'SELECT ticket_id FROM tickets').length;
    const waits = as('awaiting_choice', await call(hub, STAFF, 'ocean_debugging', SHIPMENT));
    expect(waits.ticketId).toBeNull();
    expect(hub.query('udahub', 'SELECT ticket_id FROM tickets')).toHaveLength(tickets);
    const { choose } = hub.app.capabilities;
    const answer = { caller: STAFF, runId: waits.runId };
    expect(await outcomeOf(choose({ ...answer, choice: 'Z' }))).toBe('choice_unknown');
    expect((await choose({ ...answer, choice: 'C' })).kind).toBe('done');
    expect(await outcomeOf(choose({ ...answer, choice: 'C' }))).toBe('run_not_waiting');
  });

  it('[CAP-20] stops when it is cancelled, at once, and can be run again with the same key', async () => {
    const stop = new AbortController();
    const before = asked;
    const running = call(hub, STAFF, 'slow_answer', {}, { signal: stop.signal, idempotencyKey: 'slow' });
    await expect.poll(() => asked).toBe(before + 1);
    stop.abort(new Error('the client went away'));
    expect(await outcomeOf(running)).toBe('cancelled');
    const again = new AbortController();
    const second = call(hub, STAFF, 'slow_answer', {}, { signal: again.signal, idempotencyKey: 'slow' });
    await expect.poll(() => asked).toBe(before + 2);
    again.abort();
    expect(await outcomeOf(second)).toBe('cancelled');
    // What a client does is no fault of the hub's.
    const failed = hub.log.entries.filter(({ action }) => action === 'run_failed').slice(-2);
    expect(failed.map(({ level }) => level)).toEqual(['info', 'info']);
  });
});
