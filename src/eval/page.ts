import { mapValues } from '../core/domain/json.js';
import { type Comparison, type Figures, type PassFigures, type PlayedScenario, scoreOf } from './figures.js';
import type { BlamedStep, PlayedRun, PlayedTurn } from './run.js';
import type { TraceStep } from './trace.js';

/** The step of the trace at which a blamed step is seen. */
const SEEN_AT: Readonly<Record<BlamedStep, TraceStep['kind'] | null>> = {
  triage: 'triage',
  route: 'route',
  reference: 'tool',
  retrieval: 'retrieval',
  passage: 'retrieval',
  policy: 'tool',
  gate: 'tool',
  guardrail: 'guardrail',
  wording: 'answer',
  simulator: null,
  fault: 'other',
};

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--bad:#c0392b;--good:#1e8449}
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .75rem;border-bottom:1px solid var(--line);text-align:left}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.bad{color:var(--bad)}.good{color:var(--good)}
details{border:1px solid var(--line);border-radius:6px;padding:.5rem .75rem;margin:.5rem 0}summary{cursor:pointer}
.turn{margin:.75rem 0 .75rem .5rem;padding-left:.75rem;border-left:3px solid var(--line)}.turn.blamed{border-color:var(--bad)}
.said{font-weight:600}.reply{white-space:pre-wrap;margin:.25rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}
.step{padding:.15rem .5rem;font-size:13px}.step.blamed{outline:2px solid var(--bad)}
`;

/** The report as one page that needs nothing else: figures beside the baseline, and every conversation that failed. */
export function evaluationPage(evaluation: Evaluation): string {
  const { company, provider, k, seconds, figures, played } = evaluation;
  const failed = played.filter(({ runs }) => runs.some(({ passed }) => !passed));
  const skipped = skippedOf(evaluation);
  const { usage, turnMs, turns, costPerSolved } = figures;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<meta name="viewport" content="width=device-width"><title>Evaluation of ${html(company)}</title>`,
    `<style>${STYLE}</style></head><body>`,
    `<h1>Evaluation of ${html(company)}</h1>`,
    `<p>Provider ${html(provider)}, ${k === 1 ? 'each scenario played once' : `each scenario played ${k} times`}, ${seconds.toFixed(1)} seconds, ${turns} turns
(median ${turnMs.median} ms, 95 % within ${turnMs.p95} ms). ${usage.llmCalls} model calls,
${usage.promptTokens} + ${usage.completionTokens} tokens, US$ ${usage.costUsd.toFixed(4)};
${costPerSolved === null ? 'nothing was solved' : `US$ ${costPerSolved.toFixed(4)} a solved ticket`}.</p>`,
    comparisonOf(evaluation),
    figuresTable(evaluation),
    blameTable(failed),
    skipped.length > 0
      ? `<h2>Skipped</h2><p>These need a model to play their customers: ${skipped.map(({ scenario }) => html(scenario.id)).join(', ')}.</p>`
      : '',
    `<h2>Failed conversations (${failed.length})</h2>`,
    ...failed.map(failedScenario),
    '</body></html>\n',
  ].join('\n');
}

function comparisonOf({ comparison }: Evaluation): string {
  if (comparison === null) return '<p>There is no baseline to compare with.</p>';
  const { file, compared, undercut, worse, better } = comparison;
  const list = (ids: readonly string[]): string => ids.map(html).join(', ') || 'none';
  return `<p>Compared with ${html(file)} over ${compared} scenarios:
<strong class="${undercut.length > 0 ? 'bad' : 'good'}">${undercut.length > 0 ? `undercut in ${list(undercut)}` : 'not undercut'}</strong>.
Worse: ${list(worse)}. Better: ${list(better)}.</p>`;
}

function figuresTable({ figures, comparison, k }: Evaluation): string {
  const before = comparison?.before;
  const rows = (
    title: string,
    now: Readonly<Record<string, PassFigures>>,
    was: Readonly<Record<string, PassFigures>> | undefined,
  ): readonly string[] =>
    Object.entries(now).map(([name, pass]) => figuresRow(title, name, pass, was?.[name]));
  return `<h2>Figures</h2><table><tr><th></th><th></th><th class="n">scenarios</th><th class="n">pass@1</th>
<th class="n">pass^${k}</th><th class="n">baseline</th><th class="n">change</th></tr>
${[
  figuresRow('all', '', figures.all, before?.all),
  ...rows('category', figures.byCategory, before?.byCategory),
  ...rows('language', figures.byLanguage, before?.byLanguage),
  ...rows('agent', figures.byAgent, before?.byAgent),
].join('\n')}</table>`;
}

function figuresRow(title: string, name: string, now: PassFigures, was: PassFigures | undefined): string {
  const change = was && was.scenarios > 0 ? now.passAt1 - was.passAt1 : null;
  const kind = change === null || change === 0 ? '' : change < 0 ? ' bad' : ' good';
  const cells = [
    String(now.scenarios),
    percent(now.passAt1),
    percent(now.passAllK),
    was && was.scenarios > 0 ? percent(was.passAt1) : '',
  ].map((cell) => `<td class="n">${cell}</td>`);
  const moved = change === null ? '' : `${change > 0 ? '+' : ''}${(100 * change).toFixed(1)}`;
  return `<tr><td>${html(title)}</td><td>${html(name)}</td>${cells.join('')}<td class="n${kind}">${moved}</td></tr>`;
}

function blameTable(failed: readonly PlayedScenario[]): string {
  const by = new Map<string, Set<string>>();
  for (const { scenario, runs } of failed) {
    for (const { blame } of runs) {
      if (blame) by.set(blame.step, (by.get(blame.step) ?? new Set()).add(scenario.id));
    }
  }
  const rows = [...by]
    .sort(([, a], [, b]) => b.size - a.size)
    .map(([step, ids]) => {
      const links = [...ids].map((id) => `<a href="#${html(id)}">${html(id)}</a>`).join(', ');
      return `<tr><td>${html(step)}</td><td class="n">${ids.size}</td><td>${links}</td></tr>`;
    });
  return `<h2>First step that went wrong</h2><table><tr><th>step</th><th class="n">scenarios</th><th></th></tr>${rows.join('')}</table>`;
}

function failedScenario({ scenario, runs }: PlayedScenario): string {
  const failed = runs.filter(({ passed }) => !passed);
  const [first] = failed;
  if (!first) return '';
  const { id, category, language, customer, about } = scenario;
  return `<details open id="${html(id)}"><summary><strong>${html(id)}</strong> (${html(category)}, ${language}) failed
${failed.length} of ${runs.length}: <span class="bad">${html(first.blame?.step ?? '')}</span>, ${html(first.blame?.why ?? '')}</summary>
<p>${html(about)} Customer: ${html(customer ?? 'anonymous')}. <code>${html(scenario.at())}</code></p>
${failuresOf(first.failures)}
${first.turns.map((turn, at) => turnOf(turn, at, first)).join('\n')}</details>`;
}

function turnOf({ said, answer, trace, failures, ms }: PlayedTurn, at: number, { blame }: PlayedRun): string {
  const blamed = blame?.turn === at;
  const wanted = blame && SEEN_AT[blame.step];
  const mark = blamed ? trace.findLastIndex(({ kind }) => kind === wanted) : -1;
  return `<div class="turn${blamed ? ' blamed' : ''}"><div class="said">${html(said)}</div>
<div class="reply">${html(answer?.reply ?? '(no answer)')}</div>${failuresOf(failures)}
<details${blamed ? ' open' : ''}><summary>${html(summaryOf(answer))}, ${Math.round(ms)} ms</summary>
${trace.map((step, index) => stepOf(step, index === mark)).join('\n')}</details></div>`;
}

function summaryOf(answer: PlayedTurn['answer']): string {
  if (answer === null) return 'broke';
  const tools = answer.toolCalls.map(({ tool, ok, code }) => (ok ? tool : `${tool} (${code})`)).join(', ');
  const end = answer.escalated
    ? `escalated: ${answer.escalation?.reason}`
    : (answer.pending?.kind ?? 'answered');
  return `${answer.agents.join(' → ') || 'no agent'}; ${tools || 'no tool'}; ${end}`;
}

function stepOf({ kind, name, details }: TraceStep, blamed: boolean): string {
  return `<details class="step${blamed ? ' blamed' : ''}"${blamed ? ' open' : ''}><summary>${html(kind)} ${html(name)}</summary>
<pre>${html(JSON.stringify(details, null, 1))}</pre></details>`;
}

function failuresOf(failures: PlayedTurn['failures']): string {
  return failures.map(({ message }) => `<div class="bad">${html(message)}</div>`).join('');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A whole evaluation. */
export interface Evaluation {
  readonly company: string;
  readonly provider: string;
  readonly k: number;
  readonly seconds: number;
  readonly played: readonly PlayedScenario[];
  readonly figures: Figures;
  /** Null where there is nothing to compare with. */
  readonly comparison: (Comparison & { readonly file: string }) | null;
}

/** The scenarios that nobody played: they need a model to simulate their customers. */
export function skippedOf({ played }: Evaluation): readonly PlayedScenario[] {
  return played.filter(({ runs }) => runs.length === 0);
}

/** What another run is compared with: how often each scenario passed. */
export function toBaselineJson({ provider, k, played }: Evaluation): Readonly<Record<string, unknown>> {
  return { provider, k, scenarios: played.filter(({ runs }) => runs.length > 0).map(scoreOf) };
}

/** The report for programs: figures, and of each scenario what came of it; what was said only where it failed. */
export function toReportJson(evaluation: Evaluation): Readonly<Record<string, unknown>> {
  const { company, seconds, figures, comparison, played } = evaluation;
  const { usage, turnMs, costPerSolved } = figures;
  return {
    company,
    ...toBaselineJson(evaluation),
    seconds: Math.round(seconds * 10) / 10,
    figures: {
      all: toPassJson(figures.all),
      by_category: mapValues(figures.byCategory, toPassJson),
      by_language: mapValues(figures.byLanguage, toPassJson),
      by_agent: mapValues(figures.byAgent, toPassJson),
      blame: figures.blame,
      turns: figures.turns,
      turn_ms: turnMs,
      llm_calls: usage.llmCalls,
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      cost_usd: usage.costUsd,
      cost_per_solved_usd: costPerSolved,
    },
    skipped: skippedOf(evaluation).map(({ scenario }) => scenario.id),
    baseline: comparison && {
      file: comparison.file,
      compared: comparison.compared,
      before: {
        all: toPassJson(comparison.before.all),
        by_category: mapValues(comparison.before.byCategory, toPassJson),
      },
      undercut: comparison.undercut,
      worse: comparison.worse,
      better: comparison.better,
    },
    failed: played.flatMap(({ scenario, runs }) =>
      runs
        .filter(({ passed }) => !passed)
        .map((run) => ({ id: scenario.id, suite: scenario.suite, ...toRunJson(run) })),
    ),
  };
}

function toPassJson({ scenarios, passAt1, passAllK }: PassFigures) {
  return { scenarios, pass_at_1: rounded(passAt1), pass_all_k: rounded(passAllK) };
}

function toRunJson({ turns, failures, blame }: PlayedRun) {
  return {
    blame: blame && { ...blame, turn: blame.turn + 1 },
    failures: [...turns.flatMap((turn) => turn.failures), ...failures].map(({ message }) => message),
    turns: turns.map(({ said, answer, ms }) => ({
      said,
      reply: answer?.reply ?? null,
      citations: answer?.citations.map(({ articleId }) => articleId) ?? [],
      tools: answer?.toolCalls.map(({ tool, ok }) => ({ tool, ok })) ?? [],
      pending: answer?.pending?.kind ?? null,
      escalation: answer?.escalation?.reason ?? null,
      ms: Math.round(ms),
    })),
  };
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
