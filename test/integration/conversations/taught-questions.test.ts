import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withFreshModel } from '../../../src/app/language-model.js';
import { loadCompany } from '../../../src/company/company.js';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { readQuestions } from '../../../src/nlu/fit-questions.js';
import { createNlu, type Nlu } from '../../../src/nlu/index.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';

const JOAO = 'joao.cardoso@example.com';
const ZELIA = 'zelia.moreira@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());

describe('questions about the own record that sentences have taught', () => {
  it.each([
    [JOAO, 'how many events did I go to this year', /You have been to one experience in 2026/],
    [JOAO, 'which one did i miss', /no booking that you missed/],
    [ZELIA, 'quanto eu deixei com vcs de dinheiro esse ano?', /Ao todo: R\$/],
    [ZELIA, 'que endereço de email vcs tem meu', /zelia\.moreira@example\.com/],
  ])('[QST-01] %s: %s', async (email, text, answer) => {
    const reply = await hub.say(email, text);
    expect(reply.reply).toMatch(answer);
    expect(reply.escalated).toBe(false);
  });
});

describe('questions how things are', () => {
  it.each([
    [ZELIA, 'Filho, eu quero AVALIAR. Dar nota. Onde fica?', 'kb-rate-experience-pt'],
    [ZELIA, 'mas as q sobram acumulam pro outro mes?', 'kb-visit-quota-pt'],
    [JOAO, 'Android 7 is it enough or must I buy new phone?', 'kb-supported-devices-en'],
    [JOAO, 'Do visits already used this month count when I upgrade?', 'kb-change-plan-en'],
  ])('[QST-02] %s: %s', async (email, text, article) => {
    const reply = await hub.say(email, text);
    expect(reply.citations.map(({ articleId }) => articleId)).toContain(article);
    expect(reply.escalated).toBe(false);
  });
});

describe('what is for the team', () => {
  it('[QST-03] passes on the details that an article asked for', async () => {
    const asked = await hub.say(null, 'would you sell us plans for my office?');
    expect(asked.citations[0]?.articleId).toBe('kb-company-plans-en');
    const given = await hub.say(
      null,
      'Cardoso & Filhos Arquitetura, CNPJ 12.345.678/0001-95, Recife, 12 people.',
      asked.threadId,
    );
    expect(given.escalation?.reason).toBe('customer_request');
    expect(given.language).toBe('en');
  });

  it('[QST-03] hears the wish for a person at the end of a message', async () => {
    const reply = await hub.say(GABRIELA, 'NÃO TENHO ACESSO ao email antigo. me passa pra uma pessoa então');
    expect(reply.escalation?.reason).toBe('customer_request');
  });
});

describe('the language of a conversation', () => {
  let nlu: Nlu;
  beforeAll(async () => {
    nlu = await createNlu(loadCompany('companies/cultpass').nlu);
  });

  it.each([
    ['ok, põe whats então', 'pt-BR', 'pt-BR'],
    ['Cardoso & Filhos Arquitetura, CNPJ 12.345.678/0001-95, Recife, 12 people.', 'en', 'en'],
    ['can you speak english please', 'pt-BR', 'en'],
    ['pode responder em português?', 'en', 'pt-BR'],
  ] as const)('[QST-04] %s after %s', (text, previous, language) => {
    expect(nlu.detectLanguage(text, previous).language).toBe(language);
  });
});

describe('the file of questions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'questions-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const model = join(folder, 'model.bin');

  it('[QST-05] teaches nothing where there is none', () => {
    expect(readQuestions(model, 'en')).toEqual([]);
  });

  it('[QST-05] names the line that is no question', () => {
    writeFileSync(join(folder, 'questions.en.tsv'), 'next_charge\twhen do I pay\nno tab here\n');
    expect(() => readQuestions(model, 'en')).toThrow(/questions\.en\.tsv:2: a name, a tab and a sentence/);
  });
});

describe('a company in YAML that teaches its questions', () => {
  const room = makeTempDir();
  const folder = join(room, 'mine');
  afterAll(() => rmSync(room, { recursive: true }));
  const taught = (name: string) =>
    [
      ...[
        'when does it come',
        'what day is my parcel here',
        'how soon will I have it',
        'is it here by Friday',
      ],
      ...['on which day do you bring it', 'when can I expect the delivery'],
    ].map((text) => `${name}\t${text}`);
  const general = [
    'do you deliver abroad',
    'how do returns work',
    'what does shipping cost',
    'which cards do you take',
  ];
  const write = (name: string) =>
    writeFileSync(
      join(folder, 'intents', 'questions.en.tsv'),
      [...taught(name), ...general.map((text) => `general\t${text}`)].join('\n'),
    );
  const fresh = () => withFreshModel(loadCompany(folder), { dataDir: join(room, 'data') });

  it('[QST-06] has its model made with that of its intents', async () => {
    writeNewCompany(folder, { name: 'Mine' });
    mkdirSync(join(folder, 'intents'), { recursive: true });
    expect((await createNlu((await fresh()).nlu)).readQuestion('when will it be here')).toBeNull();
    const [attribute] = loadCompany(folder).nlu.entities.flatMap(({ attributes }) => attributes);
    write(`its.${attribute?.id}`);
    const nlu = await createNlu((await fresh()).nlu);
    expect(nlu.readQuestion('when will you bring my parcel')?.name).toBe(`its.${attribute?.id}`);
  });

  it('[QST-06] is told of a name that nothing asks', async () => {
    write('next_moon');
    for (const _time of [1, 2])
      await expect(fresh()).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('"next_moon"'),
      });
  });
});
