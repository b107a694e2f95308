import type { JsonValue } from '../../core/domain/json.js';
import { type ErrorCode, HubError } from '../../core/errors.js';
import { STANDING_VALUES } from '../../core/i18n/index.js';
import { didYouMean } from '../../core/nearest.js';
import type { Expressions } from '../../core/ports/expressions.js';
import type { Finding } from '../yaml-file.js';
import type { TrialDatabase } from './check-statements.js';
import { ENTRY, type Names, slipIn } from './names.js';
import { readMessage } from './sentences.js';

/** Where in a file. */
export type Path = readonly (string | number)[];

/** What every file is held against. */
export interface Ground {
  readonly folder: string;
  readonly expressions: Expressions;
  readonly database: TrialDatabase;
  readonly entities: readonly string[];
  /** Of policy.yaml. */
  readonly policy: Names | true;
  /** Of customers.yaml. */
  readonly facts: readonly string[];
  /** Ids of company.yaml. */
  readonly issueTypes: readonly string[];
  /** Names of the agents that there are. */
  readonly agents: readonly string[];
  /** Whether the hub has a sentence for a refusal of that code. */
  readonly hasRefusal: (code: ErrorCode) => boolean;
}

/** A file, and what is found wrong with it. */
export interface Held {
  readonly ground: Ground;
  wrong(path: Path, problem: string, remedy: string, severity?: Finding['severity']): void;
}

/** What sentences are filled with, each with how it is written after a bar. */
export function checkValues(values: Readonly<Record<string, string>>, scope: Names, held: Held): void {
  for (const [name, given] of Object.entries(values))
    checkFormula(given.replace(/\s*\|\s*\w+\s*$/, ''), ['values', name], scope, held);
}

/** Holds what sentences are filled with against the values that there are. */
export function checkSentences(
  says: Readonly<Record<string, Readonly<Record<string, string>>>>,
  values: readonly string[],
  held: Held,
): void {
  for (const [part, languages] of Object.entries(says))
    for (const [language, text] of Object.entries(languages))
      for (const name of readMessage(text, language).names)
        if (!values.includes(name) && !STANDING_VALUES.includes(name))
          held.wrong(
            ['says', part, language],
            `is filled with {${name}}, which \`values\` does not have`,
            `Add it under values, or correct the name.${didYouMean(name, values)}`,
          );
}

/** An expression, and the names in it. */
export function checkFormula(text: string, path: Path, scope: Names, held: Held): void {
  let names: readonly string[];
  try {
    const formula = held.ground.expressions.formula(text);
    names = [...formula.names, ...formula.entries];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    held.wrong(path, `is no expression: ${error.message}`, 'Correct the expression.');
    return;
  }
  checkAll(names, path, scope, held);
}

/** The names in what is asked or done. */
export function checkTemplate(template: JsonValue, path: Path, scope: Names, held: Held): void {
  checkAll(held.ground.expressions.namesIn(template), path, scope, held);
}

function checkAll(names: readonly string[], path: Path, scope: Names, held: Held): void {
  for (const name of names) {
    const slip = slipIn(name.split('.'), scope);
    if (slip !== null)
      held.wrong(
        path,
        `looks at ${name.replaceAll(`.${ENTRY}`, '[]')}, which there is not`,
        `Correct the name.${didYouMean(...slip)}`,
      );
  }
}
