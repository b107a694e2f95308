import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';
import { startOpenAiServer } from '../../support/openai-server.js';
import { form, openOnline, PROMPT } from '../online/support.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';
const PACK = 'subscription_not_active';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with one pack of the company's, whose triggers are these. */
function packWith(triggers: object): string {
  const folder = makeTempDir();
  folders.push(folder);
  cpSync(join('companies/cultpass/skills', PACK), join(folder, PACK), { recursive: true });
  const file = join(folder, PACK, 'skill.yaml');
  writeFileSync(file, stringify({ ...parse(readFileSync(file, 'utf8')), triggers }));
  return folder;
}

const runsOf = async (hub: Hub, ticketId: string) =>
  (await hub.app.desk.show(ticketId)).investigations.map(({ skillId }) => skillId);

describe('the skill for a symptom', () => {
  it('[MDL-06] is picked in chat by conditions over the customer who asks', async () => {
    const triggers = { keywords: ['cannot book'], conditions: ["customer.subscription.status == 'paused'"] };
    const hub = await openHub({ env: { HUB_SKILLS_DIR: packWith(triggers) } });
    try {
      const symptom = 'I paid but I cannot book anything';
      const paused = await hub.say(CARLA, symptom);
      expect(paused.agents).toContain('investigation');
      expect(await runsOf(hub, paused.ticketId)).toEqual([PACK]);
      const active = await hub.say(ANA, symptom);
      expect(active.agents).not.toContain('investigation');
    } finally {
      await hub.close();
    }
  });

  it('[MDL-06] is chosen by a model among all with their descriptions, where no trigger matches', async () => {
    const server = await startOpenAiServer();
    const online = await openOnline(server);
    try {
      const symptom = 'Something has been odd since Tuesday and nothing feels right any more';
      server.reply(form([[symptom, 'investigation']]), PROMPT.triage);
      const choice = { name: 'investigate', args: { problem: symptom, skill_id: 'double_charge' } };
      server.reply({ toolCalls: [choice] }, PROMPT.investigation);
      server.reply({ text: 'I looked at your payments: none was taken twice.' }, PROMPT.investigation);
      const reply = await (await online.talk(ANA)).say(symptom);
      const [, asked] = server.requests;
      const shown = asked?.body.messages.find(({ role }) => role === 'tool')?.content;
      for (const skill of ['double_charge', 'entry_denied', 'missing_refund', 'cannot_reserve'])
        expect(shown).toContain(skill);
      expect(shown).toContain('Tells a real duplicate from what only looks like one');
      const { investigations } = await online.app.desk.show(reply.ticketId);
      expect(investigations.map(({ skillId }) => skillId)).toEqual(['double_charge']);
    } finally {
      await online.close();
      await server.close();
    }
  });

  it('[MDL-06] is one for each symptom of a message, and the answer one text', async () => {
    const hub = await openHub();
    try {
      for (const text of [
        'I was charged twice this month. Also, I was refused at the door of the museum yesterday.',
        'Fui cobrada duas vezes e fui barrada na porta ontem',
      ]) {
        const reply = await hub.say(ANA, text);
        expect(await runsOf(hub, reply.ticketId)).toEqual(['double_charge', 'entry_denied']);
        const { investigations } = await hub.app.desk.show(reply.ticketId);
        expect(investigations.map(({ status }) => status)).toEqual(['done', 'done']);
        // One paragraph of each, the charge's first.
        expect(reply.reply.split('\n\n').length).toBeGreaterThanOrEqual(2);
        expect(reply.reply).toMatch(/R\$ 119[.,]90.*Villa-Lobos/s);
      }
    } finally {
      await hub.close();
    }
  });

  it.each([
    [
      ANA,
      'I was charged after I had cancelled, please look at that charge. Also, I cannot book anything although I paid.',
      /What I found on "I was charged.*" and "I cannot book.*" does not agree: one finding asks for another change/s,
    ],
    [
      BRUNO,
      'Fui cobrado depois de cancelar a assinatura. Também não consigo reservar nada.',
      /O que encontrei sobre "Fui cobrado.*" e "Também não consigo reservar nada" não combina: um resultado pede uma mudança/s,
    ],
  ])(
    '[SKD-88] says where the findings of two symptoms contradict each other: %s',
    async (email, text, said) => {
      const hub = await openHub();
      try {
        const user = `(SELECT user_id FROM users WHERE email = '${email}')`;
        hub.exec(
          'cultpass',
          `UPDATE subscriptions SET status = 'cancelled', ended_at = '2026-03-01T12:00:00.000Z' WHERE user_id = ${user};
         DELETE FROM payments WHERE user_id = ${user};
         INSERT INTO payments (payment_id, user_id, amount_cents, status, created_at)
         VALUES ('pay_late', ${user}, 5990, 'paid', '2026-03-05T12:00:00.000Z');`,
        );
        const reply = await hub.say(email, text);
        expect(await runsOf(hub, reply.ticketId)).toEqual(['double_charge', 'cannot_reserve']);
        expect(reply.reply).toMatch(said);
        expect(reply.pending).toBeNull();
        expect(reply.escalated).toBe(true);
        const [escalation] = (await hub.app.desk.show(reply.ticketId)).escalations;
        expect(escalation?.found[0]).toMatch(
          /^They disagree on recommended_action: double_charge says .*refund_wrong_charge.*cannot_reserve says .*restore_subscription/,
        );
      } finally {
        await hub.close();
      }
    },
  );
});
