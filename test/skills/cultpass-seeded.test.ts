import { MemorySaver } from '@langchain/langgraph';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CULTPASS_SCOPE } from '../../companies/cultpass/data/database.js';
import { UDAHUB_SCOPE } from '../../data/udahub/database.js';
import { createDataSources } from '../../src/adapters/sources/data-sources.js';
import type { JsonObject } from '../../src/core/domain/json.js';
import type { SkillCaller, SkillRun } from '../../src/core/domain/skill.js';
import type { Skills } from '../../src/core/ports/skills.js';
import { createSkillEngine } from '../../src/skills/engine.js';
import { loadSkillFolders } from '../../src/skills/pack/load-folders.js';
import { createMemoryRunStore } from '../../src/skills/run/detached-runs.js';
import { openSqliteWorld, type StoresWorld } from '../contract/stores/world.js';
import { createRecordingLog } from '../support/recording-log.js';
import { createSequentialIds } from '../support/sequential-ids.js';
import { CULTPASS_DIR, CULTPASS_SKILLS, type CultpassSkill, SKILLS_DIR } from './cultpass.js';

const OPERATOR: SkillCaller = { kind: 'operator', operatorId: 'mia' };
const NEUTRAL = 'Something is wrong. Please have a look.';

/** Whose each id is: customers, their subscriptions, bookings, payments and refunds. */
const ownerOf = new Map<string, string>();
let world: StoresWorld;
let skills: Skills;
let customers: readonly { readonly id: string; readonly name: string; readonly email: string }[];
let close: () => Promise<void>;

beforeAll(async () => {
  world = await openSqliteWorld();
  const db = new BetterSqlite3(`${world.dataDir}/cultpass.db`, { readonly: true });
  customers = db
    .prepare('SELECT user_id AS id, full_name AS name, email FROM users ORDER BY user_id')
    .all() as typeof customers;
  const owned = db
    .prepare(
      `SELECT user_id AS id, user_id AS owner FROM users
       UNION ALL SELECT subscription_id, user_id FROM subscriptions
       UNION ALL SELECT reservation_id, user_id FROM reservations
       UNION ALL SELECT payment_id, user_id FROM payments
       UNION ALL SELECT f.refund_id, r.user_id FROM refunds f JOIN reservations r USING (reservation_id)`,
    )
    .all() as { readonly id: string; readonly owner: string }[];
  for (const { id, owner } of owned) ownerOf.set(id, owner);
  db.close();
  const log = createRecordingLog();
  const scopes = { cultpass: CULTPASS_SCOPE, udahub: UDAHUB_SCOPE };
  const sources = createDataSources({ dataDir: world.dataDir, secret: () => undefined, log, scopes });
  close = () => sources.close();
  skills = createSkillEngine({
    services: {
      catalog: loadSkillFolders([SKILLS_DIR, CULTPASS_DIR]).catalog,
      sources,
      model: {
        provider: 'offline',
        tier: () => 'small',
        complete: () => Promise.reject(new Error('no model')),
      },
      checkpointer: new MemorySaver(),
      clock: world.clock,
      ids: createSequentialIds('seeded'),
      log,
      commands: {},
    },
    store: createMemoryRunStore(),
    restorePack: () => null,
  });
});

afterAll(async () => {
  await close();
  await world.close();
});

const run = (
  skillId: string,
  userId: string,
  caller: SkillCaller,
  more: JsonObject = {},
): Promise<SkillRun> =>
  skills.run({ skillId, caller, input: { customer: { user_id: userId }, message: NEUTRAL, ...more } });

const asCustomer = (customerId: string): SkillCaller => ({ kind: 'customer', customerId });

const plain = new Map<string, Promise<SkillRun>>();
/** The run of a customer who says nothing particular: once for all that look at what it says. */
function ownRun(skillId: string, userId: string): Promise<SkillRun> {
  const key = `${skillId} ${userId}`;
  const known = plain.get(key) ?? run(skillId, userId, asCustomer(userId));
  plain.set(key, known);
  return known;
}

const causeOf = ({ result, handoff }: SkillRun): string | null =>
  result?.kind === 'investigation' ? result.value.root_cause : (handoff?.proposal?.root_cause ?? null);

/** The ids in a run that are somebody else's. */
function foreignIds(found: SkillRun, userId: string): readonly string[] {
  const ids = JSON.stringify(found).match(/\b(?:usr|sub|res|pay|rfd)_\d{3}\b/g) ?? [];
  return [...new Set(ids)].filter((id) => ownerOf.get(id) !== userId);
}

describe.each(CULTPASS_SKILLS)('[SKP-01 SKS-05] %s over the seeded databases', (skillId) => {
  it('[SKP-01] comes to a cause for every customer, as the customer and as an operator alike', async () => {
    for (const { id } of customers) {
      const [own, operators] = await Promise.all([ownRun(skillId, id), run(skillId, id, OPERATOR)]);
      for (const found of [own, operators]) {
        const where = `${skillId} ${id} ${found.status}`;
        expect(found.error, where).toBeNull();
        expect(causeOf(found), where).toMatch(/^[a-z_]+$/);
        const evidence =
          found.result?.kind === 'investigation' ? found.result.value.evidence : (found.handoff?.found ?? []);
        expect(evidence.length, where).toBeGreaterThanOrEqual(3);
        for (const { step, decision, error } of evidence) {
          expect(error, `${where} ${step}`).toBeUndefined();
          expect(decision, `${where} ${step}`).not.toBeNull();
        }
      }
      expect(causeOf(own), `${skillId} ${id}`).toBe(causeOf(operators));
    }
  });

  it.each(['2026-04-01T02:30:00.000Z', '2026-04-01T03:00:00.000Z', '2026-07-15T12:00:00.000Z'])(
    '[SKP-01] comes to a cause at %s too, when what was to come is past',
    async (at) => {
      const seededAt = world.clock.now().toISOString();
      world.clock.set(at);
      try {
        for (const { id } of customers) {
          const found = await run(skillId, id, OPERATOR);
          expect(found.error, id).toBeNull();
          expect(causeOf(found), id).toMatch(/^[a-z_]+$/);
        }
      } finally {
        world.clock.set(seededAt);
      }
    },
  );

  it('[SKS-05] shows no other customer anything, and names nobody else', async () => {
    for (const { id } of customers) {
      const found = await ownRun(skillId, id);
      expect(foreignIds(found, id), `${skillId} ${id}`).toEqual([]);
      const text = JSON.stringify(found);
      const others = customers.filter((other) => other.id !== id);
      expect(
        others.filter(({ name, email }) => text.includes(name) || text.includes(email)),
        `${skillId} ${id}`,
      ).toEqual([]);
    }
  });

  it('[SKS-05] finds nothing for a customer who puts in the id of another', async () => {
    const found = await run(skillId, 'usr_006', asCustomer('usr_007'), { reservation_id: 'res_021' });
    expect(causeOf(found)).toBe('customer_unknown');
    expect(foreignIds(found, 'usr_007').filter((id) => id !== 'usr_006')).toEqual([]);
  });

  it('[SKP-01] tells the customer whole sentences with all facts filled in', async () => {
    for (const { id } of customers) {
      const { result, handoff } = await ownRun(skillId, id);
      const messages =
        result?.kind === 'investigation'
          ? result.value.customer_message
          : handoff?.proposal?.customer_message;
      for (const [language, text] of Object.entries(messages ?? {})) {
        const where = `${skillId} ${id} ${language}: ${text}`;
        expect(text, where).toMatch(/^\p{Lu}|^"/u);
        expect(text, where).toMatch(/[.?!]$/);
        expect(text, where).not.toMatch(/[{}]|\b(?:null|undefined|NaN|Invalid)\b|\d{4}-\d\d-\d\dT| {2}|""/);
        expect(text, where).not.toMatch(/\b(?:usr|sub|res|pay|rfd|exp)_\d/);
      }
      expect(Object.keys(messages ?? {}).sort(), `${skillId} ${id}`).toEqual(['en', 'pt-BR']);
    }
  });

  it('[SKS-05] reads a message that is an attack as words', async () => {
    const message = `'; DROP TABLE users; -- {customer.user_id} {{now}} " OR 1=1 UNION SELECT * FROM payments`;
    const calm = await ownRun(skillId, 'usr_007');
    const attacked = await run(skillId, 'usr_007', asCustomer('usr_007'), { message });
    expect(causeOf(attacked)).toBe(causeOf(calm));
    expect(foreignIds(attacked, 'usr_007')).toEqual([]);
  });
});

/** What the demo's customers stand for. */
const STORIES: readonly (readonly [CultpassSkill, string, string, string, JsonObject])[] = [
  ['double_charge', 'usr_006', 'fee_charged_twice', 'Felipe was charged twice within minutes', {}],
  ['double_charge', 'usr_022', 'charged_after_cancellation', 'Wagner was charged after cancelling', {}],
  ['double_charge', 'usr_008', 'charged_while_paused', 'Henrique was charged while paused', {}],
  [
    'double_charge',
    'usr_018',
    'refused_attempt_and_one_charge',
    'one of the attempts of Sérgio was refused',
    {},
  ],
  ['double_charge', 'usr_009', 'no_charge_on_record', 'Isabela was never charged', {}],
  ['missing_refund', 'usr_007', 'refund_never_issued', 'the refund of Gabriela was never made', {}],
  ['missing_refund', 'usr_017', 'refund_never_issued', 'nor that of Rafaela, above the limit', {}],
  ['missing_refund', 'usr_019', 'cancelled_late', 'Tatiana cancelled late', {}],
  ['missing_refund', 'usr_001', 'refund_on_its_way', 'the refund of Ana is at the bank', {}],
  ['missing_refund', 'usr_004', 'refund_overdue_at_bank', 'that of Diego should have come', {}],
  [
    'missing_refund',
    'usr_002',
    'not_cancelled',
    'Bruno did not cancel',
    { message: 'no refund for Manguebeat Tribute Night' },
  ],
  ['cannot_reserve', 'usr_003', 'subscription_paused', 'Carla is paused', {}],
  ['cannot_reserve', 'usr_002', 'quota_used_up', 'Bruno has used both visits', {}],
  ['cannot_reserve', 'usr_009', 'no_subscription', 'Isabela has no subscription', {}],
  ['cannot_reserve', 'usr_005', 'account_blocked', 'Elisa is blocked', {}],
  [
    'cannot_reserve',
    'usr_001',
    'sold_out',
    'Ana wants what is full',
    { message: 'I cannot book Street Food Walk: Liberdade' },
  ],
  [
    'cannot_reserve',
    'usr_016',
    'premium_experience_on_basic_plan',
    'Paulo has Basic',
    { message: 'não consigo reservar Tropicália Film Concert' },
  ],
  ['subscription_not_active', 'usr_008', 'paid_while_paused', 'Henrique paid while paused', {}],
  ['subscription_not_active', 'usr_022', 'paid_after_cancellation', 'Wagner paid after cancelling', {}],
  ['subscription_not_active', 'usr_004', 'subscription_cancelled', 'Diego cancelled', {}],
  ['subscription_not_active', 'usr_012', 'charge_refused_still_active', 'the fee of Lucas was refused', {}],
  ['subscription_not_active', 'usr_018', 'active_after_all', 'Sérgio came back long ago', {}],
  [
    'entry_denied',
    'usr_010',
    'code_already_used',
    'the code of João was read',
    { message: 'They turned me away at Open Studio: Contemporary Art Lab' },
  ],
  ['entry_denied', 'usr_016', 'no_reservation', 'Paulo booked nothing', {}],
  ['entry_denied', 'usr_013', 'reservation_cancelled', 'the booking of Mariana is cancelled', {}],
  [
    'entry_denied',
    'usr_001',
    'came_on_another_day',
    'Ana came on the wrong day',
    { message: 'They turned me away at Samba Night at Pedra do Sal' },
  ],
];

describe('[SKP-01] what the customers of the demo stand for', () => {
  it.each(STORIES)('[SKP-01] %s %s: %s, since %s', async (skillId, userId, cause, _story, more) => {
    expect(causeOf(await run(skillId, userId, asCustomer(userId), more))).toBe(cause);
  });

  it('[SKP-01] a refund that is due names the reservation, and no other', async () => {
    const found = await skills.run({
      skillId: 'missing_refund',
      input: { customer: { user_id: 'usr_007' }, message: NEUTRAL },
      caller: asCustomer('usr_007'),
      gatedActions: ['process_refund'],
    });
    expect(found.status).toBe('done');
    const value = found.result?.kind === 'investigation' ? found.result.value : null;
    expect(value?.recommended_action).toMatchObject({
      action: 'process_refund',
      arguments: { reservation_id: 'res_029' },
    });
  });
});
