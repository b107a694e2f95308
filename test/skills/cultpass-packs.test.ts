import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { CULTPASS_DATABASE } from '../../companies/cultpass/data/database.js';
import { cultpassPolicySchema } from '../../companies/cultpass/policy/policy.js';
import { openDatabase } from '../../data/open-database.js';
import { HUB_DATABASE } from '../../data/udahub/database.js';
import { readPolicy } from '../../src/company/company.js';
import type { Session } from '../../src/core/domain/session.js';
import { reviewText } from '../../src/graph/review-rules.js';
import { ROSTER } from '../support/roster.js';
import { CULTPASS_SKILLS, caseFilesOf, conclusionsOf, descriptorOf, packFile, treeOf } from './cultpass.js';

const LANGUAGES = ['en', 'pt-BR'] as const;

/** Done by people; everything else that is recommended must be a tool of the hub. */
const OPERATOR_ACTIONS = new Set([
  'apply_paid_plan',
  'contact_venue',
  'investigate_booking_error',
  'merge_subscriptions',
  'refund_difference',
  'refund_duplicate_charge',
  'refund_for_blocked_account',
  'refund_wrong_charge',
  'release_hold',
  'request_block_review',
  'restore_subscription',
  'retry_refund',
  'return_visit',
  'send_refund_proof',
  'trace_refund',
  'verify_check_in',
]);

const session: Session = {
  turnId: 't1',
  ticketId: 'k1',
  threadId: 'h1',
  graphThreadId: 'h1',
  channel: 'chat',
  identity: { kind: 'customer', customerId: 'usr_1', email: 'lia@example.com' },
  customerName: 'Lia Prado',
  language: 'en',
  unsupportedLanguage: null,
  memory: null,
  lastReply: null,
  previousMessage: null,
};

const concluding = (id: string) =>
  conclusionsOf(id).filter(({ conclusion }) => conclusion.root_cause !== undefined);

describe.each(CULTPASS_SKILLS)('[SKP-01] %s', (id) => {
  const tree = treeOf(id);
  const descriptor = descriptorOf(id);

  it('[SKP-01] has five steps or more, a check beside them, a critical decision and six test cases', () => {
    expect(Object.keys(tree.steps).length).toBeGreaterThanOrEqual(5);
    expect(tree.parallel_checks.length).toBeGreaterThanOrEqual(1);
    expect(caseFilesOf(id).length).toBeGreaterThanOrEqual(6);
    const recommended = concluding(id).flatMap(
      ({ conclusion }) => conclusion.recommended_action?.action ?? [],
    );
    const critical = descriptor.human_handoff?.triggers.critical_decision?.actions ?? [];
    expect(critical.length).toBeGreaterThan(0);
    expect(critical.filter((action) => !recommended.includes(action))).toEqual([]);
  });

  it('[SKP-01] says every cause to the customer in both languages, and each cause is in the knowledge base', () => {
    const knowledge = packFile(id, 'knowledge_base.md');
    // Causes that need no knowledge of the trade.
    const plain = new Set(['customer_unknown', 'reservation_not_found', 'nothing_to_refund']);
    for (const { at, conclusion } of concluding(id)) {
      expect(Object.keys(conclusion.customer_message ?? {}).sort(), at).toEqual([...LANGUAGES]);
      expect(conclusion.explanation, at).toBeTruthy();
      expect(conclusion.root_cause, at).toMatch(/^[a-z][a-z_]+$/);
    }
    const causes = new Set(concluding(id).map(({ conclusion }) => conclusion.root_cause ?? ''));
    const unexplained = [...causes].filter((cause) => !plain.has(cause) && !knowledge.includes(cause));
    expect(unexplained).toEqual([]);
  });

  it('[SKP-01] claims nothing in a message that no tool did, and promises nothing', () => {
    for (const { at, conclusion } of concluding(id)) {
      for (const language of LANGUAGES) {
        const text = conclusion.customer_message?.[language] ?? '';
        expect(reviewText(text, [], { ...session, language }, ROSTER), `${at} ${language}`).toBeNull();
        expect(text.length, `${at} ${language}`).toBeLessThanOrEqual(460);
      }
      const [en = [], pt = []] = LANGUAGES.map((language) =>
        [...new Set(conclusion.customer_message?.[language]?.match(/\{[^}]+\}/g) ?? [])]
          .map((name) => name.replace(/_(?:en|pt)\}$/, '}'))
          .sort(),
      );
      expect(pt, `${at}: both languages tell the same facts`).toEqual(en);
    }
  });

  it('[SKP-01] recommends tools of the hub with arguments they take, or what an operator does', () => {
    for (const { at, conclusion } of concluding(id)) {
      const recommended = conclusion.recommended_action;
      if (!recommended || OPERATOR_ACTIONS.has(recommended.action)) continue;
      const tool = ROSTER.findAction(recommended.action);
      expect(tool, `${at}: ${recommended.action}`).not.toBeNull();
      const given = 'arguments' in recommended ? recommended.arguments : undefined;
      expect(tool?.input.safeParse(given ?? {}).success, at).toBe(true);
    }
  });
});

describe('[SKP-01] the packs and what they were written from', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hub-packs-'));
  const real = { cultpass: openDatabase(CULTPASS_DATABASE, dir), udahub: openDatabase(HUB_DATABASE, dir) };
  const columns = (db: BetterSqlite3.Database, table: string) =>
    db.prepare('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)').all(table);
  afterAll(() => {
    real.cultpass.close();
    real.udahub.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each(
    CULTPASS_SKILLS.flatMap((id) => [
      { id, database: 'cultpass' as const },
      { id, database: 'udahub' as const },
    ]),
  )('[SKP-05] the tables of the fixtures of $id are those of $database.db', ({ id, database }) => {
    const made = new BetterSqlite3(':memory:');
    made.exec(packFile(id, `fixtures/${database}.sql`));
    const tables = made
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all()
      .map(String);
    expect(tables.length).toBeGreaterThan(1);
    for (const table of tables) {
      // The tables may have grown columns since; those a pack knows must be as it knows them.
      const known = columns(real[database].sqlite, table);
      expect(known, table).toEqual(expect.arrayContaining(columns(made, table)));
    }
    made.close();
  });

  it('[SKP-01] the figures in the packs are those of companies/cultpass/policy.yaml', () => {
    const { company } = readPolicy(
      fileURLToPath(new URL('../../companies/cultpass/policy.yaml', import.meta.url)),
      cultpassPolicySchema,
    );
    const policy = cultpassPolicySchema.parse(company);
    const advice =
      'change the conditions and texts of missing_refund and cannot_reserve in companies/cultpass/skills too';
    expect(policy.cancellation.full_refund_hours, advice).toBe(24);
    expect(policy.refund.approval_above_cents, advice).toBe(20_000);
    expect(policy.subscription.pause_default_days, 'double_charge counts on it').toBe(30);
    const rules = treeOf('missing_refund').steps.right?.decisions;
    expect(rules?.late?.condition).toContain('< 24.0');
    expect(rules?.never_issued_above_limit?.condition).toContain('> 20000');
  });
});
