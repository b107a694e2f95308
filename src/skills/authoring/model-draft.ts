import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { loadPackFromFiles } from '../pack/index.js';
import { isFault } from '../pack/pack.js';
import { type Asked, type Asking, askModel } from '../routing/ask-model.js';
import { renderTemplate } from '../templates/render.js';
import type { DraftFiles } from './draft-pack.js';
import { doubtsOf, MAX_BRANCHES, type Procedure } from './procedure.js';

const PROMPTS = new URL('./prompts/', import.meta.url);
/** A model reads no more at once with care; a procedure that is longer is several. */
const MAX_SOURCE_CHARS = 40_000;
const MAX_STEPS = 40;
const MAX_FAULTS = 10;

const words = (most: number) => z.string().trim().min(1).max(most);
const procedureSchema = z.object({
  title: words(120),
  description: z.string().trim().max(1_000).default(''),
  steps: z
    .array(
      z.object({
        name: words(120),
        text: words(2_000),
        branches: z
          .array(
            z.object({
              when: words(300),
              outcome: words(500),
              next: z.number().int().min(1).max(MAX_STEPS).nullable(),
            }),
          )
          .max(MAX_BRANCHES)
          .default([]),
      }),
    )
    .min(1)
    .max(MAX_STEPS),
  doubts: z.array(words(300)).max(40).default([]),
});

/** What a procedure is read from, and how the draft that is made of it is checked. */
interface Reading {
  readonly kind: 'procedure' | 'tickets';
  readonly text: string;
  /** The files that would be written of it. */
  readonly draftOf: (procedure: Procedure) => DraftFiles;
}

/**
 * Has the model read a procedure out of what people wrote. It gives what the rules would, in the same form; what it gives is
 * taken only where its draft validates, and it is told once what does not. Never throws.
 */
export async function askForProcedure(
  { kind, text, draftOf }: Reading,
  asking: Asking,
): Promise<Asked<Procedure>> {
  if (text.length > MAX_SOURCE_CHARS)
    return { ok: false, reason: `the file is longer than ${MAX_SOURCE_CHARS} characters` };
  const view = {
    is_procedure: kind === 'procedure',
    is_tickets: kind === 'tickets',
    max_steps: MAX_STEPS,
    max_branches: MAX_BRANCHES,
    // As JSON in which nothing can end the block it stands in.
    data: JSON.stringify(text).replaceAll('<', '\\u003c'),
  };
  const asked = await askModel(
    {
      name: 'draft_skill',
      system: readFileSync(new URL('system.txt', PROMPTS), 'utf8').trim(),
      prompt: renderTemplate(readFileSync(new URL('draft.txt', PROMPTS), 'utf8'), view),
      schema: procedureSchema,
      check: (answer) =>
        [...leadingBack(answer), ...faultsOf(draftOf(withDoubts(answer)))].slice(0, MAX_FAULTS),
    },
    asking,
  );
  return asked.ok ? { ...asked, answer: withDoubts(asked.answer) } : asked;
}

/** A tree has no circles: an answer leads to a later step. */
function leadingBack({ steps }: Pick<Procedure, 'steps'>): readonly string[] {
  return steps.flatMap(({ branches }, at) =>
    branches.flatMap(({ when, next }) =>
      next === null || (next > at + 1 && next <= steps.length)
        ? []
        : [
            `Step ${at + 1}, "${when}": next is ${next}; name a later step, of which there are ${steps.length} in all, or null.`,
          ],
    ),
  );
}

function faultsOf(files: DraftFiles): readonly string[] {
  return loadPackFromFiles(files)
    .faults.filter(isFault)
    .map(({ file, message }) => `${file}: ${message}`);
}

/** What the model doubts, and what the rules doubt of any procedure. */
function withDoubts(procedure: Procedure): Procedure {
  const { steps, doubts } = procedure;
  const first = 'A model read these steps out of the text. Compare them with it, step by step.';
  const byRules = steps.flatMap((step, at) => doubtsOf(step, at + 1));
  return { ...procedure, doubts: [...new Set([first, ...doubts, ...byRules])] };
}
