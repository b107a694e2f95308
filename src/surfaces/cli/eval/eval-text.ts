import type { PassFigures } from '../../../eval/figures.js';
import { type Evaluation, skippedOf } from '../../../eval/report.js';
import { formatTable } from '../../table.js';

/** The report on a terminal. */
export function formatEvaluation(evaluation: Evaluation): string {
  const { figures, comparison, k, provider, seconds } = evaluation;
  const { before } = comparison ?? {};
  const rows = [
    row('all', '', figures.all, before?.all),
    ...group('category', figures.byCategory, before?.byCategory),
    ...group('language', figures.byLanguage, before?.byLanguage),
    ...group('agent', figures.byAgent, before?.byAgent),
  ];
  const skipped = skippedOf(evaluation);
  const { usage, turnMs, turns, costPerSolved } = figures;
  const blame = Object.entries(figures.blame).sort(([, a], [, b]) => b - a);
  const failed = evaluation.played.filter(({ runs }) => runs.some(({ passed }) => !passed));
  const lines = [
    formatTable(['by', '', 'scenarios', 'pass@1', `pass^${k}`, 'baseline', 'change'], rows, {
      right: [2, 3, 4, 5, 6],
    }),
    '',
    ...(failed.length === 0
      ? []
      : [
          formatTable(
            ['failed', 'step', 'turn', 'why'],
            failed.map(({ scenario, runs }) => {
              const blamed = runs.find(({ passed }) => !passed)?.blame;
              return [scenario.id, blamed?.step ?? '', String((blamed?.turn ?? 0) + 1), blamed?.why ?? ''];
            }),
            { right: [2] },
          ),
          '',
        ]),
    ...(skipped.length === 0
      ? []
      : [
          `skipped      ${skipped.length}: a simulated customer needs a model (--provider openai): ${skipped.map(({ scenario }) => scenario.id).join(', ')}`,
        ]),
    `first fault  ${blame.map(([step, count]) => `${step} ${count}`).join(', ') || 'none'}`,
    `provider     ${provider}`,
    `turns        ${turns} (median ${turnMs.median} ms, 95 % within ${turnMs.p95} ms)`,
    `model calls  ${usage.llmCalls}; tokens ${usage.promptTokens} in, ${usage.completionTokens} out; cost US$ ${usage.costUsd.toFixed(4)}, ${costPerSolved === null ? 'nothing solved' : `US$ ${costPerSolved.toFixed(4)} a solved ticket`}`,
    `time         ${seconds.toFixed(1)} s`,
    ...comparedLines(evaluation),
  ];
  return `${lines.join('\n')}\n`;
}

function comparedLines({ comparison }: Evaluation): readonly string[] {
  if (comparison === null) return ['baseline     none'];
  const { file, compared, undercut, worse, better } = comparison;
  return [
    `baseline     ${file}, ${compared} scenarios in both: ${undercut.length > 0 ? `UNDERCUT in ${undercut.join(', ')}` : 'not undercut'}`,
    ...(worse.length > 0 ? [`worse        ${worse.join(', ')}`] : []),
    ...(better.length > 0 ? [`better       ${better.join(', ')}`] : []),
  ];
}

function group(
  title: string,
  now: Readonly<Record<string, PassFigures>>,
  was: Readonly<Record<string, PassFigures>> | undefined,
): readonly (readonly string[])[] {
  return Object.entries(now).map(([name, pass], at) => row(at === 0 ? title : '', name, pass, was?.[name]));
}

function row(title: string, name: string, now: PassFigures, was: PassFigures | undefined): readonly string[] {
  const known = was !== undefined && was.scenarios > 0;
  const change = known ? 100 * (now.passAt1 - was.passAt1) : 0;
  return [
    title,
    name,
    String(now.scenarios),
    percent(now.passAt1),
    percent(now.passAllK),
    known ? percent(was.passAt1) : '-',
    known ? `${change > 0 ? '+' : ''}${change.toFixed(1)}` : '-',
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
