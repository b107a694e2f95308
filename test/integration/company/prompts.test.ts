import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCompany } from '../../../src/app/company-check.js';
import { parseConfig } from '../../../src/config/config.js';
import { companyLike } from '../../support/company.js';
import { startOpenAiServer } from '../../support/openai-server.js';
import { form, openOnline, PROMPT } from '../online/support.js';

const ASK = 'How do I pause my plan?';

describe("a company's own words for a prompt of the engine", () => {
  let folder: string;
  const write = (name: string, text: string): void => writeFileSync(join(folder, 'prompts', name), text);
  beforeAll(() => {
    folder = companyLike({});
    mkdirSync(join(folder, 'prompts'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('[COF-08] are held against the prompts that there are and what is filled in', async () => {
    write('knowledge.md', 'You help at {{company}}, by {{moon}}.\n');
    write('nobody.md', 'You help.\n');
    write('action.md', ' \n');
    const found = await checkCompany(parseConfig({ HUB_COMPANY: folder }));
    const faults = found.filter(({ severity }) => severity === 'fault').map(({ problem }) => problem);
    expect(faults.toSorted()).toEqual([
      'Nothing fills in {{moon}}.',
      'The engine has no prompt nobody.',
      'The prompt is empty.',
    ]);
    for (const name of ['nobody.md', 'action.md']) rmSync(join(folder, 'prompts', name));
  });

  it('[COF-08] are what its model is told', async () => {
    write('knowledge.md', 'You speak for {{company}} in rhymes.\n');
    const server = await startOpenAiServer();
    const online = await openOnline(server, { HUB_COMPANY: folder });
    try {
      server
        .reply(form([[ASK, 'knowledge']]), PROMPT.triage)
        .reply(
          { text: 'Go to Profile > Plan > Pause [kb-pause-subscription-en].' },
          'You speak for CultPass in rhymes.',
        );
      const talk = await online.talk('ana.souza@example.com');
      expect((await talk.say(ASK)).reply).toContain('Pause');
    } finally {
      await online.close();
      server.discard();
      await server.close();
    }
  });
});
