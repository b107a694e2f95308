import { z } from 'zod';
import type { JsonValue } from '../../core/domain/json.js';
import type { RunJournal } from '../run/run-context.js';
import {
  type Intent,
  intentSchema,
  type Plan,
  planSchema,
  type StepRecord,
  stepRecordSchema,
} from './schemas.js';
import { outputOf } from './step-records.js';

/**
 * What a composite has decided and done, in its journal: a run that goes on after a pause or a crash decides and does
 * nothing twice. What cannot be read there counts as not done.
 */
export class Progress {
  readonly #journal: RunJournal;

  constructor(journal: RunJournal) {
    this.#journal = journal;
  }

  /** The plan of levels 0 and 1, null on a first run. */
  plan(): { readonly intent: Intent; readonly plan: Plan } | null {
    return this.#read('plan', z.object({ intent: intentSchema, plan: planSchema }));
  }

  savePlan(intent: Intent, plan: Plan): Promise<void> {
    return this.#write('plan', { intent, plan });
  }

  /** @param run the step's run, e.g. `draft` or `draft#2` */
  step(run: string): StepRecord | null {
    const record = this.#read(`step:${run}`, stepRecordSchema.omit({ output: true }));
    return record && { ...record, output: record.result === null ? null : outputOf(record.result) };
  }

  saveStep(run: string, record: StepRecord): Promise<void> {
    // The output is in the result, and results can be long.
    const { output: _output, ...kept } = record;
    return this.#write(`step:${run}`, kept);
  }

  /** How often a loop has gone back. */
  loop(index: number): number {
    return this.#read(`loop:${index}`, z.number().int().min(0)) ?? 0;
  }

  saveLoop(index: number, count: number): Promise<void> {
    return this.#write(`loop:${index}`, count);
  }

  /** The step's run whose question was put to a person last, null where none was. */
  asked(): string | null {
    return this.#read('asked', z.string().nullable());
  }

  saveAsked(run: string | null): Promise<void> {
    return this.#write('asked', run);
  }

  /** True where a person has taken over, so that nothing more is begun. */
  takenOver(): boolean {
    return this.#read('taken_over', z.boolean()) ?? false;
  }

  saveTakenOver(): Promise<void> {
    return this.#write('taken_over', true);
  }

  #read<T>(key: string, schema: z.ZodType<T>): T | null {
    const value = this.#journal.read(key);
    if (value === undefined) return null;
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : null;
  }

  #write(key: string, value: unknown): Promise<void> {
    // Through JSON, so that what is kept is what a later process reads.
    return this.#journal.write(key, JSON.parse(JSON.stringify(value)) as JsonValue);
  }
}

/** The name of a step's run: `draft`, and `draft#2` where a loop has gone back once. */
export function runName(part: string, iteration: number): string {
  return iteration === 1 ? part : `${part}#${iteration}`;
}
