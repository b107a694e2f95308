import { fold } from '../../core/fold.js';
import type { Branch, Procedure, ProcedureStep } from './procedure.js';

/** Texts of a pack by path within its folder. */
export type DraftFiles = Readonly<Record<string, string>>;

const MAX_SLUG = 40;

/**
 * A tree that does what a written procedure says, each step asked of a person until its author names a source. It validates;
 * what its author has to decide stands in comments.
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
