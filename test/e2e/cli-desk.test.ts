import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, runCli, runHere } from './cli-process.js';

const folder = makeFolder();
afterAll(() => folder.remove());
const { dataDir } = folder;
const desk = (...args: readonly string[]) => runHere('desk', args, { dataDir });

describe('npm run desk', () => {
  let ticketId: string;
  const waiting: { readonly id: string; readonly customer: string }[] = [];

  // Chats that have ended, their questions on disk.
  beforeAll(async () => {
    const env = { HUB_CHECKPOINTER: 'sqlite' };
    for (const [customer, reservation] of [
      ['ana.souza@example.com', 'res_001'],
      ['joao.cardoso@example.com', 'res_042'],
    ] as const) {
      const said = [`cancel my reservation ${reservation}`, 'yes'];
      if (waiting.length === 0) said.push('I want to talk to a human \u001b[31mnow');
      const input = said.map((line) => `${line}\n`).join('');
      const { out } = await runHere('chat', ['--json', '--as', customer], { dataDir, env, input });
      const [, asked, reply] = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      waiting.push({ id: asked.pending.id, customer });
      if (reply === undefined) continue;
      ticketId = String(reply.ticket_id);
      expect(reply.escalated).toBe(true);
    }
  });

  test('[DESK-01] shows the queue, for people and for programs', async () => {
    const { code, out } = await runCli('desk', ['queue'], { dataDir });
    expect(code).toBe(0);
    expect(out).toMatch(/^TICKET +PRIORITY +TYPE/);
    expect(out).toContain(ticketId);
    const queue = JSON.parse((await desk('queue', '--json')).out);
    expect(queue).toContainEqual(
      expect.objectContaining({
        ticket_id: ticketId,
        owner: 'operator',
        escalation: expect.objectContaining({ reason: 'customer_request' }),
      }),
    );
  });

  test('[DESK-01 TRI-09] shows a ticket with everything about it, safe for the terminal', async () => {
    const { code, out } = await desk('show', ticketId);
    expect(code).toBe(0);
    expect(out).toMatch(/Escalation \(open\): customer_request/);
    expect(out).toMatch(/customer: I want to talk to a human/);
    expect(out).not.toContain('\u001b');
    const view = JSON.parse((await desk('show', ticketId, '--json')).out);
    expect(view).toMatchObject({ ticket_id: ticketId, escalations: [{ reason: 'customer_request' }] });
    expect(view.messages.length).toBeGreaterThan(1);
    expect(view.turns[0].route[0]).toMatchObject({ by: expect.any(String) });
  });

  test('[SHF-153] takes the number that a customer was told wherever it takes a ticket', async () => {
    const { number } = JSON.parse((await desk('show', ticketId, '--json')).out);
    const shown = await desk('show', number.toLowerCase().replace('-', ' '));
    expect(shown.out).toMatch(new RegExp(`^Ticket +${ticketId} [^]*Number +${number}`));
    const noted = await desk('note', number, 'The customer called.', '--json');
    expect(JSON.parse(noted.out)).toMatchObject({ message: { ticket_id: ticketId } });
    const claimed = await desk('claim', number, '--json');
    expect(JSON.parse(claimed.out)).toMatchObject({ ticket: { ticket_id: ticketId } });
    expect((await desk('release', number)).code).toBe(0);
    const none = await desk('show', 'ZZZ-ZZZ');
    expect(none).toMatchObject({ code: 1, out: '', err: expect.stringContaining('ZZZ-ZZZ') });
  });

  test('[DESK-02] approves once, under the name of the operator', async () => {
    const [first] = waiting;
    expect((await desk('approvals')).out).toContain(first?.id);
    expect(JSON.parse((await desk('approvals', '--json')).out)).toContainEqual(
      expect.objectContaining({
        id: first?.id,
        kind: 'approval',
        tool: 'cancel_reservation',
        args: { reservation_id: 'res_001' },
      }),
    );
    const done = await desk('approve', first?.id ?? '', '--as', 'Célia Reis');
    expect(done.code, done.err).toBe(0);
    expect(done.out).toMatch(/approved[\s\S]*cancelled/);
    const again = await desk('approve', first?.id ?? '');
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^error: [^\n]+\n$/) });
    expect(JSON.parse((await desk('approvals', '--json')).out)).toHaveLength(1);
  });

  test('[DESK-02] rejects with a reason, and not without', async () => {
    const [, second] = waiting;
    const silent = await desk('reject', second?.id ?? '');
    expect(silent).toMatchObject({ code: 2, err: expect.stringContaining('--reason') });
    const done = await desk('reject', second?.id ?? '', '--reason', 'Too late for the venue', '--json');
    expect(done.code, done.err).toBe(0);
    expect(JSON.parse(done.out)).toMatchObject({
      approval: {
        id: second?.id,
        status: 'rejected',
        reply: expect.stringContaining('Too late for the venue'),
      },
    });
    expect((await desk('approvals')).out).toBe('No action waits for approval.\n');
  });

  test('[DKA-60] takes a ticket over, answers and notes, and gives it back, in other processes than the chat', async () => {
    const celia = ['--as', 'Célia Reis'] as const;
    const claimed = await desk('claim', ticketId, ...celia);
    expect(claimed.code, claimed.err).toBe(0);
    expect(claimed.out).toMatch(/claimed by Célia Reis/);
    expect(await desk('claim', ticketId, '--as', 'Paulo')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^error: [^\n]+\n$/),
    });
    expect((await desk('note', ticketId, 'Prefers the phone', ...celia)).code).toBe(0);
    const said = await desk('reply', ticketId, 'Hello Ana, I am here.', ...celia, '--json');
    expect(JSON.parse(said.out)).toMatchObject({
      message: {
        role: 'operator',
        author: 'Célia Reis',
        audience: 'customer',
        content: 'Hello Ana, I am here.',
      },
    });
    const view = JSON.parse((await desk('show', ticketId, '--json')).out);
    expect(view).toMatchObject({ operator: { name: 'Célia Reis' } });
    expect(view.messages).toContainEqual(
      expect.objectContaining({ content: 'Prefers the phone', audience: 'desk' }),
    );
    const back = await desk('return', ticketId, '--note', 'Done with me', ...celia, '--json');
    expect(JSON.parse(back.out)).toMatchObject({ ticket: { owner: 'hub', operator: null } });
    await desk('claim', ticketId, ...celia);
    const done = await desk('resolve', ticketId, '--text', 'Goodbye.', '--summary', 'Talked', ...celia);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('resolved') });
  });

  test('[DKA-61] refuses an edit whose arguments are no object, and what does not exist', async () => {
    expect(await desk('edit', 'pnd_nothing', '--args', '[1]')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--args must be a JSON object'),
    });
    expect((await desk('edit', 'pnd_nothing')).code).toBe(2);
    const ends = await Promise.all(['claim', 'return'].map((action) => desk(action, 'tkt_nothing')));
    for (const end of ends)
      expect(end).toMatchObject({ code: 1, err: expect.stringMatching(/^error: .*tkt_nothing/) });
  });

  test('says what it does not know, with the right code', async () => {
    expect(await desk('show', 'tkt_nothing')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: .*tkt_nothing/),
    });
    expect(await desk('approve', 'pnd_nothing')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: /),
    });
    expect((await desk('frobnicate')).code).toBe(2);
    expect((await desk()).code).toBe(2);
    expect(await desk('--help')).toMatchObject({ code: 0, out: expect.stringContaining('approvals') });
  });
});
