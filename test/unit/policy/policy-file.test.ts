import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { cultpassPolicySchema } from '../../../companies/cultpass/policy/policy.js';
import { readPolicy } from '../../../src/company/company.js';
import { HubError } from '../../../src/core/errors.js';
import { policy, rules } from './fixtures.js';

const { company: _own, ...engine } = policy;
/** The sections as the file has them. */
const sections = { ...rules, ...engine };

const SHIPPED = fileURLToPath(new URL('../../../companies/cultpass/policy.yaml', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-policy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string) {
  const file = join(folder, 'policy.yaml');
  writeFileSync(file, text);
  return readPolicy(file, cultpassPolicySchema);
}

/** The one line a manager reads. */
function complaint(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    expect(error.code).toBe('config_invalid');
    expect(error.message).not.toContain('\n');
    expect(error.message).toContain('policy.yaml');
    expect(error.message.length).toBeLessThan(400);
    return error.message;
  }
  throw new Error('The policy was accepted.');
}

const changed = (path: string, value: unknown): string => {
  const [section, key] = path.split('.') as [keyof typeof sections, string];
  return stringify({ ...sections, [section]: { ...sections[section], [key]: value } });
};

describe('readPolicy', () => {
  it('reads the shipped file, and cannot be changed afterwards', () => {
    const shipped = readPolicy(SHIPPED, cultpassPolicySchema);
    expect(shipped).toEqual(policy);
    expect(Object.isFrozen(shipped)).toBe(true);
    expect(Object.isFrozen(shipped.company.refund)).toBe(true);
  });

  it('[RULE-08] reads other numbers', () => {
    expect(read(changed('refund.approval_above_cents', 0)).company).toMatchObject({
      refund: { approval_above_cents: 0 },
    });
  });

  it('names a file that is missing or no file', () => {
    expect(() => readPolicy(join(folder, 'none.yaml'))).toThrow(/none\.yaml cannot be read: ENOENT/);
    expect(() => readPolicy(folder)).toThrow(/cannot be read/);
  });

  it.each(['a: [1', '\tx: 1', 'cancellation: {full_refund_hours: 24}}', 'a: 1\na: 2'])(
    'refuses what is no YAML: %j',
    (text) => {
      expect(complaint(text)).toContain('cannot be read');
    },
  );

  it.each(['', 'just words', '[1, 2]', '42'])('refuses what is no policy: %j', (text) => {
    expect(complaint(text)).toContain('is wrong at');
  });

  it.each([
    ['cancellation.full_refund_hours', '24'],
    ['cancellation.full_refund_hours', -1],
    ['cancellation.full_refund_hours', 721],
    ['cancellation.full_refund_hours', null],
    ['refund.approval_above_cents', 0.5],
    ['refund.approval_above_cents', -1],
    ['subscription.pause_max_days', 366],
    ['subscription.pause_default_days', 0],
    ['pending.confirmation_minutes', 0],
    ['pending.approval_hours', 721],
    ['retrieval.confidence_threshold', 1.01],
    ['retrieval.top_k', 0],
    ['conversation.history_messages', 1],
  ])('[RULE-08] names the key that is wrong: %s = %j', (path, value) => {
    expect(complaint(changed(path, value))).toContain(path);
  });

  it('refuses a key it does not know, which may be a typing mistake', () => {
    expect(complaint(changed('refund.aproval_above_cents', 1))).toContain('aproval_above_cents');
    expect(complaint(stringify({ ...sections, extra: {} }))).toContain('extra');
    const { refund: _missing, ...rest } = sections;
    expect(complaint(stringify(rest))).toContain('refund');
  });

  it('refuses a default pause that is longer than the longest', () => {
    expect(complaint(changed('subscription.pause_default_days', 91))).toContain('pause_default_days');
  });
});
