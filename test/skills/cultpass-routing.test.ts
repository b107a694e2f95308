import { describe, expect, it } from 'vitest';
import { loadSkillFolders } from '../../src/skills/pack/load-folders.js';
import { createTriggerIndex } from '../../src/skills/routing/trigger-index.js';
import { CULTPASS_DIR, CULTPASS_SKILLS, type CultpassSkill, SKILLS_DIR } from './cultpass.js';

const skills = createTriggerIndex(loadSkillFolders([SKILLS_DIR, CULTPASS_DIR]).catalog.list());

/** Words nobody trained anything on. */
const SAYINGS: readonly (readonly [string, CultpassSkill])[] = [
  ['Hello, the theatre turned me away yesterday although I had booked', 'entry_denied'],
  ['Ontem à noite não me deixaram entrar no show, tinha reserva', 'entry_denied'],
  ['Fui barrado na porta do museu', 'entry_denied'],
  ['Your app charged me twice this month, please check', 'double_charge'],
  ['Acho que me cobraram duas vezes a mensalidade', 'double_charge'],
  ['I still see a duplicate charge on the card', 'double_charge'],
  ['It has been ages, where is my refund?', 'missing_refund'],
  ['Já se passaram 20 dias e o meu reembolso não chegou ainda; o reembolso não caiu', 'missing_refund'],
  ['I am unable to book a visit for Sunday', 'cannot_reserve'],
  ['Não consigo reservar a visita de domingo', 'cannot_reserve'],
  ['I paid but my plan is inactive', 'subscription_not_active'],
  ['Minha assinatura não está ativa, o que houve?', 'subscription_not_active'],
];

describe('[SKR-01] the words that lead to the packs', () => {
  it.each(SAYINGS)('[SKR-01] "%s" is for %s', (text, skillId) => {
    const pick = skills.pick({ text });
    expect(pick.kind).toBe('one');
    expect(pick.ranked[0]?.skillId).toBe(skillId);
  });

  it.each([
    'How do I cancel a reservation?',
    'Quanto custa o plano premium?',
    'What happens when I pause my subscription?',
    'Which refund rules apply?',
    'Thank you, that was kind',
  ])('[SKR-01] "%s" is for none of them', (text) => {
    const claimed = skills.pick({ text, among: CULTPASS_SKILLS });
    expect(claimed.kind).toBe('none');
  });

  it('[SKR-01] the intents of the language layer lead to the packs of the same name', () => {
    for (const id of CULTPASS_SKILLS) {
      expect(skills.pick({ text: '', intents: [id] }).ranked[0]?.skillId).toBe(id);
    }
    const failed = skills.pick({ text: '', intents: ['payment_failed'] });
    expect(failed.ranked[0]?.skillId).toBe('subscription_not_active');
  });
});

describe('[SKD-41] ocean_debugging among the skills of another company', () => {
  const pick = (text: string, facts = {}) => skills.pick({ text, facts, types: ['decision_tree'] });

  it.each([
    ['Why is load U123 not tracking?', { load: { mode: 'OCEAN' } }],
    ['Awaiting Tracking Info', {}],
    ['wrong vessel departure date', {}],
  ])('[SKD-41] %j goes there', (text, facts) => {
    expect(pick(text, facts)).toMatchObject({ kind: 'one', ranked: [{ skillId: 'ocean_debugging' }] });
  });

  it('[SKD-41] a load of another mode does not, nor does a booking of a concert', () => {
    expect(pick('Why is load U123 not tracking?', { load: { mode: 'ROAD' } }).ranked).toEqual([]);
    for (const text of ['my booking is gone', 'the container with drinks at the show was empty']) {
      expect(pick(text).ranked.map(({ skillId }) => skillId)).not.toContain('ocean_debugging');
    }
  });
});
