import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Drawing } from '../../shared/components/controls.js';
import { term } from '../lib/values.js';
import { useTexts } from '../texts.js';

/** A shape a priority, told apart without colour: bars that grow, and a filled sign for what is urgent. */
function PriorityShape({ priority }: { readonly priority: string }) {
  if (priority === 'urgent') {
    return (
      <svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path class="mark__fill" d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" />
        <path class="mark__cut" d="M8 4v5M8 11.4v.1" />
      </svg>
    );
  }
  const bars = { low: 1, medium: 2, high: 3 }[priority] ?? 0;
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {[0, 1, 2].map((at) => (
        <rect
          key={at}
          class={at < bars ? 'mark__fill' : 'mark__rest'}
          x={1.5 + at * 5}
          y={10 - at * 4}
          width="3"
          height={4 + at * 4}
          rx="1"
        />
      ))}
    </svg>
  );
}

/** How soon somebody must act: a word and a shape. */
export function PriorityMark({ priority }: { readonly priority: string }) {
  const texts = useTexts();
  return (
    <span class={`tag tag--${priority}`}>
      <PriorityShape priority={priority} />
      <span class="visually-hidden">{texts.queue.priorityLabel}: </span>
      {term(texts.priority, priority)}
    </span>
  );
}

const NO_MOOD = 'M5.2 10.6h5.6';
const MOUTHS: Readonly<Record<string, string>> = {
  positive: 'M5 9.6c1.6 2 4.4 2 6 0',
  neutral: NO_MOOD,
  negative: 'M5 11.2c1.6-1.6 4.4-1.6 6 0',
  frustrated: 'M5 11.4c1.6-1.9 4.4-1.9 6 0',
};

/** How the customer sounds: a face and a word. */
export function SentimentMark({ sentiment }: { readonly sentiment: string }) {
  const texts = useTexts();
  const angry = sentiment === 'frustrated';
  return (
    <span class={`tag tag--${sentiment}`}>
      <svg class="mark mark--line" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <circle cx="8" cy="8" r="6.8" />
        <path d={MOUTHS[sentiment] ?? NO_MOOD} />
        <path d={angry ? 'm4.4 5 2.2 1.2M11.6 5 9.4 6.2' : 'M5.6 6v.4M10.4 6v.4'} />
      </svg>
      {term(texts.sentiment, sentiment)}
    </span>
  );
}

/** A part of the panel that can be folded away. @param lazy where it is made only while it is unfolded */
export function Fold({
  title,
  open = false,
  lazy = false,
  children,
}: {
  readonly title: string;
  readonly open?: boolean;
  readonly lazy?: boolean;
  readonly children: ComponentChildren;
}) {
  const [unfolded, setUnfolded] = useState(open);
  return (
    <details
      class="fold"
      open={open}
      onToggle={lazy ? ({ currentTarget }) => setUnfolded(currentTarget.open) : undefined}
    >
      <summary class="fold__title">
        <h3>{title}</h3>
      </summary>
      {(unfolded || !lazy) && <div class="fold__body">{children}</div>}
    </details>
  );
}

/** A share of 1 as a bar with its number. */
export function Meter({
  label,
  value,
  text,
}: {
  readonly label: string;
  readonly value: number;
  readonly text: string;
}) {
  return (
    <p class="meter">
      <span>{label}</span>
      <meter min={0} max={1} value={Math.min(1, Math.max(0, value))} aria-label={`${label}: ${text}`} />
      <span class="meter__text">{text}</span>
    </p>
  );
}

/** Drawings of the desk on a grid of 24 by 24. */
const PATHS = {
  inbox: ['M4 13.5 6.6 5h10.8L20 13.5V19H4z', 'M4 13.5h4.5a3.5 3.5 0 0 0 7 0H20'],
  approvals: ['M12 3.5 5 6v5.5c0 4.2 2.8 7.4 7 9 4.2-1.6 7-4.8 7-9V6z', 'm9 12 2.2 2.2L15.2 10'],
  people: [
    'M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11z',
    'M3 19.5a6 6 0 0 1 12 0',
    'M15.5 5a3 3 0 0 1 0 5.8',
    'M17 14.2a5.6 5.6 0 0 1 4 5.3',
  ],
  book: [
    'M5 4.5h5.5A1.5 1.5 0 0 1 12 6v14a1.5 1.5 0 0 0-1.5-1.5H5z',
    'M19 4.5h-5.5A1.5 1.5 0 0 0 12 6v14a1.5 1.5 0 0 1 1.5-1.5H19z',
  ],
  skills: [
    'M6 4v5',
    'M6 15v5',
    'M12 4v9',
    'M12 19v1',
    'M18 4v2',
    'M18 12v8',
    'M4 12h4',
    'M10 16h4',
    'M16 9h4',
  ],
  company: [
    'M5 20V6.5L13 4v16',
    'M13 9.5l6 2V20',
    'M3.5 20h17',
    'M8.5 9v.01',
    'M8.5 12.5v.01',
    'M8.5 16v.01',
    'M16 14v.01',
    'M16 17v.01',
  ],
  chart: ['M4.5 4.5v15h15', 'M8.5 15.5v-4', 'M12.5 15.5V8', 'M16.5 15.5v-6'],
  note: ['M5 4.5h14v10l-5 5H5z', 'M19 14.5h-5v5', 'M8.5 9h7', 'M8.5 12.5h4'],
  hub: [
    'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
    'M12 3.5v5',
    'M12 15.5v5',
    'M3.5 12h5',
    'M15.5 12h5',
  ],
  hand: [
    'M7.5 12V6.2a1.3 1.3 0 0 1 2.6 0V11',
    'M10.1 10.5V4.8a1.3 1.3 0 0 1 2.6 0V11',
    'M12.7 11V6.2a1.3 1.3 0 0 1 2.6 0V13',
    'M15.3 9.5a1.3 1.3 0 0 1 2.6 0V15a5.5 5.5 0 0 1-5.5 5.5c-2.6 0-3.8-1-5-3L5 13.6a1.4 1.4 0 0 1 2.4-1.4z',
  ],
  keyboard: ['M3.5 6.5h17v11h-17z', 'M7 10v.01', 'M10.5 10v.01', 'M14 10v.01', 'M17 10v.01', 'M8 14h8'],
  filter: ['M4 6h16', 'M7 12h10', 'M10 18h4'],
  release: ['M9 7 4.5 11.5 9 16', 'M4.5 11.5H14a5.5 5.5 0 0 1 5.5 5.5v1.5'],
} as const;

export type DeskIconName = keyof typeof PATHS;

/** A drawing of the desk's; see Drawing. */
export const DeskIcon = ({ name }: { readonly name: DeskIconName }) => <Drawing paths={PATHS[name]} />;
