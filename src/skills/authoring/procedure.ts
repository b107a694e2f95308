import { parseObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';

/** What a step does where its condition is met. */
export interface Branch {
  /** As it was written: `the order is unknown`. */
  readonly when: string;
  /** As it was written: `tell the customer`. */
  readonly outcome: string;
  /** The number of the step that follows, from 1; null where the case ends here. */
  readonly next: number | null;
}

/** A step of a written procedure. */
export interface ProcedureStep {
  readonly name: string;
  readonly text: string;
  readonly branches: readonly Branch[];
}

/** A procedure as far as it could be read, by rules or by a model. */
export interface Procedure {
  readonly title: string;
  readonly description: string;
  readonly steps: readonly ProcedureStep[];
  /** What its author has to decide. */
  readonly doubts: readonly string[];
}

const NUMBERED = /^(\d{1,2})[.)]\s+(.+)$/;
const HEADING = /^(#{1,6})\s+(?:(?:step|passo|etapa)\s*\d*\s*[:.–-]\s*)?(.+?)\s*#*$/i;
const IF =
  /^(?:if|when|in case|se|quando|caso)\s+(.+?)\s*(?:,\s*(?:then|então)?|:|\s(?:then|então)\s)\s*(.+)$/i;
const ELSE = /^(?:otherwise|else|if not|senão|se não|caso contrário)\s*[,:]?\s*(.+)$/i;
const STEP_NUMBER = /\b(?:step|passo|etapa)\s+(\d{1,2})\b/i;
const GO_ON = /\b(?:go on|continue|next step|proceed|siga|continue|próxim[oa]|prossiga)\b/i;
const VAGUE = /\b(?:soon|usually|sometimes|maybe|probably|recently|normalmente|às vezes|talvez|logo)\b/i;
/** A person is offered D to Z, and one of them is "none of these". */
export const MAX_BRANCHES = 21;

/**
 * Reads a procedure by its form: the title, numbered steps (headings where nothing is numbered), and sentences with "if" or
 * "otherwise", in English and Portuguese.
 * @throws HubError `input_invalid` where there is no step
 */
export function readProcedure(markdown: string): Procedure {
  const lines = markdown.split(/\r?\n/);
  const numbered = lines.some((line) => NUMBERED.test(line));
  let title = '';
  const intro: string[] = [];
  const found: { name: string; lines: string[] }[] = [];
  for (const line of lines) {
    const heading = HEADING.exec(line);
    const number = NUMBERED.exec(line);
    if (number?.[2] !== undefined) found.push({ name: number[2], lines: [number[2]] });
    else if (heading?.[1] === '#' && title === '') title = heading[2] ?? '';
    else if (heading?.[2] !== undefined && !numbered) found.push({ name: heading[2], lines: [] });
    else if (heading === null && line.trim() !== '') (found.at(-1)?.lines ?? intro).push(line);
  }
  if (found.length === 0)
    throw new HubError('input_invalid', 'The procedure has no steps: no numbered list and no headings.', {
      field: 'from',
    });
  const steps = found.map(({ name, lines: own }, at) => stepOf(name, own, at + 1, found.length));
  const doubts = steps.flatMap((step, at) => doubtsOf(step, at + 1));
  return { title, description: intro.join(' ').trim(), steps, doubts };
}

function stepOf(name: string, lines: readonly string[], at: number, count: number): ProcedureStep {
  const sentences = lines
    .map((line) =>
      line
        .replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '')
        .replace(/[*`]/g, '')
        .trim(),
    )
    .flatMap((line) => line.split(/(?<=[.!?;])\s+/))
    .map((sentence) => sentence.replace(/[.;]$/, '').trim())
    .filter((sentence) => sentence !== '');
  const branches = sentences.flatMap((sentence): Branch[] => {
    const otherwise = ELSE.exec(sentence);
    if (otherwise?.[1] !== undefined) return [branchOf('none of the above', otherwise[1], at, count)];
    const [, when, then] = IF.exec(sentence) ?? [];
    return when === undefined || then === undefined ? [] : [branchOf(when, then, at, count)];
  });
  const [first = name] = name.replace(/[*`]/g, '').split(/(?<=[.!?:])\s/);
  return {
    name: first.replace(/[.:]+$/, '').trim(),
    text: sentences.join('. '),
    branches: branches.slice(0, MAX_BRANCHES),
  };
}

/** Where a branch names a step, it leads there; where it says to continue, to the next one. */
function branchOf(when: string, then: string, at: number, count: number): Branch {
  const named = Number(STEP_NUMBER.exec(then)?.[1] ?? Number.NaN);
  const leads = named > at && named <= count ? named : GO_ON.test(then) && at < count ? at + 1 : null;
  return { when, outcome: then, next: leads };
}

/** What the author of a draft has to decide of a step. @param at its number, from 1 */
export function doubtsOf({ name, branches, text }: ProcedureStep, at: number): readonly string[] {
  const vague = VAGUE.exec(text)?.[0];
  const back = branches.filter(({ outcome, next }) => next === null && STEP_NUMBER.test(outcome));
  return [
    `Step ${at} (${name}) asks a person. Which source or API answers it?`,
    ...(branches.length === 0 ? [`Step ${at} decides nothing: what is found there, and what follows?`] : []),
    ...back.map(({ outcome }) => `Step ${at} leads back or nowhere ("${outcome}"); a tree has no circles.`),
    ...(vague !== undefined ? [`Step ${at} is vague ("${vague}"): what is the number?`] : []),
  ];
}

interface Ticket {
  readonly cause?: unknown;
  readonly root_cause?: unknown;
  readonly resolution?: unknown;
  readonly action?: unknown;
}

/**
 * A procedure of one question, made of resolved tickets: each cause with what was mostly done about it, the frequent ones
 * first. Each line has `root_cause` (or `cause`) and `resolution` (or `action`).
 * @throws HubError `input_invalid` where no line has a cause
 */
export function readTickets(jsonl: string, title: string): Procedure {
  const byCause = new Map<string, Map<string, number>>();
  for (const line of jsonl.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const { cause, root_cause = cause, action, resolution = action } = (parseObject(line) ?? {}) as Ticket;
    if (typeof root_cause !== 'string' || root_cause.trim() === '') continue;
    const done = typeof resolution === 'string' ? resolution.trim() : '';
    const counts = byCause.get(root_cause.trim()) ?? new Map<string, number>();
    counts.set(done, (counts.get(done) ?? 0) + 1);
    byCause.set(root_cause.trim(), counts);
  }
  if (byCause.size === 0)
    throw new HubError('input_invalid', 'No ticket has a root_cause: one JSON object a line is read.', {
      field: 'from_tickets',
    });
  const total = (counts: ReadonlyMap<string, number>) =>
    [...counts.values()].reduce((sum, one) => sum + one, 0);
  const causes = [...byCause].sort(([, left], [, right]) => total(right) - total(left));
  const branches = causes.slice(0, MAX_BRANCHES).map(([when, counts]): Branch => {
    const [[done] = ['']] = [...counts].sort(([, left], [, right]) => right - left);
    return { when, outcome: done === '' ? 'decide what to do' : done, next: null };
  });
  const left = causes.slice(MAX_BRANCHES).map(([cause]) => `The cause "${cause}" is rare and left out.`);
  const name = 'Find the cause';
  const doubts = [
    `Step 1 (${name}) asks a person. Which source or API tells one cause from another?`,
    ...left,
  ];
  return { title, description: '', steps: [{ name, text: 'Which cause does it have?', branches }], doubts };
}
