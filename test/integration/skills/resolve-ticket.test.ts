import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MemorySaver } from '@langchain/langgraph';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createFixtureSources } from '../../../src/adapters/sources/fixture-sources.js';
import { customersOwn } from '../../../src/adapters/sources/settings.js';
import type { CompositeResult } from '../../../src/core/domain/composite-result.js';
import type { SkillRun } from '../../../src/core/domain/skill.js';
import type { DataSources } from '../../../src/core/ports/data-source.js';
import type { Skills } from '../../../src/core/ports/skills.js';
import { createSkillEngine } from '../../../src/skills/engine.js';
import { testCaseSchema } from '../../../src/skills/pack/file-schemas.js';
import { loadSkillFolders } from '../../../src/skills/pack/load-folders.js';
import { createMemoryRunStore } from '../../../src/skills/run/detached-runs.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { type OpenAiServer, type RecordedRequest, startOpenAiServer } from '../../support/openai-server.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { openModel } from './templates/support.js';

const SKILLS_DIR = fileURLToPath(new URL('../../../skills', import.meta.url));
const CULTPASS_DIR = fileURLToPath(new URL('../../../companies/cultpass/skills', import.meta.url));
const { catalog } = loadSkillFolders([SKILLS_DIR, CULTPASS_DIR]);
const pack = catalog.get('resolve_ticket');
/** A customer whose booking was paid twice. */
const { fixtures, now } = testCaseSchema.parse(
  parse(readFileSync(`${CULTPASS_DIR}/resolve_ticket/test_cases/booking-paid-twice.yaml`, 'utf8')),
);

// Says nothing that a trigger knows, so that the model has to pick.
const MESSAGE = 'My card statement looks odd since Saturday';
const CUSTOMER = { kind: 'customer', customerId: 'usr_1' } as const;
const WRITES = /You write replies for the support desk/;
const REVIEWS = /^You review content against the criteria/;
const SUMMARISES = /You summarise support tickets/;

const CRITERIA = ['grounded', 'policy', 'tone', 'language', 'no_promise'];
const json = (value: unknown) => ({ text: JSON.stringify(value) });
const draft = (reply: string) => json({ subject: 'Your statement', reply, language: 'en' });
const picks = (...skills: string[]) =>
  json({ skills, mode: 'parallel', complexity: 2, reason: 'The statement shows it twice.', confidence: 0.9 });
const review = (failed: string | null) =>
  json({
    criteria_results: CRITERIA.map((criterion_id) => ({
      criterion_id,
      verdict: criterion_id === failed ? 'fail' : 'pass',
      reasoning: criterion_id === failed ? 'It promises the money back.' : 'As it should be.',
      confidence: 0.9,
      ...(criterion_id === failed && { suggested_fix: 'Say that a person checks it first.' }),
    })),
  });

let server: OpenAiServer;
let sources: DataSources;
let skills: Skills;

beforeEach(async () => {
  server = await startOpenAiServer();
  // The fixtures stand for the hub's databases, which show a customer the customer's own rows.
  sources = {
    ...createFixtureSources(fixtures, pack, now === undefined ? {} : { now }),
    isCustomersOwn: customersOwn({ cultpass: {}, udahub: {} }),
  };
  const { model, log } = openModel(server.url, { retries: 0 });
  skills = createSkillEngine({
    services: {
      currency: 'BRL',
      catalog,
      sources,
      model,
      checkpointer: new MemorySaver(),
      clock: createFixedClock(now),
      ids: createSequentialIds('resolve'),
      log,
      commands: {},
    },
    store: createMemoryRunStore(),
    restorePack: () => null,
  });
});

afterEach(async () => {
  await sources.close();
  await server.close();
});

const resolve = (gatedActions: readonly string[] = ['refund_duplicate_charge']): Promise<SkillRun> =>
  skills.run({
    skillId: 'resolve_ticket',
    input: { customer: { user_id: 'usr_1', full_name: 'Lia Prado' }, message: MESSAGE, language: 'en' },
    caller: CUSTOMER,
    gatedActions,
  });

function resultOf(run: SkillRun): CompositeResult {
  expect(run.error).toBeNull();
  expect(run.status).toBe('done');
  if (run.result?.kind !== 'composite') throw new Error(`a composite was expected, not ${run.result?.kind}`);
  return run.result.value;
}

const asked = (pattern: RegExp): readonly RecordedRequest[] =>
  server.requests.filter(({ system }) => pattern.test(system));
const lastText = (request: RecordedRequest | undefined): string =>
  JSON.stringify(request?.body.messages.at(-1)?.content);

describe('[SKP-04] resolve_ticket with a model', () => {
  it('[SKP-04 SKC-01 SKC-02] summarises, picks one investigation, drafts, and drafts once more after a failed review', async () => {
    server
      .reply(json({ summary: 'The card statement looks odd.', language: 'en' }), SUMMARISES)
      .reply(picks('double_charge'))
      .reply(draft('Hello Lia, we promise to return the R$ 60.00 for Samba Night.'), WRITES)
      .reply(review('no_promise'), REVIEWS)
      .reply(draft('Hello Lia, Samba Night was charged twice, R$ 60.00 each. A person checks it.'), WRITES)
      .reply(review(null), REVIEWS);
    const run = await resolve();
    const value = resultOf(run);

    expect(value.user_message).toBe(
      'Hello Lia, Samba Night was charged twice, R$ 60.00 each. A person checks it.',
    );
    expect(value.detailed_results.map(({ step, status }) => `${step} ${status}`)).toEqual([
      'summarise done',
      'investigate done',
      'draft done',
      'review done',
    ]);
    expect(value.detailed_results[1]?.output).toMatchObject({
      root_cause: 'booking_paid_twice',
      skill_id: 'double_charge',
    });
    expect(value.next_actions).toEqual(['refund_duplicate_charge']);
    // Summary, choice, two drafts, two reviews: the levels that are certain cost nothing.
    expect(run.usage.llm_calls).toBe(6);
    expect(server.requests).toHaveLength(6);
  });

  it('[SKP-04 SKG-04] gives the writer what was found and the reviewer what may be relied on', async () => {
    server
      .reply(json({ summary: 'The card statement looks odd.', language: 'en' }), SUMMARISES)
      .reply(picks('double_charge'))
      .reply(draft('Hello Lia, we promise to return the R$ 60.00.'), WRITES)
      .reply(review('no_promise'), REVIEWS)
      .reply(draft('Hello Lia, Samba Night was charged twice. A person checks it.'), WRITES)
      .reply(review(null), REVIEWS);
    await resolve();

    const [first, second] = asked(WRITES).map(lastText);
    expect(first).toContain('booking_paid_twice');
    expect(first).toContain('The card statement looks odd.');
    expect(first).not.toContain('A reviewer refused');
    expect(second).toContain('A reviewer refused your last draft');
    expect(second).toContain('Promises nothing: It promises the money back.');
    expect(second).toContain('Say that a person checks it first.');
    const judged = lastText(asked(REVIEWS)[0]);
    expect(judged).toContain('we promise to return the R$ 60.00');
    expect(judged).toContain('What was found: ');
    expect(judged).toContain('6000');
    // How long it took is no amount that a reply may name: "R$ 500" is not known because something took 500 ms.
    expect(judged).not.toContain('time_to_investigate');
    // The writer is not the judge.
    expect(asked(REVIEWS)[0]?.body.model).not.toBe(asked(WRITES)[0]?.body.model);
  });

  it('[SKP-04 SKC-02] withholds a reply that fails its second review too, and drafts no third', async () => {
    server
      .reply(json({ summary: 'The card statement looks odd.', language: 'en' }), SUMMARISES)
      .reply(picks('double_charge'))
      .reply(draft('Hello Lia, we promise to return the R$ 60.00.'), WRITES)
      .reply(review('no_promise'), REVIEWS)
      .reply(draft('Hello Lia, we still promise to return the R$ 60.00.'), WRITES)
      .reply(review('no_promise'), REVIEWS);
    const run = await resolve();
    const value = resultOf(run);
    expect(value.user_message).not.toContain('promise');
    expect(value.next_actions).toContain('Say that a person checks it first.');
    expect(value.output).toMatchObject({ pass: false });
    expect(run.usage.llm_calls).toBe(6);
  });

  it('[SKP-04 SKT-06] waits for a person where nobody else asks one, and does nothing twice after that', async () => {
    server
      .reply(json({ summary: 'The card statement looks odd.', language: 'en' }), SUMMARISES)
      .reply(picks('double_charge'));
    const waiting = await resolve([]);
    expect(waiting.status).toBe('waiting');
    expect(waiting.handoff).toMatchObject({
      at: 'bookings',
      trigger: 'critical_decision',
      proposal: { root_cause: 'booking_paid_twice' },
    });
    expect(waiting.usage.llm_calls).toBe(2);

    server
      .reply(draft('Hello Lia, Samba Night was charged twice. A person checks it.'), WRITES)
      .reply(review(null), REVIEWS);
    const run = await skills.resume(waiting.runId, { choice: 'A', by: 'operator:mia' });
    expect(resultOf(run).user_message).toContain('Samba Night was charged twice');
    expect(asked(SUMMARISES)).toHaveLength(1);
    expect(run.usage.llm_calls).toBe(4);
  });

  it('[SKP-04 SKG-05] carries on by its rules where the provider is down, and says so', async () => {
    server.otherwise(() => ({ kind: 'status', status: 503 }));
    const run = await skills.run({
      skillId: 'resolve_ticket',
      input: {
        customer: { user_id: 'usr_1', full_name: 'Lia Prado' },
        message: 'I was charged twice, you took R$ 500 from me!',
        language: 'en',
      },
      caller: CUSTOMER,
      gatedActions: ['refund_duplicate_charge'],
    });
    const value = resultOf(run);
    expect(value.detailed_results[3]?.output).toMatchObject({ pass: true, provider: 'offline' });
    // What only the customer claims was in the first draft, and is gone from the second.
    expect(value.user_message).toContain('R$ 60.00');
    expect(value.user_message).not.toContain('500');
    expect(value.trace.map(({ decided }) => decided)).toContain('back to draft (1 of 1)');
    expect(run.usage.llm_calls).toBe(0);
  });
});
