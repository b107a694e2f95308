import { readFileSync } from 'node:fs';
import type { Customer } from './run.js';
import type { Scenario } from './scenario.js';
import type { CustomerModel, SpokenLine } from './world.js';

const INSTRUCTION = new URL('customer.md', import.meta.url);
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });
/** What the customer says when there is nothing left to say. */
const END = '[end]';

/** A customer whom a model plays, with a goal and a persona; talks until the goal is reached or the turns are used up. */
export function simulatedCustomer(scenario: Scenario, model: CustomerModel): Customer {
  const { goal = '', persona = '', language, max_turns } = scenario;
  const facts: Readonly<Record<string, string>> = {
    goal,
    persona,
    language: LANGUAGE_NAMES.of(language) ?? language,
  };
  const instruction = readFileSync(INSTRUCTION, 'utf8').replace(
    /\{(\w+)\}/g,
    (_, name: string) => facts[name] ?? '',
  );
  return async (turns) => {
    if (turns.length >= max_turns) return null;
    const lines = turns.flatMap(({ said, answer }): SpokenLine[] => [
      { by: 'customer', text: said },
      { by: 'hub', text: answer?.reply ?? '' },
    ]);
    try {
      const said = (await model(instruction, lines)).trim();
      if (said.toLowerCase().includes(END)) return turns.length === 0 ? silent() : null;
      return said === '' ? silent() : { say: said };
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
  };
}

function silent() {
  return failed('it said nothing');
}

function failed(reason: string) {
  const message = `The simulated customer could not go on: ${reason}.`;
  return { failure: { kind: 'simulator', message, wanted: [] } } as const;
}
