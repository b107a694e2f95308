import type { ComponentChildren } from 'preact';

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
