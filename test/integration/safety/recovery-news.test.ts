import { describe, expect, it } from 'vitest';
import { openHub } from '../../support/hub.js';

const ANA = 'ana.souza@example.com';

describe('a yes that a crash left unfinished', () => {
  it('is carried out at the next start, and told when the customer comes back', async () => {
    const hub = await openHub({ checkpointer: 'sqlite' });
    const asked = await hub.say(ANA, 'cancel my samba booking');
    const { id } = asked.pending ?? { id: '' };
    // What is stored when the process dies right after the customer's yes.
    hub.exec(
      'udahub',
      `UPDATE approvals SET status = 'approved', decided_by = 'customer:usr_001', decided_at = created_at
       WHERE pending_id = '${id}';
       INSERT INTO ticket_messages (message_id, ticket_id, role, content, created_at)
       VALUES ('msg_yes', '${asked.ticketId}', 'customer', 'yes', '2026-03-11T15:00:01.000Z')`,
    );
    const restarted = await hub.another();
    expect(hub.query('cultpass', `SELECT status FROM reservations WHERE reservation_id = 'res_002'`)).toEqual(
      [{ status: 'cancelled' }],
    );
    const back = await restarted.say(ANA, 'how many visits do I have left?', asked.threadId);
    expect(back.reply).toMatch(/^Done: "Samba Night[\s\S]*visits? left/);
    const again = await restarted.say(ANA, 'thanks', asked.threadId);
    expect(again.reply).not.toContain('Samba');
    await hub.close();
  });
});
