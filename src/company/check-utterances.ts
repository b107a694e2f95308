import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import { type Company, loadCompany } from './company.js';
import { type companyIntentsSchema, engineIntents } from './intents.js';
import { readLines } from './jsonl.js';
import { type Finding, faultIn, isDeclared, warningIn } from './yaml-file.js';

const utterance = z.object({ text: z.string().min(1), intent: z.string().nullish() });

type TaughtIntent = Pick<z.infer<typeof companyIntentsSchema>['intents'][number], 'name' | 'sentences'>;

/** What customers of a company in YAML want, with what follows from its tools; null of one that cannot be read yet. */
export function understoodIn(folder: string): Company['nlu'] | null {
  if (!isDeclared(folder)) return null;
  try {
    return loadCompany(folder).nlu;
  } catch (error) {
    if (error instanceof HubError) return null;
    throw error;
  }
}

/**
 * Says which sentences of `intents/utterances.*.jsonl` are no row or of no intent, and which intents no sentence says.
 * @param understood with the intents that nobody has to declare; their names are not judged where they are not known
 */
export function checkUtterances(
  folder: string,
  languages: readonly Language[],
  intents: readonly TaughtIntent[],
  understood: Company['nlu'] | null,
) {
  const known = new Set([...intents, ...engineIntents()].map(({ name }) => name));
  const isKnown = (intent: string): boolean =>
    known.has(intent) || (understood ? understood.intents.has(intent) : isDeclared(folder));
  const train = `Then run npm run train:nlu -- --company ${folder}.`;
  const findings = languages.flatMap((language): readonly Finding[] => {
    const file = join(folder, 'intents', `utterances.${primaryOf(language)}.jsonl`);
    const { rows, findings: faults } = readLines(file, utterance);
    const strange = rows.flatMap(({ line, value }) =>
      value.intent == null || isKnown(value.intent)
        ? []
        : [
            faultIn(
              file,
              line,
              `There is no intent "${value.intent}".`,
              'Correct it, or declare it in intents.yaml; npm run company -- show names those that there are.',
            ),
          ],
    );
    const taught = understood?.sentences.filter((one) => one.language === language) ?? [];
    const written = new Set([
      ...rows.map(({ value }) => value.intent),
      ...taught.map(({ intent }) => intent),
    ]);
    const silent = intents
      .filter(({ name, sentences }) => !written.has(name) && !sentences[language]?.length)
      .map(({ name }) => name);
    const gap = `No sentence in ${language} says ${silent.join(', ')}, so that without a model it is not understood.`;
    return [
      ...faults,
      ...strange,
      ...(silent.length === 0
        ? []
        : [
            warningIn(
              file,
              null,
              gap,
              `Write a dozen sentences for each as {"text","intent"}, or under its \`sentences\` in intents.yaml. ${train}`,
            ),
          ]),
    ];
  });
  const model = join(folder, 'intents', 'model.bin');
  return existsSync(model) || isDeclared(folder)
    ? findings
    : [
        ...findings,
        faultIn(model, null, 'There is no trained model of the intents.', train.replace('Then run', 'Run')),
      ];
}
