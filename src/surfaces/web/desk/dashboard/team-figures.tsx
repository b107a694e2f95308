import type { Report } from '../../shared/api-types.js';
import { language } from '../../shared/i18n.js';
import { useStore } from '../../shared/store.js';
import { span } from '../lib/format.js';
import { type Behind, linkBehind } from '../lib/location.js';
import { percent } from '../lib/values.js';
import { useTexts } from '../texts.js';

interface Figure {
  readonly name: string;
  readonly value: string;
  /** What is counted, in words. */
  readonly meaning: string;
  readonly behind: Behind;
}

/** What became of the tickets, and what each operator did; every figure with its definition and its tickets. */
export function TeamFigures({ report }: { readonly report: Report }) {
  const texts = useTexts();
  const { team } = texts.dashboard;
  const shown = useStore(language);
  const { totals } = report;
  const all = { from: report.from, to: report.to };
  const share = (part: number, whole: number): string => (whole === 0 ? '–' : percent(part / whole, shown));
  const time = (minutes: number | null): string => (minutes === null ? '–' : span(minutes, texts.clock));
  const whole: readonly Figure[] = [
    {
      ...team.resolutionRate,
      value: share(totals.opened_resolved, totals.opened),
      behind: { ...all, status: 'resolved' },
    },
    {
      ...team.deflectionRate,
      value: share(totals.deflected, totals.opened),
      behind: { ...all, happened: 'deflected' },
    },
    {
      ...team.reopenedRate,
      value: share(totals.reopened, totals.resolved),
      behind: { ...all, happened: 'reopened' },
    },
    {
      ...team.firstAnswer,
      value: time(totals.first_answer_minutes),
      behind: { ...all, happened: 'first_answered' },
    },
    {
      ...team.resolutionTime,
      value: time(totals.resolution_minutes),
      behind: { ...all, happened: 'resolved', human: 'with' },
    },
    {
      ...team.hubRating,
      value: share(totals.hub_helpful, totals.hub_helpful + totals.hub_unhelpful),
      behind: { ...all, happened: 'rated', operator: '' },
    },
  ];
  const columns = [
    team.answered,
    team.firstAnswer,
    team.resolutionTime,
    team.resolved,
    team.reopened,
    team.rating,
  ];
  return (
    <>
      <dl class="tiles">
        {whole.map(({ name, value, meaning, behind }) => (
          <div key={name} class="tile">
            <dt>{name}</dt>
            <dd>
              <a href={linkBehind(behind)}>{value}</a>
              <Meaning text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
      <section class="card plot team">
        <div class="plot__title">
          <h2>{team.title}</h2>
        </div>
        {report.operators.length === 0 ? (
          <p class="plot__empty">{texts.dashboard.noData}</p>
        ) : (
          <div class="plot__scroll" tabIndex={0} role="region" aria-label={team.title}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{team.operator}</th>
                  {columns.map(({ name }) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {report.operators.map((one) => {
                  const of = { ...all, operator: one.operator };
                  const rated = one.helpful + one.unhelpful;
                  const cells: readonly (readonly [string, Behind])[] = [
                    [String(one.answered), { ...of, happened: 'answered' }],
                    [time(one.first_answer_minutes), { ...of, happened: 'first_answered' }],
                    [time(one.resolution_minutes), { ...of, happened: 'resolved' }],
                    [String(one.resolved), { ...of, happened: 'resolved' }],
                    [String(one.reopened), { ...of, happened: 'reopened' }],
                    [rated === 0 ? '–' : `${one.helpful} / ${rated}`, { ...of, happened: 'rated' }],
                  ];
                  return (
                    <tr key={one.operator}>
                      <th scope="row">{one.operator}</th>
                      {cells.map(([value, behind], at) => (
                        <td key={columns[at]?.name}>
                          {value === '–' ? value : <a href={linkBehind(behind)}>{value}</a>}
                        </td>
                      ))}
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        )}
        <details class="plot__table">
          <summary>{team.meanings}</summary>
          <dl class="team__meanings">
            {columns.map(({ name, meaning }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </details>
      </section>
    </>
  );
}

function Meaning({ text }: { readonly text: string }) {
  const { team } = useTexts().dashboard;
  return (
    <details class="tile__meaning">
      <summary>{team.meaning}</summary>
      <p>{text}</p>
    </details>
  );
}
