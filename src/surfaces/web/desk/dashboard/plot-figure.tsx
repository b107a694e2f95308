import { useEffect, useId, useRef } from 'preact/hooks';
import { type Behind, linkBehind } from '../lib/location.js';
import { useWords } from '../texts.js';
import { draw, type PlotLook } from './chart.js';
import { hasData, type Plot } from './series.js';

export interface PlotFigureProps extends Omit<PlotLook, 'dark'> {
  /** Says what the plot shows. */
  readonly title: string;
  readonly plot: Plot;
  readonly dark: boolean;
  /** Head of the table's first column. */
  readonly first: string;
  readonly wide?: boolean;
  /** The tickets behind a number, by the key of its label and of its series. */
  readonly behind: (label: string, series: string) => Behind;
}

/** A plot with its title, and the same numbers as a table. */
export function PlotFigure({ title, plot, first, behind, wide = false, ...look }: PlotFigureProps) {
  const words = useWords();
  const titleId = useId();
  const linkOf = (label: number, series: number): string =>
    linkBehind(behind((plot.keys ?? plot.labels)[label] ?? '', plot.series[series]?.key ?? ''));
  return (
    <figure class={`card plot${wide ? ' plot--wide' : ''}`} aria-labelledby={titleId}>
      <figcaption class="plot__title" id={titleId}>
        <h2>{title}</h2>
      </figcaption>
      {hasData(plot) ? (
        <>
          <Canvas title={title} plot={plot} look={look} linkOf={linkOf} />
          <details class="plot__table">
            <summary>{words.dashboard.asTable}</summary>
            <PlotTable title={title} plot={plot} first={first} look={look} linkOf={linkOf} />
          </details>
        </>
      ) : (
        <p class="plot__empty">{words.dashboard.noData}</p>
      )}
    </figure>
  );
}

/** Where the tickets behind a number are listed, by the places of its label and its series. */
type LinkOf = (label: number, series: number) => string;

/** Rows have a height each, so that many names keep their room. */
const ROW_SIZES = [3, 6, 10] as const;

function Canvas({
  title,
  plot,
  look,
  linkOf,
}: {
  readonly title: string;
  readonly plot: Plot;
  readonly look: PlotLook;
  readonly linkOf: LinkOf;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef({ look, linkOf });
  latest.current = { look, linkOf };
  const press = (label: number, series: number): void => {
    location.hash = latest.current.linkOf(label, series);
  };
  useEffect(
    () => (canvas.current ? draw(canvas.current, plot, latest.current.look, press) : undefined),
    [plot, look.dark, look.kind, look.up, look.across],
  );
  const rows = look.kind.endsWith('rows');
  const size = rows ? (ROW_SIZES.find((limit) => plot.labels.length <= limit) ?? 10) : 0;
  return (
    <div class={`plot__canvas plot__canvas--${size}`}>
      <canvas ref={canvas} role="img" aria-label={`${title}. ${look.up}`} />
    </div>
  );
}

function PlotTable({
  title,
  plot,
  first,
  look,
  linkOf,
}: {
  readonly title: string;
  readonly plot: Plot;
  readonly first: string;
  readonly look: PlotLook;
  readonly linkOf: LinkOf;
}) {
  return (
    <div class="plot__scroll" tabIndex={0} role="region" aria-label={title}>
      <table>
        <caption class="visually-hidden">{`${title}. ${look.up}`}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {plot.series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {plot.labels.map((label, at) => (
            <tr key={label}>
              <th scope="row">{look.labelOf(label)}</th>
              {plot.series.map(({ label: name, values }, series) => {
                const value = values[at] ?? null;
                return (
                  <td key={name}>
                    {value === null ? '–' : <a href={linkOf(at, series)}>{look.format(value)}</a>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
