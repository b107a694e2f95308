import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { loadCompany } from '../../../src/company/company.js';
import { companyLike } from '../../support/company.js';
import { type Hub, openHub } from '../../support/hub.js';
import { scriptedModels } from '../../support/scripted-model.js';

const WARRANTY = `
  - id: warranty
    label: { en: Warranty, pt-BR: Garantia }
    ask: { en: Which device is it?, pt-BR: De qual aparelho se trata? }
    option: { en: Check the serial number, pt-BR: Conferir o número de série }
    escalates: requires_human
`;

const triaged = {
  issue_type: 'warranty',
  priority: 'medium',
  sentiment: 'neutral',
  human_reason: null,
  summary: 'Asks for a repair.',
  language: 'en',
  requests: [{ text: 'My device broke after a month.', route: 'knowledge' }],
  confidence: 0.95,
} as const;

let folder: string | null = null;
let hub: Hub | null = null;
afterEach(async () => {
  await hub?.close();
  hub = null;
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = null;
});

describe('issue types', () => {
  it('[COMP-02] are those that the company declares: triaged to, kept, reported and sent to whom it says', async () => {
    folder = companyLike({ 'company.yaml': (text) => `${text.trimEnd()}${WARRANTY}` });
    const models = scriptedModels({ triage: [{ object: triaged }] });
    hub = await openHub({ models, env: { HUB_COMPANY: folder } });
    const reply = await hub.say(null, 'My device broke after a month.');
    expect(reply.escalated).toBe(true);
    expect(reply.escalation).toMatchObject({
      reason: 'requires_human',
      options: expect.arrayContaining(['Check the serial number']),
    });
    const [row] = hub.query(
      'udahub',
      'SELECT issue_type FROM ticket_metadata WHERE ticket_id = ?',
      reply.ticketId,
    );
    expect(row).toEqual({ issue_type: 'warranty' });
    const { rows } = await hub.app.desk.report(1);
    expect(rows.filter(({ issueType }) => issueType === 'warranty')).toMatchObject([{ tickets: 1 }]);
    const [suggestion] = [await hub.app.desk.suggest(reply.ticketId)];
    expect(suggestion.text).not.toBe('');
  });

  it('[COMP-02] of no company are taken from a model: what it invents is classified again by rules', async () => {
    const models = scriptedModels({ triage: [{ object: triaged }] });
    hub = await openHub({ models });
    const reply = await hub.say(null, 'My device broke after a month.');
    const [row] = hub.query(
      'udahub',
      'SELECT issue_type FROM ticket_metadata WHERE ticket_id = ?',
      reply.ticketId,
    );
    expect(row).not.toEqual({ issue_type: 'warranty' });
  });

  it.each([
    [
      'an id twice',
      (text: string) => text.replace('id: billing', 'id: refund'),
      /issue_types: has an id twice/,
    ],
    ['none for the rest', (text: string) => text.replace('    otherwise: true\n', ''), /otherwise: true/],
    ['a word for an id', (text: string) => text.replace('id: billing', 'id: Billing Things'), /lower case/],
    [
      'a label in one language',
      (text: string) => text.replace('en: Billing, ', ''),
      /issue_types\.1\.label\.en/,
    ],
  ])('[COMP-02] are refused with %s, in one line', (_what, edit, message) => {
    folder = companyLike({ 'company.yaml': edit });
    const company = folder;
    expect(() => loadCompany(company)).toThrow(message);
  });
});
