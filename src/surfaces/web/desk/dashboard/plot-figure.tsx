import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  type ChartDataset,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Behind, linkBehind } from '../lib/location.js';
import { useTexts } from '../texts.js';
import { hasData, type Plot } from './series.js';

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

type PlotKind = 'bars' | 'stacked-bars' | 'rows' | 'stacked-rows' | 'lines';

interface PlotLook {
  readonly kind: PlotKind;
  /** Titles of the axes, with units; null where the labels name themselves. */
  readonly across: string | null;
  readonly up: string;
  readonly dark: boolean;
  /** Places in the palette, where the colours mean something; in their order where absent. */
  readonly colors?: readonly number[] | undefined;
  /** The end of the value axis where it is fixed, as 100 of per cents. */
  readonly max?: number | undefined;
  readonly format: (value: number) => string;
  readonly labelOf: (label: string) => string;
}

/** Okabe and Ito's colours, told apart by colour-blind eyes, with the lightness each ground needs. */
const LIGHT = ['#0072b2', '#c8500a', '#00805e', '#a8548a', '#7a6a00', '#5b5560'];
const DARK = ['#56b4e9', '#f0a35e', '#3fcf9f', '#e59cc8', '#f0e442', '#b8aeb8'];
const POINTS = ['circle', 'rectRot', 'triangle', 'rect', 'star', 'cross'] as const;
const DASHES: readonly (readonly number[])[] = [[], [6, 4], [2, 3], [10, 4, 2, 4], [], [4, 2]];

function dataset(
  plot: Plot,
  at: number,
  { kind, dark, colors }: PlotLook,
  surface: string,
): ChartDataset<'bar' | 'line'> {
  const series = plot.series[at];
  const palette = dark ? DARK : LIGHT;
  const color = palette[(colors?.[at] ?? at) % palette.length] ?? '#888888';
  const data = [...(series?.values ?? [])];
  if (kind === 'lines') {
    return {
      type: 'line',
      label: series?.label ?? '',
      data,
      borderColor: color,
      backgroundColor: color,
      borderWidth: 2,
      borderDash: [...(DASHES[at % DASHES.length] ?? [])],
      pointStyle: POINTS[at % POINTS.length] ?? 'circle',
      pointRadius: plot.labels.length > 40 ? 2 : 4,
      spanGaps: true,
      // A point at the very end of the axis is drawn whole.
      clip: 8,
      tension: 0,
    };
  }
  return {
    type: 'bar',
    label: series?.label ?? '',
    data,
    backgroundColor: color,
    // A gap of the ground between the parts of a stack tells them apart without colour.
    borderColor: surface,
    borderWidth: 1,
    borderRadius: 3,
    maxBarThickness: 34,
  };
}

function axis(title: string | null, ink: string, line: string, grid: boolean) {
  return {
    title: { display: title !== null, text: title ?? '', color: ink },
    grid: { display: grid, color: line },
    border: { display: false },
  };
}

/** A place in a plot: of the labels, and of the series. */
type OnPress = (label: number, series: number) => void;

function configuration(
  plot: Plot,
  look: PlotLook,
  style: CSSStyleDeclaration,
  onPress: OnPress,
): ChartConfiguration<'bar' | 'line'> {
  const ink = style.getPropertyValue('--text-soft').trim();
  const line = style.getPropertyValue('--line').trim();
  const surface = style.getPropertyValue('--surface').trim();
  const rows = look.kind === 'rows' || look.kind === 'stacked-rows';
  const stacked = look.kind === 'stacked-bars' || look.kind === 'stacked-rows';
  const values = {
    ...axis(look.up, ink, line, true),
    stacked,
    beginAtZero: true,
    ...(look.max === undefined ? {} : { max: look.max }),
    ticks: { color: ink, maxTicksLimit: 6, callback: (value: number | string) => look.format(Number(value)) },
  };
  const names = {
    ...axis(look.across, ink, line, false),
    stacked,
    ticks: {
      color: ink,
      maxRotation: 0,
      autoSkip: !rows,
      autoSkipPadding: 14,
      callback: (_value: number | string, at: number) => look.labelOf(plot.labels[at] ?? ''),
    },
  };
  return {
    type: look.kind === 'lines' ? 'line' : 'bar',
    data: {
      labels: [...plot.labels],
      datasets: plot.series.map((_series, at) => dataset(plot, at, look, surface)),
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      indexAxis: rows ? 'y' : 'x',
      onClick: (event, _items, chart) => {
        const at = (intersect: boolean) =>
          event.native
            ? chart.getElementsAtEventForMode(event.native, 'nearest', { intersect }, true)[0]
            : undefined;
        const item = at(true) ?? at(false);
        if (item !== undefined) onPress(item.index, item.datasetIndex);
      },
      interaction: { mode: 'index', intersect: false, axis: rows ? 'y' : 'x' },
      scales: rows ? { x: values, y: names } : { x: names, y: values },
      plugins: {
        legend: {
          display: plot.series.length > 1,
          position: 'bottom',
          labels: { color: ink, usePointStyle: true, boxHeight: 8, padding: 14 },
        },
        tooltip: {
          callbacks: {
            title: (items) => look.labelOf(plot.labels[items[0]?.dataIndex ?? 0] ?? ''),
            label: ({ dataset: { label }, raw }) =>
              `${label}: ${typeof raw === 'number' ? look.format(raw) : '–'}`,
          },
        },
      },
    },
  };
}

/** Draws a plot. @returns takes it away */
function draw(canvas: HTMLCanvasElement, plot: Plot, look: PlotLook, onPress: OnPress): () => void {
  const style = getComputedStyle(document.documentElement);
  Chart.defaults.font.family = style.getPropertyValue('--font').trim();
  const chart = new Chart(canvas, configuration(plot, look, style, onPress));
  return () => chart.destroy();
}

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
  const texts = useTexts();
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
            <summary>{texts.dashboard.asTable}</summary>
            <PlotTable title={title} plot={plot} first={first} look={look} linkOf={linkOf} />
          </details>
        </>
      ) : (
        <p class="plot__empty">{texts.dashboard.noData}</p>
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
