import { readFileSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkCompanyFiles } from '../../../src/company/check.js';
import { loadCompany } from '../../../src/company/company.js';
import { createNlu } from '../../../src/nlu/index.js';
import { readUtterances } from '../../../src/nlu/utterances.js';
import { CULTPASS_NLU, companyLike } from '../../support/company.js';
import { openHub } from '../../support/hub.js';

const FILE = 'intents/intents.yaml';
const ENGINE: { readonly intents: readonly { readonly name: string }[] } = parse(
  readFileSync(new URL('../../../data/nlu/engine-intents.yaml', import.meta.url), 'utf8'),
);
const ANOTHER = `  - name: ask_warranty
    group: knowledge
    issue_type: general
    route: knowledge
`;

let folder: string | null = null;
afterEach(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = null;
});

describe('intents', () => {
  it('[COMP-03] are the engine’s own and those that the company declares', () => {
    const { intents } = CULTPASS_NLU;
    expect(intents.names).toEqual(
      expect.arrayContaining([...ENGINE.intents.map(({ name }) => name), 'cancel_reservation']),
    );
    expect(intents.of('safety_incident')).toMatchObject({ route: 'escalation', priority: 'urgent' });
    expect(intents.of('talk_to_human')).toMatchObject({ route: 'escalation', issueType: 'general' });
    expect(intents.of('complaint')).toMatchObject({ group: 'people', issueType: 'feedback' });
    expect(intents.of('cancel_reservation')).toMatchObject({
      tool: 'cancel_reservation',
      entity: 'reservation',
      needsSignIn: true,
      today: 'always',
    });
  });

  it('[COMP-03] are read from the folder of the company: what it says of one is what triage says', async () => {
    folder = companyLike({
      [FILE]: (text) => text.replace('    priority: high\n    pressing: true\n', '    priority: low\n'),
    });
    const text = 'They refused me at the door of the museum now';
    const [shipped, changed] = await Promise.all(
      [CULTPASS_NLU, loadCompany(folder).nlu].map(async (nlu) => (await createNlu(nlu)).triage(text)),
    );
    expect(shipped).toMatchObject({ intent: { intent: 'entry_denied' }, priority: 'urgent' });
    expect(changed?.priority).not.toBe('urgent');
  });

  it('[HOU-04] are taught by the sentences that stand with them, beside those of the files', () => {
    const taught = `${ANOTHER}    sentences:\n      en: [Is it under warranty?]\n      pt-BR: [Está na garantia?]\n`;
    folder = companyLike({ [FILE]: (text) => `${text}${taught}` });
    const { nlu } = loadCompany(folder);
    for (const [language, text] of [
      ['en', 'Is it under warranty?'],
      ['pt', 'Está na garantia?'],
    ] as const) {
      const rows = readUtterances(language, nlu);
      expect(rows.find((row) => row.text === text)).toMatchObject({ intent: 'ask_warranty', split: 'train' });
      expect(rows.length).toBe(readUtterances(language, CULTPASS_NLU).length + 1);
    }
    const gaps = checkCompanyFiles(folder).findings.map(({ problem }) => problem);
    expect(gaps.filter((problem) => problem.includes('ask_warranty'))).toEqual([]);
  });

  it.each([
    [
      'an issue type the company lacks',
      (text: string) => text.replace('issue_type: billing', 'issue_type: bills'),
      /ask_payment_methods: company\.yaml has no issue type "bills"/,
    ],
    [
      'one of the engine',
      (text: string) => `${text}${ANOTHER.replace('ask_warranty', 'greeting')}`,
      /greeting: is one of the engine/,
    ],
    ['one twice', (text: string) => `${text}${ANOTHER}${ANOTHER}`, /ask_warranty: is there twice/],
    [
      'a group there is not',
      (text: string) => text.replace('group: account', 'group: accounts'),
      /intents\.\d+\.group/,
    ],
    [
      'what the engine does not know',
      (text: string) => text.replace('complaint: feedback', 'grumbling: feedback'),
      /the engine has no such intent/,
    ],
    [
      'an entity there is not',
      (text: string) => text.replace('entity: subscription', 'entity: membership'),
      /show_subscription: there is no entity "membership"/,
    ],
    [
      'an intent there is not in its place',
      (text: string) => text.replace('instead: cancel_reservation', 'instead: cancel_visit'),
      /cancel_subscription: there is no intent "cancel_visit"/,
    ],
    [
      'sentences of a language that is not spoken',
      (text: string) => `${text}${ANOTHER}    sentences: { fr: [La garantie ?] }\n`,
      /ask_warranty: the company speaks no fr, but en, pt-BR/,
    ],
  ])('[COMP-03] are refused with %s, in one line', (_what, edit, message) => {
    folder = companyLike({ [FILE]: edit });
    const company = folder;
    expect(() => loadCompany(company)).toThrow(message);
  });

  it('[COMP-03] that name a tool there is not stop the start', async () => {
    folder = companyLike({
      [FILE]: (text) => text.replace('tool: process_refund', 'tool: pay_refund'),
    });
    await expect(openHub({ env: { HUB_COMPANY: folder } })).rejects.toThrow(
      'The intent request_refund has the tool "pay_refund", which there is not',
    );
  });

  it.each(['en', 'pt'] as const)(
    '[COMP-03] of the engine need no words of a company in %s: it has some for each',
    (language) => {
      folder = companyLike({
        [`intents/utterances.${language}.jsonl`]: () =>
          '{"text":"Is there a warranty?","intent":"ask_general"}\n',
      });
      const { nlu } = loadCompany(folder);
      const rows = readUtterances(language, nlu);
      const own = ENGINE.intents.map(({ name }) => name);
      expect(rows[0]).toMatchObject({ intent: 'ask_general', issue_type: 'general', split: 'train' });
      expect(own.length).toBeGreaterThan(10);
      for (const intent of own)
        expect(rows.filter((row) => row.intent === intent).length, intent).toBeGreaterThan(5);
    },
  );

  it('[COMP-03] that were never trained stop the start, with what to run', async () => {
    folder = companyLike({ [FILE]: (text) => `${text}${ANOTHER}` });
    await expect(createNlu(loadCompany(folder).nlu)).rejects.toThrow(
      /ask_warranty was never trained.*npm run train:nlu/,
    );
  });
});
