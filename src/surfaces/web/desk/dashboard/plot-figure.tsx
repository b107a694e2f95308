import { useEffect, useId, useRef } from 'preact/hooks';
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
}

/** A plot with its title, and the same numbers as a table. */
export function PlotFigure({ title, plot, first, wide = false, ...look }: PlotFigureProps) {
  const words = useWords();
  const titleId = useId();
  return (
    <figure class={`card plot${wide ? ' plot--wide' : ''}`} aria-labelledby={titleId}>
      <figcaption class="plot__title" id={titleId}>
        <h2>{title}</h2>
      </figcaption>
      {hasData(plot) ? (
        <>
          <Canvas title={title} plot={plot} look={look} />
          <details class="plot__table">
            <summary>{words.dashboard.asTable}</summary>
            <PlotTable title={title} plot={plot} first={first} look={look} />
          </details>
        </>
      ) : (
        <p class="plot__empty">{words.dashboard.noData}</p>
      )}
    </figure>
  );
}

/** Rows have a height each, so that many names keep their room. */
const ROW_SIZES = [3, 6, 10] as const;

function Canvas({
  title,
  plot,
  look,
}: {
  readonly title: string;
  readonly plot: Plot;
  readonly look: PlotLook;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(look);
  latest.current = look;
  useEffect(
    () => (canvas.current ? draw(canvas.current, plot, latest.current) : undefined),
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
}: {
  readonly title: string;
  readonly plot: Plot;
  readonly first: string;
  readonly look: PlotLook;
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
              {plot.series.map(({ label: name, values }) => {
                const value = values[at] ?? null;
                return <td key={name}>{value === null ? '–' : look.format(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
