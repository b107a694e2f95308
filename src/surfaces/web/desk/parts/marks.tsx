import type { ComponentChildren } from 'preact';
import { term } from '../lib/values.js';
import { useWords } from '../texts.js';

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
  const words = useWords();
  return (
    <span class={`tag tag--${priority}`}>
      <PriorityShape priority={priority} />
      <span class="visually-hidden">{words.queue.priorityLabel}: </span>
      {term(words.priority, priority)}
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
  const words = useWords();
  const angry = sentiment === 'frustrated';
  return (
    <span class={`tag tag--${sentiment}`}>
      <svg class="mark mark--line" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <circle cx="8" cy="8" r="6.8" />
        <path d={MOUTHS[sentiment] ?? NO_MOOD} />
        <path d={angry ? 'm4.4 5 2.2 1.2M11.6 5 9.4 6.2' : 'M5.6 6v.4M10.4 6v.4'} />
      </svg>
      {term(words.sentiment, sentiment)}
    </span>
  );
}

/** A part of the panel that can be folded away. */
export function Fold({
  title,
  open = false,
  children,
}: {
  readonly title: string;
  readonly open?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="fold" open={open}>
      <summary class="fold__title">
        <h3>{title}</h3>
      </summary>
      <div class="fold__body">{children}</div>
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
