import { expect, it } from 'vitest';
import { openHub, seededDir } from '../../support/hub.js';

const ANA = 'ana.souza@example.com';

/** Says each line to a hub of its own, as `npm run chat -- --thread ID` does: nothing is kept but what is stored. */
async function restarted(who: string, ...lines: readonly string[]) {
  const dataDir = await seededDir();
  const replies: string[] = [];
  let threadId: string | undefined;
  let rows: readonly unknown[] = [];
  for (const line of lines) {
    const hub = await openHub({ dataDir, checkpointer: 'memory' });
    const said = await hub.say(who, line, threadId);
    threadId = said.threadId;
    replies.push(said.reply);
    rows = hub.query(
      'cultpass',
      `SELECT r.status AS booking, s.status AS plan FROM reservations r, subscriptions s
       WHERE r.reservation_id IN ('res_002', 'res_003') AND s.subscription_id = 'sub_001' ORDER BY r.reservation_id`,
    );
    await hub.close();
  }
  return { replies, rows };
}

it('[FUP-06] comes to what was asked for next in a process that began after the question', async () => {
  const { replies, rows } = await restarted(ANA, 'cancel Clarice and the samba night', 'yes', 'yes');
  expect(replies[1]).toMatch(/^Done: "Clarice[\s\S]*Shall I cancel "Samba/);
  expect(replies[2]).toMatch(/"Samba Night at Pedra do Sal" is cancelled/);
  expect(rows).not.toContainEqual({ booking: 'reserved', plan: 'active' });
});

it('[FUP-06] asks before the next, whatever became of the first and was asked between', async () => {
  const asked = 'cancela a Clarice e pausa meu plano por 30 dias';
  const { replies, rows } = await restarted(ANA, asked, 'como funciona o passe de convidado?', 'não', 'sim');
  expect(replies[2]).toMatch(/continua valendo[\s\S]*Posso pausar sua assinatura por 30 dias/);
  expect(replies[3]).toMatch(/pausada/);
  expect(rows).toContainEqual({ booking: 'reserved', plan: 'paused' });
});

it('[FUP-06] leaves all of it where all of it is turned down', async () => {
  const { replies, rows } = await restarted(
    ANA,
    'cancel Clarice and pause my plan for 30 days',
    'no, forget all of it',
  );
  expect(replies[1]).not.toMatch(/pause/);
  expect(rows).toEqual([
    { booking: 'reserved', plan: 'active' },
    { booking: 'reserved', plan: 'active' },
  ]);
});
