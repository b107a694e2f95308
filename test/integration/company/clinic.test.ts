import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { openSkillPacks } from '../../../src/app/skill-packs.js';
import { parseConfig } from '../../../src/config/config.js';
import { writeClinic } from '../../support/clinic.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';

const MARINA = 'marina@example.com';
const TOM = 'tom@example.com';
const SOFIA = 'sofia@example.com';
const room = makeTempDir();
const folder = join(room, 'clinic');
let hub: Hub;
beforeAll(async () => {
  cpSync(new URL('../../companies/clinic', import.meta.url).pathname, folder, { recursive: true });
  writeClinic(join(room, 'clinic.db'));
  const packs = await openSkillPacks(parseConfig({ HUB_COMPANY: folder }));
  await packs.create({ id: 'missed_visit', type: 'decision_tree' });
  hub = await openHub({ dataDir: join(room, 'data'), env: { HUB_COMPANY: folder } });
});
afterAll(async () => {
  await hub.close();
  rmSync(room, { recursive: true, force: true });
});

/** Says one after the other in a conversation of its own. */
async function talk(who: string | null, ...said: readonly string[]) {
  let last: Awaited<ReturnType<Hub['say']>> | undefined;
  for (const text of said) last = await hub.say(who, text, last?.threadId);
  if (!last) throw new Error('Nothing was said');
  return last;
}

describe('a clinic over a database that it had before the hub', () => {
  it('[BYO-102] has no fault', async () => {
    expect(await checkCompany(parseConfig({ HUB_COMPANY: folder }))).toEqual([]);
  });

  it('[BYO-108] has a skill look at the customer’s own rows of that file, and at nobody else’s', async () => {
    const first = await talk(TOM, 'I think I have a missed visit');
    expect(first.reply).toBe('Which appointment is it about?');
    const [run] = hub.query('udahub', 'SELECT count(*) AS runs FROM skill_runs');
    expect(run?.runs).toBeGreaterThan(0);
    expect((await talk(SOFIA, 'a missed visit')).reply).toBe(
      'I have looked at it: it is on record as "booked".',
    );
  });

  it('[BYO-115] gives a skill the record of a kind without ids that the words name by its title', async () => {
    const { reply } = await talk(TOM, 'I think I have a missed visit, the ear infection');
    expect(reply).toBe('I have looked at it: it is on record as "done".');
    const [run] = hub.query('udahub', 'SELECT input FROM skill_runs ORDER BY rowid DESC LIMIT 1');
    expect(String(run?.input)).toContain('"visit_id":"105"');
  });

  it.each([
    [TOM, ['Move my appointment to 20 March'], '104', '2026-03-20'],
    [MARINA, ['quero remarcar minha consulta para sexta-feira', 'a segunda'], '102', '2026-03-13'],
    [SOFIA, ["When is Pepper's check-up?", 'Can I move it to 27 March?'], '109', '2026-03-27'],
    [SOFIA, ["cancel Pepper's check-up", 'actually no, move it to March 30'], '109', '2026-03-30'],
    [SOFIA, ["cancel Pepper's check-up", 'no, move it to March 30 instead'], '109', '2026-03-30'],
    [MARINA, ['Cancela a limpeza da Mel', 'na verdade não, remarca para o dia 30'], '102', '2026-03-30'],
  ])(
    '[BYO-103] takes the day that something is moved to for no day of a record: %s %j',
    async (who, said, id, day) => {
      const { pending } = await talk(who, ...said);
      expect(pending).toMatchObject({ tool: 'move_visit', args: { visit_id: id, day } });
    },
  );

  it.each([
    [TOM, ['Move my appointment to 20 March', 'no, make it the 24th'], '104', '2026-03-24'],
    [TOM, ['Move my appointment to 20 March', 'no wait, 24 March please'], '104', '2026-03-24'],
    [TOM, ['Move my appointment to 20 March', 'no, move the appointment to the 24th'], '104', '2026-03-24'],
    [MARINA, ['remarca a limpeza da Mel para o dia 27', 'não, melhor dia 30'], '102', '2026-03-30'],
    [MARINA, ['remarca a limpeza da Mel para o dia 27', 'não, para o dia 13'], '102', '2026-03-13'],
  ])('[BYO-120] asks anew for the day that a no puts in its place: %s %j', async (who, said, id, day) => {
    const { pending, reply } = await talk(who, ...said);
    expect(pending).toMatchObject({ tool: 'move_visit', args: { visit_id: id, day } });
    expect(reply).not.toMatch(/Nothing has changed|Nada mudou/);
  });

  it('[BYO-120] takes the one on a day for another record, and no day for a plain no', async () => {
    const other = await talk(MARINA, 'remarca a limpeza da Mel para o dia 27', 'não, a consulta da sexta');
    expect(other.pending?.args).toMatchObject({ visit_id: '101' });
    const none = await talk(TOM, 'Move my appointment to 20 March', 'no, leave it on Friday');
    expect(none.pending).toBeNull();
  });

  it.each([
    [MARINA, ['quero cancelar uma consulta', 'os coelhos precisam ficar em jejum?'], /coelhos/i],
    [MARINA, ['cancela a limpeza da Mel', 'sim', 'os coelhos precisam ficar em jejum?'], /coelhos/i],
    [TOM, ['Move my appointment to 20 March', 'does a rabbit have to fast'], /Rabbits must not fast/],
  ])(
    '[BYO-121] answers from an article what is asked of nothing that is open: %s %j',
    async (who, said, told) => {
      expect((await talk(who, ...said)).reply).toMatch(told);
    },
  );

  it('[BYO-121] lists no records for a question that names none, and leaves what is open as it is', async () => {
    const { pending, reply } = await talk(
      TOM,
      'Move my appointment to 20 March',
      "what's the phone number of your office",
    );
    expect(pending?.args).toMatchObject({ visit_id: '104', day: '2026-03-20' });
    expect(reply).not.toMatch(/Which one|could not find/);
  });

  it.each([
    [TOM, ['How much does Biscuit weigh?'], /^Biscuit weighs 12 kg\.$/],
    [MARINA, ['Quanto o Thor pesa?'], /^Thor pesa 31\.5 kg\.$/],
    [MARINA, ['Quanto custa a consulta do Thor?'], /R\$\s180,00/],
    [MARINA, ['Quanto o Thor pesa?', 'Quando é a próxima consulta dele?'], /Consulta de rotina – Thor/],
  ])(
    '[BYO-104] asks it of what is called so, and not of what only has the name in its title: %s %j',
    async (who, said, told) => {
      expect((await talk(who, ...said)).reply).toMatch(told);
    },
  );

  it.each([
    [TOM, 'My dog is vomiting blood, what should I do?'],
    [TOM, 'where do I park?'],
    [MARINA, 'Preciso deixar a Mel sem banho antes da limpeza?'],
  ])('[BYO-105] lists no records and greets nobody for what it does not know: %s %s', async (who, text) => {
    const { reply, escalation } = await talk(who, text);
    expect(escalation?.reason).toBe('low_confidence');
    expect(reply).not.toMatch(/This is what I find|Olá/);
  });

  it.each([
    [MARINA, 'meu crachá não abre a porta'],
    [MARINA, 'fiquei trancado para fora'],
    [MARINA, 'a esteira está quebrada'],
    [MARINA, 'o chuveiro está frio'],
    [TOM, 'the lift is broken'],
    [TOM, "I can't get into the building"],
    [TOM, 'my badge does not open the door'],
    [TOM, 'the car does not start'],
  ])(
    '[BYO-112] hears no danger and no small talk in what does not open or work: %s %s',
    async (who, text) => {
      const { reply } = await talk(who, text);
      expect(reply).not.toMatch(/emergency|emergência|I take this seriously|levo isto a sério/);
      expect(reply).not.toMatch(/Olá|Hello|stays as it is|assistant|Obrigado|Thank you/);
    },
  );

  it.each([
    [MARINA, 'o freio da bicicleta falhou e eu caí'],
    [MARINA, 'o portão da clínica caiu no meu pé'],
    [TOM, 'someone is trying to break into my room'],
    [TOM, 'the emergency exit is locked and there is smoke'],
  ])('[BYO-112] hears danger where somebody is in it by what does not: %s %s', async (who, text) => {
    const { reply, escalated } = await talk(who, text);
    expect(reply).toMatch(/emergency|emergência/);
    expect(escalated).toBe(true);
  });

  it.each(['My dog is vomiting blood, what should I do?', 'When are you open on Sunday?'])(
    '[BYO-105] answers what is asked amid a question in other words than that question again: %s',
    async (text) => {
      const asked = await talk(SOFIA, "cancel Pepper's check-up");
      const { reply, pending } = await hub.say(SOFIA, text, asked.threadId);
      expect(reply).not.toContain(asked.reply);
      expect(reply).toMatch(/^(?:I do not have a reliable answer|The clinic is open)[\s\S]*Shall I go on/);
      expect(pending?.id).toBe(asked.pending?.id);
    },
  );

  it.each([
    [
      SOFIA,
      'How do I return something?',
      'What I can do for you here:\n- Cancel an appointment\n- Move an appointment',
    ],
    [
      MARINA,
      'Como devolvo a ração?',
      'O que posso fazer por você aqui:\n- Cancelar uma consulta\n- Remarcar uma consulta',
    ],
  ])(
    '[BYO-106] says what can be done here to who asks how something else is done: %s %s',
    async (who, text, told) => {
      const { reply, escalated } = await talk(who, text);
      expect(reply).toContain(told);
      expect(escalated).toBe(true);
    },
  );

  it.each([
    [MARINA, 'A minha gata pode beber água antes da cirurgia?', /^Antes de uma cirurgia/],
    [SOFIA, 'Does Pepper have to fast before surgery?', /^Before surgery/],
    [SOFIA, 'I am in hospital, can you cancel my appointment?', /^I am sorry to hear/],
  ])(
    '[BYO-107] is sorry for who tells of a trouble, and not for a word of the trade: %s %s',
    async (who, text, told) => {
      expect((await talk(who, text)).reply).toMatch(told);
    },
  );
});

describe('what a customer asked for in time', () => {
  it('[SHF-178] is decided by the deadline of its time in a company in YAML too, and refused to who asks later', async () => {
    const own = new BetterSqlite3(join(room, 'clinic.db'));
    const startsAt = new Date(hub.clock.now().getTime() + 25 * 3_600_000).toISOString();
    own
      .prepare(`UPDATE visits SET starts_at = ?, fee_cents = 60000, state = 'booked' WHERE id = 109`)
      .run(startsAt);
    const { pending } = await talk(SOFIA, "cancel Pepper's check-up", 'yes');
    expect(pending?.kind).toBe('approval');
    // No more than 24 hours are left by now.
    hub.clock.advance({ hours: 3 });
    const late = await hub.app.desk.approve(pending?.id ?? '', { operatorId: 'op_1', name: 'Olga' });
    expect(late.reply).toContain('Pepper');
    const state = () => own.prepare('SELECT state FROM visits WHERE id = 109').pluck().get();
    expect(state()).toBe('cancelled');
    own.prepare(`UPDATE visits SET state = 'booked' WHERE id = 109`).run();
    expect((await talk(SOFIA, "cancel Pepper's check-up")).pending).toBeNull();
    expect(state()).toBe('booked');
    own.close();
  });
});
