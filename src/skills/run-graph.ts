import type { CompositeResult } from '../core/domain/composite-result.js';
import type { InvestigationResult, SkillRun } from '../core/domain/skill.js';
import { HubError } from '../core/errors.js';

const MAX_LABEL = 90;

/**
 * One run as a Mermaid flowchart: what was decided at each level and what each part took, nested ones in their order; of an
 * investigation the steps it went and where a person was asked.
 * @throws HubError `input_invalid` for a run that has no levels and no steps
 */
export function runToMermaid({ runId, result, handoff }: SkillRun): string {
  const lines =
    result?.kind === 'composite'
      ? compositeLines(result.value)
      : result?.kind === 'investigation'
        ? pathLines(result.value)
        : null;
  if (lines === null) {
    const why =
      handoff === null ? 'it is neither a composite nor an investigation' : 'it still waits for a person';
    throw new HubError('input_invalid', `The run ${runId} cannot be drawn: ${why}.`, { runId });
  }
  return `${['flowchart TD', ...lines.map((line) => `  ${line}`)].join('\n')}\n`;
}

function compositeLines({ trace, skill_id, skill_version }: CompositeResult): readonly string[] {
  const boxes = trace.map(({ level, step, decided, by, duration_ms, confidence, cost_usd }, at) => {
    const took = [
      `${duration_ms} ms`,
      ...(confidence === undefined ? [] : [`confidence ${confidence.toFixed(2)}`]),
      ...(cost_usd === undefined || cost_usd === 0 ? [] : [`${cost_usd.toFixed(4)} USD`]),
    ];
    const where = step === undefined ? `level ${level}` : `level ${level}, ${step}`;
    return `t${at}["${label(`${where}: ${decided}`)}<br/>${label(`${by}, ${took.join(', ')}`)}"]`;
  });
  return [
    `start(["${label(`${skill_id} ${skill_version}`)}"])`,
    ...boxes,
    ...boxes.map((_, at) => `${at === 0 ? 'start' : `t${at - 1}`} --> t${at}`),
  ];
}

function pathLines(found: InvestigationResult): readonly string[] {
  const { path, evidence, handoffs, root_cause, confidence_score } = found;
  const boxes = path.map((step, at) => {
    const own = evidence.find((one) => one.step === step);
    const asked = handoffs.filter((one) => one.at === step).map(({ choice, by }) => `${by} chose ${choice}`);
    const said = own === undefined ? step : `${step}: ${own.decision ?? own.finding}`;
    return `s${at}["${label([said, ...asked].join('; '))}"]`;
  });
  const beside = evidence.filter(({ step }) => !path.includes(step));
  const end = `cause(["${label(`${root_cause ?? 'no cause'} (${confidence_score.toFixed(2)})`)}"])`;
  return [
    ...boxes,
    end,
    ...boxes.map((_, at) => `s${at} --> ${at === boxes.length - 1 ? 'cause' : `s${at + 1}`}`),
    ...beside.flatMap(({ step, finding }, at) => [
      `b${at}["${label(`${step}: ${finding}`)}"]`,
      `b${at} -.-> cause`,
    ]),
  ];
}

/** Quotes would end a label, and Mermaid reads `#` as the beginning of an entity. */
function label(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const short = line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL)}…` : line;
  return short.replace(/[#"<>]/g, (sign) => `#${sign.charCodeAt(0)};`);
}
