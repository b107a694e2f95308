/**
 * Trains the offline language model of a company, from its intents/utterances.*.jsonl, and writes its intents/model.bin.
 * Deterministic. `--company NAME|PATH` is another company than HUB_COMPANY's, `--dry` measures without writing,
 * `--errors` and `--probe-errors` print the mistakes on what was held back and on intents/probe.jsonl.
 */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { loadCompany } from '../src/company/company.js';
import { parseConfig } from '../src/config/config.js';
import { issueTypeIds } from '../src/core/domain/company.js';
import { primaryOf } from '../src/core/domain/language.js';
import { evaluate, type LabelledText, readLabelled } from '../src/nlu/evaluate.js';
import { fitModel } from '../src/nlu/fit-model.js';
import { createNlu } from '../src/nlu/nlu.js';
import { headsFor, readUtterances } from '../src/nlu/utterances.js';

const OPTIONS = new Command('train-nlu')
  .option('--company <name-or-path>', 'another company than that of HUB_COMPANY')
  .option('--dry', 'measure without writing')
  .option('--errors', 'print the mistakes on what was held back')
  .option('--probe-errors', 'print the mistakes on intents/probe.jsonl')
  .parse()
  .opts<{ company?: string; dry?: boolean; errors?: boolean; probeErrors?: boolean }>();
const COMPANY = loadCompany(
  parseConfig({ ...process.env, ...(OPTIONS.company ? { HUB_COMPANY: OPTIONS.company } : {}) }).company
    .folder,
);
const { intents, modelFile: MODEL_FILE } = COMPANY.nlu;
const SPOKEN = COMPANY.profile.languages.map(primaryOf);

function fileOf(name: string): string {
  return join(dirname(MODEL_FILE), name);
}

async function main(): Promise<void> {
  const rows = SPOKEN.flatMap((language) => readUtterances(language, COMPANY.nlu));
  const file = await fitModel({
    company: COMPANY.profile,
    intents,
    classes: headsFor(intents, issueTypeIds(COMPANY.profile), SPOKEN),
    train: rows.filter(({ split }) => split === 'train'),
    say: console.log,
  });
  const target = OPTIONS.dry ? join(mkdtempSync(join(tmpdir(), 'nlu-')), 'model.bin') : MODEL_FILE;
  writeFileSync(target, file);
  await report(
    rows.filter(({ split }) => split === 'heldout'),
    target,
    OPTIONS.errors ?? false,
  );
  for (const [name, errors] of [
    ['holdout', OPTIONS.errors],
    ['probe', OPTIONS.probeErrors],
  ] as const) {
    const aside = fileOf(`${name}.jsonl`);
    if (!existsSync(aside)) continue;
    console.log(`${name}.jsonl:`);
    await report(readLabelled(aside), target, errors ?? false);
  }
}

async function report(rows: readonly LabelledText[], model: string, errors: boolean): Promise<void> {
  const nlu = await createNlu({ ...COMPANY.nlu, modelFile: model });
  for (const language of SPOKEN) {
    const part = rows.filter((row) => row.language === language);
    const { right, mistakes } = evaluate(nlu, part);
    const share = (count: number) => `${((100 * count) / Math.max(1, part.length)).toFixed(1)} %`;
    const figures = Object.entries(right).map(([name, count]) => `${name} ${share(count)}`);
    console.log(`${language} ${part.length}: ${figures.join(' ')}`);
    if (errors) for (const mistake of mistakes) console.log(`  ${mistake}`);
  }
}

await main();
