import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { checkCompany, type Finding } from '../../../src/app/company-check.js';
import { parseConfig } from '../../../src/config/config.js';
import { lackingWords, readLanguages } from '../../../src/nlu/words.js';
import { checkCommand } from '../../../src/surfaces/cli/company/company.js';
import { makeFolder, runCli } from '../../e2e/cli-process.js';

const GEARHOUSE = new URL('../../companies/gearhouse', import.meta.url).pathname;
const made: string[] = [];
const cli = makeFolder();
afterAll(() => {
  cli.remove();
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A copy of Gearhouse with some of its texts changed, by file. */
function broken(edits: Readonly<Record<string, (text: string) => string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hub-gearhouse-'));
  made.push(folder);
  cpSync(GEARHOUSE, folder, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  const code = JSON.stringify(join(GEARHOUSE, 'company.ts'));
  writeFileSync(join(folder, 'company.ts'), `export { company } from ${code};\n`);
  for (const [file, edit] of Object.entries(edits)) {
    const path = join(folder, file);
    const before = readFileSync(path, 'utf8');
    const after = edit(before);
    if (after === before) throw new Error(`The edit changes nothing in ${file}`);
    writeFileSync(path, after);
  }
  return folder;
}

const swap =
  (from: string, to: string) =>
  (text: string): string =>
    text.replace(from, () => to);

/** Findings as `severity file:line problem`, the remedy apart. */
async function check(folder: string): Promise<readonly string[]> {
  const findings: readonly Finding[] = await checkCompany(parseConfig({ HUB_COMPANY: folder }));
  for (const { remedy } of findings) expect(remedy).toMatch(/^[A-Z].*\.$/);
  return findings.map(
    ({ severity, file, line, problem }) =>
      `${severity} ${relative(folder, file)}${line === null ? '' : `:${line}`} ${problem}`,
  );
}

const lineIn = (file: string, text: string): number =>
  readFileSync(join(GEARHOUSE, file), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;

describe('npm run company -- check', () => {
  it('[SPK-04] finds no fault in the companies that there are', async () => {
    for (const folder of [GEARHOUSE, parseConfig({}).company.folder])
      expect((await check(folder)).filter((finding) => finding.startsWith('fault'))).toEqual([]);
  });

  it('[SPK-04] names what a language that is listed lacks, in every place', async () => {
    const lists = (language: string) =>
      broken({ 'company.yaml': (text) => text.replace(/^languages: \[/m, `languages: [${language}, `) });
    const issueLine = lineIn('company.yaml', '- id: rental');
    const findings = await check(lists('it'));
    expect(findings).toContainEqual(
      expect.stringMatching(
        /^fault company\.yaml:\d+ about\.it is missing, and the company speaks that language/,
      ),
    );
    expect(findings).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^fault company\\.yaml:(?:${issueLine}|${issueLine + 1}) issue_types\\.0\\.label\\.it is missing`,
        ),
      ),
    );
    expect(findings).toContainEqual(
      expect.stringMatching(/^warning entities\/rental\.yaml:\d+ nouns has no word in it/),
    );
    expect(findings).toContainEqual(
      expect.stringMatching(
        /^warning intents\/utterances\.it\.jsonl No sentence in it says ask_rental_rules, /,
      ),
    );
    expect(findings).toContainEqual(
      expect.stringMatching(/^fault company\.yaml:\d+ The engine has no sentences in it: it speaks en, /),
    );
    expect(findings).toContainEqual('fault company.yaml The engine cannot read it.');
    // What is missing as a whole is one line, and no line hides another.
    for (const language of ['it', 'pt-BR']) {
      const texts = (await check(lists(language))).filter(
        (one) => one.includes(' texts/') || one.includes(' articles/'),
      );
      expect(texts).toEqual([
        expect.stringMatching(
          `^warning articles/knowledge\\.jsonl None of the \\d+ articles is there in ${language}\\.$`,
        ),
        `fault texts/${language} No sentence of the company is there in ${language}.`,
      ]);
    }
  });

  it('[SPK-04] knows which of its own files the engine needs to read a language', () => {
    for (const language of readLanguages()) expect(lackingWords(language)).toEqual([]);
    expect(lackingWords('it')).toEqual(
      expect.arrayContaining(['answers.yaml', 'dates.yaml', 'contrast.yaml']),
    );
  });

  it('[SPK-04] names article by article the language that it is not there in', async () => {
    const folder = broken({});
    const row = { article_id: 'gh-new-en', title: 'New', content: 'Something new.', language: 'en' };
    appendFileSync(
      join(folder, 'articles/knowledge.jsonl'),
      `${JSON.stringify(row)}\n${JSON.stringify({ ...row, article_id: 'gh-other', language: 'nl' })}\n{\n`,
    );
    const line = readFileSync(join(folder, 'articles/knowledge.jsonl'), 'utf8').split('\n').length - 1;
    const findings = await check(folder);
    expect(findings).toEqual([
      `fault articles/knowledge.jsonl:${line} It is no JSON.`,
      `warning articles/knowledge.jsonl:${line - 1} "gh-other" is in nl, which the company does not speak.`,
      `warning articles/knowledge.jsonl:${line - 2} "gh-new" is not there in es.`,
    ]);
  });

  it.each([
    [
      'a broken file',
      'company.yaml',
      swap('name: Gearhouse', 'name: [Gearhouse'),
      /^fault company\.yaml:\d+ It is no YAML/,
    ],
    [
      'a key that nothing reads',
      'company.yaml',
      swap('currency: GBP', 'currency: GBP\ncurency: EUR'),
      /^fault company\.yaml:\d+ curency is a key that nothing reads\.$/,
    ],
    [
      'an issue type that there is not',
      'intents/intents.yaml',
      swap('issue_type: repair,', 'issue_type: bell,'),
      /^fault intents\/intents\.yaml:\d+ intents\.1\.issue_type company\.yaml has no issue type "bell"/,
    ],
    [
      'an entity that there is not',
      'intents/intents.yaml',
      swap('entity: repair', 'entity: bell'),
      /^fault intents\/intents\.yaml:\d+ intents\.4\.entity there is no entity "bell"/,
    ],
    [
      'a route that no agent declares',
      'intents/intents.yaml',
      swap('route: action', 'route: deeds'),
      /^fault intents\/intents\.yaml The intent cancel_rental has the route "deeds", which no agent declares\.$/,
    ],
    [
      'a tool that there is not',
      'intents/intents.yaml',
      swap('tool: get_repairs', 'tool: get_bells'),
      /^fault intents\/intents\.yaml The intent show_repairs has the tool "get_bells", which there is not\.$/,
    ],
    [
      'a sentence for an intent that there is not',
      'intents/utterances.en.jsonl',
      swap('"intent":"ask_shop"', '"intent":"ask_bell"'),
      /^fault intents\/utterances\.en\.jsonl:\d+ There is no intent "ask_bell"\.$/,
    ],
    [
      'placeholders that differ between languages',
      'texts/en/gearhouse.yaml',
      swap('your rental of "{title}" stands', 'your rental of "{name}" stands'),
      /^fault texts\/(?:en|es)\/gearhouse\.yaml:\d+ rental_stands is filled with \{(?:name|title)\}, and in another language with/,
    ],
    [
      'a message that is none',
      'texts/en/gearhouse.yaml',
      swap('No repairs', 'No {repairs'),
      /^fault texts\/en\/gearhouse\.yaml:\d+ record\.no_repairs is no ICU message/,
    ],
    [
      'a wrong number of the policy',
      'policy.yaml',
      swap('free_cancellation_hours: 12', 'free_cancellation_hours: -1'),
      /^fault policy\.yaml:\d+ .*rental\.free_cancellation_hours/,
    ],
  ])('[SPK-04] names %s', async (_what, file, edit, expected) => {
    const folder = broken({ [file]: edit });
    expect(await check(folder)).toContainEqual(expect.stringMatching(expected));
  });

  it('[SPK-04] names records that no tool reads, as a gap', async () => {
    const folder = broken({});
    const entity = 'id: helmet\nnouns: { en: [helmet], es: [casco] }\nids: { prefixes: [hlm], digits: 3 }\n';
    writeFileSync(join(folder, 'entities/helmet.yaml'), entity);
    expect(await check(folder)).toEqual([
      "warning entities/helmet.yaml No tool lists a helmet, so that the hub finds none of a customer's.",
    ]);
  });

  it('[SPK-04] says it on the command line, as JSON too, with 1 for faults and 0 for warnings', async () => {
    const { dataDir } = cli;
    const faulty = broken({ 'intents/intents.yaml': swap('issue_type: repair,', 'issue_type: bell,') });
    const told = await runCli('company', ['check', faulty], { dataDir });
    expect(told).toMatchObject({ code: 1, err: expect.stringContaining('1 fault, ') });
    expect(told.out).toMatch(/intents\.yaml:\d+ fault: .*"bell".* Use an id of issue_types in company\.yaml/);
    const out = new PassThrough();
    const io = { in: process.stdin, out, err: new PassThrough() };
    const stop = new AbortController().signal;
    const config = parseConfig({ HUB_COMPANY: GEARHOUSE });
    expect(await checkCommand({ config, io, stop }, { json: true })).toBe(0);
    expect(JSON.parse(String(out.read()))).toEqual({ company: GEARHOUSE, findings: [] });
  });
});
