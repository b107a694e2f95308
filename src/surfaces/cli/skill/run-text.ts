import type { CompositeResult } from '../../../core/domain/composite-result.js';
import type {
  Evidence,
  GenerationResult,
  InvestigationResult,
  RecommendedAction,
  ReviewResult,
  SkillHandoff,
  SkillResult,
  SkillRun,
} from '../../../core/domain/skill.js';
import { oneLine, printable } from '../../printable.js';

/** A run for a person: where it stands, what it found, and how it continues. */
export function formatRun(run: SkillRun): string {
  const { usage } = run;
  const cost = [
    `${Math.round(run.durationMs)} ms`,
    plural(usage.steps, 'step'),
    plural(usage.api_calls, 'call to sources', 'calls to sources'),
    ...(usage.llm_calls === 0
      ? []
      : [
          `${plural(usage.llm_calls, 'model call')}, ${usage.prompt_tokens + usage.completion_tokens} tokens, ${usage.cost_usd.toFixed(4)} USD`,
        ]),
  ];
  const sections: (readonly string[])[] = [
    [
      line('Skill', `${run.skillId} ${run.skillVersion}`),
      line('Run', `${run.runId}, ${run.status}`),
      line('Took', cost.join(', ')),
    ],
  ];
  if (run.result !== null) sections.push(...formatResult(run.result));
  if (run.error !== null) sections.push([line('Failed', `${run.error.code}: ${run.error.message}`)]);
  if (run.handoff !== null) sections.push(...formatHandoff(run.handoff));
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The commands that answer a waiting run, one for each option. */
export function formatResume({ runId, handoff }: SkillRun): string {
  if (handoff === null) return '';
  const fields = handoff.fields ?? [];
  const input = Object.fromEntries(fields.map((field) => [field, '...']));
  const given = fields.length === 0 ? '' : ` --input '${JSON.stringify(input)}'`;
  const commands = handoff.options.map(
    ({ id }) => `  npm run skill -- run --resume ${runId} --choose ${oneLine(id)}${id === 'C' ? '' : given}`,
  );
  return `To go on:\n${commands.join('\n')}\n`;
}

function formatResult(result: SkillResult): readonly (readonly string[])[] {
  switch (result.kind) {
    case 'investigation':
      return formatInvestigation(result.value);
    case 'composite':
      return formatComposite(result.value);
    case 'generation':
      return formatGeneration(result.value);
    case 'review':
      return formatReview(result.value);
    case 'plain':
      return [['Output', indented(json(result.value))]];
  }
}

function formatInvestigation(found: InvestigationResult): readonly (readonly string[])[] {
  const cause = found.root_cause ?? 'not found';
  return [
    [
      line('Cause', `${cause} (confidence ${found.confidence_score.toFixed(2)})`),
      ...(found.explanation === null ? [] : [line('Why', found.explanation)]),
      ...(found.impact === null ? [] : [line('Impact', found.impact)]),
      ...formatAdvice(found.recommended_action),
      line('Path', found.path.join(' > ') || 'no step'),
      ...(found.partial ? [line('Partial', 'this is not the whole story')] : []),
    ],
    section('Evidence', found.evidence.map(formatEvidence)),
    section(
      'Asked',
      found.handoffs.map(({ at, trigger, choice, by }) => `${at}: ${trigger}, ${by} chose ${choice}`),
    ),
    section('For the customer', languages(found.customer_message)),
  ];
}

function formatConflict({ about, said }: CompositeResult['conflicts'][number]): string {
  return `${about}: ${said.map(({ step, value }) => `${step} says ${json(value, 0)}`).join(', ')}`;
}

function formatAdvice(advised: RecommendedAction | null): readonly string[] {
  if (advised === null) return [];
  const notes = [
    ...(advised.priority === undefined ? [] : [advised.priority]),
    ...(advised.human_approval_required === true ? ['a person must approve'] : []),
  ];
  const arguments_ = advised.arguments === undefined ? '' : ` ${json(advised.arguments, 0)}`;
  return [
    line('Advice', `${advised.action}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${arguments_}`),
  ];
}

function formatComposite(value: CompositeResult): readonly (readonly string[])[] {
  return [
    [
      line('Summary', value.summary),
      line('Success', `${Math.round(value.success_rate * 100)} % of the steps that ran`),
    ],
    section(
      'Steps',
      value.detailed_results.map(
        ({ step, skill_id, status, duration_ms, cached, error }) =>
          `${step} (${skill_id}): ${status}${error ? `, ${error.code}: ${error.message}` : `, ${Math.round(duration_ms)} ms`}${cached ? ', cached' : ''}`,
      ),
    ),
    ...(value.user_message === '' ? [] : [['Message', indented(value.user_message)]]),
    // A run of an earlier version has none.
    section('Conflicts', (value.conflicts ?? []).map(formatConflict)),
    section('Next', value.next_actions),
    ['Output', indented(json(value.output))],
  ];
}

function formatGeneration(value: GenerationResult): readonly (readonly string[])[] {
  const how = `${value.provider}, ${plural(value.attempts, 'attempt')}`;
  if (value.success) return [[`Written (${how})`, indented(json(value.data ?? {}))]];
  return [
    [
      `Not written (${how})`,
      ...(value.error ? [indented(`${value.error.code}: ${value.error.message}`)] : []),
      ...(value.validationErrors ?? []).map((error) => indented(`- ${oneLine(error)}`)),
    ],
  ];
}

function formatReview(value: ReviewResult): readonly (readonly string[])[] {
  const score = value.score === null ? 'nothing could be judged' : `score ${value.score.toFixed(2)}`;
  return [
    [line('Review', `${value.pass ? 'passed' : 'not passed'}, ${score} (${value.provider})`)],
    section('Issues', value.issues),
    section('Fixes', value.suggested_fixes),
    section('Undecided', value.indeterminate),
    value.error ? [line('Failed', `${value.error.code}: ${value.error.message}`)] : [],
  ];
}

function formatHandoff(handoff: SkillHandoff): readonly (readonly string[])[] {
  const { proposal } = handoff;
  return [
    [
      line('Asks', handoff.question),
      line('At', `${handoff.at} (${handoff.trigger})`),
      ...(handoff.advice === null ? [] : [line('To do', handoff.advice)]),
      ...(proposal === null
        ? []
        : [
            line(
              'Proposal',
              `${proposal.root_cause ?? 'no cause'} (confidence ${proposal.confidence.toFixed(2)})`,
            ),
            ...formatAdvice(proposal.recommended_action),
          ]),
      ...(handoff.tried.length === 0 ? [] : [line('Tried', handoff.tried.join(' > '))]),
    ],
    section('Found', handoff.found.map(formatEvidence)),
    section(
      'Options',
      handoff.options.map(({ id, label }) => `${id}  ${label}`),
    ),
  ];
}

function formatEvidence({ step, name, finding, confidence, error }: Evidence): string {
  const outcome = error
    ? `not checked, ${error.code}: ${error.message}`
    : `${finding} (${confidence.toFixed(2)})`;
  return `${step}  ${name}: ${outcome}`;
}

function languages(messages: Readonly<Record<string, string>> | null): readonly string[] {
  return Object.entries(messages ?? {}).map(([language, text]) => `${language}: ${text}`);
}

function section(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  ${oneLine(item)}`)];
}

function line(name: string, text: string): string {
  return `${name.padEnd(9)} ${oneLine(text)}`;
}

function indented(text: string): string {
  return printable(text)
    .split('\n')
    .map((part) => `  ${part}`)
    .join('\n');
}

function json(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent);
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
