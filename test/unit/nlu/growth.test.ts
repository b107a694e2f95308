import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../../src/core/secrets.js';
import { createDialogue, selectSeveral } from '../../../src/dialogue/index.js';
import { citedIds, withoutCitations } from '../../../src/graph/review-rules.js';
import { createActModel } from '../../../src/nlu/acts.js';
import { createBare } from '../../../src/nlu/courtesy.js';
import { createLanguageLayer, createNlu } from '../../../src/nlu/index.js';
import { findPreference } from '../../../src/nlu/slots/index.js';
import { fold } from '../../../src/nlu/slots/text.js';
import { cleanText } from '../../../src/nlu/text.js';
import { CULTPASS_NLU } from '../../support/company.js';

const { entities, company } = CULTPASS_NLU;
const nlu = await createNlu(CULTPASS_NLU);
const layer = createLanguageLayer(nlu);
const dialogue = createDialogue(nlu, await createActModel(), {
  entities,
  companyName: company.name,
  languages: company.languages,
});
const bare = createBare('CultPass');
const now = new Date('2026-11-23T12:00:00Z');
const choices = ['Candlelight Concert', 'Night Tour'].map((title, at) => ({
  ...{ id: `res_00${at + 1}`, title, label: title, startsAt: now.toISOString(), place: 'Teatro Rio' },
}));
const listed = choices.map(({ id }) => id);
const options = { now, language: 'en', listed } as const;
const question = 'Shall I cancel Candlelight Concert?';

/** What reads the words of customers, or of a model. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  triage: (text) => nlu.triage(text),
  'own words': (text) => nlu.ownWords(text),
  requests: (text) => layer.requests(text, 'en'),
  'a yes or a no': (text) => layer.readYesNo(`yes${text}`, 'en', question),
  'an answer': (text) => dialogue.readAnswer(`yes, ${text}`, 'en', question),
  'a request taken back': (text) => layer.readRequestAct(text),
  'a reply': (text) => layer.isReply(text, 'pt-BR', { choices, args: { days: 3 }, now }),
  'a choice': (text) => nlu.slots.selectCandidate(text, choices, options),
  'several choices': (text) => selectSeveral(nlu, text, choices, options),
  dates: (text) => nlu.slots.findDates(text, { now }),
  acts: (text) => [dialogue.read(text), dialogue.lifeEvent(text), dialogue.withoutAsides(text)],
  stretches: (text) => nlu.stretchesOf(text),
  courtesy: (text) => bare(text),
  preferences: (text) => findPreference(text),
  secrets: (text) => findSecrets(text),
  citations: (text) => [citedIds(text), withoutCitations(text)],
};
/** What takes the place of the whole message, said again and again. */
const UNITS = ['\n', ' ', ', ', 'a, ', '[', '0_\t\t'];

const SHORT = 2_500;
const LONG = 20_000;
/** Milliseconds of the processor; less than this is no matter however it grew. */
const NO_MATTER = 60;
/** Eight times as long a text takes eight times as long, and what grows with its square 64 times. */
const GROWTH = 24;

function processorMs(work: () => unknown): number {
  const { user, system } = process.cpuUsage();
  work();
  const after = process.cpuUsage();
  return (after.user - user + after.system - system) / 1_000;
}

function growsTooFast(reader: (text: string) => unknown, unit: string): boolean {
  const of = (length: number): string => unit.repeat(length).slice(0, length);
  const takes = (length: number): number => processorMs(() => reader(of(length)));
  // Whatever else the process does now and then must be seen three times to count.
  return [1, 2, 3].every(() => {
    const long = takes(LONG);
    return long > NO_MATTER && long > GROWTH * takes(SHORT);
  });
}

describe('a long message of one thing said again and again', () => {
  it.each(Object.keys(READERS))('[ATK-23] is read in time that grows no faster than it: %s', (name) => {
    const reader = READERS[name] ?? (() => undefined);
    expect(UNITS.filter((unit) => growsTooFast(reader, unit))).toEqual([]);
  });

  it('[ATK-23] is no longer to read where each of its characters stands for eighteen', () => {
    const text = '\ufdfa'.repeat(SHORT);
    expect(cleanText(text).length).toBeLessThanOrEqual(4_501);
    const { folded, at } = fold(text);
    expect(folded.length).toBeLessThan(4_020);
    expect(at).toHaveLength(folded.length + 1);
    expect(Math.max(...at)).toBeLessThan(SHORT);
  });
});
