import { fileURLToPath } from 'node:url';
import { MemorySaver } from '@langchain/langgraph';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFixtureSources } from '../../../src/adapters/sources/fixture-sources.js';
import type { CompositeResult } from '../../../src/core/domain/composite-result.js';
import type { JsonObject } from '../../../src/core/domain/json.js';
import type { SkillRun } from '../../../src/core/domain/skill.js';
import type { DataSources } from '../../../src/core/ports/data-source.js';
import type { Skills } from '../../../src/core/ports/skills.js';
import { createSkillEngine } from '../../../src/skills/engine.js';
import { loadSkillFolders } from '../../../src/skills/pack/load-folders.js';
import { createMemoryRunStore } from '../../../src/skills/run/detached-runs.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { openModel } from './templates/support.js';

const SKILLS_DIR = fileURLToPath(new URL('../../../skills', import.meta.url));
const { catalog } = loadSkillFolders([SKILLS_DIR]);
const SORTS = /You sort the e-mails/;
const ANSWERS = /You answer the e-mails/;

let server: OpenAiServer;
let sources: DataSources;
let skills: Skills;

beforeEach(async () => {
  server = await startOpenAiServer();
  const pack = catalog.get('email_workflow');
  sources = createFixtureSources(
    {
      address_book: [
        {
          request: { method: 'GET', path: '/contacts/tom@example.org' },
          response: { status: 200, body: { name: 'Tom Reed', company: 'Reed & Sons' } },
        },
      ],
    },
    pack,
  );
  const { model, log } = openModel(server.url, { retries: 0 });
  skills = createSkillEngine({
    services: {
      catalog,
      sources,
      model,
      checkpointer: new MemorySaver(),
      clock: createFixedClock(),
      ids: createSequentialIds('email'),
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

const json = (value: unknown) => ({ text: JSON.stringify(value) });
const EMAIL = {
  from: 'tom@example.org',
  subject: 'My chair',
  body: 'The chair arrived without legs. This is unacceptable and ridiculous.',
};
const answer = (input: JsonObject = EMAIL): Promise<SkillRun> =>
  skills.run({ skillId: 'email_workflow', input, caller: { kind: 'operator', operatorId: 'mia' } });

function resultOf(run: SkillRun): CompositeResult {
  expect(run.error).toBeNull();
  if (run.result?.kind !== 'composite') throw new Error(`a composite was expected: ${run.status}`);
  return run.result.value;
}
const statuses = ({ detailed_results }: CompositeResult) =>
  detailed_results.map(({ step, status }) => `${step} ${status}`);

describe('[SKP-03] email_workflow with a model', () => {
  it('[SKP-03 SKC-05] hands what the classifier and the tone analyser say on to the writer, two levels down', async () => {
    server
      .reply(json({ category: 'complaint', language: 'en', urgent: false }), SORTS)
      .reply(
        json({ subject: 'Re: My chair', reply: 'Dear Tom, we are sorry. A colleague has it.' }),
        ANSWERS,
      );
    const run = await answer();
    const value = resultOf(run);
    expect(statuses(value)).toEqual(['classify done', 'sender done', 'archive skipped', 'respond done']);
    expect(value.output).toEqual({
      subject: 'Re: My chair',
      reply: 'Dear Tom, we are sorry. A colleague has it.',
    });
    expect(value.user_message).toBe('Dear Tom, we are sorry. A colleague has it.');
    // One call sorts and one writes; the tone is read by rules, and a single text needs no wording.
    expect(run.usage.llm_calls).toBe(2);
    const prompt = JSON.stringify(server.requests.find(({ system }) => ANSWERS.test(system))?.body.messages);
    expect(prompt).toContain('(a complaint) in en, to Tom Reed');
    expect(prompt).toContain('tone is angry');
    expect(prompt).toContain('Apologise once');
  });

  it('[SKP-03 SKC-02] puts spam away with one call, and writes nothing', async () => {
    server.reply(json({ category: 'spam', language: 'en', urgent: false }), SORTS);
    const run = await answer({ ...EMAIL, subject: 'Offer', body: 'Chairs, cheap as never before.' });
    const value = resultOf(run);
    expect(statuses(value)).toEqual(['classify done', 'sender skipped', 'archive done', 'respond skipped']);
    expect(value.output).toMatchObject({ folder: 'spam' });
    expect(run.usage.llm_calls).toBe(1);
  });

  it('[SKP-03 SKC-04] keeps what was found where the writer cannot write', async () => {
    const bad = json({ subject: 'Re: My chair' });
    // Each try asks twice, and a part that failed is tried again.
    server.reply(json({ category: 'complaint', language: 'en', urgent: false }), SORTS);
    server.otherwise(() => bad);
    const value = resultOf(await answer());
    expect(value.success_rate).toBeGreaterThan(0);
    expect(value.partial_failures.map(({ step, code }) => `${step} ${code}`)).toEqual([
      'respond.draft model_bad_output',
    ]);
    expect(value.detailed_results[0]?.output).toMatchObject({ category: 'complaint' });
    expect(value.summary).toContain('Failed: draft');
    expect(value.user_message).toContain('could not be finished');
  });

  it('[SKP-03 SKG-05] sorts and answers by rules where the provider is down, and says so', async () => {
    server.otherwise(() => ({ kind: 'status', status: 503 }));
    const value = resultOf(await answer());
    expect(value.output).toMatchObject({
      subject: 'Re: My chair',
      reply: expect.stringContaining('We are sorry for what happened.'),
    });
    expect(value.detailed_results[0]).toMatchObject({ step: 'classify', provider: 'offline' });
  });
});
