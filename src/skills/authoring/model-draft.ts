import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { fold } from '../../core/text.js';
import { loadPackFromFiles } from '../pack/load-pack.js';
import { isFault } from '../pack/pack.js';
import { type Asked, type Asking, askModel } from '../routing/ask-model.js';
import { renderTemplate } from '../templates/render.js';
import { type Branch, doubtsOf, MAX_BRANCHES, type Procedure, type ProcedureStep } from './procedure.js';

/** Texts of a pack by path within its folder. */
export type DraftFiles = Readonly<Record<string, string>>;

const MAX_SLUG = 40;

/**
 * A tree that does what a written procedure says, each step asked of a person until its author names a source. It validates;
 * what its author has to decide is in comments.
 */
export function draftPack(id: string, title: string, keywords: string, procedure: Procedure): DraftFiles {
  const ids = procedure.steps.map(({ name }, at) => `step_${at + 1}_${slug(name)}`);
  const description =
    procedure.description === '' ? `Follows the procedure "${title}".` : procedure.description;
  return {
    'skill.yaml': [
      '# A draft, made of a written procedure. Its doubts are in decision_tree.yaml; check it with',
      `# \`npm run skill -- validate\`, and fill in its test cases for \`npm run skill -- test ${id}\`.`,
      `id: ${id}`,
      'version: 0.1.0',
      `title: ${text(title)}`,
      `description: ${text(description)}`,
      'status: poc',
      'type: decision_tree',
      `triggers: { keywords: [${keywords}] } # add the words of your customers, in each language`,
      'input_schema: # name the fields that queries will need',
      '  type: object',
      '  properties:',
      '    message: { type: string, description: What was written }',
      'human_handoff:',
      '  triggers:',
      '    low_confidence: { threshold: 0.7, action: Look at it yourself before you accept this. }',
      '',
    ].join('\n'),
    'decision_tree.yaml': [
      ...procedure.doubts.map((doubt) => `# DOUBT: ${doubt.replace(/\s+/g, ' ')}`),
      `entry_point: ${ids[0]}`,
      'steps:',
      ...procedure.steps.flatMap((step, at) => stepLines(step, at, ids)),
      '',
    ].join('\n'),
    'test_cases/first-answer.yaml': caseOf(procedure, ids),
  };
}

function stepLines(
  { name, text: words, branches }: ProcedureStep,
  at: number,
  ids: readonly string[],
): string[] {
  const all = branchesOf(branches, at, ids);
  return [
    `  ${ids[at]}:`,
    `    name: ${text(name)}`,
    '    # A person answers. Write a query or an api action here, and conditions over its result below.',
    `    action: { type: ask, question: ${text(words)} }`,
    '    options:',
    ...all.map(({ when }, place) => `      - { id: ${letter(place)}, label: ${text(when)} }`),
    '    decisions:',
    ...all.flatMap((branch, place) => decisionLines(branch, place, ids)),
  ];
}

/** Whatever a step says, there is a way on where none of it holds. */
function branchesOf(branches: readonly Branch[], at: number, ids: readonly string[]): readonly Branch[] {
  const next = at + 1 < ids.length ? at + 2 : null;
  if (branches.some(({ when }) => when === 'none of the above')) return branches;
  const when = branches.length === 0 ? 'done' : 'none of the above';
  return [
    ...branches,
    { when, outcome: next === null ? 'the procedure ends without a cause' : 'go on', next },
  ];
}

function decisionLines({ when, outcome, next }: Branch, place: number, ids: readonly string[]): string[] {
  const head = [
    `      ${`answer_${letter(place).toLowerCase()}_${slug(when)}`.slice(0, 60)}:`,
    `        condition: "result.choice == '${letter(place)}'"`,
    '        confidence: 0.8 # DOUBT: how sure is it?',
  ];
  if (next !== null) {
    const finding = `{ partial_finding: ${text(`${when}: ${outcome}`)} }`;
    return [...head, `        conclusion: ${finding}`, `        next_step: ${ids[next - 1]}`];
  }
  return [
    ...head,
    '        conclusion:',
    `          root_cause: ${text(when)}`,
    `          explanation: ${text(outcome)}`,
    '          # DOUBT: the name of the action, and who must agree to it',
    `          recommended_action: { action: ${slug(outcome)}, human_approval_required: true }`,
    '        next_step: null',
  ];
}

/** The first answer of the first step; the others are for the author. */
function caseOf({ steps }: Procedure, ids: readonly string[]): string {
  const [first] = branchesOf(steps[0]?.branches ?? [], 0, ids);
  const expect =
    first === undefined || first.next !== null
      ? '{ status: waiting }'
      : `{ root_cause: ${text(first.when)}, path: [${ids[0]}], handoff: true }`;
  return [
    `name: ${text(`the first answer of ${ids[0]}`)}`,
    '# Write one case for each way through the procedure: what comes in, what is answered, and what must come out.',
    'input: { message: "" }',
    `human: [{ at: ${ids[0]}, choose: D }]`,
    `expect: ${expect}`,
    '',
  ].join('\n');
}

function letter(place: number): string {
  return String.fromCharCode('D'.charCodeAt(0) + place);
}

/** A text of a pack, in quotes; braces of the procedure are braces and no placeholders. */
function text(words: string): string {
  return JSON.stringify(words.replaceAll('{', '{{').replaceAll('}', '}}'));
}

function slug(words: string): string {
  const plain = fold(words)
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_SLUG)
    .replace(/^[_\d]+|_+$/g, '');
  return plain === '' ? 'unnamed' : plain;
}

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
 * taken only where its draft validates, and it gets the faults once. Never throws.
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
