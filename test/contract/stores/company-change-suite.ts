import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompanyChange } from '../../../src/core/company-changes.js';
import { codeOf, type HubWorld, type OpenHubWorld } from './world.js';

const OLGA = { operatorId: 'op_olga', name: 'Olga' };
const RUI = { operatorId: 'op_rui', name: 'Rui' };

/** What every CompanyChangeStore must do. */
export function companyChangeSuite(name: string, open: OpenHubWorld): void {
  describe(`CompanyChangeStore: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());

    const change = (changeId: string): CompanyChange => ({
      ...{ changeId, path: 'policy.yaml', before: 'a: 1\n', after: 'a: 2\n', note: 'Two is better.' },
      ...{ authorId: OLGA.operatorId, author: OLGA.name, createdAt: '2026-03-11T15:00:00.000Z' },
      ...{ status: 'open', decider: null, decidedAt: null, check: null, evaluation: null },
    });

    it('keeps changes with what their trials found, the newest first and without their texts in the list', async () => {
      const { companyChanges } = world.stores;
      expect(await companyChanges.get('chg_1')).toBeNull();
      await companyChanges.add(change('chg_1'));
      await companyChanges.add(change('chg_2'));
      const at = '2026-03-11T15:01:00.000Z';
      const check = { at, standing: 'abc', findings: [], failed: null };
      const evaluation = { at, figures: [], worse: ['x'], better: [], failed: null };
      await companyChanges.setCheck('chg_1', check);
      await companyChanges.setEvaluation('chg_1', evaluation);
      expect(await companyChanges.get('chg_1')).toEqual({ ...change('chg_1'), check, evaluation });
      const {
        before: _before,
        after: _after,
        check: _check,
        evaluation: _evaluation,
        ...entry
      } = change('chg_2');
      expect(await companyChanges.list(1)).toEqual([entry]);
    });

    it('decides a change once, writes it with that, and leaves it open where it cannot be written', async () => {
      const { companyChanges } = world.stores;
      await companyChanges.add(change('chg_1'));
      const fail = companyChanges.decide('chg_1', 'approved', RUI, () => {
        throw new Error('the disk is gone');
      });
      await expect(fail).rejects.toThrow();
      expect((await companyChanges.get('chg_1'))?.status).toBe('open');
      const written: string[] = [];
      const decided = await companyChanges.decide(
        'chg_1',
        'approved',
        RUI,
        ({ after }) => void written.push(after),
      );
      const decidedAt = world.clock.now().toISOString();
      expect(decided).toEqual({ ...change('chg_1'), status: 'approved', decider: 'Rui', decidedAt });
      expect(written).toEqual(['a: 2\n']);
      const again = companyChanges.decide('chg_1', 'declined', OLGA, () => void written.push('twice'));
      expect(await codeOf(again)).toBe('wrong_status');
      expect(await codeOf(companyChanges.decide('chg_9', 'declined', OLGA, () => undefined))).toBe(
        'not_found',
      );
      expect(written).toHaveLength(1);
      await companyChanges.setCheck('chg_1', { at: decidedAt, standing: '', findings: [], failed: null });
      expect((await companyChanges.get('chg_1'))?.check).toBeNull();
    });
  });
}
