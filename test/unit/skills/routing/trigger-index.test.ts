import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import { createCatalog } from '../../../../src/skills/pack/pack.js';
import { createTriggerIndex } from '../../../../src/skills/routing/trigger-index.js';
import { packOf } from '../../../support/skill-packs.js';

const skill = (id: string, triggers: JsonObject, more: JsonObject = {}) => packOf({ id, triggers, ...more });

const DENIED = skill('entry_denied', {
  keywords: ['turned away', 'barraram', "didn't let me in", 'reserva recusada'],
  issue_categories: ['technical', 'reservation'],
  intents: ['refused_at_door'],
});
const CHARGED = skill('double_charge', {
  keywords: ['charged twice', 'charged', 'cobrança em dobro'],
  issue_categories: ['billing'],
});
const REFUND = skill('missing_refund', { keywords: ['refund'], issue_categories: ['billing', 'Pagamento'] });
const index = createTriggerIndex([DENIED, CHARGED, REFUND]);

const ids = (pick: ReturnType<typeof index.pick>) => pick.ranked.map((one) => one.skillId);

describe('[SKR-01 SKR-02] routing by triggers', () => {
  it.each([
    ['They TURNED me... no: I was turned   away!', 'entry_denied'],
    ['me BARRARAM na porta', 'entry_denied'],
    ['they didn’t let me in', 'entry_denied'],
    ['they didnt let me in', 'entry_denied'],
    ['minhas reservas recusadas', 'entry_denied'],
    ['Cobranças em dobro!', 'double_charge'],
    ['COBRANCA EM DOBRO', 'double_charge'],
    ['where are my refunds?', 'missing_refund'],
  ])('finds a keyword whatever its case, accents, signs and plural: %s', (text, expected) => {
    const pick = index.pick({ text });
    expect(pick.kind).toBe('one');
    expect(ids(pick)).toEqual([expected]);
  });

  it('takes whole words only', () => {
    expect(index.pick({ text: 'the overcharged battery, a refunding party' }).kind).toBe('none');
    expect(index.pick({ text: 'turned right, then away' }).kind).toBe('none');
  });

  it('ranks an intent above any number of keywords', () => {
    const pick = index.pick({ text: 'charged twice, charged, refund', intents: ['refused_at_door'] });
    expect(pick.kind).toBe('one');
    expect(ids(pick)).toEqual(['entry_denied', 'double_charge', 'missing_refund']);
    expect(pick.ranked[0]?.why).toEqual(['intent refused_at_door']);
  });

  it('matches an intent with the id of a skill', () => {
    expect(ids(index.pick({ text: '', intents: ['Missing-Refund'] }))).toEqual(['missing_refund']);
  });

  it('ranks a longer phrase above a shorter one, and counts a phrase inside another only once', () => {
    const pick = index.pick({ text: 'I was charged twice and want a refund' });
    expect(pick.kind).toBe('one');
    expect(ids(pick)).toEqual(['double_charge', 'missing_refund']);
    expect(pick.ranked[0]?.why).toEqual(['keyword "charged twice"']);
    const again = index.pick({ text: 'refund! refund! refund! charged twice' });
    expect(ids(again)[0]).toBe('double_charge');
  });

  it('calls equal claims a tie, by id, and lets the category decide between them', () => {
    const tie = index.pick({ text: 'charged, refund' });
    expect(tie.kind).toBe('tie');
    expect(ids(tie)).toEqual(['double_charge', 'missing_refund']);
    expect(tie.ranked[0]?.score).toBe(tie.ranked[1]?.score);
    expect(index.pick({ text: 'charged, refund', issueCategory: 'pagamento' })).toMatchObject({
      kind: 'one',
      ranked: [{ skillId: 'missing_refund' }, { skillId: 'double_charge' }],
    });
  });

  it('takes a category for certain only where one skill has it', () => {
    const shared = index.pick({ text: 'hello', issueCategory: 'billing' });
    expect(shared.kind).toBe('none');
    expect(ids(shared)).toEqual(['double_charge', 'missing_refund']);
    expect(index.pick({ text: 'hello', issueCategory: 'reservation' })).toMatchObject({
      kind: 'one',
      ranked: [{ skillId: 'entry_denied', why: ['category reservation'] }],
    });
  });

  it('matches nothing in an empty text, and nothing by an empty keyword', () => {
    const odd = createTriggerIndex([skill('odd', { keywords: ['!!!', '—'] })]);
    expect(odd.pick({ text: '' })).toEqual({ kind: 'none', ranked: [] });
    expect(odd.pick({ text: '!!! —' })).toEqual({ kind: 'none', ranked: [] });
  });

  it('gives a skill only where its conditions hold over the facts; what is missing reads as null', () => {
    const guarded = createTriggerIndex([
      skill('for_active', { keywords: ['quota'], conditions: ["customer.status == 'active'"] }),
      skill('for_strangers', { keywords: ['quota'], conditions: ['customer is null'] }),
    ]);
    expect(ids(guarded.pick({ text: 'my quota', facts: { customer: { status: 'active' } } }))).toEqual([
      'for_active',
    ]);
    expect(guarded.pick({ text: 'my quota', facts: { customer: { status: 'paused' } } }).kind).toBe('none');
    expect(ids(guarded.pick({ text: 'my quota' }))).toEqual(['for_strangers']);
  });

  it('is not certain by facts alone', () => {
    const byFacts = createTriggerIndex([skill('blocked', { conditions: ['customer.is_blocked == true'] })]);
    const pick = byFacts.pick({ text: 'anything', facts: { customer: { is_blocked: true } } });
    expect(pick).toMatchObject({ kind: 'none', ranked: [{ skillId: 'blocked' }] });
    expect(byFacts.pick({ text: 'anything' }).ranked).toEqual([]);
  });

  it('offers a deprecated skill only to a request that names it', () => {
    const old = createTriggerIndex([
      REFUND,
      skill('old_refund', { keywords: ['refund'] }, { status: 'deprecated' }),
    ]);
    expect(ids(old.pick({ text: 'refund' }))).toEqual(['missing_refund']);
    expect(ids(old.pick({ text: 'run old_refund please' }))).toEqual(['old_refund', 'missing_refund']);
    expect(ids(old.pick({ text: 'refund', among: ['old_refund'] }))).toEqual(['old_refund']);
    expect(ids(old.pick({ text: 'an old refund' }))).toEqual(['missing_refund']);
  });

  it('keeps to the skills and types the request allows', () => {
    expect(ids(index.pick({ text: 'charged twice, refund', among: ['missing_refund'] }))).toEqual([
      'missing_refund',
    ]);
    expect(index.pick({ text: 'charged twice', types: ['decision_tree'] }).ranked).toEqual([]);
    expect(index.pick({ text: 'charged twice', among: [] }).ranked).toEqual([]);
  });

  it('goes by the version that the catalog would run, in whatever order they come', () => {
    const versions = ['1.9.0', '1.10.0', '2.0.0-beta', '2.0.0'].map((version) =>
      skill(
        'many',
        { keywords: [`word${version.replace(/\W/g, '')}`] },
        { version, status: version === '2.0.0' ? 'poc' : 'active' },
      ),
    );
    for (const packs of [versions, [...versions].reverse()]) {
      const pick = createTriggerIndex(createCatalog(packs).list()).pick({
        text: 'word190 word1100 word200beta word200',
      });
      expect(pick.ranked.map((one) => one.version)).toEqual(['1.10.0']);
    }
  });

  it('gives the same answer twice and whatever the order of packs', () => {
    const request = { text: 'charged refund barraram', issueCategory: 'billing' };
    expect(index.pick(request)).toEqual(index.pick(request));
    expect(createTriggerIndex([REFUND, DENIED, CHARGED]).pick(request)).toEqual(index.pick(request));
  });

  it('reads nothing but words in hostile text', () => {
    for (const text of ['__proto__ constructor toString', '(((((', '\u0000\uD800', '%s {x} {{y}}']) {
      expect(
        index.pick({ text, intents: ['__proto__', 'constructor'], issueCategory: '__proto__' }).ranked,
      ).toEqual([]);
    }
  });

  it('finds the one of 200 skills that a long text names', () => {
    const many = Array.from({ length: 200 }, (_, number) =>
      skill(`skill_${number}`, {
        keywords: Array.from({ length: 8 }, (_unused, word) => `topic${number} aspect${word}`),
        issue_categories: ['technical'],
        conditions: number % 4 === 0 ? ["customer.tier == 'premium'"] : [],
      }),
    );
    const big = createTriggerIndex(many);
    const text = `Hello, I have a problem with topic77 aspect3. ${'It happened again yesterday evening. '.repeat(10)}`;
    const request = { text, issueCategory: 'technical', facts: { customer: { tier: 'premium' } } };
    expect(big.pick(request)).toMatchObject({ kind: 'one' });
    expect(big.pick(request).ranked[0]?.skillId).toBe('skill_77');
  });
});
